//! The protoc plugin: a request on standard input, a response on standard output.
//!
//! Specification:
//! <https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/compiler/plugin.proto>.

use tobu::Pool;
use tobu::wire::{Reader, Tag, WireType, Writer};

use crate::config::{BytesType, Config, MapType, StringType, Views};
use crate::error::{Error, Kind, Result};

/// Answers a serialized `google.protobuf.compiler.CodeGeneratorRequest` with a serialized `CodeGeneratorResponse`.
///
/// The parameter is a list of settings with commas between them: `name=value`, or `name@path=value` for the settings
/// that take a path, which is the whole schema where there is none.
///
/// | setting | values |
/// | --- | --- |
/// | `out_file` | the name of the generated file |
/// | `file_per_package` | `true`, `false` |
/// | `runtime_path`, `tonic_path` | the path of the `tobu` crate, of the `tobu-tonic` crate |
/// | `views` | `none`, `both`, `only` |
/// | `comments`, `getters`, `unknown_fields`, `keep_source_info`, `strip_enum_prefix`, `serde_derives`, `well_known_types`, `client`, `server` | `true`, `false` |
/// | `bytes_type` | `vec`, `bytes`, or a Rust path |
/// | `string_type` | `string`, `box_str`, or a Rust path |
/// | `map_type` | `hash_map`, `btree_map`, `vec_map`, or a Rust path |
/// | `boxed`, `skip_debug`, `skip_partial_eq` | none: `boxed@.library.v1.Shelf.cover` |
/// | `extern_path` | a Rust path: `extern_path@.acme=::acme_proto` |
/// | `type_attribute`, `message_attribute`, `oneof_attribute`, `enum_attribute`, `field_attribute` | an attribute without commas |
///
/// What is wrong with the schema or a setting is said in the response, as protoc wants it.
///
/// # Errors
/// The request is malformed.
pub fn run_plugin(request: &[u8]) -> Result<Vec<u8>> {
    let request = Request::parse(request).map_err(Kind::Request)?;
    let mut response = Writer::new();
    match request.answer() {
        Ok(files) => {
            // FEATURE_PROTO3_OPTIONAL, FEATURE_SUPPORTS_EDITIONS; from EDITION_PROTO2 to EDITION_2026.
            for (number, value) in [(2, 1 | 2), (3, 998), (4, 1002)] {
                response.tag(Tag::new(number, WireType::Varint));
                response.varint(value);
            }
            for (name, content) in files {
                let file = response.open(Tag::new(15, WireType::Len));
                bytes(&mut response, 1, name.as_bytes());
                bytes(&mut response, 15, content.as_bytes());
                response.close(file);
            }
        }
        Err(error) => bytes(&mut response, 1, error.to_string().as_bytes()),
    }
    Ok(response.finish()?)
}

#[derive(Default)]
struct Request<'r> {
    files: Vec<&'r str>,
    parameter: &'r str,
    /// A serialized FileDescriptorSet.
    set: Vec<u8>,
}

impl<'r> Request<'r> {
    fn parse(encoded: &'r [u8]) -> tobu::Result<Self> {
        let mut request = Request::default();
        let mut set = Writer::new();
        let mut reader = Reader::new(encoded);
        while !reader.is_empty() {
            let tag = reader.tag()?;
            match (tag.number(), tag.wire_type()) {
                (1, WireType::Len) => request.files.push(reader.string()?),
                (2, WireType::Len) => request.parameter = reader.string()?,
                (15, WireType::Len) => bytes(&mut set, 1, reader.len_prefixed()?),
                _ => {
                    reader.skip(tag, 100)?;
                }
            }
        }
        request.set = set.finish()?;
        Ok(request)
    }

    fn answer(&self) -> Result<Vec<(String, String)>> {
        let mut config = Config::new();
        for setting in self.parameter.split(',').map(str::trim).filter(|setting| !setting.is_empty()) {
            apply(&mut config, setting)?;
        }
        config.check_out_file()?;
        let pool = Pool::from_descriptor_set(&self.set)?;
        Ok(config.generate(&pool, &self.files)?.into_iter().collect())
    }
}

fn apply(config: &mut Config, setting: &str) -> Result<()> {
    let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
    let (key, path) = key.split_once('@').unwrap_or((key, "."));
    let yes = || match value {
        "true" | "" => Ok(true),
        "false" => Ok(false),
        _ => Err(Error::option("the setting", setting, "it takes `true` or `false`")),
    };
    match key {
        "out_file" => config.out_file(value),
        "file_per_package" => config.file_per_package(yes()?),
        "runtime_path" => config.runtime_path(value),
        "tonic_path" => config.tonic_path(value),
        "views" => config.views(match value {
            "none" => Views::None,
            "both" => Views::Both,
            "only" => Views::Only,
            _ => return Err(Error::option("the setting", setting, "it takes `none`, `both` or `only`")),
        }),
        "comments" => config.comments(yes()?),
        "getters" => config.getters(yes()?),
        "unknown_fields" => config.unknown_fields(yes()?),
        "keep_source_info" => config.keep_source_info(yes()?),
        "strip_enum_prefix" => config.strip_enum_prefix(yes()?),
        "serde_derives" => config.serde_derives(yes()?),
        "well_known_types" => config.well_known_types(yes()?),
        "client" => config.client(yes()?),
        "server" => config.server(yes()?),
        "bytes_type" => config.bytes_type(
            path,
            match value {
                "vec" => BytesType::Vec,
                "bytes" => BytesType::Bytes,
                custom => BytesType::Custom(custom.to_owned()),
            },
        ),
        "string_type" => config.string_type(
            path,
            match value {
                "string" => StringType::String,
                "box_str" => StringType::BoxStr,
                custom => StringType::Custom(custom.to_owned()),
            },
        ),
        "map_type" => config.map_type(
            path,
            match value {
                "hash_map" => MapType::HashMap,
                "btree_map" => MapType::BTreeMap,
                "vec_map" => MapType::VecMap,
                custom => MapType::Custom(custom.to_owned()),
            },
        ),
        "boxed" => config.boxed(path),
        "skip_debug" => config.skip_debug(path),
        "skip_partial_eq" => config.skip_partial_eq(path),
        "extern_path" => config.extern_path(path, value),
        "type_attribute" => config.type_attribute(path, value),
        "message_attribute" => config.message_attribute(path, value),
        "oneof_attribute" => config.oneof_attribute(path, value),
        "enum_attribute" => config.enum_attribute(path, value),
        "field_attribute" => config.field_attribute(path, value),
        _ => return Err(Error::option("the setting", setting, "there is none of this name")),
    };
    Ok(())
}

fn bytes(out: &mut Writer, number: u32, value: &[u8]) {
    out.tag(Tag::new(number, WireType::Len));
    out.len_prefixed(value);
}

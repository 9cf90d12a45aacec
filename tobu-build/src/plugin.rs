//! Implements a plugin of protoc. It reads a request from standard input, and writes a response to standard output.
//!
//! Specification:
//! <https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/compiler/plugin.proto>.

use std::io::Write;

use tobu_schema::Pool;
use tobu_schema::wire::{Reader, Tag, WireType, Writer};

use crate::config::{Api, BytesType, Config, EnumType, MapType, StringType, Views};
use crate::error::{Error, Kind, Result};
use crate::output::Output;

/// The settings of the plugin, one per line, as `protoc-gen-tobu --help` prints them.
pub const SETTINGS: &str = include_str!("settings.md");

/// Answers a serialized `google.protobuf.compiler.CodeGeneratorRequest` with a serialized `CodeGeneratorResponse`.
///
/// The parameter of the request is a list of settings, separated by commas. A setting is `name=value`. For a setting
/// with a path, it can be `name@path=value`; without a path, the setting applies to the whole schema.
///
#[doc = include_str!("settings.md")]
///
/// In `buf.gen.yaml` the settings are items of `opt`. With `strategy: all`, buf calls the plugin once for all files:
///
/// ```yaml
/// version: v2
/// plugins:
///   - local: protoc-gen-tobu
///     out: src/proto
///     strategy: all
///     opt:
///       - out_file=mod.rs
///       - map_type=btree_map
/// ```
///
/// With these settings, the plugin writes `src/proto/mod.rs`, so the crate can declare the types with `mod proto;`. Errors in
/// the schema and in settings are part of the response, as protoc expects.
///
/// # Errors
/// The request is malformed.
pub fn run_plugin(request: &[u8]) -> Result<Vec<u8>> {
    let mut response = Vec::new();
    run_plugin_to(request.to_vec(), &mut response)?;
    Ok(response)
}

/// Does the same as [`run_plugin`], but writes each generated file as soon as it is complete, so that at most one file is in
/// memory.
///
/// # Errors
/// The request is malformed, or writing fails.
pub fn run_plugin_to(request: Vec<u8>, response: &mut dyn Write) -> Result<()> {
    let (request, set) = Request::parse(request).map_err(Kind::Request)?;
    let mut head = Writer::new();
    // FEATURE_PROTO3_OPTIONAL, FEATURE_SUPPORTS_EDITIONS; from EDITION_PROTO2 to EDITION_2026.
    for (number, value) in [(2, 1 | 2), (3, 998), (4, 1002)] {
        head.tag(Tag::new(number, WireType::Varint));
        head.varint(value);
    }
    write(response, &head.finish()?)?;
    let mut files = Files { response, name: String::new(), content: Vec::new() };
    let written = request.answer(set, &mut files).and_then(|()| files.flush());
    match written {
        Err(error) if !error.is_output() => {
            // protoc and buf ignore the files of a response with an error, so the error may follow some files.
            let mut end = Writer::new();
            bytes(&mut end, 1, error.to_string().as_bytes());
            write(files.response, &end.finish()?)
        }
        written => written,
    }
}

/// The files of a response. Each file is written when it is complete, because its length comes before its text.
struct Files<'w> {
    response: &'w mut dyn Write,
    /// The name of the file that is not complete yet.
    name: String,
    content: Vec<String>,
}

impl Files<'_> {
    fn flush(&mut self) -> Result<()> {
        if self.name.is_empty() {
            return Ok(());
        }
        let content = std::mem::take(&mut self.content);
        let length: usize = content.iter().map(String::len).sum();
        let mut head = Writer::new();
        bytes(&mut head, 1, self.name.as_bytes());
        head.tag(Tag::new(15, WireType::Len));
        head.varint(length as u64);
        let head = head.finish()?;
        let mut file = Writer::new();
        file.tag(Tag::new(15, WireType::Len));
        file.varint((head.len() + length) as u64);
        write(self.response, &file.finish()?)?;
        write(self.response, &head)?;
        content.iter().try_for_each(|text| write(self.response, text.as_bytes()))
    }
}

impl Output for Files<'_> {
    fn begin(&mut self, file: &str) -> Result<()> {
        self.flush()?;
        self.name = file.to_owned();
        Ok(())
    }

    fn text(&mut self, text: String) -> Result<()> {
        self.content.push(text);
        Ok(())
    }
}

fn write(response: &mut dyn Write, bytes: &[u8]) -> Result<()> {
    response.write_all(bytes).map_err(|error| Kind::Response(error).into())
}

#[derive(Default)]
struct Request {
    files: Vec<String>,
    parameter: String,
}

impl Request {
    /// Parses a request. Also returns the files in it, as a serialized `FileDescriptorSet`.
    fn parse(encoded: Vec<u8>) -> tobu_schema::Result<(Self, Vec<u8>)> {
        let mut request = Request::default();
        let mut set = Writer::new();
        let mut reader = Reader::new(&encoded);
        while !reader.is_empty() {
            let tag = reader.tag()?;
            match (tag.number(), tag.wire_type()) {
                (1, WireType::Len) => request.files.push(reader.string()?.to_owned()),
                (2, WireType::Len) => request.parameter = reader.string()?.to_owned(),
                (15, WireType::Len) => bytes(&mut set, 1, reader.len_prefixed()?),
                _ => {
                    reader.skip(tag, 100)?;
                }
            }
        }
        Ok((request, set.finish()?))
    }

    fn answer(&self, set: Vec<u8>, out: &mut dyn Output) -> Result<()> {
        let mut config = Config::new();
        for setting in self.parameter.split(',').map(str::trim).filter(|setting| !setting.is_empty()) {
            config.setting(setting)?;
        }
        config.check_out_file()?;
        let pool = Pool::from_descriptor_set_bytes(set)?;
        // protoc and buf show text that a plugin writes to standard error.
        for unused in config.unused(&pool) {
            eprintln!("warning: {unused}");
        }
        config.generate_to(&pool, &self.files, out)
    }
}

impl Config {
    /// Applies one setting, in the syntax `name=value` or `name@path=value`. [`run_plugin`] lists the settings.
    ///
    /// # Errors
    /// There is no setting with this name, or it does not accept the value.
    pub fn setting(&mut self, setting: &str) -> Result<&mut Self> {
        apply(self, setting)?;
        Ok(self)
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
        "derive_eq_hash" => config.derive_eq_hash(yes()?),
        "derive_ord" => config.derive_ord(yes()?),
        "arbitrary" => config.arbitrary(yes()?),
        "oneof_conversions" => config.oneof_conversions(yes()?),
        "derive_copy" => config.derive_copy(yes()?),
        "getters" => config.getters(yes()?),
        "accessors" => config.accessors(yes()?),
        "unknown_fields" => config.unknown_fields(yes()?),
        "keep_source_info" => config.keep_source_info(yes()?),
        "strip_enum_prefix" => config.strip_enum_prefix(yes()?),
        "serde_derives" => config.serde_derives(yes()?),
        "well_known_types" => config.well_known_types(yes()?),
        "all_imports" => config.all_imports(yes()?),
        "client" => config.client(yes()?),
        "server" => config.server(yes()?),
        "generate_default_stubs" => config.generate_default_stubs(yes()?),
        "lazy" => config.lazy(path, yes()?),
        "api" => config.api_of(
            path,
            match value {
                "open" => Api::Open,
                "hybrid" => Api::Hybrid,
                "opaque" => Api::Opaque,
                _ => {
                    return Err(Error::option(
                        "the setting",
                        setting,
                        "it takes `open`, `hybrid` or `opaque`",
                    ));
                }
            },
        ),
        "parsed" => config.parsed(path),
        "parsed_requests" => config.parsed_requests(path),
        "parsed_answers" => config.parsed_answers(path),
        "pool_requests" => config.pool_requests(path),
        "bytes_type" => config.bytes_type(
            path,
            match value {
                "vec" => BytesType::Vec,
                "bytes" => BytesType::Bytes,
                custom => BytesType::Custom(rust_path(setting, custom, "`vec`, `bytes`")?),
            },
        ),
        "string_type" => config.string_type(
            path,
            match value {
                "string" => StringType::String,
                "box_str" => StringType::BoxStr,
                custom => StringType::Custom(rust_path(setting, custom, "`string`, `box_str`")?),
            },
        ),
        "map_type" => config.map_type(
            path,
            match value {
                "hash_map" => MapType::HashMap,
                "btree_map" => MapType::BTreeMap,
                "vec_map" => MapType::VecMap,
                custom => MapType::Custom(rust_path(setting, custom, "`hash_map`, `btree_map`, `vec_map`")?),
            },
        ),
        "with" => {
            let (ty, convert) = value.split_once(';').unwrap_or((value, value));
            config.with(path, ty, convert)
        }
        "json_ignore_unknown" => config.json_ignore_unknown(path),
        "prost_messages" => config.prost_messages(path),
        "prost_type" => config.prost_type(path, value),
        "with_whole" => {
            let (ty, convert) = value.split_once(';').unwrap_or((value, value));
            config.with_whole(path, ty, convert)
        }
        "enum_type" => config.enum_type(
            path,
            match value {
                "newtype" => EnumType::Newtype,
                "rust" => EnumType::Rust,
                "i32" => EnumType::I32,
                _ => return Err(Error::option("the setting", setting, "it takes `newtype` or `rust`")),
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
        "client_mod_attribute" => config.client_mod_attribute(path, value),
        "client_attribute" => config.client_attribute(path, value),
        "server_mod_attribute" => config.server_mod_attribute(path, value),
        "server_attribute" => config.server_attribute(path, value),
        "trait_attribute" => config.trait_attribute(path, value),
        _ => return Err(Error::option("the setting", setting, "there is no setting of this name")),
    };
    Ok(())
}

/// Returns the Rust path in a setting's value. Returns an error for a path without `::`, because it is more often a
/// misspelled word than a type in scope.
fn rust_path(setting: &str, value: &str, words: &str) -> Result<String> {
    match value.contains("::") {
        true => Ok(value.to_owned()),
        false => {
            let message = format!("it takes {words}, or a Rust path such as `::acme::Type`");
            Err(Error::option("the setting", setting, message))
        }
    }
}

fn bytes(out: &mut Writer, number: u32, value: &[u8]) {
    out.tag(Tag::new(number, WireType::Len));
    out.len_prefixed(value);
}

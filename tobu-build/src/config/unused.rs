//! Finds settings whose path matches nothing in a schema. In most cases, a name is misspelled.

use std::collections::HashSet;

use tobu_schema::Pool;
use tobu_schema::descriptor::{FieldDescriptor, FieldShape, Type};

use super::Config;
use crate::paths::{PathMap, holds};

/// An element to which settings may apply: its full name, and its kinds as a set of bits.
type Element = (String, u16);

const MESSAGE: u16 = 1;
const ENUM: u16 = 1 << 1;
const ONEOF: u16 = 1 << 2;
const FIELD: u16 = 1 << 3;
const STRINGS: u16 = 1 << 4;
const BYTES: u16 = 1 << 5;
const MESSAGES: u16 = 1 << 6;
const MAP: u16 = 1 << 7;
const VALUE: u16 = 1 << 8;
const SERVICE: u16 = 1 << 9;
const METHOD: u16 = 1 << 10;
const TYPE: u16 = MESSAGE | ENUM | ONEOF;

impl Config {
    /// Returns a line for each setting whose path matches no element of the right kind. A path that names an existing package
    /// is accepted even if it has no such element, because several schemas may share the settings of a build script.
    pub(crate) fn unused(&self, pool: &Pool) -> Vec<String> {
        let elements = elements(pool);
        let mut packages: HashSet<&str> = HashSet::from(["google", "google.protobuf"]);
        let files: Vec<_> = pool.files().collect();
        for file in &files {
            let package = file.package();
            packages.extend(package.match_indices('.').map(|(end, _)| &package[..end]));
            packages.insert(package);
        }
        let mut lines = Vec::new();
        let mut find = |setting: &str, paths: Vec<&str>, kinds: u16, noun: &str| {
            for path in paths {
                let is_package = packages.contains(path.strip_prefix('.').unwrap_or(path));
                if !is_package && !elements.iter().any(|(name, is)| is & kinds != 0 && holds(path, name)) {
                    lines.push(format!(
                        "the setting `{setting}` is for {path:?}, but the schema has no such {noun}"
                    ));
                }
            }
        };
        let any = "element";
        find("disable_comments", patterns(&self.disabled_comments), u16::MAX, any);
        find("api_of", patterns(&self.apis), MESSAGE, "message");
        find("lazy", patterns(&self.lazy), MESSAGES, "field of messages");
        find("parsed", patterns(&self.parsed), MESSAGE, "message");
        find("pool_requests", patterns(&self.pool_requests), SERVICE | METHOD, "service or method");
        find("parsed_requests", patterns(&self.parsed_requests), SERVICE | METHOD, "service or method");
        find("parsed_answers", patterns(&self.parsed_answers), SERVICE | METHOD, "service or method");
        find("extern_path", patterns(&self.extern_paths), MESSAGE | ENUM, "message or enum");
        find("bytes_type", patterns(&self.bytes_types), BYTES, "field of bytes");
        find("string_type", patterns(&self.string_types), STRINGS, "field of strings");
        find("map_type", patterns(&self.map_types), MAP, "map");
        find("with", patterns(&self.with), FIELD | MESSAGE, "field or message");
        find("prost_messages", patterns(&self.prost_messages), MESSAGE, "message");
        find("json_ignore_unknown", patterns(&self.json_ignore_unknown), MESSAGE, "message");
        find("enum_type", patterns(&self.enum_types), ENUM, "enum");
        find("boxed", patterns(&self.boxed), MESSAGES, "field of messages");
        find("skip_debug", patterns(&self.skip_debug), TYPE, "type");
        find("skip_partial_eq", patterns(&self.skip_partial_eq), TYPE, "type");
        find("type_attribute", patterns(&self.type_attributes), TYPE, "type");
        find("message_attribute", patterns(&self.message_attributes), MESSAGE, "message");
        find("oneof_attribute", patterns(&self.oneof_attributes), ONEOF, "oneof");
        find("enum_attribute", patterns(&self.enum_attributes), ENUM, "enum");
        find("field_attribute", patterns(&self.field_attributes), FIELD | ONEOF, "member");
        for (setting, map) in [
            ("client_mod_attribute", &self.client_mod_attributes),
            ("client_attribute", &self.client_attributes),
            ("server_mod_attribute", &self.server_mod_attributes),
            ("server_attribute", &self.server_attributes),
            ("trait_attribute", &self.trait_attributes),
        ] {
            find(setting, patterns(map), SERVICE, "service");
        }
        lines
    }
}

/// Returns the paths of a setting, except for `.`, which always matches.
fn patterns<T>(map: &PathMap<T>) -> Vec<&str> {
    map.patterns().filter(|pattern| *pattern != ".").collect()
}

/// Returns all elements to which settings can apply, in all files. This includes imports without generated types, because an
/// extern path may be for such a file.
fn elements(pool: &Pool) -> Vec<Element> {
    let mut all: Vec<Element> = Vec::new();
    for file in pool.files() {
        for message in file.all_messages() {
            if message.is_map_entry() {
                continue;
            }
            all.push((message.full_name().to_owned(), MESSAGE));
            all.extend(message.fields().map(|field| (field.full_name().to_owned(), kinds(&field))));
            all.extend(message.oneofs().map(|oneof| (oneof.full_name().to_owned(), ONEOF)));
        }
        for enumeration in file.all_enums() {
            all.push((enumeration.full_name().to_owned(), ENUM));
            all.extend(enumeration.values().map(|value| (value.full_name().to_owned(), VALUE)));
        }
        for service in file.services() {
            all.push((service.full_name().to_owned(), SERVICE));
            all.extend(service.methods().map(|method| (method.full_name().to_owned(), METHOD)));
        }
        all.extend(file.all_extensions().map(|field| (field.full_name().to_owned(), kinds(field.field()))));
    }
    all
}

/// Returns the kinds of a field, by the type of its values. For a map, by the types of both its keys and its values.
fn kinds(field: &FieldDescriptor) -> u16 {
    let of = |field: &FieldDescriptor| match field.ty() {
        Type::String => STRINGS,
        Type::Bytes => BYTES,
        Type::Message => MESSAGES,
        _ => 0,
    };
    match field.shape() {
        FieldShape::Map { key, value } => FIELD | MAP | of(&key) | of(&value),
        _ => FIELD | of(field),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BytesType, EnumType, MapType, StringType};

    const SOURCE: &str = "syntax = \"proto3\"; package library.v1;
        message Book { string title = 1; bytes cover = 2; map<string, bytes> pages = 3; Loan loan = 4; Genre genre = 5;
            oneof place { string shelf = 6; } }
        message Loan {} enum Genre { NONE = 0; } service Library { rpc Get(Loan) returns (Book); }";

    fn unused(set: impl Fn(&mut Config) -> &mut Config) -> Vec<String> {
        let mut config = Config::new();
        set(&mut config);
        config.unused(&crate::load_sources(&[("a.proto", SOURCE)]).unwrap())
    }

    #[test]
    fn settings_that_hold_for_something() {
        let lines = unused(|config| {
            config
                .bytes_type(".library.v1.Book.cover", BytesType::Bytes)
                .bytes_type("pages", BytesType::Bytes)
                .bytes_type(".", BytesType::Vec)
                .string_type(".library", StringType::BoxStr)
                .string_type("place.shelf", StringType::BoxStr)
                .string_type("Book.shelf", StringType::BoxStr)
                .map_type(".library.v1.Book", MapType::BTreeMap)
                .enum_type("Genre", EnumType::Rust)
                .boxed(".library.v1.Book.loan")
                .oneof_attribute("place", "#[x]")
                .field_attribute("Book.place", "#[x]")
                .extern_path(".google.protobuf", "::types")
                .pool_requests("Library.Get")
                .client_mod_attribute("library.v1", "#[x]")
        });
        assert_eq!(
            lines,
            ["the setting `string_type` is for \"place.shelf\", but the schema has no such field of strings"]
        );
    }

    #[test]
    fn settings_that_hold_for_nothing() {
        let lines = unused(|config| {
            config
                .bytes_type(".library.v1.Book.covr", BytesType::Bytes)
                .bytes_type(".library.v1.Book.title", BytesType::Bytes)
                .enum_type(".library.v1.Loan", EnumType::Rust)
                .extern_path(".libary.v1", "::types")
                .type_attribute("Lone", "#[x]")
                .server_attribute(".library.v1.Libary", "#[x]")
        });
        assert_eq!(
            lines,
            [
                "the setting `extern_path` is for \".libary.v1\", but the schema has no such message or enum",
                "the setting `bytes_type` is for \".library.v1.Book.covr\", but the schema has no such field of bytes",
                "the setting `bytes_type` is for \".library.v1.Book.title\", but the schema has no such field of bytes",
                "the setting `enum_type` is for \".library.v1.Loan\", but the schema has no such enum",
                "the setting `type_attribute` is for \"Lone\", but the schema has no such type",
                "the setting `server_attribute` is for \".library.v1.Libary\", but the schema has no such service",
            ]
        );
    }
}

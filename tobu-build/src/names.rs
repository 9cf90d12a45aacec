//! Converts proto names to Rust names: converts their case, escapes keywords, and keeps equal names apart.

pub(crate) mod methods;

use std::collections::{HashMap, HashSet};

use heck::{ToShoutySnakeCase, ToSnakeCase, ToUpperCamelCase};
use proc_macro2::{Ident, Span};

/// Returns the name of a struct, an enum or a variant.
pub(crate) fn type_name(proto: &str) -> String {
    escape(proto.to_upper_camel_case())
}

/// Returns the name of a module.
///
/// Modules and types share a namespace, so a module called `i32` would hide the primitive type.
pub(crate) fn module_name(proto: &str) -> String {
    let name = escape(proto.to_snake_case());
    if PRIMITIVES.contains(&name.as_str()) { name + "_" } else { name }
}

/// Returns the name of a member of a struct, and of its getter.
pub(crate) fn field_name(proto: &str) -> String {
    escape(proto.to_snake_case())
}

/// Returns the name of a method for a field, with a prefix or a suffix.
pub(crate) fn accessor_name(before: &str, proto: &str, after: &str) -> String {
    escape(format!("{before}{}{after}", proto.to_snake_case()))
}

pub(crate) fn constant_name(proto: &str) -> String {
    if proto.bytes().any(|b| b.is_ascii_lowercase()) {
        escape(proto.to_shouty_snake_case())
    } else {
        escape(proto.to_owned())
    }
}

/// Returns the proto name that the derive gives to a variant by default.
pub(crate) fn variant_proto_name(variant: &str) -> String {
    let letters: Vec<char> = variant.chars().collect();
    let mut out = String::new();
    for (i, c) in letters.iter().enumerate() {
        if c.is_uppercase() && i > 0 && letters[i - 1] != '_' {
            let next_is_lower = letters.get(i + 1).is_some_and(|next| next.is_lowercase());
            if !letters[i - 1].is_uppercase() || next_is_lower {
                out.push('_');
            }
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// True if protobuf accepts `name` as a name without dots.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Returns the identifier for an escaped name. If the name is a keyword, the identifier is raw.
pub(crate) fn ident(name: &str) -> Ident {
    if KEYWORDS.contains(&name) {
        Ident::new_raw(name, Span::call_site())
    } else {
        Ident::new(name, Span::call_site())
    }
}

/// Adds an underscore to a name that cannot be an identifier, not even a raw one.
fn escape(mut name: String) -> String {
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if UNESCAPABLE.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// The names in one namespace of the output, such as a module or an impl.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    taken: HashSet<String>,
    /// How many underscores `claim` last appended to a name. The variants with fewer underscores are taken, too.
    again: HashMap<String, usize>,
}

impl Scope {
    /// Takes a name and returns it. If the name is already taken, appends underscores until the name is new.
    pub(crate) fn claim(&mut self, name: String) -> String {
        if self.taken.insert(name.clone()) {
            return name;
        }
        let count = self.again.entry(name.clone()).or_default();
        loop {
            *count += 1;
            let longer = name.clone() + &"_".repeat(*count);
            if self.taken.insert(longer.clone()) {
                return longer;
            }
        }
    }

    /// Converts the proto names, and takes a name for each. Proto names that `convert` does not change take their names first.
    pub(crate) fn claim_all<'p>(
        &mut self,
        protos: impl IntoIterator<Item = &'p str>,
        convert: fn(&str) -> String,
    ) -> Vec<String> {
        let wanted: Vec<_> = protos.into_iter().map(|proto| (proto, convert(proto))).collect();
        let mut names = vec![None; wanted.len()];
        for ((proto, name), slot) in wanted.iter().zip(&mut names) {
            if proto == name && self.taken.insert(name.clone()) {
                *slot = Some(name.clone());
            }
        }
        wanted
            .into_iter()
            .zip(names)
            .map(|((_, name), slot)| slot.unwrap_or_else(|| self.claim(name)))
            .collect()
    }
}

/// The keywords of all editions up to 2024, including reserved ones, that can be raw identifiers.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Names that cannot be identifiers, not even raw ones.
const UNESCAPABLE: &[&str] = &["_", "self", "Self", "super", "crate"];

const PRIMITIVES: &[&str] = &[
    "bool", "char", "str", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
    "usize", "f16", "f32", "f64", "f128",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts() {
        assert_eq!(type_name("shelf_kind"), "ShelfKind");
        assert_eq!(type_name("HTTPMethod"), "HttpMethod");
        assert_eq!(field_name("pageToken"), "page_token");
        assert_eq!(constant_name("RED__2"), "RED__2");
        assert_eq!(constant_name("lightBlue"), "LIGHT_BLUE");
    }

    #[test]
    fn escapes() {
        assert_eq!(type_name("Self"), "Self_");
        assert_eq!(field_name("self"), "self_");
        assert_eq!(field_name("super"), "super_");
        assert_eq!(field_name("_"), "__");
        assert_eq!(field_name("_1"), "_1");
        assert_eq!(accessor_name("", "self", ""), "self_");
        assert_eq!(accessor_name("has_", "self", ""), "has_self");
        assert_eq!(accessor_name("", "_1", "_mut"), "_1_mut");
        assert_eq!(module_name("I32"), "i32_");
        assert_eq!(ident(&field_name("type")).to_string(), "r#type");
        assert_eq!(ident(&module_name("gen")).to_string(), "r#gen");
        assert_eq!(ident("union").to_string(), "union");
    }

    #[test]
    fn keeps_names_apart() {
        let mut scope = Scope::default();
        assert_eq!(
            scope.claim_all(["fooBar", "foo_bar", "FooBar"], field_name),
            ["foo_bar_", "foo_bar", "foo_bar__"]
        );
        let again = ["a_", "a", "a", "a", "a_", "a"].map(|name| scope.claim(name.to_owned()));
        assert_eq!(again, ["a_", "a", "a__", "a___", "a____", "a_____"]);
    }

    #[test]
    fn knows_identifiers() {
        assert!(is_identifier("_a1"));
        for name in ["", "1a", "a-b", "a.b", "a\0", "é"] {
            assert!(!is_identifier(name), "{name}");
        }
    }
}

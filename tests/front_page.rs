//! The front page of the documentation names what the crate has.

use std::path::Path;

/// A source file of the crate.
fn source(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The documentation at the start of a file.
fn documentation(source: &str) -> String {
    source.lines().filter_map(|line| line.strip_prefix("//!")).collect::<Vec<_>>().join("\n")
}

/// The names of the public modules, re-exports and macros.
fn public_names(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    let code: Vec<&str> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    for (at, line) in code.iter().enumerate() {
        if let Some(module) = line.strip_prefix("pub mod ") {
            let is_hidden = code[..at].iter().rev().take(2).any(|before| before.contains("doc(hidden)"));
            let name = module.trim_end_matches([';', ' ', '{']);
            names.extend((!is_hidden).then(|| name.to_owned()));
        }
    }
    for statement in code.join("\n").split("pub use ").skip(1) {
        let path = statement.split(';').next().unwrap_or_default();
        let list = path.split_once('{').map_or(path, |(_, list)| list);
        let last = |path: &str| path.rsplit("::").next().unwrap_or_default().trim().to_owned();
        names.extend(
            list.trim_end().trim_end_matches('}').split(',').map(last).filter(|name| !name.is_empty()),
        );
    }
    for definition in code.join("\n").split("#[macro_export]\nmacro_rules! ").skip(1) {
        names.extend(definition.split_whitespace().next().map(|name| format!("{name}!")));
    }
    names
}

#[test]
fn it_names_every_public_item_of_the_root() {
    let source = source("lib.rs");
    let (page, names) = (documentation(&source), public_names(&source));
    for known in ["json", "Pool", "to_vec", "MessageSeed", "Debug", "include_proto!"] {
        assert!(names.iter().any(|name| name == known), "{known} was not found among {names:?}");
    }
    assert!(!names.iter().any(|name| name == "__private"));
    let missing: Vec<_> = names.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "src/lib.rs does not name {missing:?} in its documentation");
}

#[test]
fn it_names_every_method_of_messages() {
    let (page, message) = (documentation(&source("lib.rs")), source("message.rs"));
    let start = message.find("pub trait Message: ").expect("the trait");
    let end = message[start..].find("\n}").expect("its end");
    let methods = message[start..start + end].split("\n    fn ").skip(1);
    let methods: Vec<&str> = methods.filter_map(|text| text.split(['(', '<']).next()).collect();
    assert!(methods.contains(&"encode_to_vec") && methods.len() > 15, "{methods:?}");
    // The shape is generated, and for generated code.
    let missing: Vec<_> =
        methods.iter().filter(|name| **name != "shape" && !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "src/lib.rs does not name {missing:?} in its documentation");
}

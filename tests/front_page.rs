//! The documentation leads to each item at the root of the crate: by its front page, or by a page that the front page names.

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

/// The documentation before this item.
fn documentation_of(source: &str, item: &str) -> String {
    let before = &source[..source.find(item).unwrap_or_else(|| panic!("there is no {item}"))];
    let lines = before.lines().rev().skip_while(|line| !line.starts_with("///"));
    let mut lines: Vec<_> = lines.map_while(|line| line.strip_prefix("///")).collect();
    lines.reverse();
    lines.join("\n")
}

/// The page of the trait `Message`.
fn message_page() -> String {
    documentation_of(&source("message.rs"), "pub trait Message: ")
}

fn missing<'n>(names: &[&'n str], page: &str) -> Vec<&'n str> {
    names.iter().copied().filter(|name| !page.contains(&format!("`{name}`"))).collect()
}

#[test]
fn each_public_item_of_the_root_is_on_a_page_that_the_front_page_names() {
    let root = source("lib.rs");
    let (front, names) = (documentation(&root), public_names(&root));
    for known in ["json", "Pool", "to_vec", "MessageSeed", "Debug", "include_proto!"] {
        assert!(names.iter().any(|name| name == known), "{known} was not found among {names:?}");
    }
    assert!(!names.iter().any(|name| name == "__private"));

    let modules = [
        ("stream", "stream/mod.rs"),
        ("reflect", "message/reflect/mod.rs"),
        ("descriptor", "../tobu-schema/src/descriptor/mod.rs"),
        ("types", "types/mod.rs"),
    ];
    let mut pages = front.clone() + &message_page() + &documentation_of(&root, "pub mod prelude ");
    for (module, file) in modules {
        assert!(front.contains(&format!("[`{module}`]")), "the front page does not link to {module}");
        pages += &documentation(&source(file));
    }
    assert!(front.contains("[`Message`]") && front.contains("[`prelude`]"));

    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let missing = missing(&names, &pages);
    assert!(missing.is_empty(), "no page names {missing:?}");
}

#[test]
fn the_map_of_the_front_page_has_ten_lines() {
    let page = documentation(&source("lib.rs"));
    let map = page.split("# Where things are").nth(1).unwrap();
    let rows = map.lines().map(str::trim).skip_while(|line| !line.starts_with('|')).skip(2);
    assert_eq!(rows.take_while(|line| line.starts_with('|')).count(), 10);
}

#[test]
fn the_page_of_messages_names_every_method() {
    let (page, message) = (message_page(), source("message.rs"));
    let start = message.find("pub trait Message: ").expect("the trait");
    let end = message[start..].find("\n}").expect("its end");
    let methods = message[start..start + end].split("\n    fn ").skip(1);
    let methods: Vec<&str> = methods.filter_map(|text| text.split(['(', '<']).next()).collect();
    assert!(methods.contains(&"encode_to_vec") && methods.len() > 15, "{methods:?}");
    // The shape is generated, and for generated code.
    let methods: Vec<_> = methods.into_iter().filter(|name| *name != "shape").collect();
    let missing = missing(&methods, &page);
    assert!(missing.is_empty(), "the documentation of `Message` does not name {missing:?}");
}

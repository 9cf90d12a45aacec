//! What programs contain: nothing of the library that they do not call.
#![cfg(target_os = "linux")]

use object::{Object as _, ObjectSymbol as _};
use rustc_demangle::demangle;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};
use tobu_generated_tests::library::library::v1::{Book, Shelf, shelf};

/// Parts of the library, and how the paths of their functions begin.
const PARTS: [(&str, &[&str]); 9] = [
    ("arena", &["tobu::message::dynamic::", "tobu::object::arena::"]),
    ("conversion", &["tobu::convert::"]),
    ("decoder of arenas", &["tobu::object::arena::decode::", "tobu::object::arena::packed::"]),
    (
        "descriptors",
        &["tobu_schema::descriptor::link::", "tobu_schema::descriptor::pool::", "tobu::schema::declare::"],
    ),
    ("details of a status", &["tobu::rpc::", "tobu_tonic::rpc::"]),
    // Without its printer of tokens, which text has for numbers and strings.
    (
        "json",
        &["tobu::codec::json::", "tobu::syntax::json::lex::", "tobu::options::json::", "tobu::json::read::"],
    ),
    ("reflection", &["tobu::message::reflect::", "tobu_tonic::reflection::", "tobu_tonic::dynamic::"]),
    ("serde", &["tobu::serde::others::", "tobu::serde::serializer::", "tobu::serde::deserializer::"]),
    ("text", &["tobu::codec::text::", "tobu::text::", "tobu::syntax::text::"]),
];

/// The functions of the library in a program, by their paths.
fn functions(program: &str) -> BTreeSet<String> {
    let bytes = std::fs::read(program).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let symbols = file.symbols().filter(|symbol| symbol.is_definition());
    let paths = symbols.filter_map(|symbol| {
        let path = format!("{:#}", demangle(symbol.name().ok()?));
        let path = path.trim_start_matches(['<', '&']);
        path.starts_with("tobu").then(|| path.to_owned())
    });
    paths.collect()
}

/// The parts that a program contains a function of.
fn parts(program: &str) -> Vec<&'static str> {
    let functions = functions(program);
    let contains = |path: &&str| functions.iter().any(|function| function.starts_with(*path));
    PARTS.iter().filter(|(_, paths)| paths.iter().any(contains)).map(|(part, _)| *part).collect()
}

/// True for a program with the descriptors of `library.proto`: nothing else in a program refers to a type so.
fn has_descriptor(program: &str) -> bool {
    let program = std::fs::read(program).unwrap();
    let reference = b".library.v1.Book";
    program.windows(reference.len()).any(|bytes| bytes == reference)
}

fn run(program: &str, input: &[u8]) -> Vec<u8> {
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    output.stdout
}

fn shelf() -> Vec<u8> {
    let books = vec![Book { title: "Emma".into(), ..Book::default() }];
    let shelf = Shelf { books, kind: shelf::Kind::WALL, ..Shelf::default() };
    tobu::to_vec(&shelf).unwrap()
}

#[test]
fn the_wire_format_needs_nothing_else() {
    let program = env!("CARGO_BIN_EXE_wire_alone");
    assert_eq!(run(program, &shelf()), shelf());
    assert_eq!(parts(program), [""; 0]);
    assert!(!has_descriptor(program));
}

#[test]
fn json_needs_descriptors() {
    let program = env!("CARGO_BIN_EXE_json_too");
    let json = b"{\"kind\":\"KIND_WALL\",\"books\":[{\"title\":\"Emma\"}]}\n";
    assert_eq!(run(program, &shelf()), json);
    assert_eq!(parts(program), ["arena", "decoder of arenas", "descriptors", "json"]);
    assert!(has_descriptor(program));
}

#[test]
fn debug_needs_the_text_format_alone() {
    let program = env!("CARGO_BIN_EXE_printed");
    assert_eq!(run(program, &shelf()), b"Shelf { kind: KIND_WALL books { title: \"Emma\" } }\n");
    // Text is printed by the same code from a struct and from an arena, which is not decoded here.
    assert_eq!(parts(program), ["arena", "text"]);
    // The names of enum values are read from it where it lies.
    assert!(has_descriptor(program));
}

#[test]
fn calls_need_nothing_else() {
    let program = env!("CARGO_BIN_EXE_grpc");
    assert_eq!(run(program, b""), b"Ok(())\nErr(Unimplemented)\n");
    assert_eq!(parts(program), [""; 0]);
}

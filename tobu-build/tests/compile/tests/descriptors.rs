//! Which programs contain descriptors.

use std::io::Write as _;
use std::process::{Command, Stdio};
use tobu_generated_tests::library::library::v1::{Book, Shelf};

/// How a descriptor refers to a type of its package; nothing else in a program does.
const REFERENCE: &[u8] = b".library.v1.Book";

fn has_descriptor(program: &str) -> bool {
    let program = std::fs::read(program).unwrap();
    program.windows(REFERENCE.len()).any(|bytes| bytes == REFERENCE)
}

fn run(program: &str, input: &[u8]) -> Vec<u8> {
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    output.stdout
}

#[test]
fn a_program_that_only_uses_the_wire_format_contains_none() {
    let shelf = Shelf { books: vec![Book { title: "Emma".into(), ..Book::default() }], ..Shelf::default() };
    let bytes = tobu::to_vec(&shelf).unwrap();

    let wire_alone = env!("CARGO_BIN_EXE_wire_alone");
    assert_eq!(run(wire_alone, &bytes), bytes);
    assert!(!has_descriptor(wire_alone));

    let json_too = env!("CARGO_BIN_EXE_json_too");
    assert_eq!(run(json_too, &bytes), b"{\"books\":[{\"title\":\"Emma\"}]}\n");
    assert!(has_descriptor(json_too), "it needs one, and that is found");
}

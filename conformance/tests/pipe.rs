//! The testee as the runner of the suite talks to it: requests and responses with their lengths, through pipes.

// Its messages are there where the descriptors of the suite are.
#![cfg(suite)]

use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// The responses to requests, by a new testee.
fn responses(arguments: &[&str], requests: &[&[u8]]) -> Vec<Vec<u8>> {
    let mut testee = Command::new(env!("CARGO_BIN_EXE_conformance"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut to, mut from) = (testee.stdin.take().unwrap(), testee.stdout.take().unwrap());
    let answers = requests
        .iter()
        .map(|request| {
            to.write_all(&u32::try_from(request.len()).unwrap().to_le_bytes()).unwrap();
            to.write_all(request).unwrap();
            to.flush().unwrap();
            let mut length = [0; 4];
            from.read_exact(&mut length).unwrap();
            let mut answer = vec![0; u32::from_le_bytes(length) as usize];
            from.read_exact(&mut answer).unwrap();
            answer
        })
        .collect();
    drop(to);
    assert!(testee.wait().unwrap().success(), "it ends with its input");
    answers
}

/// A field with a length of one byte.
fn field(tag: u8, content: &[u8]) -> Vec<u8> {
    [&[tag, u8::try_from(content.len()).unwrap()], content].concat()
}

#[test]
fn json_and_bytes_by_every_way() {
    let name = field(0x22, b"protobuf_test_messages.proto3.TestAllTypesProto3");
    let (protobuf, json) = (b"\x18\x01", b"\x18\x02");
    let from_json = [&field(0x12, br#"{"optionalInt32":5}"#)[..], protobuf, &name].concat();
    let from_wire = [&field(0x0a, b"\x08\x05")[..], json, &name].concat();
    let malformed = [&field(0x0a, b"\x08")[..], json, &name].concat();
    for via in ["typed", "opaque", "view", "dynamic", "transcode"] {
        let answers = responses(&["--via", via], &[&from_json, &from_wire, &malformed]);
        assert_eq!(answers[0], field(0x1a, b"\x08\x05"), "{via}");
        assert_eq!(answers[1], field(0x22, br#"{"optionalInt32":5}"#), "{via}");
        assert_eq!(answers[2][0], 0x0a, "{via}: a parse error");
    }
}

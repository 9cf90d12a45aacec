//! A script that follows the page of the format reads the written streams: it needs a Python with `protobuf`
//! (`$PYTHON`, or `python3`), and says so without one.

use crate::support::{A, B};
use std::path::Path;
use std::process::Command;
use tobu::json::from_str;
use tobu::stream::described::{Compression, Options, Reader, Writer};
use tobu::{Message, json};
use tobu_schemas::corpus::corpus::v2::{Groups, Lists};
use tobu_schemas::library::v1::{Book, Loan, Shelf};

/// A stream of several types, which join it one after the other.
fn written(options: Options) -> Vec<u8> {
    let mut writer = Writer::with_options(Vec::new(), options.block_size(200));
    let dune = r#"{"title": "Dune", "genre": "GENRE_FICTION", "acquired": "1970-01-01T00:00:01Z", "loan": {"days": -2}}"#;
    let shelf = format!(r#"{{"books": [{dune}, {{}}, {dune}], "copies": {{"a": 1, "b": 2}}}}"#);
    for n in 0..40 {
        writer.write(&A { n }).unwrap();
        writer.write(&Loan { days: n as i32, ..Loan::default() }).unwrap();
        writer.write(&from_str::<Book>(dune).unwrap()).unwrap();
    }
    writer.write(&from_str::<Shelf>(&shelf).unwrap()).unwrap();
    writer.write(&from_str::<Groups>(r#"{"single": {"a": 5, "nested": {"after": 6}}}"#).unwrap()).unwrap();
    writer.write(&from_str::<Lists>(r#"{"expanded": [1, -1], "packed": [300, 0]}"#).unwrap()).unwrap();
    writer.write(&B { text: "\u{e4}\n" }).unwrap();
    writer.declare(&tobu::types::Any::descriptor()).unwrap();
    writer.finish().unwrap();
    writer.into_inner()
}

fn check(python: &str, name: &str, stream: &[u8]) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, stream).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/described/read.py");
    let output = Command::new(python).args(["-X", "utf8", script]).arg(&path).output().expect("python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    let mut lines = lines.lines();
    let mut reader = Reader::new(stream);
    while let Some(entry) = reader.next().unwrap() {
        let line = lines.next().expect("as many lines as messages");
        let (name, text) = line.split_once(' ').unwrap();
        assert_eq!(name, entry.descriptor().full_name());
        let message = entry.to_dynamic().unwrap();
        let tree: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(
            tree,
            serde_json::from_str::<serde_json::Value>(&json::to_string(&message).unwrap()).unwrap()
        );
    }
    assert_eq!((reader.count(), lines.next()), (124, None));
}

#[test]
fn python_reads_by_the_page() {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let there = Command::new(&python).args(["-c", "import google.protobuf"]).output();
    if !there.is_ok_and(|output| output.status.success()) {
        println!("{python} has no protobuf: nothing was checked");
        return;
    }
    check(&python, "plain.described", &written(Options::new()));
    let gzip = written(Options::new().compression(Compression::Gzip));
    assert!(gzip.windows(3).any(|bytes| bytes == b"\x1f\x8b\x08"), "some of it is compressed");
    check(&python, "gzip.described", &gzip);
}

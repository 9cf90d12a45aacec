//! The same data read by pyarrow as JSON, where it is installed.

use crate::support::{batch, pool};
use arrow_ipc::writer::FileWriter;
use std::fs::File;
use std::io::Write;
use std::process::Command;
use tobu::{DynamicMessage, json};
use tobu_arrow::Columns;

const SOURCE: &str = r#"syntax = "proto3";
import "google/protobuf/timestamp.proto";
message Row {
  string name = 1; int32 small = 2; int64 large = 3; uint32 count = 4; double ratio = 5; bool flag = 6; Color color = 7;
  optional int32 maybe = 8; repeated sint64 numbers = 9; repeated Item items = 10; Item item = 11;
  google.protobuf.Timestamp at = 12;
}
message Item { string id = 1; repeated Color colors = 2; optional double ratio = 3; Item2 inner = 4; }
message Item2 { repeated string tags = 1; }
enum Color { NONE = 0; RED = 1; BLUE = 7; }
"#;

/// Reads both files, and compares their rows. Times are compared as nanoseconds, because the two have different units.
const SCRIPT: &str = r#"
import sys, pyarrow as pa, pyarrow.ipc, pyarrow.json, pyarrow.compute as pc
ours = pa.ipc.open_file(sys.argv[1]).read_all()
theirs = pa.json.read_json(sys.argv[2])
assert ours.column_names == theirs.column_names, (ours.column_names, theirs.column_names)
assert ours.num_rows == theirs.num_rows > 0
for name in ours.column_names:
    a, b = ours[name], theirs[name]
    if pa.types.is_timestamp(a.type):
        a, b = (pc.cast(pc.cast(c, pa.timestamp("ns", "UTC")), pa.int64()) for c in (a, b))
    a, b = a.to_pylist(), b.to_pylist()
    assert a == b, (name, a, b)
print("equal", ours.num_rows)
"#;

fn python() -> Option<String> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&python).args(["-c", "import pyarrow"]).output();
    found.is_ok_and(|output| output.status.success()).then_some(python)
}

#[test]
fn arrays_are_those_that_pyarrow_reads() {
    let Some(python) = python() else {
        eprintln!("skipped: $PYTHON or python3 has no pyarrow");
        return;
    };
    let row = pool(SOURCE).message("Row").unwrap();
    let texts = [
        r#"{"name": "é", "small": -5, "large": "-9007199254740993", "count": 4294967295, "ratio": 0.1, "flag": true,
            "color": "BLUE", "maybe": 0, "numbers": [1, -1], "items": [{"id": "a", "colors": ["RED", "NONE"], "ratio": 1.5}, {}],
            "item": {"ratio": 2.5, "inner": {"tags": ["x", ""]}}, "at": "2026-11-30T12:46:00.25Z"}"#,
        "{}",
        r#"{"items": [{"inner": {}}], "numbers": [7], "at": "1969-12-31T23:59:59Z"}"#,
    ];
    let options = json::Options::new().emit_defaults(true).proto_field_names(true).int64_as_numbers(true);
    let directory = std::env::temp_dir().join(format!("tobu-arrow-pyarrow-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let (ours, theirs) = (directory.join("rows.arrow"), directory.join("rows.json"));
    let mut lines = File::create(&theirs).unwrap();
    let mut messages = Vec::new();
    for text in texts {
        let message = DynamicMessage::from_json(&row, text).unwrap();
        writeln!(lines, "{}", options.to_string(&message).unwrap()).unwrap();
        messages.push(message.encode_to_vec().unwrap());
    }
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let columns = Columns::new(&row).unwrap();
    let mut writer = FileWriter::try_new(File::create(&ours).unwrap(), &columns.schema()).unwrap();
    writer.write(&batch(&columns, &messages)).unwrap();
    writer.finish().unwrap();
    let output = Command::new(python).args(["-c", SCRIPT]).args([&ours, &theirs]).output().unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!((out.as_ref(), error.as_ref()), ("equal 3\n", ""));
}

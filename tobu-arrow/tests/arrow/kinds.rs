//! Which columns each kind of field becomes, with which values.

use crate::support::{KINDS, batch, kinds, pool, row};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_schema::{DataType, Field, TimeUnit};
use serde_json::json;
use tobu_arrow::{Batcher, Columns, Enums, Oneofs, Options, Texts};

/// The type of a field, as text without metadata.
fn type_of(field: &Field) -> String {
    let null = if field.is_nullable() { "?" } else { "" };
    let ty = match field.data_type() {
        DataType::List(item) => format!("[{}]", type_of(item)),
        DataType::Map(entries, _) => type_of(entries),
        DataType::Struct(fields) => {
            let members: Vec<_> =
                fields.iter().map(|field| format!("{}: {}", field.name(), type_of(field))).collect();
            format!("{{{}}}", members.join(", "))
        }
        DataType::Union(fields, mode) => {
            let members: Vec<_> = fields
                .iter()
                .map(|(id, field)| format!("{id} {}: {}", field.name(), type_of(field)))
                .collect();
            format!("{mode:?}({})", members.join(", "))
        }
        other => other.to_string(),
    };
    format!("{ty}{null}")
}

fn types(columns: &Columns) -> Vec<String> {
    columns.schema().fields().iter().map(|field| format!("{}: {}", field.name(), type_of(field))).collect()
}

#[test]
fn the_type_of_each_kind() {
    let expected = [
        "name: Utf8",
        "zero: Int32",
        "maybe: UInt64?",
        "items: [{id: Utf8, ratios: [Float32], empty: {}?}]",
        "by_name: {key: Utf8, value: {id: Utf8, ratios: [Float32], empty: {}?}}",
        "count: UInt32?",
        "word: Utf8?",
        "item: {id: Utf8, ratios: [Float32], empty: {}?}?",
        "numbers: [Int64]",
        "shades: [Dictionary(Int32, Utf8)]",
        "group: {id: Utf8, ratios: [Float32], empty: {}?}?",
        "at: Timestamp(ns, \"UTC\")?",
        "took: Duration(ns)?",
        "wrapped: Int64?",
        "text: Utf8?",
        "labels: Utf8?",
        "times: [Timestamp(ns, \"UTC\")]",
        "blob: Binary?",
        "color: Dictionary(Int32, Utf8)",
        "loose: Utf8?",
        "sizes: {key: Int32, value: Float64}",
        "flag: Boolean",
    ];
    assert_eq!(types(&Columns::new(&kinds()).unwrap()), expected);
    let schema = Columns::new(&kinds()).unwrap().schema();
    let metadata = |name: &str, key: &str| schema.field_with_name(name).unwrap().metadata().get(key).cloned();
    assert_eq!(schema.metadata()["protobuf.message"], "kinds.Root");
    assert_eq!(metadata("zero", "protobuf.type").as_deref(), Some("sint32"));
    assert_eq!(metadata("zero", "protobuf.number").as_deref(), Some("2"));
    assert_eq!(metadata("color", "protobuf.values").as_deref(), Some("NONE=0,RED=1,BLUE=7"));
    assert_eq!(metadata("labels", "ARROW:extension:name").as_deref(), Some("arrow.json"));
}

#[test]
fn the_type_of_each_choice() {
    let paths = ["at", "choice", "color", "name", "blob", "items.id", "count", "word", "item.id", "by_name"];
    let error = Options::new().fields(&paths).columns(&kinds()).unwrap_err();
    assert_eq!(error.to_string(), "kinds.Root: the path \"choice\": kinds.Root has no field \"choice\"");
    let paths = ["at", "color", "name", "blob", "items.id", "count", "item.id", "by_name.ratios"];
    let options = Options::new().fields(&paths).time_unit(TimeUnit::Second);
    let columns = options.clone().oneofs(Oneofs::Union).texts(Texts::Views).enums(Enums::Text);
    let expected = [
        "name: Utf8View",
        "items: [{id: Utf8View}]",
        "by_name: {key: Utf8View, value: {ratios: [Float32]}}",
        "choice: Sparse(0 none: Null?, 1 count: UInt32?, 3 item: {id: Utf8View}?)?",
        "at: Timestamp(s, \"UTC\")?",
        "blob: BinaryView?",
        "color: Utf8",
    ];
    assert_eq!(types(&columns.columns(&kinds()).unwrap()), expected);
    let columns = Options::new().fields(&["color", "[kinds.note]"]).enums(Enums::Number).pool(&pool(KINDS));
    let root = pool(KINDS).message("kinds.Root").unwrap();
    assert!(columns.columns(&root).is_err(), "the extension is of another pool");
    let pool = pool(KINDS);
    let columns = columns.pool(&pool).columns(&pool.message("kinds.Root").unwrap()).unwrap();
    assert_eq!(types(&columns), ["color: Int32", "[kinds.note]: Utf8?"]);
    let batch = batch(&columns, &[b"\x98\x01\x09\xa2\x06\x01n", b"\xa2\x06\x01n\xa2\x06\x01m"]);
    assert_eq!(row(&batch, 0), json!({"color": 9, "[kinds.note]": "n"}));
    assert_eq!(row(&batch, 1), json!({"color": 0, "[kinds.note]": "m"}));
}

/// The bytes of a message, as the fields of its columns that are not empty or null.
const ROWS: &[(&[u8], &str)] = &[
    (b"", "{}"),
    (b"\x0a\x01a\x10\x03\x18\x05\xb0\x01\x01", r#"{"name": "a", "zero": -2, "maybe": 5, "flag": true}"#),
    // What was written twice.
    (b"\x0a\x01a\x0a\x02bc\x10\x03\x10\x00", r#"{"name": "bc"}"#),
    (
        b"\x22\x03\x0a\x01a\x22\x00\x22\x0a\x12\x08\0\0\x80\x3f\0\0\0\0",
        r#"{"items": [{"id": "a", "ratios": [], "empty": null}, {"id": "", "ratios": [], "empty": null},
            {"id": "", "ratios": [1065353216, 0], "empty": null}]}"#,
    ),
    // Equal keys: the last one counts.
    (
        b"\x2a\x03\x0a\x01k\x2a\x08\x0a\x01k\x12\x03\x0a\x01v",
        r#"{"by_name": [["k", {"id": "v", "ratios": [], "empty": null}]]}"#,
    ),
    // An entry without key and value.
    (b"\xaa\x01\x00", r#"{"sizes": [[0, 0]]}"#),
    (b"\x35\x05\0\0\0", r#"{"count": 5}"#),
    // The last member of a oneof counts, with all that is in it.
    (b"\x42\x08\x12\x04\0\0\0\0\x1a\0\x3a\x01w", r#"{"word": "w"}"#),
    (b"\x3a\x01w\x42\x02\x1a\x00", r#"{"item": {"id": "", "ratios": [], "empty": {}}}"#),
    // A list in pieces, packed and not.
    (b"\x4a\x02\x01\x02\x48\x03\x4a\x00", r#"{"numbers": [-1, 1, -2]}"#),
    (b"\x52\x03\x07\x00\x09\x50\x01", r#"{"shades": ["BLUE", "NONE", "9", "RED"]}"#),
    (b"\x5b\x0a\x01g\x5c", r#"{"group": {"id": "g", "ratios": [], "empty": null}}"#),
    // A message in two occurrences.
    (b"\x5b\x0a\x01g\x5c\x5b\x1a\x00\x5c", r#"{"group": {"id": "g", "ratios": [], "empty": {}}}"#),
    (b"\x62\x04\x08\x02\x10\x05", r#"{"at": 2000000005}"#),
    (b"\x62\x00", r#"{"at": 0}"#),
    (b"\x62\x02\x08\x02\x62\x02\x10\x05", r#"{"at": 2000000005}"#),
    (
        b"\x6a\x16\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\xfb\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        r#"{"took": -1000000005}"#,
    ),
    (b"\x72\x00\x7a\x03\x0a\x01t", r#"{"wrapped": 0, "text": "t"}"#),
    // Unknown fields in a wrapper.
    (b"\x72\x06\x08\x05\x10\x01\x08\x06", r#"{"wrapped": 6}"#),
    (
        b"\x82\x01\x12\x0a\x10\x0a\x01a\x12\x0b\x11\0\0\0\0\0\0\xf0\x3f\x20\x01",
        r#"{"labels": "{\"a\":true}"}"#,
    ),
    (b"\x8a\x01\x02\x08\x01\x8a\x01\x00", r#"{"times": [1000000000, 0]}"#),
    (b"\x92\x01\x01\xff", r#"{"blob": [255]}"#),
    (b"\x98\x01\x07", r#"{"color": "BLUE"}"#),
    (b"\x98\x01\x08", r#"{"color": "8"}"#),
    (b"\xa2\x01\x01a", r#"{"loose": "a"}"#),
];

fn expected(row: &str) -> serde_json::Value {
    let given: serde_json::Value = serde_json::from_str(row).unwrap();
    let mut all = json!({
        "name": "", "zero": 0, "maybe": null, "items": [], "by_name": [], "count": null, "word": null, "item": null,
        "numbers": [], "shades": [], "group": null, "at": null, "took": null, "wrapped": null, "text": null,
        "labels": null, "times": [], "blob": null, "color": "NONE", "loose": null, "sizes": [], "flag": false,
    });
    for (name, value) in given.as_object().unwrap() {
        all[name] = value.clone();
    }
    all
}

#[test]
fn each_row() {
    let columns = Columns::new(&kinds()).unwrap();
    // In batches of their own, and in one.
    for (bytes, given) in ROWS {
        assert_eq!(row(&batch(&columns, &[bytes]), 0), expected(given), "{bytes:02x?}");
    }
    let all: Vec<&[u8]> = ROWS.iter().map(|(bytes, _)| *bytes).collect();
    let batch = batch(&columns, &all);
    for (index, (bytes, given)) in ROWS.iter().enumerate() {
        assert_eq!(row(&batch, index), expected(given), "{bytes:02x?}");
    }
    // The names of all batches are the same, with those of other numbers after them.
    let colors = batch["color"].as_dictionary::<Int32Type>();
    let names: Vec<_> = colors.values().as_string::<i32>().iter().flatten().collect();
    assert_eq!(names, ["NONE", "RED", "BLUE", "8"]);
}

#[test]
fn views_have_what_texts_have() {
    let columns = Options::new().texts(Texts::Views).columns(&kinds()).unwrap();
    let long = b"\x0a\x0d0123456789abc\x92\x01\x0cabcdefghijkl\xa2\x01\x10ABCDEFGHIJKLMNOP";
    // The second message is taken back after its texts were added.
    let mut batcher = Batcher::new(&columns);
    batcher.push(long).unwrap();
    let cut = [&long[..], b"\x0a\x0eABCDEFGHIJKLMN\x10"].concat();
    assert!(batcher.push(&cut).is_err());
    batcher.push(b"\x0a\x0eabcdefghijklmn").unwrap();
    let batch = batcher.finish().unwrap().unwrap();
    let first = r#"{"name": "0123456789abc", "blob": [97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108],
        "loose": "ABCDEFGHIJKLMNOP"}"#;
    assert_eq!(row(&batch, 0), expected(first));
    assert_eq!(row(&batch, 1), expected(r#"{"name": "abcdefghijklmn"}"#));
    assert_eq!(batch["name"].as_string_view().data_buffers()[0].len(), 27);
}

#[test]
fn unions_name_their_member() {
    let columns = Options::new().oneofs(Oneofs::Union).fields(&["count", "word"]).columns(&kinds()).unwrap();
    let batch = batch(&columns, &[b"", b"\x3a\x01w", b"\x35\x05\0\0\0", b"\x3a\x01w\x42\x00"]);
    let rows: Vec<_> = (0..4).map(|at| row(&batch, at)["choice"].clone()).collect();
    assert_eq!(
        rows,
        [json!({"none": null}), json!({"word": "w"}), json!({"count": 5}), json!({"none": null})]
    );
}

#[test]
fn messages_that_columns_do_not_hold() {
    let columns = Columns::new(&kinds()).unwrap();
    let rows: [(&[u8], &str); 7] = [
        (b"\xa2\x01\x01\xff", "loose: the string is not UTF-8, as a column of texts must be (at byte 2)"),
        (b"\x62\x04\x08\x02\x10\x80", "at.nanos: input ends inside a varint (at byte 5)"),
        (b"\x62\x06\x10\x80\x94\xeb\xdc\x03", "at: 0 seconds and 1000000000 nanoseconds are not a timestamp"),
        (
            b"\x62\x0b\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            "at: 0 seconds and -1 nanoseconds are not a timestamp",
        ),
        (b"\x62\x06\x08\xff\xff\xff\xff\x7f", "at: 64 bits do not hold 34359738367000000000 nanoseconds"),
        (
            b"\x6a\x0d\x08\x01\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            "took: 1 seconds and -1 nanoseconds are not a duration",
        ),
        (
            b"\x82\x01\x07\x0a\x05\x0a\x01a\x12\x00",
            "labels: a google.protobuf.Value without a kind has no form in JSON",
        ),
    ];
    for (bytes, expected) in rows {
        let error = Batcher::new(&columns).push(bytes).unwrap_err().to_string();
        assert_eq!(error, format!("kinds.Root.{expected}"));
    }
    // With a unit that holds it.
    let columns = Options::new().time_unit(TimeUnit::Microsecond).columns(&kinds()).unwrap();
    let batch = batch(&columns, &[b"\x62\x0b\x08\xff\xff\xff\xff\x7f\x10\xe7\x07\x18\x01"]);
    assert_eq!(row(&batch, 0)["at"], json!(34359738367000000_i64));
}

#[test]
fn columns_that_cannot_be_made() {
    let source = r#"syntax = "proto3"; package deep;
        message A { B b = 1; repeated A more = 2; } message B { map<string, A> a = 1; }
        message W0 { W1 a = 1; W1 b = 2; } message W1 { W2 a = 1; W2 b = 2; } message W2 { W3 a = 1; W3 b = 2; }
        message W3 { int32 a = 1; int32 b = 2; }"#;
    let pool = pool(source);
    let message = |name: &str| pool.message(&format!("deep.{name}")).unwrap();
    let error = |made: tobu::Result<Columns>| made.unwrap_err().to_string();
    let contains = "contains itself: set `recursion`, or leave the field out by `fields`";
    assert_eq!(error(Columns::new(&message("A"))), format!("deep.A.b.a: deep.A {contains}"));
    let columns = Options::new().fields(&["b.a.more"]).columns(&message("A"));
    assert_eq!(error(columns), format!("deep.A.b.a.more: deep.A {contains}"));
    let wide = Options::new().most_columns(29).columns(&message("W0"));
    assert_eq!(error(wide), "deep.W0.b.b.b.b: the message has more than 29 columns");
    assert_eq!(types(&Options::new().most_columns(30).columns(&message("W0")).unwrap()).len(), 2);
    let deep = Options::new().recursion(1000).columns(&message("A"));
    assert!(error(deep).ends_with("messages are nested deeper than 100 levels"), "a chain of messages");
    let rows = [
        (&["b.x"][..], "the path \"b.x\": deep.B has no field \"x\""),
        (&[""], "the path \"\": deep.A has no field \"\""),
        (&["b.a.more.b.a.b.", "x"], "the path \"b.a.more.b.a.b.\": deep.B has no field \"\""),
        (&["[x"], "the path \"[x\": deep.A has no field \"[x\""),
        (&["[x]"], "the path \"[x]\": deep.A has no extension \"x\""),
    ];
    for (paths, expected) in rows {
        let made = Options::new().fields(paths).columns(&message("A"));
        assert_eq!(error(made), format!("deep.A: {expected}"));
    }
    let made = Options::new().fields(&["a.a.a.a.a"]).columns(&message("W0"));
    assert_eq!(error(made), "deep.W0: the path \"a.a.a.a.a\" goes into a field that holds no messages");
    // No column, but rows.
    let columns = Options::new().fields::<&str>(&[]).columns(&message("W3")).unwrap();
    assert_eq!(batch(&columns, &[b"\x08\x01", b""]).num_rows(), 2);
    assert!(Batcher::new(&columns).push(b"\x08").is_err());
}

#[test]
fn deep_messages_become_bytes() {
    let source =
        r#"syntax = "proto3"; message Node { string name = 1; repeated Node nodes = 2; Node one = 3; }"#;
    let node = pool(source).message("Node").unwrap();
    let columns = Options::new().recursion(2).columns(&node).unwrap();
    let inside = "{name: Utf8, nodes: [Binary], one: Binary?}";
    assert_eq!(types(&columns), ["name: Utf8", &format!("nodes: [{inside}]"), &format!("one: {inside}?")]);
    let batch = batch(&columns, &[b"\x0a\x01a\x12\x0b\x0a\x01b\x12\x03\x0a\x01c\x1a\x01\xff"]);
    let expected = json!({
        "name": "a", "nodes": [{"name": "b", "nodes": [[10, 1, 99]], "one": [255]}], "one": null
    });
    assert_eq!(row(&batch, 0), expected);
}

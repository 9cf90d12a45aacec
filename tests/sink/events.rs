//! Which events come of which bytes.

use crate::support::{Log, message, pool};
use tobu::sink::{Plan, Sink, Stop};
use tobu::{DecodeOptions, Limits};

/// The paths, the bytes, and the events.
type Row = (&'static [&'static str], &'static [u8], &'static [&'static str]);

const ROWS: &[Row] = &[
    // Single values, in the order of the input; zero where it was written; twice where it was there twice.
    (&["zero", "name"], b"\x0a\x01a\x10\x00\x0a\x01b", &["1 str \"a\"", "0 i32 0", "1 str \"b\""]),
    // A field that nobody wants, and one that nobody knows.
    (&["zero"], b"\x0a\x01a\xf8\x7f\x01\x10\x05", &["0 i32 5"]),
    // A message with its fields, and without.
    (&["single", "single.size"], b"\x72\x02\x10\x05", &["0 begin 2", "1 i32 5", "0 end"]),
    (&["single"], b"\x72\x02\x10\x05", &["0 begin 2", "0 end"]),
    (&["single.size"], b"\x72\x00", &[]),
    // A list of messages in two pieces.
    (
        &["items[]", "items[].id", "zero"],
        b"\x1a\x03\x0a\x01a\x1a\x00\x10\x01\x1a\x03\x0a\x01b",
        &[
            "0 begin 3",
            "1 str \"a\"",
            "0 end",
            "0 begin 0",
            "0 end",
            "2 i32 1",
            "0 begin 3",
            "1 str \"b\"",
            "0 end",
        ],
    ),
    // Numbers: packed, not packed, and empty.
    (&["numbers[]"], b"\x4a\x03\x01\x02\x03\x48\x04\x4a\x00", &["0 i32s [1, 2, 3]", "0 i32 4"]),
    (&["fixed[]"], b"\x51\x01\0\0\0\0\0\0\0\x52\x08\x02\0\0\0\0\0\0\0", &["0 u64 1", "0 u64s [2]"]),
    // Numbers that a closed enum does not have.
    (
        &["shades[]"],
        b"\x5a\x03\x01\x09\x02\x58\x02\x58\x09",
        &["0 enumeration 1", "0 enumeration 2", "0 enumeration 2"],
    ),
    // Maps: entries as writers write them, in another order, with equal keys, without key and value.
    (
        &["colors[]", "colors[].key", "colors[].value"],
        b"\x2a\x04\x08\x07\x10\x02\x2a\x04\x10\x01\x08\x08\x2a\x04\x08\x07\x10\x01",
        &[
            "0 begin 4",
            "1 i32 7",
            "2 enumeration 2",
            "0 end",
            "0 begin 4",
            "1 i32 8",
            "2 enumeration 1",
            "0 end",
            "0 begin 4",
            "1 i32 7",
            "2 enumeration 1",
            "0 end",
        ],
    ),
    (&["colors[].key", "colors[].value"], b"\x2a\x00", &["0 i32 0", "1 enumeration 0"]),
    (&["colors[].key"], b"\x2a\x04\x08\x07\x10\x09", &[]),
    (&["by_name[]"], b"\x22\x03\x0a\x01k", &["0 begin 3", "0 end"]),
    (
        &["by_name[].key", "by_name[].value", "by_name[].value.size"],
        b"\x22\x0b\x0a\x01k\x12\x02\x10\x01\x12\x02\x10\x02\x22\x03\x0a\x01l",
        &[
            "0 str \"k\"",
            "1 begin 2",
            "2 i32 1",
            "1 end",
            "1 begin 2",
            "2 i32 2",
            "1 end",
            "0 str \"l\"",
            "1 begin 0",
            "1 end",
        ],
    ),
    // Oneofs: a member after another one, be it wanted or not.
    (
        &["count", "word"],
        b"\x30\x05\x3a\x01w\x30\x06",
        &["0 i32 5", "0 clear", "1 str \"w\"", "1 clear", "0 i32 6"],
    ),
    (&["count"], b"\x30\x05\x3a\x01w", &["0 i32 5", "0 clear"]),
    (&["count"], b"\x3a\x01w\x30\x05", &["0 i32 5"]),
    (&["count", "tint"], b"\x30\x05\x90\x01\x09\x90\x01\x02", &["0 i32 5", "0 clear", "1 enumeration 2"]),
    (
        &["item", "item.size", "count"],
        b"\x42\x02\x10\x05\x30\x01\x42\x00",
        &["0 begin 2", "1 i32 5", "0 end", "0 clear", "1 clear", "2 i32 1", "2 clear", "0 begin 0", "0 end"],
    ),
    // A member of a oneof in a message that occurs again replaces that of the first occurrence.
    (
        &["single.left", "single.right"],
        b"\x72\x02\x28\x01\x72\x02\x30\x02",
        &["0 i32 1", "0 clear", "1 i32 2"],
    ),
    // Groups.
    (
        &["group", "group.size", "groups[]", "groups[].id"],
        b"\x63\x10\x05\x64\x6b\x0a\x01a\x6c\x6b\x6c",
        &["0 begin 2", "1 i32 5", "0 end", "2 begin 3", "3 str \"a\"", "2 end", "2 begin 0", "2 end"],
    ),
    // Strings that need not be UTF-8.
    (&["any_text"], b"\x82\x01\x01a\x82\x01\x01\xff", &["0 str \"a\"", "0 bytes [255]"]),
    // Deep.
    (&["single.inner.inner.id"], b"\x72\x07\x1a\x05\x1a\x03\x0a\x01x", &["0 str \"x\""]),
    // Extensions.
    (
        &["[all.note]", "[all.extras][].size", "zero"],
        b"\x10\x01\xa2\x06\x01n\xaa\x06\x02\x10\x05\xaa\x06\x00",
        &["2 i32 1", "0 str \"n\"", "1 i32 5"],
    ),
];

#[test]
fn each_row() {
    let pool = pool();
    for (paths, bytes, expected) in ROWS {
        let root = pool.message("all.Root").unwrap();
        let mut builder = Plan::builder(&root).pool(&pool);
        for path in *paths {
            builder = builder.field(path).unwrap();
        }
        let plan = builder.build().unwrap();
        let mut log = Log::default();
        assert!(plan.read(bytes, &mut log).unwrap());
        assert_eq!(log.lines, *expected, "{paths:?}");
        // Stopped at each event.
        for at in 0..expected.len() {
            let mut log = Log { lines: Vec::new(), stop: Some((at, || Stop::ENOUGH)) };
            assert!(!plan.read(bytes, &mut log).unwrap());
            assert_eq!(log.lines, expected[..at]);
        }
    }
}

#[test]
fn defaults_where_a_message_lacks_the_field() {
    let plan = Plan::builder(&message("Root"))
        .field_or_default("zero")
        .unwrap()
        .field_or_default("ratio")
        .unwrap()
        .field("items[]")
        .unwrap()
        .field_or_default("items[].size")
        .unwrap()
        .field_or_default("items[].color")
        .unwrap()
        .build()
        .unwrap();
    let read = |bytes: &'static [u8]| {
        let mut log = Log::default();
        plan.read(bytes, &mut log).unwrap();
        log.lines
    };
    assert_eq!(read(b""), ["0 i32 0", "1 f64 2.5"]);
    assert_eq!(read(b"\x10\x00\x89\x01\0\0\0\0\0\0\0\0"), ["0 i32 0", "1 f64 0.0"]);
    let items = [
        "2 begin 2",
        "3 i32 5",
        "4 enumeration 0",
        "2 end",
        "2 begin 2",
        "3 i32 7",
        "4 enumeration 0",
        "2 end",
    ];
    let lines = read(b"\x1a\x02\x10\x05\x1a\x02\x20\x09");
    assert_eq!(lines[..8], items);
}

#[test]
fn unknown_fields_of_chosen_messages() {
    let plan = Plan::builder(&message("Root")).unknown("").unwrap().unknown("single").unwrap();
    let plan = plan.field("shades[]").unwrap().build().unwrap();
    let bytes = b"\xf8\x7f\x05\xfa\x7f\x01a\x72\x0a\xf9\x7f\x01\0\0\0\0\0\0\0\x5a\x02\x09\x01\xfb\x7f\x08\x01\xfc\x7f\x0a\x01n\xfd\x7f\x01\0\0\0";
    let mut log = Log::default();
    plan.read(bytes, &mut log).unwrap();
    assert_eq!(
        log.lines,
        [
            "0 unknown 2047 Varint(5)",
            "0 unknown 2047 Bytes([97])",
            "1 unknown 2047 Fixed64(1)",
            "0 unknown 11 Varint(9)",
            "2 enumeration 1",
            "0 unknown 2047 Group([8, 1])",
            "0 unknown 2047 Fixed32(1)",
        ]
    );
}

#[test]
fn narrow_events_go_to_wide_ones() {
    #[derive(Default)]
    struct Wide(Vec<String>);

    impl<'a> Sink<'a> for Wide {
        fn i64(&mut self, field: u32, value: i64) -> Result<(), Stop> {
            self.0.push(format!("{field} i64 {value}"));
            Ok(())
        }

        fn bytes(&mut self, field: u32, value: &'a [u8]) -> Result<(), Stop> {
            self.0.push(format!("{field} bytes {value:?}"));
            Ok(())
        }
    }

    let plan = Plan::new(&message("Root"), &["name", "zero", "numbers[]", "shades[]"]).unwrap();
    let mut wide = Wide::default();
    plan.read(b"\x0a\x01a\x10\x05\x4a\x02\x01\x02\x5a\x01\x02", &mut wide).unwrap();
    assert_eq!(wide.0, ["0 bytes [97]", "1 i64 5", "2 i64 1", "2 i64 2", "3 i64 2"]);
}

#[test]
fn long_packed_runs_come_in_pieces() {
    let plan = Plan::new(&message("Root"), &["numbers[]"]).unwrap();
    let bytes = [&b"\x4a\x46"[..], &[5; 70]].concat();
    let mut log = Log::default();
    plan.read(&bytes, &mut log).unwrap();
    let pieces: Vec<usize> = log.lines.iter().map(|line| line.matches('5').count()).collect();
    assert_eq!(pieces, [32, 32, 6]);
}

/// Paths, bytes, and the error.
const ERRORS: &[(&[&str], &[u8], &str)] = &[
    (
        &["name"],
        b"\x10\x01\x0a\x05ab",
        "all.Root.name: length of 5 bytes, but only 2 bytes are left (at byte 4)",
    ),
    (&["name"], b"\x0a\x02a\xff", "all.Root.name: invalid UTF-8 in a string (at byte 3)"),
    (&["zero"], b"\x0a\x02a\xff\x10", "all.Root.zero: input ends inside a varint (at byte 5)"),
    (&["zero"], b"\x0f", "all.Root: wire type 7 does not exist (at byte 0)"),
    (&["zero"], b"\x00", "all.Root: field number 0 is not valid (at byte 0)"),
    (&["zero"], b"\x1c", "all.Root: end-group tag of field 3 without its start (at byte 0)"),
    (&["group.size"], b"\x63\x10\x01", "all.Root.group: group of field 12 is never closed (at byte 3)"),
    (
        &["items[].id"],
        b"\x1a\x00\x1a\x04\x0a\x02\xff\xff",
        "all.Root.items[1].id: invalid UTF-8 in a string (at byte 6)",
    ),
    (
        &["numbers[]"],
        b"\x48\x01\x4a\x02\x01\x80",
        "all.Root.numbers[2]: input ends inside a varint (at byte 5)",
    ),
    (
        &["by_name[].value.size"],
        b"\x22\x06\x0a\x01k\x12\x01\x10",
        "all.Root.by_name[\"k\"].size: input ends inside a varint (at byte 8)",
    ),
    (&["by_name[].value.size"], b"\x22\x05\x0a\x01\xff\x12\x00", "invalid UTF-8"),
];

#[test]
fn errors_are_those_of_decoding() {
    for (paths, bytes, expected) in ERRORS {
        let plan = Plan::new(&message("Root"), paths).unwrap();
        let error = plan.read(bytes, &mut Log::default()).unwrap_err().to_string();
        assert!(error == *expected || !expected.starts_with("all.") && error.contains(expected), "{error}");
    }
}

#[test]
fn messages_are_normalized() {
    type Row = (&'static [&'static str], &'static [u8], &'static [u8]);
    let rows: [Row; 5] = [
        // The last value of a field and of a key, and the last member of a oneof, in the order of their numbers.
        (
            &["name", "count", "word", "colors[].key", "colors[].value"],
            b"\x3a\x00\x0a\x01a\x0a\x01b\x30\x05\x2a\x04\x08\x07\x10\x02\x3a\x01w\x2a\x04\x08\x07\x10\x01",
            b"\x0a\x01b\x2a\x04\x08\x07\x10\x01\x3a\x01w",
        ),
        // A message of which one field is wanted, and one that is given as bytes.
        (&["single.size"], b"\x72\x05\x0a\x01x\x10\x05\x72\x00", b"\x72\x02\x10\x05"),
        (&["single"], b"\x72\x02\x10\x05\x72\x03\x0a\x01x", b"\x72\x05\x0a\x01x\x10\x05"),
        // What nobody wants or knows.
        (&["zero"], b"\x10\x01\x0a\x01a\xf8\x7f\x01", b"\x10\x01"),
        // Extensions stay, and with them all that is there.
        (&["[all.note]"], b"\xa2\x06\x01n\x0a\x01a\x0a\x01b", b"\x0a\x01b\xa2\x06\x01n"),
    ];
    let pool = pool();
    for (paths, bytes, expected) in rows {
        let mut builder = Plan::builder(&pool.message("all.Root").unwrap()).pool(&pool);
        for path in paths {
            builder = builder.field(path).unwrap();
        }
        let plan = builder.build().unwrap();
        assert_eq!(plan.normalize(bytes, DecodeOptions::new()).unwrap(), expected, "{paths:?}");
        assert_eq!(plan.normalize(expected, DecodeOptions::new()).unwrap(), expected, "{paths:?}");
    }
    let plan = Plan::new(&message("Root"), &["name"]).unwrap();
    let error = plan.normalize(b"\x0a\x05ab", DecodeOptions::new()).unwrap_err();
    assert_eq!(error.to_string(), "all.Root.name: length of 5 bytes, but only 2 bytes are left (at byte 2)");
    let plan = Plan::new(&message("Strict"), &["needed.must"]).unwrap();
    let error = plan.normalize(b"\x0a\x02\x10\x01", DecodeOptions::new()).unwrap_err();
    assert_eq!(error.to_string(), "all.Strict.needed: required field must has no value (at byte 4)");
}

#[test]
fn required_fields() {
    let plan = Plan::new(&message("Strict"), &["needed.must", "list[].may"]).unwrap();
    let error = |bytes: &[u8]| plan.read(bytes, &mut Log::default()).map_err(|error| error.to_string());
    assert_eq!(error(b"\x0a\x02\x08\x01"), Ok(true));
    assert_eq!(error(b""), Ok(true));
    let missing = "all.Strict.needed: required field must has no value (at byte 4)".to_owned();
    assert_eq!(error(b"\x0a\x02\x10\x01"), Err(missing));
    // It may be in any occurrence of its message.
    assert_eq!(error(b"\x0a\x02\x10\x01\x0a\x02\x08\x01"), Ok(true));
    // Nobody wants the one in the list.
    assert_eq!(error(b"\x12\x02\x10\x01"), Ok(true));
    let partial = DecodeOptions::new().partial(true);
    assert!(plan.read_with(b"\x0a\x02\x10\x01", &mut Log::default(), partial).unwrap());
}

#[test]
fn errors_of_a_sink_say_where_it_was() {
    let rows: [(&[&str], &[u8], usize, &str); 8] = [
        (&["zero"], b"\x10\x05", 0, "all.Root.zero: no (at byte 1)"),
        (&["items[]"], b"\x1a\x00\x10\x01\x1a\x00", 2, "all.Root.items[1]: no (at byte 5)"),
        (
            &["by_name[].key", "by_name[].value"],
            b"\x22\x05\x0a\x01k\x12\x00\x22\x05\x0a\x01l\x12\x00",
            3,
            "all.Root.by_name[\"l\"]: no (at byte 1)",
        ),
        (
            &["items[].size"],
            b"\x1a\x00\x10\x01\x1a\x00\x1a\x02\x10\x05",
            0,
            "all.Root.items[2].size: no (at byte 9)",
        ),
        (&["items[]"], b"\x1a\x00\x1a\x00", 1, "all.Root.items[0]: no (at byte 1)"),
        (
            &["fixed[]"],
            b"\x52\x08\0\0\0\0\0\0\0\0\x51\0\0\0\0\0\0\0\0",
            1,
            "all.Root.fixed[1]: no (at byte 11)",
        ),
        (&["numbers[]"], b"\x4a\x01\x05", 0, "all.Root.numbers: no (at byte 1)"),
        (
            &["by_name[].value.size"],
            b"\x22\x07\x0a\x01k\x12\x02\x10\x05",
            0,
            "all.Root.by_name[\"k\"].size: no (at byte 8)",
        ),
    ];
    for (paths, bytes, at, expected) in rows {
        let plan = Plan::new(&message("Root"), paths).unwrap();
        let mut log = Log { lines: Vec::new(), stop: Some((at, || Stop::error("no"))) };
        assert_eq!(plan.read(bytes, &mut log).unwrap_err().to_string(), expected);
    }
}

#[test]
fn limits() {
    let plan = Plan::new(&message("Root"), &["single.inner.inner.id"]).unwrap();
    let bytes = b"\x72\x07\x1a\x05\x1a\x03\x0a\x01x";
    let read = |limits: Limits| {
        let options = DecodeOptions::new().limits(limits);
        plan.read_with(bytes, &mut Log::default(), options).map_err(|error| error.to_string())
    };
    assert_eq!(read(Limits::default().depth(4)), Ok(true));
    let deep = "all.Root.single.inner.inner: messages are nested deeper than 3 levels (at byte 5)".to_owned();
    assert_eq!(read(Limits::default().depth(3)), Err(deep));
    let large = "all.Root: input of 9 bytes is larger than the limit of 8 bytes".to_owned();
    assert_eq!(read(Limits::default().input(8)), Err(large));
}

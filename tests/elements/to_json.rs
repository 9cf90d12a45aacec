//! JSON of a message received in chunks: equal to that of the whole message, for every split.

use super::{OUTER, counting, fields, protox_parse};
use std::sync::LazyLock;
use tobu::convert::{WireToJson, wire_to_json_projected, wire_to_json_with};
use tobu::json::Options;
use tobu::{Limits, Message, MessageDescriptor, MessageDescriptorExt, Pool};

const SCHEMA: &str = r#"
syntax = "proto2";
package pieces;
import "google/protobuf/duration.proto";
message List {
  optional string first_name = 1;
  repeated Item items = 2 [json_name = "i[\"t\":["];
  repeated sint32 numbers = 3 [packed = true];
  repeated Color colors = 4;
  oneof choice {
    int32 a = 5;
    Item b = 6;
    Color c = 7;
  }
  map<string, Item> by_name = 8;
  repeated group Part = 9 {
    optional int32 x = 1;
  }
  repeated string texts = 10;
  optional Item last = 11;
  optional Pair pair = 12;
  extensions 100 to 199;
}
message Item {
  optional int32 x = 1;
  repeated Item inside = 2;
  optional string name = 3;
  optional google.protobuf.Duration time = 4;
}
message Pair {
  required int32 a = 1;
  required int32 b = 2;
}
message Strict {
  repeated StrictItem items = 1;
  required int32 must = 2;
}
message StrictItem {
  required int32 must = 1;
}
message Plain {
  repeated fixed64 ids = 1;
  repeated double doubles = 2;
}
enum Color {
  RED = 0;
  GREEN = 1;
}
extend List {
  repeated Item more = 100;
  optional int32 one = 101;
}
"#;

static POOL: LazyLock<Pool> = LazyLock::new(|| Pool::from_descriptor_set(&protox_parse(SCHEMA)).unwrap());

fn message(name: &str) -> MessageDescriptor {
    POOL.message(&format!("pieces.{name}")).unwrap()
}

/// The fields of a list in their order, in all ways in which they are written.
const FIELDS: [&[&[u8]]; 11] = [
    &[b"\x0a\x03abc", b"\x0a\x00", b"\x0a\x01x\x0a\x02yz"],
    &[
        b"\x12\x00",
        b"\x12\x02\x08\x05\x12\x06\x12\x02\x08\x01\x12\x00",
        b"\x12\x03\x1a\x01n\xf8\x06\x01\x12\x04\x22\x02\x08\x05",
    ],
    &[b"\x1a\x00", b"\x1a\x04\x02\x80\x01\x03", b"\x18\x02\x1a\x02\x03\x04\x18\x05"],
    // Of an unknown color, and one besides.
    &[b"\x20\x01\x20\x00", b"\x20\x07", b"\x22\x03\x00\x07\x01"],
    &[b"\x28\x07", b"\x32\x02\x08\x01", b"\x28\x07\x32\x02\x08\x01\x32\x03\x1a\x01z\x38\x01\x38\x09"],
    &[b"\x42\x05\x0a\x01k\x12\x00", b"\x42\x05\x0a\x01k\x12\x00\x42\x07\x0a\x01k\x12\x02\x08\x03"],
    &[b"\x4b\x4c", b"\x4b\x08\x01\x4c\x4b\x4b\x4c\x08\x02\x4c"],
    &[b"\x52\x02hi\x52\x00"],
    &[b"\x5a\x00", b"\x5a\x02\x08\x05\x5a\x03\x1a\x01q"],
    &[b"\xa2\x06\x02\x08\x05\xa2\x06\x00", b"\xa8\x06\x05"],
    // Not known: a number, a group, and a field under another wire type.
    &[b"\xc0\x3e\x01", b"\xc3\x3e\x0b\x08\x01\x0c\xc4\x3e", b"\x5d\x01\x02\x03\x04"],
];

/// All options that change the output.
fn options() -> [Options; 6] {
    let new = || Options::new().pool(&POOL);
    [
        new(),
        new().pretty(true),
        new().emit_defaults(true),
        new().emit_defaults(true).pretty(true).proto_field_names(true),
        new().deterministic(true).enums_as_integers(true).proto_field_names(true),
        new().partial(true),
    ]
}

/// The text of a message received in chunks of that many bytes.
fn in_pieces(mut converter: WireToJson, bytes: &[u8], size: usize) -> Result<String, String> {
    let mut out = b"before ".to_vec();
    let mut all = bytes.chunks(size).try_for_each(|chunk| converter.push(chunk, &mut out));
    all = all.and_then(|()| converter.finish(&mut out));
    // There is no way on after the end.
    let again = if all.is_ok() {
        "the message has already ended"
    } else {
        "an earlier attempt to convert the message failed"
    };
    let error = converter.finish(&mut Vec::new()).unwrap_err();
    assert_eq!(error.message(), again);
    all.map(|()| String::from_utf8(out.split_off(7)).unwrap()).map_err(|error| error.to_string())
}

fn whole(descriptor: &MessageDescriptor, bytes: &[u8], options: &Options) -> Result<String, String> {
    let mut out = Vec::new();
    let done = wire_to_json_with(descriptor, bytes, &mut out, options);
    done.map(|()| String::from_utf8(out).unwrap()).map_err(|error| error.to_string())
}

#[test]
fn what_is_written_in_order_is_the_text_of_the_whole() {
    let list = message("List");
    for choice in 0..1000_usize {
        // A few fields of all, in each of their forms.
        let mut digits = choice.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let mut bytes = Vec::new();
        for forms in FIELDS {
            bytes.extend_from_slice(forms.get(digits % 4).copied().unwrap_or_default());
            digits /= 4;
        }
        let options = &options()[choice % 6];
        let wanted = whole(&list, &bytes, options);
        assert!(wanted.is_ok(), "{wanted:?}");
        for size in [1, 2 + choice % 7, bytes.len().max(1)] {
            let converter = WireToJson::new(&list, options.clone()).unwrap();
            assert_eq!(in_pieces(converter, &bytes, size), wanted, "{bytes:02x?} by {size}, {options:?}");
        }
    }
}

#[test]
fn parts_of_it_are_those_of_the_whole() {
    let list = message("List");
    let all: Vec<u8> = FIELDS.iter().flat_map(|forms| forms[forms.len() - 1]).copied().collect();
    let masks: [&[&str]; 8] = [
        &["items"],
        &["items.name", "last"],
        &["a"],
        &["c", "firstName"],
        &["by_name.x", "numbers"],
        &["part.x", "texts"],
        &[],
        &["*"],
    ];
    for mask in masks {
        for options in options() {
            let projection = || list.project(mask).unwrap();
            let mut wanted = Vec::new();
            wire_to_json_projected(&projection(), &all, &mut wanted, &options).unwrap();
            let wanted = Ok(String::from_utf8(wanted).unwrap());
            for size in [1, 5, all.len()] {
                let converter = WireToJson::projected(projection(), options.clone()).unwrap();
                assert_eq!(in_pieces(converter, &all, size), wanted, "{mask:?} {options:?}");
                let held = WireToJson::projected(projection().validate(true), options.clone()).unwrap();
                assert_eq!(in_pieces(held, &all, size), wanted, "{mask:?} {options:?}");
            }
        }
    }
}

#[test]
fn a_list_alone_is_an_array() {
    let list = message("List");
    let all: Vec<u8> = FIELDS.iter().flat_map(|forms| forms[forms.len() - 1]).copied().collect();
    // Elements may occur again after other fields here.
    let all = [&all[..], b"\x12\x02\x08\x09", &all].concat();
    let items = r#"[{"name":"n"},{"time":"5s"},{"x":9},{"name":"n"},{"time":"5s"}]"#;
    let rows: [(&str, &[&str], Options, &str); 7] = [
        ("items", &["*"], Options::new(), items),
        ("items", &["items.x"], Options::new(), r#"[{},{},{"x":9},{},{}]"#),
        (
            "items",
            &["items.x"],
            Options::new().pretty(true),
            "[\n    {},\n    {},\n    {\n      \"x\": 9\n    },\n    {},\n    {}\n  ]",
        ),
        ("numbers", &["*"], Options::new(), "[1,-2,2,-3,1,-2,2,-3]"),
        ("colors", &["*"], Options::new(), r#"["RED","GREEN","RED","GREEN"]"#),
        ("part", &["*"], Options::new().emit_defaults(true), r#"[{"x":1},{"x":2},{"x":1},{"x":2}]"#),
        (
            "texts",
            &["*"],
            Options::new().pretty(true),
            "[\n    \"hi\",\n    \"\",\n    \"hi\",\n    \"\"\n  ]",
        ),
    ];
    for (name, mask, options, wanted) in rows {
        let field = list.field_by_name(name).unwrap();
        for size in [1, 4, all.len()] {
            let converter = || WireToJson::projected(list.project(mask).unwrap(), options.clone()).unwrap();
            let converted = in_pieces(converter().list(&field).unwrap(), &all, size);
            assert_eq!(converted.as_deref(), Ok(wanted), "{name}");
            assert_eq!(
                in_pieces(converter().list(&field).unwrap(), b"\x0a\x01x\x20\x07", size).as_deref(),
                Ok("[]")
            );
        }
    }
    let no_list = |message: &MessageDescriptor, name: &str| {
        let field = list.field_by_name(name).unwrap();
        WireToJson::new(message, Options::new()).unwrap().list(&field).unwrap_err().to_string()
    };
    let text = "pieces.List cannot be converted to the list pieces.List.by_name";
    assert_eq!(no_list(&list, "by_name"), text);
    let text = "pieces.Strict cannot be converted to the list pieces.List.items";
    assert_eq!(no_list(&message("Strict"), "items"), text);
}

#[test]
fn errors_are_those_of_the_whole() {
    #[rustfmt::skip]
    let rows: [(&str, &[u8], &str); 15] = [
        ("List", b"\x12\x00\x12\x02\x08\x80", "pieces.List.items[1].x: input ends inside a varint (at byte 5)"),
        ("List", b"\x12\x00\x12\x05\x08", "pieces.List.items[1]: length of 5 bytes, but only 1 bytes are left (at byte 4)"),
        ("List", b"\x0a\x01\xff", "pieces.List.first_name: the string is not valid UTF-8, which JSON requires"),
        ("List", b"\x52\x00\x52\x01\xff", "pieces.List.texts[1]: the string is not valid UTF-8, which JSON requires"),
        ("List", b"\x1a\x03\x01\x02\x80", "pieces.List.numbers[2]: input ends inside a varint (at byte 4)"),
        ("List", b"\x12\x0c\x22\x0a\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
         "pieces.List.items[0].time: a duration of 9223372036854775807 seconds and 0 nanoseconds is longer than 315576000000.999999999 seconds"),
        ("List", b"\x4b\x08\x01", "pieces.List.part[0]: group of field 9 is never closed (at byte 3)"),
        ("List", b"\x4b\x54", "pieces.List.part[0]: group of field 9 is closed by an end-group tag of field 10 (at byte 1)"),
        ("List", b"\x54", "pieces.List: end-group tag of field 10 without its start (at byte 0)"),
        ("List", b"\x00", "pieces.List: field number 0 is not valid (at byte 0)"),
        ("List", b"\xc3\x3e", "pieces.List: group of field 1000 is never closed (at byte 2)"),
        ("List", b"\x0a\xff\xff\xff\xff\x0f", "pieces.List.first_name: length of 4294967295 bytes is above the maximum of 2147483647 (at byte 6)"),
        ("Strict", b"\x0a\x02\x08\x01", "pieces.Strict: required field must has no value"),
        ("Strict", b"\x0a\x02\x08\x01\x0a\x00\x10\x01", "pieces.Strict.items[1]: required field must has no value (at byte 6)"),
        ("Plain", b"\x0a\x09\x01\x02\x03\x04\x05\x06\x07\x08\x09", "pieces.Plain.ids[1]: length of 8 bytes, but only 1 bytes are left (at byte 10)"),
    ];
    let options = Options::new().pool(&POOL);
    for (name, bytes, text) in rows {
        let descriptor = message(name);
        assert_eq!(whole(&descriptor, bytes, &options).unwrap_err(), text);
        for size in [1, 2, 100] {
            let converter = WireToJson::new(&descriptor, options.clone()).unwrap();
            assert_eq!(in_pieces(converter, bytes, size).unwrap_err(), text, "{bytes:02x?} by {size}");
        }
    }
}

/// A text, or the field, message and position of an error.
type Wanted<'a> = Result<&'a str, (&'a str, &'a str, usize)>;

#[test]
fn fields_that_come_too_late() {
    let again = "the field comes again after other fields, but it is already converted";
    let order = "the field comes after a field with a higher number, but must come before it";
    let (plain, sorted) = (Options::new(), Options::new().deterministic(true));
    let defaults = Options::new().emit_defaults(true);
    let rows: [(&Options, &[u8], Wanted<'_>); 11] = [
        (&plain, b"\x12\x00\x0a\x01x\x12\x00", Err(("items", again, 5))),
        (&plain, b"\x0a\x01x\x12\x00\x0a\x01y", Err(("first_name", again, 5))),
        // Another field of the same oneof would make the first one void.
        (&plain, b"\x28\x07\x0a\x01x\x38\x01", Err(("c", again, 5))),
        // So would missing required fields.
        (
            &plain,
            b"\x62\x02\x08\x01\x0a\x01x\x62\x02\x10\x02",
            Err(("pair", "required field b has no value", 4)),
        ),
        (
            &plain,
            b"\x62\x02\x08\x01\x62\x02\x10\x02\x0a\x01x",
            Ok(r#"{"pair":{"a":1,"b":2},"firstName":"x"}"#),
        ),
        // Unknown fields do not separate occurrences, nor do empty packed lists.
        (&plain, b"\x12\x00\xc0\x3e\x01\x12\x02\x08\x01", Ok(r#"{"i[\"t\":[":[{},{"x":1}]}"#)),
        (&plain, b"\x20\x07\x0a\x01x\x20\x01", Ok(r#"{"firstName":"x","colors":["GREEN"]}"#)),
        // Nor is a number that is unknown to its enum, and was put where unknown fields are.
        (
            &plain,
            b"\x20\x01\x38\x01\x0a\x01x\x20\x07\x38\x07",
            Ok(r#"{"colors":["GREEN"],"c":"GREEN","firstName":"x"}"#),
        ),
        (&plain, b"\x12\x00\x0a\x01x", Ok(r#"{"i[\"t\":[":[{}],"firstName":"x"}"#)),
        (&sorted, b"\x12\x00\x0a\x01x", Err(("first_name", order, 2))),
        (&defaults, b"\x12\x00\x0a\x01x", Err(("first_name", order, 2))),
    ];
    let list = message("List");
    for (options, bytes, wanted) in &rows {
        for size in [1, 3, 100] {
            let converter = WireToJson::new(&list, (*options).clone()).unwrap();
            let text = in_pieces(converter, bytes, size);
            let wanted = match wanted {
                Ok(text) => Ok((*text).to_owned()),
                Err((field, error, at)) => Err(format!("pieces.List.{field}: {error} (at byte {at})")),
            };
            assert_eq!(text, wanted, "{bytes:02x?} by {size}");
        }
    }
}

/// For any input: the text of the whole, or an error if the whole is an error or a field occurs too
/// late.
#[test]
fn hostile_messages_are_taken_as_the_whole_is() {
    let fields = fields();
    let options = options();
    let mut seen = [0; 3];
    for (index, one) in fields.iter().enumerate() {
        for (next, other) in fields.iter().enumerate() {
            let bytes = [&one[..], other, &fields[(index * 5 + next * 3) % fields.len()]].concat();
            let options = &options[(index + next) % options.len()];
            let wanted = whole(&OUTER, &bytes, options);
            let text = |size| in_pieces(WireToJson::new(&OUTER, options.clone()).unwrap(), &bytes, size);
            let all = text(bytes.len());
            for size in [1, 2 + (index + next) % 9] {
                assert_eq!(text(size), all, "{bytes:02x?} by {size}");
            }
            match (&all, &wanted) {
                (Ok(text), Ok(wanted)) => {
                    let read = |text: &str| tobu::DynamicMessage::from_json(&OUTER, text).unwrap();
                    assert_eq!(read(text), read(wanted), "{bytes:02x?}");
                    seen[0] += 1;
                }
                (Err(_), Err(_)) => seen[1] += 1,
                (Err(late), Ok(_)) => {
                    assert!(late.contains("the field comes a"), "{late}: {bytes:02x?}");
                    seen[2] += 1;
                }
                (Ok(text), Err(error)) => panic!("{text} and {error}: {bytes:02x?}"),
            }
        }
    }
    assert!(seen.iter().all(|seen| *seen > 20), "{seen:?}");
}

#[test]
fn every_cut_is_an_error_or_the_end_of_a_field() {
    let list = message("List");
    let all: Vec<u8> = FIELDS.iter().flat_map(|forms| forms[forms.len() - 1]).copied().collect();
    let options = Options::new().pool(&POOL);
    for cut in 0..all.len() {
        let wanted = whole(&list, &all[..cut], &options);
        for size in [1, 3, 64] {
            let text = in_pieces(WireToJson::new(&list, options.clone()).unwrap(), &all[..cut], size);
            assert_eq!(text.as_ref().ok(), wanted.as_ref().ok(), "cut at {cut}");
        }
    }
}

#[test]
fn limits() {
    let run = |bytes: &[u8], options: Options, max: u64| {
        let converter = WireToJson::new(&OUTER, options).unwrap().max_held(max);
        in_pieces(converter, bytes, 2)
    };
    let text = "elements.Outer.items[1]: input of 5 bytes is larger than the limit of 4 bytes (at byte 2)";
    assert_eq!(run(b"\x22\x00\x22\x05\x12\x03abc", Options::new(), 4).unwrap_err(), text);
    let text = "elements.Outer.before: input of 5 bytes is larger than the limit of 4 bytes (at byte 0)";
    assert_eq!(run(b"\x0a\x05abcde", Options::new(), 4).unwrap_err(), text);
    // Of many chunks, and of a group.
    let text = "elements.Outer.before: input of 6 bytes is larger than the limit of 4 bytes (at byte 6)";
    assert_eq!(run(b"\x0a\x01a\x0a\x01b", Options::new(), 4).unwrap_err(), text);
    let text = "elements.Outer.grouped: input of 5 bytes is larger than the limit of 4 bytes (at byte 4)";
    assert_eq!(run(b"\x1b\x0a\x02\x08\x01\x1c", Options::new(), 4).unwrap_err(), text);
    // The list may be of any length, and so may skipped fields.
    let all = [b"\x22\x02\x08\x01".repeat(1000), b"\xa2\x06\x08abcdefgh".to_vec()].concat();
    assert_eq!(run(&all, Options::new(), 4).unwrap().len(), r#"{"items":[]}"#.len() + 8 * 1000 - 1);
    let shallow = |depth| Options::new().limits(Limits::default().depth(depth));
    assert_eq!(run(b"\x12\x02\x0a\x00", shallow(3), 9), Ok(r#"{"inner":{"items":[{}]}}"#.to_owned()));
    let text = "elements.Outer.inner.items[0]: messages are nested deeper than 2 levels";
    assert!(run(b"\x12\x02\x0a\x00", shallow(2), 9).unwrap_err().starts_with(text));
    let text = "elements.Outer: messages are nested deeper than 3 levels (at byte 4)";
    assert_eq!(run(&b"\xa3\x06".repeat(5), shallow(3), 99).unwrap_err(), text);
}

#[test]
fn a_message_with_a_form_of_its_own_is_held() {
    let descriptor = tobu::types::ListValue::descriptor();
    let bytes = b"\x0a\x02\x20\x01\x0a\x03\x1a\x01x";
    for size in [1, 100] {
        let converter = WireToJson::new(&descriptor, Options::new()).unwrap();
        assert_eq!(in_pieces(converter, bytes, size).as_deref(), Ok(r#"[true,"x"]"#));
    }
    let converter = WireToJson::new(&descriptor, Options::new()).unwrap().max_held(8);
    let text = "google.protobuf.ListValue: input of 9 bytes is larger than the limit of 8 bytes (at byte 0)";
    assert_eq!(in_pieces(converter, bytes, 1).unwrap_err(), text);
}

/// Converts a field that is repeated after others; returns the peak memory, and the length of the text.
fn converted(name: &str, before: &[u8], field: &[u8], size: usize) -> (usize, usize) {
    let chunk: Vec<u8> = field.repeat((16 << 10) / field.len());
    let descriptor = message(name);
    counting::peak(|| {
        let mut converter = WireToJson::new(&descriptor, Options::new()).unwrap();
        let (mut out, mut len) = (Vec::new(), 0);
        converter.push(before, &mut out).unwrap();
        for _ in 0..size / chunk.len() {
            converter.push(&chunk, &mut out).unwrap();
            len += out.len();
            out.clear();
        }
        converter.finish(&mut out).unwrap();
        len + out.len()
    })
}

#[test]
fn a_list_of_any_length_takes_the_memory_of_an_element() {
    let item = [b"\x12\x83\x08\x1a\x80\x08", &[b'x'; 1024][..]].concat();
    let (held, len) = converted("List", b"\x0a\x01x", &item, 64 << 20);
    assert!(len > 64 << 20 && held < 400_000, "{held} bytes were held for {len}");
    let (held, len) = converted("List", b"\x0a\x01x", b"\x18\x02\x1a\x03\x01\x02\x03", 2 << 20);
    assert!(len > 2 << 20 && held < 400_000, "{held} bytes were held for {len}");
    // One packed list, with its length first.
    let (held, len) = converted("Plain", b"\x0a\x80\x80\x80\x02", &[0; 8], 4 << 20);
    assert_eq!(len, r#"{"ids":[]}"#.len() + r#""0","#.len() * (512 << 10) - 1);
    assert!(held < 400_000, "{held} bytes were held");
}

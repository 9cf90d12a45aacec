//! Compares the streaming path with dynamic messages: for rows of texts, for every truncation of them and of their
//! bytes, and for many mutations. Also for input that once took exponential time, or was accepted although a dynamic
//! message rejects it.

use super::{json_to_wire_with, wire_to_json, wire_to_json_with, wire_to_text};
use crate::codec;
use crate::descriptor::{MessageDescriptor, Pool};
use crate::json::Options;
use crate::message::dynamic::DynamicMessage;
use crate::table::Tabled;
use crate::wire::{Tag, WireType, Writer};
use crate::{DecodeOptions, EncodeOptions, Limits, Result, text};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

static POOL: LazyLock<Pool> = LazyLock::new(|| {
    let mut pool = Pool::new();
    let directory = std::env::temp_dir().join(format!("tobu-transcode-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    for (name, source) in [("open.proto", OPEN), ("closed.proto", CLOSED)] {
        std::fs::write(directory.join(name), source).unwrap();
        let set = protox::compile([name], [&directory]).unwrap();
        for file in &set.file {
            pool.add_file(&prost::Message::encode_to_vec(file)).unwrap();
        }
    }
    std::fs::remove_dir_all(&directory).unwrap();
    pool
});

const OPEN: &str = r#"
    syntax = "proto3";
    package transcode.open;
    import "google/protobuf/any.proto";
    import "google/protobuf/duration.proto";
    import "google/protobuf/empty.proto";
    import "google/protobuf/field_mask.proto";
    import "google/protobuf/struct.proto";
    import "google/protobuf/timestamp.proto";
    import "google/protobuf/wrappers.proto";
    enum Color { WHITE = 0; BLACK = 1; FAR = 70000; }
    message Scalars {
        double a_double = 1; float a_float = 2; int32 a_int32 = 3; int64 a_int64 = 4; uint32 a_uint32 = 5;
        uint64 a_uint64 = 6; sint32 a_sint32 = 7; sint64 a_sint64 = 8; fixed32 a_fixed32 = 9; fixed64 a_fixed64 = 10;
        sfixed32 a_sfixed32 = 11; sfixed64 a_sfixed64 = 12; bool a_bool = 13; string a_string = 14;
        bytes a_bytes = 15; Color a_color = 16; optional int32 maybe = 17; optional string maybe_text = 5000000;
    }
    message Lists {
        repeated double doubles = 1; repeated float floats = 2; repeated int32 int32s = 3; repeated int64 int64s = 4;
        repeated uint32 uint32s = 5; repeated uint64 uint64s = 6; repeated sint32 sint32s = 7;
        repeated sint64 sint64s = 8; repeated fixed32 fixed32s = 9; repeated fixed64 fixed64s = 10;
        repeated sfixed32 sfixed32s = 11; repeated sfixed64 sfixed64s = 12; repeated bool bools = 13;
        repeated string strings = 14; repeated bytes blobs = 15; repeated Color colors = 16;
        repeated Scalars messages = 17; repeated int32 loose = 18 [packed = false];
    }
    message Maps {
        map<string, string> texts = 1; map<int32, int64> ints = 2; map<sint64, Color> colors = 3;
        map<uint32, double> doubles = 4; map<fixed64, bytes> blobs = 5; map<bool, Scalars> messages = 6;
        map<string, google.protobuf.Value> values = 7; map<uint64, float> floats = 8;
        map<sint32, bool> sint32s = 9; map<sfixed32, bool> sfixed32s = 10; map<sfixed64, bool> sfixed64s = 11;
        map<int64, bool> int64s = 12; map<fixed32, bool> fixed32s = 13; map<int32, Tree> trees = 14;
    }
    message Tree {
        string name = 1; Tree left = 2; repeated Tree children = 3; map<string, Tree> named = 4; Scalars scalars = 5;
        Lists lists = 6; Maps maps = 7;
        oneof kind { int32 number = 8; string word = 9; Tree leaf = 10; google.protobuf.NullValue nothing = 11; }
        Known known = 12;
    }
    message Known {
        google.protobuf.Timestamp time = 1; google.protobuf.Duration span = 2; google.protobuf.FieldMask mask = 3;
        google.protobuf.Struct object = 4; google.protobuf.Value value = 5; google.protobuf.ListValue list = 6;
        google.protobuf.Any any = 7; google.protobuf.Empty empty = 8; google.protobuf.BoolValue flag = 9;
        google.protobuf.BytesValue blob = 10; google.protobuf.DoubleValue double_value = 11;
        google.protobuf.Int64Value int64_value = 12; google.protobuf.UInt32Value uint32_value = 13;
        google.protobuf.StringValue text = 14; google.protobuf.NullValue null = 15;
        repeated google.protobuf.Timestamp times = 16; repeated google.protobuf.Value values = 17;
        repeated google.protobuf.Any anys = 18; map<string, google.protobuf.Duration> spans = 19;
    }
"#;

const CLOSED: &str = r#"
    syntax = "proto2";
    package transcode.closed;
    enum Level { LOW = 1; HIGH = 3; }
    enum Mood { GOOD = 0; BAD = 5; }
    message Part {
        optional int32 id = 1 [default = 7]; optional Part child = 2; repeated Level levels = 3; optional Level level = 4;
        repeated Level packed = 5 [packed = true]; optional string crossed = 6 [json_name = "other"];
        optional string other = 7 [json_name = "crossed"]; optional group Group = 8 { optional int32 inside = 1; }
        map<string, Mood> by_name = 9; map<int32, Part> parts = 10; optional Needs needs = 11;
        oneof pick { int32 one = 12; string two = 13; Part three = 14; }
        optional bytes raw = 16;
        extensions 100 to max;
    }
    message Needs { required int32 id = 1; optional Needs inner = 2; repeated Needs list = 3; map<string, Needs> named = 4; }
    message Set { option message_set_wire_format = true; extensions 4 to max; }
    extend Part { optional int32 number = 100; repeated string texts = 101; optional Part part = 102; }
    extend Set { optional Part item = 200; }
"#;

fn descriptor(name: &str) -> MessageDescriptor {
    POOL.message(name).unwrap()
}

fn options() -> Options {
    Options::new().pool(&POOL)
}

/// Options with which texts are comparable.
fn sorted_options() -> Options {
    options().deterministic(true)
}

fn variants() -> Vec<Options> {
    vec![
        options(),
        options().deterministic(true),
        options().deterministic(true).pretty(true).int64_as_numbers(true),
        options().deterministic(true).proto_field_names(true).enums_as_integers(true).partial(true),
        options().deterministic(true).emit_defaults(true),
        options().limits(Limits::default().depth(4)),
        options().limits(Limits::default().memory(1200)).ignore_unknown(true),
    ]
}

fn sorted(options: &Options) -> EncodeOptions {
    EncodeOptions::new().deterministic(true).partial(options.partial).limits(options.limits)
}

/// Expects that the view and the arena give equal texts for bytes, or equal errors.
#[track_caller]
fn same_text(descriptor: &MessageDescriptor, bytes: &[u8], options: &text::Options) {
    let decode = DecodeOptions::new().limits(options.limits).partial(options.partial);
    let mut wanted = b"kept".to_vec();
    let in_arena = DynamicMessage::decode_with(descriptor, bytes, decode)
        .and_then(|message| options.append(&message, &mut wanted));
    let mut out = b"kept".to_vec();
    let done = wire_to_text(descriptor, bytes, &mut out, options);
    assert_eq!(format!("{done:?}"), format!("{in_arena:?}"), "{bytes:02x?}");
    assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&wanted), "{bytes:02x?}");
}

/// Expects that both paths give equal results for bytes; true if they accept them.
#[track_caller]
fn same_json(descriptor: &MessageDescriptor, bytes: &[u8], options: &Options) -> bool {
    let as_text = text::Options::new().pool(&POOL).limits(options.limits).partial(options.partial);
    same_text(descriptor, bytes, &as_text.clone().unknown_fields(options.deterministic));
    same_text(descriptor, bytes, &as_text.one_line(true).expand_any(false).redact(true).unknown_fields(true));
    let decode = DecodeOptions::new().limits(options.limits).partial(options.partial);
    let wanted =
        DynamicMessage::decode_with(descriptor, bytes, decode).and_then(|message| options.to_vec(&message));
    let mut out = b"kept".to_vec();
    let done = wire_to_json_with(descriptor, bytes, &mut out, options);
    let text = out.strip_prefix(b"kept").unwrap();
    let show = |text: &[u8]| String::from_utf8(text.to_vec()).unwrap();
    match (wanted, done) {
        (Ok(wanted), Ok(())) if options.deterministic => {
            assert_eq!(show(text), show(&wanted), "{bytes:02x?}")
        }
        (Ok(wanted), Ok(())) => {
            let parse = |text| serde_json::from_slice::<serde_json::Value>(text).unwrap();
            assert_eq!((text.len(), parse(text)), (wanted.len(), parse(&wanted)), "{bytes:02x?}");
        }
        (Err(wanted), Err(error)) => {
            assert_eq!(format!("{error:?}"), format!("{wanted:?}"), "{bytes:02x?}");
            assert_eq!(out, b"kept");
            return false;
        }
        (wanted, done) => panic!("{wanted:?}, but {done:?} of {bytes:02x?}"),
    }
    true
}

/// Expects that both paths give equal results for a text; true if they accept it.
#[track_caller]
fn same_wire(descriptor: &MessageDescriptor, text: &[u8], options: &Options) -> bool {
    let shown = String::from_utf8_lossy(text);
    let wanted = DynamicMessage::from_json_with(descriptor, text, options)
        .and_then(|message| message.encode_with(sorted(options)));
    let mut out = b"kept".to_vec();
    let done = json_to_wire_with(descriptor, text, &mut out, options);
    match (wanted, done) {
        (Ok(wanted), Ok(())) => {
            let decode = DecodeOptions::new().limits(options.limits).partial(true);
            let bytes = out.strip_prefix(b"kept").unwrap();
            let message = DynamicMessage::decode_with(descriptor, bytes, decode).unwrap();
            assert_eq!(message.encode_with(sorted(options)).unwrap(), wanted, "{shown}");
            assert!(!options.deterministic || bytes == wanted, "{shown}");
            true
        }
        (Err(wanted), Err(error)) => {
            assert_eq!(format!("{error:?}"), format!("{wanted:?}"), "{shown}");
            assert_eq!(out, b"kept");
            false
        }
        (wanted, done) => panic!("{wanted:?}, but {done:?} of {shown}"),
    }
}

/// Canonical texts, which both streaming paths accept.
const ROWS: [(&str, &str); 24] = [
    ("open.Scalars", "{}"),
    (
        "open.Scalars",
        r#"{"aDouble":1.5,"aFloat":-0.25,"aInt32":-1,"aInt64":"-9223372036854775808","aUint32":4294967295,"aUint64":"18446744073709551615","aSint32":-2147483648,"aSint64":"-1","aFixed32":7,"aFixed64":"8","aSfixed32":-9,"aSfixed64":"-10","aBool":true,"aString":"a\nb\"é","aBytes":"AAEC/w==","aColor":"BLACK","maybe":0,"maybeText":""}"#,
    ),
    (
        "open.Scalars",
        r#"{"aDouble":1e+300,"aColor":5,"maybe":-2147483648,"maybeText":"a rather long text, longer than a few words"}"#,
    ),
    (
        "open.Lists",
        r#"{"doubles":[1.5,-2],"floats":[0.25],"int32s":[-1,0,2147483647],"int64s":["-1","2"],"uint32s":[1,4294967295],"uint64s":["18446744073709551615"],"sint32s":[-1,1],"sint64s":["-1"],"fixed32s":[1,2],"fixed64s":["3"],"sfixed32s":[-4],"sfixed64s":["-5"],"bools":[true,false],"strings":["","a"],"blobs":["","AA=="],"colors":["WHITE","FAR",9],"messages":[{},{"aInt32":1}],"loose":[1,2,3]}"#,
    ),
    (
        "open.Maps",
        r#"{"texts":{"":"","b":"x"},"ints":{"-1":"-2","3":"4"},"colors":{"-5":"FAR","5":"WHITE"},"doubles":{"0":0.5},"blobs":{"18446744073709551615":"AAE="},"messages":{"false":{},"true":{"aInt32":1}},"values":{"a":null,"b":[1,{}]},"floats":{"1":2}}"#,
    ),
    (
        "open.Tree",
        r#"{"name":"a","left":{"name":"b","left":{}},"children":[{},{"name":"c"}],"named":{"k":{"number":0}},"scalars":{"aBool":true},"lists":{"bools":[true]},"maps":{"texts":{"a":"b"}},"word":""}"#,
    ),
    ("open.Tree", r#"{"leaf":{"leaf":{"number":5}}}"#),
    ("open.Tree", r#"{"nothing":null,"known":{"value":null}}"#),
    ("open.Known", r#"{"time":"1972-01-01T10:00:20.021Z","span":"-1.500s","mask":"a.b,fooBar"}"#),
    (
        "open.Known",
        r#"{"time":"1970-01-01T00:00:00Z","span":"0s","mask":"","object":{},"list":[],"empty":{}}"#,
    ),
    (
        "open.Known",
        r#"{"object":{"a":1,"b":[true,null,"x",{"c":-0.5}]},"value":{"d":[[],{}]},"list":[1,"2",[3]]}"#,
    ),
    (
        "open.Known",
        r#"{"flag":false,"blob":"","doubleValue":"NaN","int64Value":"0","uint32Value":7,"text":"t"}"#,
    ),
    ("open.Known", r#"{"flag":true,"blob":"AA==","doubleValue":0.5,"int64Value":"-1"}"#),
    ("open.Known", r#"{"times":["0001-01-01T00:00:00Z"],"values":[null,1,"a"],"spans":{"a":"1s"}}"#),
    (
        "open.Known",
        r#"{"any":{"@type":"x/google.protobuf.Duration","value":"1s"},"anys":[{},{"@type":"x/transcode.open.Scalars","aInt32":1}]}"#,
    ),
    (
        "open.Known",
        r#"{"any":{"@type":"x/google.protobuf.Any","value":{"@type":"x/transcode.open.Known","span":"2s"}}}"#,
    ),
    (
        "closed.Part",
        r#"{"id":0,"child":{"id":7},"levels":["LOW","HIGH"],"level":"HIGH","packed":["HIGH"],"other":"a","crossed":"b"}"#,
    ),
    (
        "closed.Part",
        r#"{"byName":{"a":"BAD"},"parts":{"-1":{}},"needs":{"id":0,"inner":{"id":1},"list":[{"id":2}],"named":{"a":{"id":3}}},"two":"","raw":""}"#,
    ),
    ("closed.Part", r#"{"three":{"three":{"one":1}}}"#),
    ("closed.Part", r#"{"group":{"inside":1}}"#),
    (
        "closed.Part",
        r#"{"id":1,"[transcode.closed.number]":5,"[transcode.closed.texts]":["a"],"[transcode.closed.part]":{"[transcode.closed.number]":1}}"#,
    ),
    ("closed.Set", r#"{"[transcode.closed.item]":{"id":1}}"#),
    ("closed.Needs", r#"{"id":1,"named":{"a":{"id":1},"b":{"id":0}}}"#),
    ("open.Tree", r#"{"children":[{"children":[{"children":[{"children":[{}]}]}]}]}"#),
];

fn rows() -> impl Iterator<Item = (MessageDescriptor, &'static str)> {
    ROWS.into_iter().map(|(name, text)| (descriptor(&format!("transcode.{name}")), text))
}

fn wire_of(descriptor: &MessageDescriptor, text: &str) -> Vec<u8> {
    let message =
        DynamicMessage::from_json_with(descriptor, text.as_bytes(), &options().partial(true)).unwrap();
    message.encode_with(sorted(&options().partial(true))).unwrap()
}

#[test]
fn what_writers_write_is_streamed() {
    for (descriptor, text) in rows() {
        let (table, bytes) = (descriptor.table().unwrap(), wire_of(&descriptor, text));
        let mut json = Vec::new();
        let groups = text.contains("group");
        assert_eq!(codec::json::print_wire(table, &bytes, &options(), &mut json), !groups, "{text}");
        assert!(groups || json == text.as_bytes(), "{text} {}", String::from_utf8_lossy(&json));
        let mut wire = Vec::new();
        json_to_wire_with(&descriptor, text.as_bytes(), &mut wire, &options()).unwrap();
        assert_eq!(wire, bytes, "{text}");
    }
}

#[test]
fn deterministic_output_is_sorted() {
    let rows = [
        ("open.Scalars", r#"{"maybe":0,"aBool":true,"aInt32":1,"maybeText":"","aDouble":1}"#),
        (
            "open.Maps",
            r#"{"sint32s":{"1":true,"-1":false,"-2147483648":true},"sfixed32s":{"1":true,"-2":true,"-1":false},
            "sfixed64s":{"1":true,"-2":true,"-1":false},"int64s":{"1":true,"-2":true,"-1":false},
            "fixed32s":{"4294967295":true,"1":false},"floats":{"18446744073709551615":1,"128":2,"3":4},
            "messages":{"true":{"aInt64":1,"aInt32":2},"false":{}},"doubles":{"300":1,"2":3},
            "blobs":{"256":"","1":"AA=="},"colors":{"5":"FAR","-500":"WHITE"},"ints":{"3":4,"-1":1,"0":0},
            "texts":{"b":"","":"x","a":"1","ab":"2"}}"#,
        ),
        (
            "open.Maps",
            r#"{"trees":{"2":{"number":1,"name":"x","maps":{"ints":{"2":1,"1":2}}},"1":{"children":[{"scalars":{},"name":"y"},{}]}},
            "values":{"b":{"d":1,"c":[{"f":1,"e":2}]},"a":null}}"#,
        ),
        (
            "closed.Part",
            r#"{"[transcode.closed.number]":5,"packed":["HIGH"],"levels":["LOW"],"group":{"inside":1},
            "byName":{"b":"BAD","a":"GOOD"},"id":1}"#,
        ),
    ];
    for (name, text) in rows {
        assert!(
            same_wire(&descriptor(&format!("transcode.{name}")), text.as_bytes(), &sorted_options()),
            "{text}"
        );
    }
}

#[test]
fn both_paths_agree_on_every_cut() {
    for (descriptor, text) in rows() {
        let bytes = wire_of(&descriptor, text);
        for options in variants() {
            same_json(&descriptor, &bytes, &options);
            same_wire(&descriptor, text.as_bytes(), &options);
        }
        for options in &variants()[..2] {
            for cut in 0..bytes.len() {
                same_json(&descriptor, &bytes[..cut], options);
            }
            for cut in 0..text.len() {
                same_wire(&descriptor, &text.as_bytes()[..cut], options);
            }
        }
    }
}

#[test]
fn both_paths_agree_on_mutations() {
    let mut state = 1u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let variants = variants();
    let texts = [
        "null", ",", "{", "}", "[", "]", "\"", "1", "-", "true", " ", "1e3", "0.5", "\"a\":", "\\u0041",
        "\"1\"", "{}", "é",
    ];
    let (mut accepted, mut refused) = (0, 0);
    let mut count = |yes: bool| if yes { accepted += 1 } else { refused += 1 };
    for (descriptor, text) in rows() {
        let whole = wire_of(&descriptor, text);
        for _ in 0..400 {
            let options = &variants[random(variants.len())];
            let mut bytes = whole.clone();
            for _ in 0..=random(2) {
                let (at, from) = (random(bytes.len() + 1), random(bytes.len() + 1));
                match random(5) {
                    // Fields in other orders, and repeated fields.
                    0 => bytes.extend_from_within(from..),
                    1 => bytes.rotate_left(at),
                    2 => bytes.insert(at, random(256) as u8),
                    3 if at < bytes.len() => bytes[at] = random(256) as u8,
                    _ if at < bytes.len() => bytes[at] ^= 1 << random(8),
                    _ => {}
                }
            }
            count(same_json(&descriptor, &bytes, options));
            let mut mutated = text.as_bytes().to_vec();
            for _ in 0..=random(2) {
                let (at, end) = (random(mutated.len() + 1), random(mutated.len() + 1));
                let piece = texts[random(texts.len())].bytes();
                match random(4) {
                    0 => drop(mutated.splice(at..at, piece)),
                    1 => drop(mutated.splice(at.min(end)..at.max(end).min(at + 8), piece)),
                    2 if at < mutated.len() => mutated[at] ^= 1 << random(7),
                    _ => drop(mutated.drain(at.min(end)..at.max(end).min(at.min(end) + 4))),
                }
            }
            count(same_wire(&descriptor, &mutated, options));
        }
    }
    assert!(accepted > 1000 && refused > 1000, "{accepted} {refused}");
}

fn field(number: u32, content: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.tag(Tag::new(number, WireType::Len));
    writer.len_prefixed(content);
    writer.finish().unwrap()
}

#[test]
fn fields_in_any_order_and_again() {
    let both = |name: &str, bytes: &[&[u8]]| {
        let descriptor = descriptor(name);
        variants().iter().map(|options| same_json(&descriptor, &bytes.concat(), options)).next().unwrap()
    };
    // A Duration of mixed signs, a Value without a kind, and an Any without a type, until the field occurs
    // again.
    let known = "transcode.open.Known";
    let minus = b"\x08\xfb\xff\xff\xff\xff\xff\xff\xff\xff\x01";
    assert!(!both(known, &[&field(2, &[minus, &b"\x10\x07"[..]].concat())]));
    assert!(both(known, &[&field(2, &[minus, &b"\x10\x07"[..]].concat()), &field(2, b"\x08\x05")]));
    assert!(both(known, &[&field(5, b""), &field(5, b"\x20\x01")]));
    assert!(both(known, &[&field(5, b"\x11\0\0\0\0\0\0\xf8\x7f"), &field(5, b"\x20\x01")]));
    let any = field(7, &field(2, b"\x08\x05"));
    assert!(!both(known, &[&any]));
    assert!(both(known, &[&any, &field(7, &field(1, b"x/google.protobuf.Duration"))]));
    // Malformed input is rejected, even if another field of the oneof replaces it.
    let tree = "transcode.open.Tree";
    assert!(both(tree, &[&field(9, b"a"), b"\x40\x01"]));
    assert!(!both(tree, &[&field(9, b"\xff"), b"\x40\x01"]));
    assert!(!both(tree, &[&field(10, b"\x0a\x05"), b"\x40\x01"]));
    assert!(!both(tree, &[b"\x40\x01", &field(10, b"\x0a\x05"), b"\x40\x01"]));
    assert!(both(tree, &[&field(10, b"\x40\x01"), b"\x40\x01", &field(10, b"\x40\x02")]));
    // Lists and maps in fragments, entries without a key or a value, repeated keys.
    let lists = "transcode.open.Lists";
    assert!(both(lists, &[&field(3, b"\x01\x02"), &field(14, b"a"), b"\x18\x03", &field(3, b"\x04")]));
    assert!(both(lists, &[&field(3, b"")]));
    assert!(!both(lists, &[&field(3, b"\x80")]));
    let maps = "transcode.open.Maps";
    for entry in [&b""[..], b"\x0a\x01a", b"\x12\x01b", b"\x12\x01b\x0a\x01a", b"\x0a\x01a\x12\x01b\x0a\x01c"]
    {
        assert!(both(maps, &[&field(1, entry)]));
        assert!(both(maps, &[&field(1, entry), &field(1, entry)]));
    }
    assert!(both(maps, &[&field(3, b"\x08\x01")]));
    assert!(both(maps, &[&field(6, b"\x08\x01")]));
    assert!(!both(maps, &[&field(7, b"\x0a\x01a")]));
    // A required field may be in another occurrence.
    let needs = "transcode.closed.Needs";
    assert!(!both(needs, &[&field(2, b"\x08\x01")]));
    assert!(!both(needs, &[b"\x08\x01", &field(2, b"")]));
    assert!(both(needs, &[b"\x08\x01", &field(2, b""), &field(2, b"\x08\x01")]));
    // Numbers that an enum does not have.
    let part = "transcode.closed.Part";
    assert!(both(part, &[b"\x20\x02\x18\x01\x18\x02\x18\x03\x2a\x03\x01\x02\x03"]));
    assert!(both(part, &[&field(9, b"\x0a\x01a\x10\x02"), &field(9, b"\x0a\x01a")]));
}

/// Must end within seconds; before, each level doubled the time.
fn soon<T>(done: impl FnOnce() -> T) {
    let start = Instant::now();
    done();
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn fields_that_come_twice_at_each_level() {
    let value = descriptor("google.protobuf.Value");
    // 98 levels: a value, a list, a value in it, and so on.
    let lists = |twice: bool| {
        (0..49).fold(field(3, b"x"), |inner, level| {
            let list = field(6, &field(1, &inner));
            if twice { [field(3, &[b'0' + level]), list].concat() } else { list }
        })
    };
    // Nested maps, whose keys occur twice.
    let maps = (0..33).fold(field(3, b"x"), |inner, _| {
        let entry = field(1, &[field(1, b"k"), field(2, &inner)].concat());
        field(5, &[field(1, &[field(1, b"k"), field(2, b"\x20\x01")].concat()), entry].concat())
    });
    for bytes in [lists(true), lists(false), maps] {
        soon(|| same_json(&value, &bytes, &sorted_options()));
        for cut in 0..bytes.len() {
            soon(|| same_json(&value, &bytes[..cut], &sorted_options()));
        }
    }
    let tree = descriptor("transcode.open.Tree");
    let levels = |inner: &[u8], level: &dyn Fn(&[u8]) -> Vec<u8>| {
        (0..98).fold(inner.to_vec(), |inner, _| level(&inner))
    };
    let twice = |inner: &[u8]| [field(2, inner), field(1, b"a"), field(2, b"")].concat();
    let listed = |inner: &[u8]| [field(3, inner), field(1, b"a"), field(3, b"")].concat();
    let chosen = |inner: &[u8]| [b"\x40\x01".to_vec(), field(10, inner)].concat();
    let keyed = |inner: &[u8]| {
        let entry = [field(1, b"k"), field(2, inner)].concat();
        [field(4, &[field(1, b"k")].concat()), field(4, &entry)].concat()
    };
    for bytes in [levels(b"", &twice), levels(b"", &listed), levels(b"", &chosen), levels(b"", &keyed)] {
        soon(|| same_json(&tree, &bytes, &sorted_options()));
        soon(|| same_json(&tree, &bytes[..bytes.len() - 1], &sorted_options()));
    }
    let needs = descriptor("transcode.closed.Needs");
    let required = |inner: &[u8]| [b"\x08\x01".to_vec(), field(2, inner)].concat();
    soon(|| assert!(!same_json(&needs, &levels(b"", &required), &sorted_options())));
    soon(|| assert!(same_json(&needs, &levels(b"\x08\x01", &required), &sorted_options())));
}

#[test]
fn any_in_any() {
    let any = descriptor("google.protobuf.Any");
    let nested = |levels: usize, inside: &[u8]| {
        (0..levels)
            .fold(inside.to_vec(), |inner, _| [field(1, b"x/google.protobuf.Any"), field(2, &inner)].concat())
    };
    let text = |levels: usize, inside: &str| {
        let open = r#"{"@type":"x/google.protobuf.Any","value":"#;
        format!("{}{inside}{}", open.repeat(levels), "}".repeat(levels))
    };
    for levels in [1, 30, 99, 100, 101, 200] {
        soon(|| same_json(&any, &nested(levels, b""), &sorted_options()));
        // The innermost content needs the buffered path, or is malformed.
        soon(|| same_json(&any, &nested(levels, b"\x0a\x01a\x0a\x02bc"), &sorted_options()));
        soon(|| same_json(&any, &nested(levels, &field(1, b"nothing")), &sorted_options()));
        soon(|| same_wire(&any, text(levels, "{}").as_bytes(), &sorted_options()));
        soon(|| same_wire(&any, text(levels, "{\"a\":1}").as_bytes(), &sorted_options()));
    }
}

#[test]
fn budgets_hold_on_both_paths() -> Result<()> {
    let lists = descriptor("transcode.open.Lists");
    let many = field(17, b"").repeat(20_000);
    let text = format!("{{\"messages\":[{}{{}}]}}", "{},".repeat(20_000));
    let small = options().limits(Limits::default().memory(100_000));
    assert!(same_json(&lists, &many, &options()) && same_wire(&lists, text.as_bytes(), &options()));
    assert!(!same_json(&lists, &many, &small) && !same_wire(&lists, text.as_bytes(), &small));
    for memory in (0..3000).step_by(8) {
        let limited = options().limits(Limits::default().memory(memory));
        for (descriptor, text) in rows().filter(|(descriptor, _)| descriptor.full_name().contains("open")) {
            same_json(&descriptor, &wire_of(&descriptor, text), &limited);
            same_wire(&descriptor, text.as_bytes(), &limited);
        }
    }
    let short = options().limits(Limits::default().input(3));
    assert!(!same_json(&lists, &field(14, b"abc"), &short) && !same_wire(&lists, b"{ } ", &short));
    let mut out = Vec::new();
    wire_to_json(&lists, &field(14, b"abc"), &mut out)
}

//! Compares parsed messages and error texts with those of another implementation: for rows of texts, for every
//! truncation of them, and for many mutations.

#![allow(unsafe_code)]

use super::{Settings, Source, parse};
use crate::error::Result;
use crate::json::Options;
use crate::object::TypedMut;
use crate::types::{
    Any, BoolValue, BytesValue, DoubleValue, Duration, Empty, FieldMask, FloatValue, Int32Value, Int64Value,
    ListValue, NullValue, StringValue, Struct, Timestamp, UInt32Value, UInt64Value, Value,
};
use crate::vec_map::VecMap;
use crate::{Deserialize, Enumeration, Limits, Merge, Message, Oneof, Pool, Serialize, UnknownFields};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::LazyLock;

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(package = "json.parse")]
enum Closed {
    #[default]
    Zero = 0,
    #[tobu(name = "CLOSED_ONE")]
    One = 1,
    Minus = -1,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(package = "json.parse", values(OPEN_ZERO = 0, OPEN_ONE = 1, OPEN_FAR = 70000))]
struct Open(i32);

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "json.parse")]
struct Scalars {
    #[tobu(1)]
    a_double: f64,
    #[tobu(2)]
    a_float: f32,
    #[tobu(3)]
    int32: i32,
    #[tobu(4)]
    int64: i64,
    #[tobu(5)]
    uint32: u32,
    #[tobu(6)]
    uint64: u64,
    #[tobu(7, sint32)]
    s_int32: Option<i32>,
    #[tobu(8, sfixed64)]
    s_fixed64: Option<i64>,
    #[tobu(9, fixed32)]
    fixed32: Option<u32>,
    #[tobu(10)]
    a_bool: bool,
    #[tobu(11)]
    text: String,
    #[tobu(12)]
    maybe_text: Option<String>,
    #[tobu(13)]
    blob: Vec<u8>,
    #[tobu(14)]
    shared: bytes::Bytes,
    #[tobu(15)]
    closed: Closed,
    #[tobu(16)]
    maybe_closed: Option<Closed>,
    #[tobu(17)]
    open: Open,
    #[tobu(18)]
    maybe_double: Option<f64>,
    #[tobu(19)]
    boxed: Box<str>,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "json.parse")]
struct Tree {
    #[tobu(1)]
    name: String,
    #[tobu(2)]
    left: Option<Box<Tree>>,
    #[tobu(3)]
    children: Vec<Tree>,
    #[tobu(4)]
    named: BTreeMap<String, Tree>,
    #[tobu(5)]
    numbers: Vec<i32>,
    #[tobu(6)]
    longs: Vec<u64>,
    #[tobu(7)]
    doubles: Vec<f64>,
    #[tobu(8)]
    floats: Vec<f32>,
    #[tobu(9)]
    bools: Vec<bool>,
    #[tobu(10)]
    texts: Vec<String>,
    #[tobu(11)]
    blobs: Vec<Vec<u8>>,
    #[tobu(12)]
    closed: Vec<Closed>,
    #[tobu(13)]
    open: Vec<Open>,
    #[tobu(14)]
    by_int: BTreeMap<i32, String>,
    #[tobu(15)]
    by_bool: BTreeMap<bool, Closed>,
    #[tobu(16)]
    by_long: VecMap<u64, f64>,
    #[tobu(17, key = "sint64")]
    by_sint: BTreeMap<i64, Closed>,
    #[tobu(18)]
    scalars: Scalars,
    #[tobu(oneof)]
    kind: Option<Kind>,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

#[derive(Clone, Debug, PartialEq, Oneof, Serialize, Deserialize)]
enum Kind {
    #[tobu(30)]
    Number(i32),
    #[tobu(31)]
    Word(String),
    #[tobu(32)]
    Leaf(Box<Tree>),
    #[tobu(33)]
    Choice(Closed),
    #[tobu(34)]
    Nothing(NullValue),
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "json.parse")]
struct Known {
    #[tobu(1)]
    time: Option<Timestamp>,
    #[tobu(2)]
    span: Option<Duration>,
    #[tobu(3)]
    mask: Option<FieldMask>,
    #[tobu(4)]
    object: Option<Struct>,
    #[tobu(5)]
    value: Option<Value>,
    #[tobu(6)]
    list: Option<ListValue>,
    #[tobu(7)]
    null: NullValue,
    #[tobu(8)]
    maybe_null: Option<NullValue>,
    #[tobu(9)]
    any: Option<Any>,
    #[tobu(10)]
    empty: Option<Empty>,
    #[tobu(11)]
    bool_value: Option<BoolValue>,
    #[tobu(12)]
    bytes_value: Option<BytesValue>,
    #[tobu(13)]
    double_value: Option<DoubleValue>,
    #[tobu(14)]
    float_value: Option<FloatValue>,
    #[tobu(15)]
    int32_value: Option<Int32Value>,
    #[tobu(16)]
    int64_value: Option<Int64Value>,
    #[tobu(17)]
    string_value: Option<StringValue>,
    #[tobu(18)]
    uint32_value: Option<UInt32Value>,
    #[tobu(19)]
    uint64_value: Option<UInt64Value>,
    #[tobu(20)]
    times: Vec<Timestamp>,
    #[tobu(21)]
    values: Vec<Value>,
    #[tobu(22)]
    by_name: BTreeMap<String, Value>,
    #[tobu(23)]
    anys: Vec<Any>,
    #[tobu(24)]
    nulls: Vec<NullValue>,
    #[tobu(25)]
    spans: BTreeMap<String, Duration>,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "json.parse")]
struct Required {
    #[tobu(1, required)]
    id: i32,
    #[tobu(2, required)]
    name: String,
    #[tobu(3)]
    children: Vec<Required>,
    #[tobu(4)]
    named: BTreeMap<String, Required>,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "json.parse")]
struct Borrows<'a> {
    #[tobu(1)]
    text: &'a str,
    #[tobu(2)]
    maybe: Option<&'a str>,
    #[tobu(3)]
    either: Cow<'a, str>,
    #[tobu(4)]
    list: Vec<&'a str>,
    #[tobu(5)]
    named: BTreeMap<&'a str, &'a str>,
    #[tobu(6)]
    blob: &'a [u8],
}

static POOL: LazyLock<Pool> = LazyLock::new(|| {
    let source = r#"
        syntax = "proto2";
        package json.parsed;
        enum Level { LOW = 1; HIGH = 3; }
        message Part {
            optional int32 id = 1;
            optional Part child = 2;
            repeated Level levels = 3;
            optional string crossed = 4 [json_name = "other"];
            optional string other = 5 [json_name = "crossed"];
            oneof pick { int32 one = 6; string two = 7; }
            extensions 100 to max;
        }
        message Set { option message_set_wire_format = true; extensions 4 to 1000; }
        extend Part {
            optional int32 number = 100;
            repeated string texts = 101;
            optional Part part = 102;
            optional Level level = 103;
            repeated Level levels = 104;
        }
        extend Set { optional Part item = 200; }
    "#;
    let file = protox::file::File::from_source("parsed.proto", source).unwrap();
    let mut pool = Pool::new();
    pool.add_file(&prost::Message::encode_to_vec(file.file_descriptor_proto())).unwrap();
    for bytes in [&crate::types::files::ANY, &crate::types::files::DURATION, &crate::types::files::STRUCT] {
        pool.add_file(bytes.encoded()).unwrap();
    }
    pool
});

/// A message with some of the fields, which keeps the others as unknown fields.
#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(descriptor = POOL, message = "json.parsed.Part")]
struct Part {
    id: Option<i32>,
    other: Option<String>,
    crossed: Option<String>,
    one: Option<i32>,
    two: Option<String>,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(descriptor = POOL, message = "json.parsed.Set")]
struct Set {
    #[tobu(unknown)]
    unknown: UnknownFields,
}

fn merge_into<T: Message>(message: &mut T, text: &[u8], options: &Options, partial: bool) -> Result<()> {
    let table = T::shape().table()?;
    // SAFETY: the table is that of the type; the callers' texts outlive their messages.
    let target = unsafe { TypedMut::new(std::ptr::from_mut(message).cast(), table) };
    parse(target.into(), Source::Bytes(text), Settings { options, borrowed: true, partial })
}

fn new<T: Message + Default>(text: &[u8], options: &Options) -> Result<T> {
    let mut message = T::default();
    merge_into(&mut message, text, options, options.partial).map(|()| message)
}

/// Fails unless both implementations agree on a text; true if they accept it.
fn same<'de, T: Message + Deserialize<'de> + Default + Debug>(text: &'de [u8], options: &Options) -> bool {
    let show = |read: Result<T>| match read {
        Ok(message) => format!("{message:?}"),
        Err(error) => format!("{error:?}"),
    };
    let old = options.from_slice::<T>(text);
    let accepted = old.is_ok();
    assert_eq!(show(new(text, options)), show(old), "{}", String::from_utf8_lossy(text));
    accepted
}

const PIECES: [&str; 30] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "null",
    "true",
    "1e999",
    "-",
    "0",
    ".5",
    "\\ud800",
    "\\n",
    "/*",
    "\"@type\":",
    "\"value\":",
    "\"x/google.protobuf.Any\"",
    "\"any\":{}",
    "\u{e9}",
    " ",
    "\n",
    "99999999999",
    "\"a\":",
    "1.0",
    "\"CLOSED_ONE\"",
    "7",
    "\u{feff}",
];

fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 33) as usize
}

/// All texts, every truncation and many mutations of them.
fn all<T: Message + for<'de> Deserialize<'de> + Default + Debug>(texts: &[&str], options: &Options) {
    let ignore = options.clone().ignore_unknown(true).partial(true);
    let mut state = 7;
    for text in texts {
        let whole = text.as_bytes();
        assert!(same::<T>(whole, &ignore), "{text}");
        same::<T>(whole, options);
        for end in 0..whole.len() {
            same::<T>(&whole[..end], options);
            same::<T>(&whole[..end], &ignore);
        }
        for _ in 0..1500 {
            let mut changed = whole.to_vec();
            for _ in 0..1 + random(&mut state) % 3 {
                let at = random(&mut state) % changed.len().max(1);
                match random(&mut state) % 4 {
                    0 => drop(changed.splice(at..at, PIECES[random(&mut state) % PIECES.len()].bytes())),
                    1 if at < changed.len() => changed[at] = random(&mut state) as u8 & 0x7f,
                    2 if at < changed.len() => drop(changed.remove(at)),
                    _ => {
                        // Repeats a fragment of the text, so that members occur twice.
                        let end = whole.len().min(at + random(&mut state) % 24);
                        let part = whole.get(at..end).unwrap_or_default().to_vec();
                        drop(changed.splice(at..at, part));
                    }
                }
            }
            same::<T>(&changed, options);
            same::<T>(&changed, &ignore);
        }
    }
}

#[test]
fn scalars() {
    all::<Scalars>(
        &[
            r#"{"aDouble":1.5,"aFloat":-0.25,"int32":-7,"int64":"9007199254740993","uint32":4294967295,"uint64":18446744073709551615}"#,
            r#" { "a_double" : "NaN" , "aFloat":"-Infinity","int32":1.0,"int64":1e3,"uint32":"7","uint64":"1e5"} "#,
            r#"{"sInt32":-2147483648,"sFixed64":"-9223372036854775808","fixed32":0,"aBool":true,"text":"a\nb","maybeText":""}"#,
            r#"{"blob":"QUI=","shared":"-_","closed":"CLOSED_ONE","maybeClosed":-1,"open":"OPEN_FAR","maybeDouble":-0,"boxed":"é\u00e9"}"#,
            r#"{"closed":7,"maybeClosed":8,"open":9,"maybeDouble":null,"unheard":{"a":[1,null]},"maybe_text":null}"#,
            r#"{"boxed":"b","text":"later first","int32":3,"aDouble":16777217,"a_float":16777217.000000001}"#,
        ],
        &Options::new(),
    );
    let floats = ["3.5e38", "1e400", "-0", "0.1", "3.4028235e38", "1e-50", "16777217", "\"1.5\"", "\"Nan\""];
    let integers =
        ["0.5", "\" 1\"", "+1", "01", "\"\"", "\"1e536870000\"", "1e536870000", "-0", "2147483648"];
    for value in floats.into_iter().chain(integers) {
        for name in ["aDouble", "aFloat", "int32", "uint64", "sFixed64", "aBool", "open", "closed", "text"] {
            same::<Scalars>(format!("{{\"{name}\":{value}}}").as_bytes(), &Options::new());
        }
    }
    same::<Scalars>(format!("{{\"int32\":1{}}}", "0".repeat(100_000)).as_bytes(), &Options::new());
}

#[test]
fn trees() {
    all::<Tree>(
        &[
            r#"{"name":"a","left":{"left":{"name":"b"}},"children":[{},{"name":"c"}],"named":{"x":{"name":"d"},"y":{}}}"#,
            r#"{"numbers":[1,-2,"3",4.0],"longs":["1",2],"doubles":[1,2.5,"NaN"],"floats":[],"bools":[true,false]}"#,
            r#"{"texts":["a","b\n",""],"blobs":["QQ==",""],"closed":["CLOSED_ONE",1,7,"ZERO"],"open":["OPEN_ONE",5,"NOT"]}"#,
            r#"{"byInt":{"1":"a","-2":"b"},"byBool":{"true":1,"false":9},"by_long":{"3":1.5},"bySint":{"-1":5,"2":1}}"#,
            r#"{"scalars":{"int32":1},"number":5,"unknown":{"a":{}}}"#,
            r#"{"word":"x","number":null,"leaf":null}"#,
            r#"{"leaf":{"choice":"CLOSED_ONE","nested":1},"word":null}"#,
            r#"{"nothing":null,"numbers":null,"named":null}"#,
            r#"{"choice":7,"word":"x"}"#,
        ],
        &Options::new(),
    );
    assert!(!same::<Tree>(br#"{"leaf":{},"nothing":null}"#, &Options::new()));
    let many: Vec<String> = (0..200).map(|n| n.to_string()).collect();
    let text = format!("{{\"numbers\":[{}],\"floats\":[ {} ]}}", many.join(","), many.join(" , "));
    assert!(same::<Tree>(text.as_bytes(), &Options::new()));
    let text = format!("{{\"doubles\":[{},x]}}", many.join(","));
    assert!(!same::<Tree>(text.as_bytes(), &Options::new()));
    let keys: Vec<String> = (0..200).map(|n| format!("\"{}\":\"v\"", n * 7 % 199)).collect();
    for count in [5, 30, 199, 200] {
        same::<Tree>(format!("{{\"byInt\":{{{}}}}}", keys[..count].join(",")).as_bytes(), &Options::new());
    }
}

#[test]
fn well_known_types() {
    let options = Options::new().pool(&POOL);
    all::<Known>(
        &[
            r#"{"time":"1970-01-01T00:00:01.5Z","span":"-1.5s","mask":"a,bC","object":{"a":[1,null,"\u00e9"],"b":{}}}"#,
            r#"{"value":[true,{"c":-1.5e3}],"list":["x\n"],"null":null,"maybeNull":null,"empty":{}}"#,
            r#"{"any":{"value":{"@type":"x/json.parsed.Part","[json.parsed.number]":1},"@type":"x/google.protobuf.Any"}}"#,
            r#"{"any":{"@type":"x/google.protobuf.Duration","value":"1.5s"},"anys":[{},{"id":1,"@type":"x/json.parsed.Part"}]}"#,
            r#"{"boolValue":true,"bytesValue":"QQ","doubleValue":1.5,"floatValue":2,"int32Value":"3","int64Value":4}"#,
            r#"{"stringValue":"s","uint32Value":5,"uint64Value":"6","times":["1970-01-01T00:00:00Z"],"values":[null,1]}"#,
            r#"{"byName":{"a":null,"b":{"c":[]}},"nulls":[null,"NULL_VALUE",0],"spans":{"a":"1s"},"value":null}"#,
        ],
        &options,
    );
    for text in ["null", "true", "[1,{}]", "{\"a\":{\"b\":x}}", "nul", "NaN", "1e400", "", "\"a\"", "[1,]"] {
        same::<Value>(text.as_bytes(), &options);
        same::<Struct>(text.as_bytes(), &options);
        same::<ListValue>(text.as_bytes(), &options);
        same::<StringValue>(text.as_bytes(), &options);
        same::<DoubleValue>(text.as_bytes(), &options);
        same::<Timestamp>(text.as_bytes(), &options);
        same::<FieldMask>(text.as_bytes(), &options);
        same::<Any>(text.as_bytes(), &options);
        same::<Empty>(text.as_bytes(), &options);
    }
}

#[test]
fn fields_without_a_member() {
    let options = Options::new().pool(&POOL);
    all::<Part>(
        &[
            r#"{"id":1,"child":{"id":2,"levels":["LOW",9]},"[json.parsed.number]":"7","levels":[1,2,3]}"#,
            r#"{"[json.parsed.texts]":["a","b"],"[json.parsed.part]":{"id":3,"[json.parsed.level]":5},"id":null}"#,
            r#"{"[json.parsed.level]":2,"[json.parsed.levels]":["HIGH",2],"[json.parsed.number]":null,"child":null}"#,
            r#"{"crossed":"a","other":"b"}"#,
        ],
        &options,
    );
    // The other implementation lets a type with a member for each field of a oneof have both.
    let error = new::<Part>(br#"{"one":1,"two":"x"}"#, &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "json.parsed.Part.two: another field of the oneof pick came before (at line 1 column 16)"
    );
    assert!(same::<Part>(br#"{"one":1,"two":null}"#, &options));
    all::<Set>(&[r#"{"[json.parsed.item]":{"id":1}}"#], &options);
}

#[test]
fn required_fields() {
    all::<Required>(
        &[
            r#"{"id":1,"name":"a","children":[{"id":2,"name":""}],"named":{"x":{"id":1,"name":"n"}}}"#,
            r#"{"name":"a","id":null}"#,
            r#"{"id":1,"name":"b","children":[{"id":2}]}"#,
        ],
        &Options::new(),
    );
}

#[test]
fn borrowed_strings() {
    let whole = r#"{"text":"plain é","maybe":"x","either":"e\n","list":["a",""],"named":{"k":"v"}}"#;
    let options = Options::new();
    assert!(same::<Borrows<'_>>(whole.as_bytes(), &options));
    let read: Borrows<'_> = new(whole.as_bytes(), &options).unwrap();
    assert!(whole.as_bytes().as_ptr_range().contains(&read.text.as_ptr()));
    assert!(matches!(read.either, Cow::Owned(_)));
    for text in [
        r#"{"text":"\n"}"#,
        r#"{"maybe":"a\n"}"#,
        r#"{"list":["a","\u0041"]}"#,
        r#"{"named":{"\n":"v"}}"#,
        r#"{"named":{"k":"\n"}}"#,
        r#"{"blob":"QQ=="}"#,
        r#"{"blob":""}"#,
    ] {
        assert!(!same::<Borrows<'_>>(text.as_bytes(), &options), "{text}");
    }
}

#[test]
fn merging() {
    fn both<T: Message + for<'de> Merge<'de> + for<'de> Deserialize<'de> + Clone + Debug>(texts: &[&str]) {
        for first in texts {
            for second in texts {
                let mut old: T = crate::json::from_str(first).unwrap();
                let mut new = old.clone();
                crate::json::merge(&mut old, second).unwrap();
                merge_into(&mut new, second.as_bytes(), &Options::new(), true).unwrap();
                assert_eq!(format!("{new:?}"), format!("{old:?}"), "{first} {second}");
            }
        }
    }
    both::<Tree>(&[
        r#"{"name":"a","left":{"name":"b"},"children":[{}],"named":{"x":{}},"numbers":[1]}"#,
        r#"{"name":null,"left":{"numbers":[1]},"children":[{"name":"c"}],"named":{"x":{"name":"d"},"y":{}}}"#,
        r#"{"word":"x","byInt":{"1":"a"},"texts":["t"],"closed":[1,9]}"#,
        r#"{"leaf":{"name":"l"},"byInt":{"1":"b","2":"c"},"byLong":{"5":1},"closed":[]}"#,
        r#"{"leaf":{"numbers":[2]},"scalars":{"text":"t","closed":5}}"#,
    ]);
    both::<Known>(&[
        r#"{"time":"1970-01-01T00:00:01.5Z","mask":"a","object":{"a":1},"value":[1],"list":[1]}"#,
        r#"{"time":"1970-01-01T00:00:02Z","mask":"b","object":{"b":1},"value":{"a":2},"list":[2]}"#,
        r#"{"any":{},"value":null,"stringValue":"x"}"#,
    ]);
}

#[test]
fn levels_and_memory() {
    type Wrap = fn(&str) -> String;
    // The entry of a map is also a level.
    let wraps: [(usize, Wrap); 4] = [
        (1, |inner| format!("{{\"left\":{inner}}}")),
        (1, |inner| format!("{{\"children\":[{{}},{inner}]}}")),
        (2, |inner| format!("{{\"named\":{{\"k\":{inner}}}}}")),
        (1, |inner| format!("{{\"leaf\":{inner}}}")),
    ];
    for (cost, wrap) in wraps {
        for messages in [2, 3, 4, 49, 50, 51, 98, 99, 100, 101] {
            let levels = 1 + (messages - 1) * cost;
            let text = (1..messages).fold("{}".to_owned(), |inner, _| wrap(&inner));
            assert_eq!(same::<Tree>(text.as_bytes(), &Options::new()), levels <= 100);
            let shallow = Options::new().limits(Limits::default().depth(3));
            assert_eq!(same::<Tree>(text.as_bytes(), &shallow), levels <= 3);
        }
    }
    let options = Options::new().pool(&POOL);
    for levels in [33, 34, 49, 50, 51, 99, 100, 101, 2000] {
        same::<Value>(format!("{}1{}", "[".repeat(levels), "]".repeat(levels)).as_bytes(), &options);
        same::<Value>(format!("{}1{}", "{\"n\":".repeat(levels), "}".repeat(levels)).as_bytes(), &options);
        for form in [
            "{\"value\":|,\"@type\":\"x/google.protobuf.Any\"}",
            "{\"@type\":\"x/google.protobuf.Any\",\"value\":|}",
        ] {
            let (before, after) = form.split_once('|').unwrap();
            let text = format!("{}{{}}{}", before.repeat(levels), after.repeat(levels));
            assert_eq!(same::<Any>(text.as_bytes(), &options), levels < 100);
        }
    }
    let frugal = Options::new().limits(Limits::default().memory(100_000));
    for text in [
        format!("{{\"children\":[{}{{}}]}}", "{},".repeat(1000)),
        format!("{{\"longs\":[{}1]}}", "1,".repeat(20_000)),
        format!("{{\"texts\":[{}\"\"]}}", "\"\",".repeat(10_000)),
        format!(
            "{{\"byInt\":{{{}\"x\":1}}}}",
            (0..5000).map(|n| format!("\"{n}\":\"\",")).collect::<String>()
        ),
    ] {
        let error = new::<Tree>(text.as_bytes(), &frugal).unwrap_err();
        assert_eq!(error.message(), "the decoded message would take more than 100000 bytes of memory");
        assert!(error.position().is_some());
    }
    let small = Options::new().limits(Limits::default().input(4));
    assert!(same::<Tree>(b"{  }", &small) && !same::<Tree>(b"{   }", &small));
}

#[test]
fn a_million_brackets_on_a_small_stack() {
    let small = std::thread::Builder::new().stack_size(2 << 20).spawn(|| {
        let options = Options::new().ignore_unknown(true).pool(&POOL);
        for open in
            ["[", "{\"a\":", "{\"left\":", "{\"named\":{\"a\":", "{\"children\":[", "{\"@type\":\"x\",\"a\":"]
        {
            let text = open.repeat(1_000_000);
            assert!(new::<Tree>(text.as_bytes(), &options).is_err());
            assert!(new::<Value>(text.as_bytes(), &options).is_err());
            assert!(new::<Any>(text.as_bytes(), &options).is_err());
        }
    });
    small.unwrap().join().unwrap();
}

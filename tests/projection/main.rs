//! Reading selected fields of a message: equal to trimming the whole message, by every way of reading.

#[path = "../memory/counting.rs"]
mod counting;

use counting::calls;
use std::collections::BTreeMap;
use tobu::{
    DecodeOptions, DynamicMessage, EncodeOptions, Enumeration, Error, Message, MessageDescriptorExt,
    Projection, UnknownFields, convert, json,
};

#[derive(Clone, Debug, Default, PartialEq, Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "projection")]
struct All {
    #[tobu(1)]
    number: i32,
    #[tobu(2)]
    text: String,
    #[tobu(3)]
    inner: Option<Inner>,
    #[tobu(4)]
    many: Vec<Inner>,
    #[tobu(5)]
    by_name: BTreeMap<String, Inner>,
    #[tobu(6)]
    texts: Vec<String>,
    #[tobu(oneof)]
    choice: Option<Choice>,
    #[tobu(10)]
    color: Option<Color>,
    #[tobu(11)]
    colors: Vec<Color>,
    #[tobu(12)]
    boxed: Option<Box<All>>,
    #[tobu(13)]
    at: Option<tobu::types::Timestamp>,
    #[tobu(unknown)]
    unknown_fields: UnknownFields,
}

#[derive(Clone, Debug, Default, PartialEq, Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "projection")]
struct Inner {
    #[tobu(1)]
    x: i32,
    #[tobu(2)]
    name: String,
    #[tobu(3)]
    numbers: Vec<u32>,
    #[tobu(unknown)]
    unknown_fields: UnknownFields,
}

#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum Choice {
    #[tobu(7)]
    Count(u32),
    #[tobu(8)]
    Word(String),
    #[tobu(9)]
    Deep(Inner),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration)]
#[tobu(package = "projection")]
enum Color {
    #[default]
    Red = 0,
    Green = 1,
}

/// A message with all of its members.
fn full() -> All {
    let inner = |x| Inner { x, name: format!("name {x}"), numbers: vec![1, 2], ..Inner::default() };
    All {
        number: 1,
        text: "text".into(),
        inner: Some(inner(2)),
        many: vec![inner(3), inner(4)],
        by_name: [("a".into(), inner(5)), ("b".into(), inner(6))].into(),
        texts: vec!["one".into(), "two".into()],
        choice: Some(Choice::Deep(inner(7))),
        color: Some(Color::Green),
        colors: vec![Color::Green, Color::Red],
        boxed: Some(Box::new(All { number: 8, text: "inside".into(), ..All::default() })),
        at: Some(tobu::types::Timestamp { seconds: 1, nanos: 2, ..Default::default() }),
        unknown_fields: UnknownFields::default(),
    }
}

const MASKS: [&[&str]; 16] = [
    &[],
    &["*"],
    &["number"],
    &["text", "texts"],
    &["inner"],
    &["inner.x"],
    &["inner.name", "inner.numbers", "many.x"],
    &["many.*.name"],
    &["by_name.x"],
    &["byName.*.name", "count"],
    &["word"],
    &["deep.x", "color"],
    &["count", "deep.name", "colors"],
    &["boxed.inner.x", "boxed.text"],
    &["at.seconds", "boxed.boxed"],
    &["boxed.many.name", "boxed.count", "boxed.by_name.x"],
];

/// Fields, whole and broken, known and not.
const FIELDS: [&[u8]; 26] = [
    b"\x08\x05",
    b"\x12\x02hi",
    b"\x1a\x02\x08\x07",
    b"\x1a\x06\x12\x01n\x1a\x01\x05",
    b"\x22\x05\x08\x01\x12\x01m",
    b"\x22\x02\x28\x01\x22\x00",
    b"\x2a\x07\x0a\x01k\x12\x02\x08\x03",
    b"\x2a\x08\x0a\x01k\x12\x03\x12\x01v",
    b"\x32\x01s\x32\x01t",
    b"\x38\x09",
    b"\x42\x01w",
    b"\x4a\x05\x08\x02\x12\x01d",
    b"\x50\x01",
    // No color that there is, alone and in lists.
    b"\x50\x05",
    b"\x58\x05\x5a\x03\x00\x06\x01",
    b"\x62\x0e\x08\x01\x12\x01b\x1a\x04\x08\x01\x12\x00\x38\x01",
    b"\x62\x04\x22\x02\x08\x01",
    b"\x6a\x04\x08\x01\x10\x02",
    // Unknown: a number, a text, a group.
    b"\xa0\x06\x01",
    b"\xaa\x06\x01u",
    b"\xa3\x06\x08\x01\xa4\x06",
    // A tag longer than it need be, and other wire types.
    b"\x92\x00\x01l",
    b"\x0a\x01z",
    b"\x10\x01",
    // No UTF-8, and cut off.
    b"\x12\x01\xff",
    b"\x4a\x05\x08",
];

/// All messages of at most two such fields, and some of three.
fn messages() -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for (index, one) in FIELDS.iter().enumerate() {
        all.push(one.to_vec());
        for (next, other) in FIELDS.iter().enumerate() {
            let third = FIELDS[(3 * index + 7 * next) % FIELDS.len()];
            all.push(if (index + next) % 2 == 0 {
                [*one, other].concat()
            } else {
                [*one, other, third].concat()
            });
        }
    }
    all
}

fn deterministic<T: Message + tobu::Serialize>(message: &T) -> Vec<u8> {
    EncodeOptions::new().deterministic(true).to_vec(message).unwrap()
}

fn project(mask: &[&str]) -> Projection {
    All::descriptor().project(mask).unwrap()
}

/// The result of all ways of reading selected fields of these bytes: the same message, or the same
/// error.
fn read(projection: &Projection, bytes: &[u8]) -> Result<All, String> {
    let options = DecodeOptions::new().fields(projection);
    let text = |error: Error| error.to_string();
    let typed = options.from_slice::<All>(bytes).map_err(text);
    let mut refilled = full();
    let done = options.from_slice_in_place(&mut refilled, bytes).map_err(text);
    match &typed {
        Ok(typed) => assert_eq!((done, &refilled), (Ok(()), typed)),
        Err(error) => assert_eq!((done, refilled), (Err(error.clone()), All::default())),
    }
    let dynamic = options.decode_dynamic(bytes);
    let encoded =
        dynamic.as_ref().map(|dynamic| EncodeOptions::new().deterministic(true).to_vec(dynamic).unwrap());
    assert_eq!(
        encoded.map_err(|error| error.to_string()),
        typed.as_ref().map(deterministic).map_err(Clone::clone)
    );
    for settings in
        [json::Options::new().deterministic(true), json::Options::new().deterministic(true).pretty(true)]
    {
        let mut out = b"kept".to_vec();
        let done = convert::wire_to_json_projected(projection, bytes, &mut out, &settings).map_err(text);
        match &dynamic {
            Ok(dynamic) => {
                assert_eq!(done, Ok(()));
                let expected = settings.to_string(dynamic).unwrap();
                let value = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).unwrap();
                assert_eq!(value(&out[4..]), value(expected.as_bytes()));
            }
            Err(error) => assert_eq!((done, &*out), (Err(error.to_string()), &b"kept"[..])),
        }
    }
    typed
}

#[test]
fn a_part_is_what_trimming_leaves_of_the_whole() {
    let messages = messages();
    for mask in MASKS {
        let projection = project(mask);
        let strict = project(mask).validate(true);
        let mut read_in_part = 0;
        for bytes in &messages {
            let (part, whole) = (read(&projection, bytes), tobu::from_slice::<All>(bytes));
            let checked = read(&strict, bytes);
            match whole {
                Ok(mut whole) => {
                    whole.as_reflect_mut().trim(mask).unwrap();
                    assert_eq!(part.as_ref(), Ok(&whole), "{mask:?} of {bytes:02x?}");
                    assert_eq!(checked, Ok(whole));
                }
                Err(error) => {
                    assert_eq!(checked, Err(error.to_string()), "{mask:?} of {bytes:02x?}");
                    read_in_part += usize::from(part.is_ok());
                }
            }
        }
        // The error may be in skipped fields.
        assert_eq!(read_in_part == 0, *mask == ["*"], "{mask:?}");
    }
}

#[test]
fn unknown_fields_are_kept_where_that_is_asked_for() {
    let rows: [(&[&str], &[u8], &[u8]); 8] = [
        (&["number"], b"\x08\x05\xa0\x06\x01\x12\x02hi", b"\x08\x05\xa0\x06\x01"),
        // A known field with another wire type is unknown, whether it is left out or not.
        (&["number"], b"\x10\x01\x0a\x01z", b"\x10\x01\x0a\x01z"),
        // So is a number that a closed enum does not have.
        (&["number"], b"\x50\x05\x50\x01\x58\x06", b"\x50\x05\x58\x06"),
        (&["colors"], b"\x5a\x03\x00\x06\x01", b"\x5a\x02\x00\x01\x58\x06"),
        (&["inner.x"], b"\x1a\x09\x08\x07\x12\x01n\xa0\x06\x01\x00", b""),
        (&["inner.x"], b"\x1a\x08\x08\x07\x12\x01n\xa0\x06\x01", b"\x1a\x05\x08\x07\xa0\x06\x01"),
        (
            &["inner"],
            b"\x1a\x05\x08\x07\xa0\x06\x01\xa0\x06\x02",
            b"\x1a\x05\x08\x07\xa0\x06\x01\xa0\x06\x02",
        ),
        (&["word"], b"\x42\x01w\xa0\x06\x01\x38\x09", b"\xa0\x06\x01"),
    ];
    for (mask, bytes, expected) in rows {
        let projection = project(mask).keep_unknown(true);
        match read(&projection, bytes) {
            Ok(message) => assert_eq!(deterministic(&message), expected, "{mask:?}"),
            Err(error) => {
                assert_eq!(error, "projection.All.inner: field number 0 is not valid (at byte 10)");
                assert_eq!(expected, b"");
            }
        }
        // And not otherwise.
        let without =
            read(&project(mask), bytes).map_or_else(|_| Vec::new(), |message| deterministic(&message));
        assert!(!without.windows(2).any(|two| two == b"\xa0\x06") || *mask == ["inner"], "{without:02x?}");
    }
}

#[test]
fn paths_that_do_not_fit() {
    let long = vec!["boxed"; 101].join(".");
    let rows = [
        ("", r#"projection.All: the path "": projection.All has no field """#),
        ("x", r#"projection.All: the path "x": projection.All has no field "x""#),
        (
            "text.x",
            r#"projection.All: the path "text.x" goes into projection.All.text, which holds no messages"#,
        ),
        (
            "text.*",
            r#"projection.All: the path "text.*" goes into projection.All.text, which holds no messages"#,
        ),
        (
            "texts.*.x",
            r#"projection.All: the path "texts.*.x" goes into projection.All.texts, which holds no messages"#,
        ),
        ("inner.*.x", r#"projection.All: the path "inner.*.x": projection.Inner has no field "*""#),
        ("by_name.k", r#"projection.All: the path "by_name.k": projection.Inner has no field "k""#),
        ("inner.", r#"projection.All: the path "inner.": projection.Inner has no field """#),
        (&long, "projection.All: a path of a field mask goes through more than 100 fields"),
    ];
    for (path, text) in rows {
        assert_eq!(All::descriptor().project(&["number", path]).unwrap_err().to_string(), text);
    }
    // A path of any length is rejected before it is processed.
    let endless = "boxed.".repeat(1_000_000);
    assert!(All::descriptor().project(&[&endless]).is_err());
    assert!(All::default().as_reflect_mut().trim(&[&endless]).is_err());
}

#[test]
fn a_projection_is_of_one_message() {
    let error = DecodeOptions::new().fields(&project(&["number"])).from_slice::<Inner>(b"").unwrap_err();
    assert_eq!(
        error.to_string(),
        "projection.Inner: the projection is for projection.All, not for projection.Inner"
    );
}

/// Some of the fields of `All`, one of them by another type, in the same message.
#[derive(Clone, Debug, Default, PartialEq, Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(descriptor = LazyAll, message = "projection.All")]
struct Few {
    text: String,
    inner: Option<Name>,
}

#[derive(Clone, Debug, Default, PartialEq, Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(descriptor = LazyInner, message = "projection.Inner")]
struct Name {
    name: String,
}

#[allow(non_upper_case_globals)]
static LazyAll: std::sync::LazyLock<tobu::MessageDescriptor> = std::sync::LazyLock::new(All::descriptor);
#[allow(non_upper_case_globals)]
static LazyInner: std::sync::LazyLock<tobu::MessageDescriptor> = std::sync::LazyLock::new(Inner::descriptor);

/// The same for serde's own derive.
#[derive(Debug, Default, PartialEq, Message, serde::Deserialize)]
#[tobu(descriptor = LazyAll, message = "projection.All")]
struct ByHand {
    text: String,
    number: i32,
}

#[test]
fn a_type_with_fewer_fields_is_a_projection_by_itself() {
    let bytes = deterministic(&full());
    let few: Few = tobu::from_slice(&bytes).unwrap();
    assert_eq!(few, Few { text: "text".into(), inner: Some(Name { name: "name 2".into() }) });
    // And may be projected further, by the one projection that other types share.
    let projection = project(&["inner", "number"]);
    let options = DecodeOptions::new().fields(&projection);
    let few: Few = options.from_slice(&bytes).unwrap();
    assert_eq!(few, Few { text: String::new(), inner: Some(Name { name: "name 2".into() }) });
    assert_eq!(options.from_slice::<All>(&bytes).unwrap().number, 1);
    assert_eq!(options.from_slice::<ByHand>(&bytes).unwrap(), ByHand { text: String::new(), number: 1 });
    let value: serde_json::Value = options.decode(&bytes).unwrap();
    assert_eq!(
        value,
        serde_json::json!({"number": 1, "inner": {"x": 2, "name": "name 2", "numbers": [1, 2]}})
    );
}

/// A message with few selected fields and many others.
fn much() -> Vec<u8> {
    let full = full();
    let many =
        All { many: vec![full.inner.clone().unwrap(); 1000], texts: vec!["text".into(); 1000], ..full };
    deterministic(&many)
}

#[test]
fn what_is_passed_over_takes_no_memory() {
    let bytes = much();
    let shared = bytes::Bytes::from(bytes.clone());
    let (projection, numbers) = (project(&["text", "inner.name", "at"]), project(&["number", "color", "at"]));
    let (options, number) = (DecodeOptions::new().fields(&projection), DecodeOptions::new().fields(&numbers));
    let whole: All = options.from_slice(&bytes).unwrap();
    let few: Few = tobu::from_slice(&bytes).unwrap();
    number.from_slice::<All>(&bytes).unwrap();
    number.decode_dynamic_bytes(shared.clone()).unwrap();
    // The two strings.
    assert_eq!(calls(|| options.from_slice::<All>(&bytes).unwrap()), (2, whole.clone()));
    assert_eq!(calls(|| tobu::from_slice::<Few>(&bytes).unwrap()), (2, few));
    assert_eq!(calls(|| number.from_slice::<All>(&bytes).unwrap()).0, 0);
    // The arena.
    assert_eq!(calls(|| number.decode_dynamic_bytes(shared.clone()).unwrap()).0, 1);
    // What is written does not keep the room of the input.
    let small = tobu::to_vec(&number.decode_dynamic_bytes(shared).unwrap()).unwrap();
    assert!(small.capacity() < 1024, "{} for {} bytes", small.capacity(), small.len());
    let mut again = whole.clone();
    options.from_slice_in_place(&mut again, &bytes).unwrap();
    assert_eq!(calls(|| options.from_slice_in_place(&mut again, &bytes).unwrap()).0, 0);
    assert_eq!(again, whole);
}

#[test]
fn fields_that_are_left_out_are_not_printed_as_defaults() {
    let options = json::Options::new().emit_defaults(true);
    let projection = project(&["number", "many.x", "texts"]);
    let mut out = Vec::new();
    convert::wire_to_json_projected(&projection, b"\x22\x00\x12\x01t", &mut out, &options).unwrap();
    assert_eq!(std::str::from_utf8(&out).unwrap(), r#"{"number":0,"many":[{"x":0}],"texts":[]}"#);
}

#[test]
fn limits_are_those_of_what_is_read() {
    let deep = (0..200).fold(Vec::new(), |inner, _| [&b"\x62"[..], &length(inner.len()), &inner].concat());
    assert_eq!(
        tobu::from_slice::<All>(&deep).unwrap_err().category(),
        tobu::Category::Limit,
        "it is too deep as a whole"
    );
    assert_eq!(read(&project(&["boxed.text"]), &deep).unwrap().boxed.unwrap().boxed, None);
    assert!(read(&project(&["boxed"]), &deep).is_err());
    // Groups that are skipped count as they do among unknown fields.
    let groups = [b"\xa3\x06".repeat(101), b"\xa4\x06".repeat(101)].concat();
    let error = "projection.All: messages are nested deeper than 100 levels (at byte 198)";
    assert_eq!(read(&project(&["text"]), &groups).unwrap_err(), error);
    let dynamic = DynamicMessage::decode(&All::descriptor(), &groups).unwrap_err();
    assert_eq!(dynamic.to_string(), error);
}

fn length(len: usize) -> Vec<u8> {
    let mut writer = tobu::wire::Writer::new();
    writer.varint(len as u64);
    writer.finish().unwrap()
}

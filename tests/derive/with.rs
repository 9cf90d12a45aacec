//! Members of types of one's own, by a conversion: the same on every path.

use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;
use tobu::member::{Convert, Hex, JsonBytes};
use tobu::reflect::{Value, ValueRef};
use tobu::{DynamicMessage, Message, Reflect, VecMap, json, text};

/// An id of two bytes: shorter than those of traces, so that rows are short.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Id([u8; 2]);

impl Convert<Id> for Id {
    type Proto = [u8];
    const EXPECTED: &'static str = "an id of 2 bytes";
    const JSON: Option<&'static JsonBytes> = Some(JsonBytes::HEX);

    fn as_proto(id: &Id) -> &[u8] {
        if id.0 == [0, 0] { &[] } else { &id.0 }
    }

    fn from_proto(bytes: &[u8]) -> Option<Id> {
        bytes.try_into().ok().map(Id)
    }
}

/// A string in upper case, of some other crate.
#[derive(Clone, Debug, Default, PartialEq)]
struct Code(Box<str>);

/// A conversion with a parameter.
struct As<T>(PhantomData<T>);

type AsCode = As<Code>;

impl Convert<Code> for As<Code> {
    type Proto = str;
    const EXPECTED: &'static str = "a code in upper case";

    fn as_proto(code: &Code) -> &str {
        &code.0
    }

    fn from_proto(text: &str) -> Option<Code> {
        text.bytes().all(|byte| byte.is_ascii_uppercase()).then(|| Code(text.into()))
    }
}

/// An alias: the derive does not guess by names.
type Maybe<T> = Option<T>;

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "derive.with")]
struct Span {
    #[tobu(1, with = Id)]
    id: Id,
    #[tobu(2, with = Id)]
    parent: Maybe<Id>,
    #[tobu(3, with = Id)]
    links: Vec<Id>,
    #[tobu(4, with = self::AsCode)]
    code: Code,
    #[tobu(5, with = As<Code>)]
    codes: Vec<Code>,
    #[tobu(6, with = Id)]
    by_name: BTreeMap<String, Id>,
    #[tobu(oneof)]
    of: Option<Of>,
    #[tobu(9, with = "Hex")]
    digest: Vec<u8>,
    #[tobu(10)]
    plain: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum Of {
    #[tobu(7, with = Id)]
    Other(Id),
    #[tobu(8, with = AsCode)]
    Word(Code),
}

fn code(text: &str) -> Code {
    Code(text.into())
}

/// Messages as bytes, JSON and text.
fn rows() -> Vec<(Span, &'static [u8], &'static str, &'static str)> {
    let base = Span::default;
    vec![
        (base(), b"", "{}", ""),
        (Span { id: Id([1, 0xab]), ..base() }, b"\x0a\x02\x01\xab", r#"{"id":"01ab"}"#, r#"id: "\001\253""#),
        (
            Span { parent: Some(Id([0, 7])), ..base() },
            b"\x12\x02\x00\x07",
            r#"{"parent":"0007"}"#,
            r#"parent: "\000\007""#,
        ),
        (Span { parent: Some(Id([0, 0])), ..base() }, b"\x12\x00", r#"{"parent":""}"#, r#"parent: """#),
        (
            Span { links: vec![Id([1, 2]), Id([0, 0])], ..base() },
            b"\x1a\x02\x01\x02\x1a\x00",
            r#"{"links":["0102",""]}"#,
            r#"links: "\001\002" links: """#,
        ),
        (Span { code: code("EUR"), ..base() }, b"\x22\x03EUR", r#"{"code":"EUR"}"#, r#"code: "EUR""#),
        (
            Span { codes: vec![code("A"), code("")], ..base() },
            b"\x2a\x01A\x2a\x00",
            r#"{"codes":["A",""]}"#,
            r#"codes: "A" codes: """#,
        ),
        (
            Span { by_name: [("x".to_owned(), Id([9, 9])), ("y".to_owned(), Id([0, 0]))].into(), ..base() },
            b"\x32\x07\x0a\x01x\x12\x02\x09\x09\x32\x05\x0a\x01y\x12\x00",
            r#"{"byName":{"x":"0909","y":""}}"#,
            r#"by_name { key: "x" value: "\t\t" } by_name { key: "y" value: "" }"#,
        ),
        (
            Span { of: Some(Of::Other(Id([1, 1]))), ..base() },
            b"\x3a\x02\x01\x01",
            r#"{"other":"0101"}"#,
            r#"other: "\001\001""#,
        ),
        (Span { of: Some(Of::Other(Id([0, 0]))), ..base() }, b"\x3a\x00", r#"{"other":""}"#, r#"other: """#),
        (Span { of: Some(Of::Word(code("W"))), ..base() }, b"\x42\x01W", r#"{"word":"W"}"#, r#"word: "W""#),
        (
            Span { digest: vec![0xfb, 0xff], plain: vec![0xfb, 0xff], ..base() },
            b"\x4a\x02\xfb\xff\x52\x02\xfb\xff",
            r#"{"digest":"fbff","plain":"+/8="}"#,
            r#"digest: "\373\377" plain: "\373\377""#,
        ),
    ]
}

/// Every field set to something else, so that nothing of it may be left.
fn used() -> Span {
    Span {
        id: Id([5, 5]),
        parent: Some(Id([6, 6])),
        links: vec![Id([7, 7]); 3],
        code: code("USED"),
        codes: vec![code("USED")],
        by_name: [("used".to_owned(), Id([8, 8]))].into(),
        of: Some(Of::Word(code("USED"))),
        digest: vec![1],
        plain: vec![1],
    }
}

#[test]
fn every_format_writes_and_reads_them() {
    for (message, bytes, json_text, text_text) in rows() {
        assert_eq!(tobu::to_vec(&message).unwrap(), bytes);
        assert_eq!(tobu::encoded_len(&message).unwrap(), bytes.len());
        assert_eq!(tobu::from_slice::<Span>(bytes).unwrap(), message);
        let mut target = used();
        tobu::from_slice_in_place(&mut target, bytes).unwrap();
        assert_eq!(target, message);

        assert_eq!(json::to_string(&message).unwrap(), json_text);
        assert_eq!(json::from_str::<Span>(json_text).unwrap(), message);
        let mut target = used();
        json::from_str_in_place(&mut target, json_text).unwrap();
        assert_eq!(target, message);

        let one_line = text::Options::new().one_line(true);
        assert_eq!(one_line.to_string(&message).unwrap(), text_text);
        assert_eq!(text::from_str::<Span>(text_text).unwrap(), message);

        // Formats that know nothing of protobuf: people get ProtoJSON, others the members.
        assert_eq!(serde_json::to_string(&message).unwrap(), json_text);
        assert_eq!(serde_json::from_str::<Span>(json_text).unwrap(), message);
        let packed = postcard::to_stdvec(&message).unwrap();
        assert_eq!(postcard::from_bytes::<Span>(&packed).unwrap(), message);
        let packed = rmp_serde::to_vec_named(&message).unwrap();
        assert_eq!(rmp_serde::from_slice::<Span>(&packed).unwrap(), message);
    }
}

#[test]
fn merging_adds_to_lists_and_maps_and_replaces_the_rest() {
    for (message, bytes, json_text, _) in rows() {
        let mut merged = used();
        tobu::merge(&mut merged, bytes).unwrap();
        let mut from_json = used();
        json::merge(&mut from_json, json_text).unwrap();
        let mut by_reflection = used();
        by_reflection.as_reflect_mut().merge_from(message.as_reflect()).unwrap();
        let mut wanted = tobu::to_vec(&used()).unwrap();
        wanted.extend_from_slice(bytes);
        let wanted = tobu::from_slice::<Span>(&wanted).unwrap();
        assert_eq!((&merged, &from_json, &by_reflection), (&wanted, &wanted, &wanted));
    }
}

#[test]
fn dynamic_messages_know_no_conversion() {
    let descriptor = Span::descriptor();
    for (message, bytes, json_text, text_text) in rows() {
        let dynamic = DynamicMessage::decode(&descriptor, bytes).unwrap();
        assert_eq!(dynamic.encode_to_vec().unwrap(), bytes);
        assert!((&dynamic as &dyn Reflect).equals(message.as_reflect()));
        let mut copy = used();
        copy.as_reflect_mut().clear_all();
        assert_eq!(copy, Span::default());
        copy.as_reflect_mut().merge_from(&dynamic).unwrap();
        assert_eq!(copy, message);
        assert_eq!(text::Options::new().one_line(true).to_string(&dynamic).unwrap(), text_text);
        // Base64, by a message and without.
        let canonical = json::to_string(&dynamic).unwrap();
        let mut converted = Vec::new();
        tobu::convert::wire_to_json(&descriptor, bytes, &mut converted).unwrap();
        assert_eq!(String::from_utf8(converted).unwrap(), canonical);
        if message.id != Id::default() {
            assert_eq!((json_text, &*canonical), (r#"{"id":"01ab"}"#, r#"{"id":"Aas="}"#));
        }
    }
}

#[test]
fn what_has_no_value_is_an_error_with_its_place() {
    let wire: [(&[u8], &str); 8] = [
        (b"\x0a\x01\x01", "derive.with.Span.id: expected an id of 2 bytes (at byte 3)"),
        (b"\x52\x00\x12\x03\x01\x02\x03", "derive.with.Span.parent: expected an id of 2 bytes (at byte 7)"),
        (b"\x1a\x02\x01\x02\x1a\x01\x01", "derive.with.Span.links[1]: expected an id of 2 bytes (at byte 7)"),
        (b"\x22\x03eur", "derive.with.Span.code: expected a code in upper case (at byte 5)"),
        (b"\x22\x01\xff", "derive.with.Span.code: invalid UTF-8 in a string (at byte 2)"),
        (b"\x2a\x01A\x2a\x01b", "derive.with.Span.codes[1]: expected a code in upper case (at byte 6)"),
        (
            b"\x32\x06\x0a\x01x\x12\x01\x09",
            "derive.with.Span.by_name[\"x\"]: expected an id of 2 bytes (at byte 8)",
        ),
        (b"\x3a\x01\x01", "derive.with.Span.other: expected an id of 2 bytes (at byte 3)"),
    ];
    for (bytes, error) in wire {
        assert_eq!(tobu::from_slice::<Span>(bytes).unwrap_err().to_string(), error);
        // Nothing is merged of a message with an error in it.
        let mut target = used();
        assert_eq!(tobu::merge(&mut target, bytes).unwrap_err().to_string(), error);
        assert_eq!(target, used());
    }
    let texts = [
        (
            "{\n \"id\": \"zz\"}",
            "derive.with.Span.id: expected hexadecimal digits, but found \"zz\" (at line 2 column 8)",
        ),
        ("{\"id\": \"01\"}", "derive.with.Span.id: expected an id of 2 bytes (at line 1 column 8)"),
        (
            "{\"id\": \"AQI=\"}",
            "derive.with.Span.id: expected hexadecimal digits, but found \"AQI=\" (at line 1 column 8)",
        ),
        ("{\"id\": 1}", "derive.with.Span.id: expected bytes, but found the number 1 (at line 1 column 8)"),
        (
            "{\"parent\": \"010203\"}",
            "derive.with.Span.parent: expected an id of 2 bytes (at line 1 column 12)",
        ),
        (
            "{\"links\": [\"0102\", \"012\"]}",
            "derive.with.Span.links[1]: expected hexadecimal digits, but found \"012\" (at line 1 column 20)",
        ),
        (
            "{\"links\": [\"0102\",\n\"01\"]}",
            "derive.with.Span.links[1]: expected an id of 2 bytes (at line 2 column 1)",
        ),
        ("{\"code\": \"eur\"}", "derive.with.Span.code: expected a code in upper case (at line 1 column 10)"),
        (
            "{\"code\": \"\\u0065\"}",
            "derive.with.Span.code: expected a code in upper case (at line 1 column 10)",
        ),
        (
            "{\"codes\": [\"A\", \"b\"]}",
            "derive.with.Span.codes[1]: expected a code in upper case (at line 1 column 17)",
        ),
        (
            "{\"byName\": {\"x\": \"01\"}}",
            "derive.with.Span.by_name[\"x\"]: expected an id of 2 bytes (at line 1 column 18)",
        ),
        ("{\"other\": \"01\"}", "derive.with.Span.other: expected an id of 2 bytes (at line 1 column 11)"),
    ];
    for (text, error) in texts {
        assert_eq!(json::from_str::<Span>(text).unwrap_err().to_string(), error, "{text}");
        let mut target = used();
        assert_eq!(json::merge(&mut target, text).unwrap_err().to_string(), error);
        assert_eq!(target, used());
    }
    let texts = [
        ("id: \"a\"", "derive.with.Span.id: expected an id of 2 bytes (at line 1 column 5)"),
        (
            "codes: [\"A\", \"b\"]",
            "derive.with.Span.codes[1]: expected a code in upper case (at line 1 column 14)",
        ),
        (
            "by_name { key: \"x\" value: \"abc\" }",
            "derive.with.Span.by_name[\"x\"]: expected an id of 2 bytes (at line 1 column 27)",
        ),
    ];
    for (text, error) in texts {
        assert_eq!(text::from_str::<Span>(text).unwrap_err().to_string(), error, "{text}");
    }
}

#[test]
fn other_formats_say_what_is_expected() {
    /// The first members as other crates would have them.
    #[derive(serde::Serialize)]
    struct Bytes<'a> {
        #[serde(with = "serde_bytes")]
        id: &'a [u8],
    }
    let packed = rmp_serde::to_vec_named(&Bytes { id: b"abc" }).unwrap();
    let error = rmp_serde::from_slice::<Span>(&packed).unwrap_err().to_string();
    assert_eq!(error, "invalid value: byte array, expected an id of 2 bytes");

    // Bytes as a list of numbers.
    #[derive(serde::Serialize)]
    struct Numbers {
        id: Vec<u8>,
    }
    let packed = rmp_serde::to_vec_named(&Numbers { id: vec![1, 2] }).unwrap();
    assert_eq!(rmp_serde::from_slice::<Span>(&packed).unwrap().id, Id([1, 2]));
    let packed = rmp_serde::to_vec_named(&Numbers { id: vec![1] }).unwrap();
    let error = rmp_serde::from_slice::<Span>(&packed).unwrap_err().to_string();
    assert_eq!(error, "invalid value: byte array, expected an id of 2 bytes");

    #[derive(serde::Serialize)]
    struct Text {
        code: String,
    }
    let packed = rmp_serde::to_vec_named(&Text { code: "eur".into() }).unwrap();
    let error = rmp_serde::from_slice::<Span>(&packed).unwrap_err().to_string();
    assert_eq!(error, "invalid value: string \"eur\", expected a code in upper case");

    let error = serde_json::from_str::<Span>(r#"{"id":"01"}"#).unwrap_err().to_string();
    assert_eq!(error, "derive.with.Span.id: expected an id of 2 bytes");
}

#[test]
fn reflection_sees_strings_and_bytes() {
    let mut span = used();
    let reflect = span.as_reflect_mut();
    assert_eq!(reflect.get_by_name("id").unwrap(), ValueRef::Bytes(&[5, 5]));
    assert_eq!(reflect.get_by_name("code").unwrap(), ValueRef::Str("USED"));
    assert!(reflect.has_by_name("id").unwrap());

    reflect.set_by_name("id", vec![1u8, 2]).unwrap();
    reflect.set_by_name("code", "EUR").unwrap();
    reflect.set_by_name("links", Value::List(vec![Value::from(vec![3u8, 4])])).unwrap();
    reflect.set_by_name("other", vec![0u8, 1]).unwrap();
    reflect.clear_by_name("parent").unwrap();
    reflect.clear_by_name("by_name").unwrap();
    let wanted = Span {
        id: Id([1, 2]),
        parent: None,
        links: vec![Id([3, 4])],
        code: code("EUR"),
        by_name: BTreeMap::new(),
        of: Some(Of::Other(Id([0, 1]))),
        ..used()
    };
    assert_eq!(span, wanted);

    // What is not taken changes nothing.
    let reflect = span.as_reflect_mut();
    let list = Value::List(vec![Value::from(vec![3u8, 4]), Value::from(vec![3u8])]);
    let map = Value::Map([("k".into(), Value::from(vec![1u8]))].into());
    for (field, value, error) in [
        ("id", Value::from(vec![1u8]), "derive.with.Span.id: expected an id of 2 bytes"),
        ("code", "eur".into(), "derive.with.Span.code: expected a code in upper case"),
        ("links", list, "derive.with.Span.links[1]: expected an id of 2 bytes"),
        ("by_name", map, "derive.with.Span.by_name[\"k\"]: expected an id of 2 bytes"),
        ("word", "w".into(), "derive.with.Span.word: expected a code in upper case"),
    ] {
        assert_eq!(reflect.set_by_name(field, value).unwrap_err().to_string(), error);
    }
    assert_eq!(span, wanted);

    let reflect = span.as_reflect_mut();
    reflect.clear_by_name("id").unwrap();
    assert!(!reflect.has_by_name("id").unwrap());
    assert_eq!(span.id, Id::default());
}

#[test]
fn debug_is_that_of_the_type() {
    #[derive(tobu::Message, tobu::Serialize, tobu::Debug)]
    #[tobu(package = "derive.with")]
    struct Shown {
        #[tobu(1, with = Id)]
        id: Id,
        #[tobu(2, with = AsCode, redact)]
        code: Code,
    }
    let shown = Shown { id: Id(*b"ab"), code: code("X") };
    assert_eq!(format!("{shown:?}"), r#"Shown { id: Id([97, 98]) code: [REDACTED] }"#);
    // The same for dynamic messages, which know no Rust type, and in the text format.
    assert_eq!(tobu::text::Options::new().one_line(true).to_string(&shown).unwrap(), r#"id: "ab" code: "X""#);
    assert_eq!(
        format!("{:?}", tobu::DynamicMessage::from_message(&shown).unwrap()),
        r#"derive.with.Shown { id: "ab" code: [REDACTED] }"#
    );
}

/// In options, lists, maps and oneofs, and in messages inside; one without a `Debug` is shown as its text.
#[test]
fn debug_of_many() {
    #[derive(Default, PartialEq)]
    struct Plain(String);

    struct AsPlain;

    impl Convert<Plain> for AsPlain {
        type Proto = str;
        const EXPECTED: &'static str = "anything";

        fn as_proto(plain: &Plain) -> &str {
            &plain.0
        }

        fn from_proto(text: &str) -> Option<Plain> {
            Some(Plain(text.into()))
        }
    }

    #[derive(Default, tobu::Message, tobu::Debug)]
    #[tobu(package = "derive.with")]
    struct Many {
        #[tobu(1, with = Id)]
        maybe: Option<Id>,
        #[tobu(2, with = AsCode)]
        codes: Vec<Code>,
        #[tobu(3, with = Id)]
        by_name: std::collections::HashMap<String, Id>,
        #[tobu(4, with = AsPlain)]
        plain: Plain,
        #[tobu(oneof)]
        chosen: Option<Chosen>,
        #[tobu(6)]
        inner: Option<Box<Many>>,
    }

    #[derive(tobu::Oneof, tobu::Debug)]
    enum Chosen {
        #[tobu(5, with = Id)]
        Id(Id),
    }

    let many = Many {
        maybe: Some(Id(*b"ab")),
        codes: vec![code("X"), code("Y")],
        by_name: [("k".to_owned(), Id(*b"ab"))].into(),
        plain: Plain("p".into()),
        chosen: Some(Chosen::Id(Id(*b"cd"))),
        inner: Some(Box::new(Many { maybe: Some(Id(*b"ef")), ..Many::default() })),
    };
    assert_eq!(
        format!("{many:?}"),
        "Many { maybe: Id([97, 98]) codes: Code(\"X\") codes: Code(\"Y\") by_name { key: \"k\" value: Id([97, 98]) } \
         plain: \"p\" id: Id([99, 100]) inner { maybe: Id([101, 102]) } }"
    );
    assert_eq!(format!("{:?}", many.chosen.unwrap()), "Id(Id([99, 100]))");
}

#[test]
fn an_absent_field_must_be_an_empty_value() {
    #[derive(Debug, Default)]
    struct Always;

    impl Convert<Always> for Always {
        type Proto = str;
        const EXPECTED: &'static str = "anything";

        fn as_proto(_: &Always) -> &str {
            "always"
        }

        fn from_proto(_: &str) -> Option<Always> {
            Some(Always)
        }
    }

    #[derive(Debug, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "derive.with")]
    struct Wrong {
        #[tobu(1, with = Always)]
        value: Always,
    }
    let error = "derive.with.Wrong: Wrong.value: the conversion does not convert the default value of the Rust type, which an absent field has, to an empty value";
    assert_eq!(tobu::to_vec(&Wrong { value: Always }).unwrap_err().to_string(), error);
    assert_eq!(tobu::from_slice::<Wrong>(b"").unwrap_err().to_string(), error);
}

#[test]
fn a_field_must_be_of_the_kind_of_the_conversion() {
    #[derive(Debug, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(descriptor = Span::descriptor(), message = "derive.with.Span")]
    struct Wrong {
        #[tobu(3, with = Id)]
        links: Id,
    }
    let error = tobu::to_vec(&Wrong { links: Id([1, 2]) }).unwrap_err().to_string();
    assert_eq!(
        error,
        "derive.with.Span: Wrong.links: the field is a repeated bytes in the schema, but the Rust type is a byte string"
    );
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "derive.with")]
struct Maps {
    #[tobu(1, with = Id)]
    hash: HashMap<u32, Id>,
    #[tobu(2, with = AsCode)]
    vec: VecMap<Arc<str>, Code>,
    #[tobu(3, key = "sint32", with = Hex)]
    tree: BTreeMap<i32, bytes::Bytes>,
}

/// Beside members that borrow.
#[derive(Debug, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "derive.with")]
struct Borrowing<'a> {
    #[tobu(1)]
    name: &'a str,
    #[tobu(2, with = Id)]
    id: Id,
    #[tobu(3)]
    inner: Option<Box<Borrowing<'a>>>,
}

#[test]
fn messages_that_borrow_have_them_too() {
    let bytes = b"\x0a\x01a\x12\x02\x01\x02\x1a\x04\x12\x02\x03\x04".to_vec();
    let message = tobu::from_slice::<Borrowing<'_>>(&bytes).unwrap();
    let inner = Borrowing { name: "", id: Id([3, 4]), inner: None };
    assert_eq!(message, Borrowing { name: "a", id: Id([1, 2]), inner: Some(Box::new(inner)) });
    assert_eq!(tobu::to_vec(&message).unwrap(), bytes);
    let error = tobu::from_slice::<Borrowing<'_>>(b"\x0a\x01a\x1a\x03\x12\x01\x03").unwrap_err();
    assert_eq!(error.to_string(), "derive.with.Borrowing.inner.id: expected an id of 2 bytes (at byte 8)");
}

#[test]
fn maps_of_every_type() {
    let maps = Maps {
        hash: [(1, Id([1, 2]))].into(),
        vec: [("a".into(), code("A"))].into_iter().collect(),
        tree: [(-1, bytes::Bytes::from_static(b"\x0f"))].into(),
    };
    let bytes = b"\x0a\x06\x08\x01\x12\x02\x01\x02\x12\x06\x0a\x01a\x12\x01A\x1a\x05\x08\x01\x12\x01\x0f";
    assert_eq!(tobu::to_vec(&maps).unwrap(), bytes);
    assert_eq!(tobu::from_slice::<Maps>(bytes).unwrap(), maps);
    let json_text = r#"{"hash":{"1":"0102"},"vec":{"a":"A"},"tree":{"-1":"0f"}}"#;
    assert_eq!(json::to_string(&maps).unwrap(), json_text);
    assert_eq!(json::from_str::<Maps>(json_text).unwrap(), maps);
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "derive.with")]
struct Shared {
    #[tobu(1)]
    arc: Arc<str>,
    #[tobu(2)]
    bytes: Option<Arc<[u8]>>,
    #[tobu(3)]
    list: Vec<Arc<str>>,
    #[tobu(4)]
    map: HashMap<Arc<str>, Arc<[u8]>>,
    #[tobu(5)]
    rc: Rc<str>,
    #[tobu(6)]
    rc_bytes: Vec<Rc<[u8]>>,
    #[tobu(7)]
    rc_map: BTreeMap<Rc<str>, Rc<str>>,
}

#[test]
fn shared_strings_are_members_as_they_are() {
    let shared = Shared {
        arc: "a".into(),
        bytes: Some([0xff][..].into()),
        list: vec!["".into(), "l".into()],
        map: [("k".into(), b"v"[..].into())].into(),
        rc: "r".into(),
        rc_bytes: vec![b"x"[..].into()],
        rc_map: [("k".into(), "v".into())].into(),
    };
    let bytes = b"\x0a\x01a\x12\x01\xff\x1a\x00\x1a\x01l\x22\x06\x0a\x01k\x12\x01v\x2a\x01r\x32\x01x\x3a\x06\x0a\x01k\x12\x01v";
    let json_text = r#"{"arc":"a","bytes":"/w==","list":["","l"],"map":{"k":"dg=="},"rc":"r","rcBytes":["eA=="],"rcMap":{"k":"v"}}"#;
    assert_eq!(tobu::to_vec(&shared).unwrap(), bytes);
    assert_eq!(tobu::from_slice::<Shared>(bytes).unwrap(), shared);
    assert_eq!(json::to_string(&shared).unwrap(), json_text);
    assert_eq!(json::from_str::<Shared>(json_text).unwrap(), shared);
    let packed = postcard::to_stdvec(&shared).unwrap();
    assert_eq!(postcard::from_bytes::<Shared>(&packed).unwrap(), shared);

    // What others share is replaced, not changed.
    let mut target = shared.clone();
    tobu::from_slice_in_place(&mut target, b"\x0a\x01b").unwrap();
    assert_eq!((&*target.arc, &*shared.arc), ("b", "a"));
    assert_eq!(
        tobu::from_slice::<Shared>(b"\x0a\x01\xff").unwrap_err().to_string(),
        "derive.with.Shared.arc: invalid UTF-8 in a string (at byte 2)"
    );
}

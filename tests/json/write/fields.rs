//! Fields of every kind, alone, in lists, in maps and in oneofs.

use super::{error, row, typed_row};
use std::sync::LazyLock;
use tobu::{Message, MessageDescriptor, MessageDescriptorExt, UnknownFields};
use tobu_schemas::corpus::corpus::{v2, v3};
use tobu_schemas::known::json::v1::Names;

#[test]
fn scalars() {
    row(&v3::Scalars::default(), "{}");
    let all = v3::Scalars {
        f_double: -1.5,
        f_float: 0.1,
        f_int32: i32::MIN,
        f_int64: i64::MIN,
        f_uint32: u32::MAX,
        f_uint64: u64::MAX,
        f_sint32: -1,
        f_sint64: -2,
        f_fixed32: 3,
        f_fixed64: 4,
        f_sfixed32: -5,
        f_sfixed64: -6,
        f_bool: true,
        f_string: "a\"\\/\u{1}\n\u{7f}é\u{2028}".into(),
        f_bytes: b"\xfb\xff\x00!".to_vec(),
        f_color: v3::Color::NEGATIVE,
        ..Default::default()
    };
    row(
        &all,
        concat!(
            r#"{"fDouble":-1.5,"fFloat":0.1,"fInt32":-2147483648,"fInt64":"-9223372036854775808","#,
            r#""fUint32":4294967295,"fUint64":"18446744073709551615","fSint32":-1,"fSint64":"-2","fFixed32":3,"#,
            r#""fFixed64":"4","fSfixed32":-5,"fSfixed64":"-6","fBool":true,"#,
            "\"fString\":\"a\\\"\\\\/\\u0001\\n\u{7f}é\u{2028}\",",
            r#""fBytes":"+/8AIQ==","fColor":"COLOR_NEGATIVE"}"#
        ),
    );
}

#[test]
fn floats() {
    let rows: [(f64, &str); 14] = [
        (-0.0, "-0"),
        (1.0, "1"),
        (1e15, "1000000000000000"),
        (1e16, "1e+16"),
        (123_456_789.125, "123456789.125"),
        (1e-5, "0.00001"),
        (1e-7, "1e-7"),
        (f64::MAX, "1.7976931348623157e+308"),
        (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
        (5e-324, "5e-324"),
        (0.1 + 0.2, "0.30000000000000004"),
        (f64::NAN, r#""NaN""#),
        (f64::INFINITY, r#""Infinity""#),
        (f64::NEG_INFINITY, r#""-Infinity""#),
    ];
    for (value, text) in rows {
        let message = v3::Scalars { f_double: value, ..Default::default() };
        typed_row(&message, &format!("{{\"fDouble\":{text}}}"));
    }
    let rows: [(f32, &str); 7] = [
        (0.1, "0.1"),
        (16_777_216.0, "16777216"),
        (f32::MAX, "3.4028235e+38"),
        (f32::MIN_POSITIVE, "1.1754944e-38"),
        (f32::NAN, r#""NaN""#),
        (f32::INFINITY, r#""Infinity""#),
        (f32::NEG_INFINITY, r#""-Infinity""#),
    ];
    for (value, text) in rows {
        let message = v3::Scalars { f_float: value, ..Default::default() };
        typed_row(&message, &format!("{{\"fFloat\":{text}}}"));
    }
}

#[test]
fn presence() {
    row(&v3::Optionals::default(), "{}");
    let zeros = v3::Optionals {
        f_double: Some(0.0),
        f_int64: Some(0),
        f_bool: Some(false),
        f_string: Some(String::new()),
        f_bytes: Some(Vec::new()),
        f_color: Some(v3::Color::UNSPECIFIED),
        ..Default::default()
    };
    row(
        &zeros,
        r#"{"fDouble":0,"fInt64":"0","fBool":false,"fString":"","fBytes":"","fColor":"COLOR_UNSPECIFIED"}"#,
    );
    // Defaults that a schema declares are for readers.
    row(&v2::Defaults::default(), "{}");
    row(&v2::Defaults { number: Some(0), ..Default::default() }, r#"{"number":0}"#);
}

#[test]
fn required() {
    // Fields that have no presence in serde's terms are missing when a type that only serde knows leaves them out.
    let descriptor = <v2::Required as tobu::Message>::descriptor();
    let tree = serde_json::json!({"id": 1, "name": "a", "children": [{"id": 2}]});
    assert_eq!(
        descriptor.encode_json(&tree).unwrap_err().to_string(),
        "corpus.v2.Required.children[0]: required field name has no value"
    );
    let partial = tobu::json::Options::new().partial(true);
    assert_eq!(
        descriptor.encode_json_with(&tree, &partial).unwrap(),
        r#"{"id":1,"name":"a","children":[{"id":2}]}"#
    );
}

#[test]
fn lists() {
    row(&v3::Lists::default(), "{}");
    let lists = v3::Lists {
        f_double: vec![0.0, 1.5],
        f_float: vec![2.5],
        f_int32: vec![0, -1],
        f_int64: vec![0, -1],
        f_bool: vec![true, false],
        f_string: vec![String::new(), "a".into()],
        f_bytes: vec![vec![], vec![1]],
        f_color: vec![v3::Color::RED, v3::Color(9)],
        f_leaf: vec![v3::Leaf::default(), v3::Leaf { a: 1, c: vec![2, 3], ..Default::default() }],
        ..Default::default()
    };
    row(
        &lists,
        concat!(
            r#"{"fDouble":[0,1.5],"fFloat":[2.5],"fInt32":[0,-1],"fInt64":["0","-1"],"fBool":[true,false],"#,
            r#""fString":["","a"],"fBytes":["","AQ=="],"fColor":["COLOR_RED",9],"fLeaf":[{},{"a":1,"c":[2,3]}]}"#
        ),
    );
}

#[test]
fn maps() {
    row(&v3::Maps::default(), "{}");
    macro_rules! one {
        ($($field:ident: $key:expr => $value:expr, $wanted:literal;)*) => {
            $(row(&v3::Maps { $field: [($key, $value)].into(), ..Default::default() }, $wanted);)*
        };
    }
    one! {
        f_int32: -1 => 0, r#"{"fInt32":{"-1":0}}"#;
        f_int64: -1 => 2, r#"{"fInt64":{"-1":"2"}}"#;
        f_uint32: 0 => 2, r#"{"fUint32":{"0":2}}"#;
        f_uint64: u64::MAX => 2, r#"{"fUint64":{"18446744073709551615":"2"}}"#;
        f_sint32: -1 => 2, r#"{"fSint32":{"-1":2}}"#;
        f_sint64: -1 => 2, r#"{"fSint64":{"-1":"2"}}"#;
        f_fixed32: 1 => 2, r#"{"fFixed32":{"1":2}}"#;
        f_fixed64: 1 => 2, r#"{"fFixed64":{"1":"2"}}"#;
        f_sfixed32: -1 => 0.5, r#"{"fSfixed32":{"-1":0.5}}"#;
        f_sfixed64: -1 => 0.5, r#"{"fSfixed64":{"-1":0.5}}"#;
        f_bool: false => true, r#"{"fBool":{"false":true}}"#;
        f_string: "a\"{".to_owned() => String::new(), r#"{"fString":{"a\"{":""}}"#;
        f_bytes: String::new() => vec![0], r#"{"fBytes":{"":"AA=="}}"#;
        f_color: "c".to_owned() => v3::Color::UNSPECIFIED, r#"{"fColor":{"c":"COLOR_UNSPECIFIED"}}"#;
        f_leaf: "l".to_owned() => v3::Leaf::default(), r#"{"fLeaf":{"l":{}}}"#;
    }
}

#[test]
fn oneofs() {
    use v3::choice::Kind;
    let rows = [
        (Kind::Number(0), r#"{"number":0}"#),
        (Kind::Text(String::new()), r#"{"text":""}"#),
        (Kind::Raw(vec![0xff]), r#"{"raw":"/w=="}"#),
        (Kind::Leaf(v3::Leaf::default()), r#"{"leaf":{}}"#),
        (Kind::Color(v3::Color(5)), r#"{"color":5}"#),
        (Kind::Zigzag(-1), r#"{"zigzag":"-1"}"#),
    ];
    for (kind, wanted) in rows {
        row(&v3::Choice { kind: Some(kind), ..Default::default() }, wanted);
    }
    let both = v3::Choice {
        before: "b".into(),
        kind: Some(Kind::Number(1)),
        after: "a".into(),
        ..Default::default()
    };
    row(&both, r#"{"before":"b","number":1,"after":"a"}"#);
}

#[test]
fn messages_in_messages() {
    let leaf = v3::Leaf { a: 1, ..Default::default() };
    let tree = v3::Tree {
        name: "root".into(),
        left: Some(Box::default()),
        children: vec![v3::Tree::default(), v3::Tree { leaf: Some(leaf), ..Default::default() }],
        named: [("x".into(), v3::Tree { name: "y".into(), ..Default::default() })].into(),
        ..Default::default()
    };
    row(&tree, r#"{"name":"root","left":{},"children":[{},{"leaf":{"a":1}}],"named":{"x":{"name":"y"}}}"#);
}

#[test]
fn groups() {
    let groups = v2::Groups {
        single: Some(Box::new(v2::groups::Single {
            a: Some(1),
            nested: Some(Box::new(v2::Groups { after: Some(2), ..Default::default() })),
            ..Default::default()
        })),
        many: vec![
            v2::groups::Many::default(),
            v2::groups::Many { b: Some("b".into()), ..Default::default() },
        ],
        after: Some(3),
        ..Default::default()
    };
    row(&groups, r#"{"single":{"a":1,"nested":{"after":2}},"many":[{},{"b":"b"}],"after":3}"#);
}

#[test]
fn names() {
    let names = Names { snake_case_name: 1, given: 2, leading: 3, with_1_digit: 4, ..Default::default() };
    row(&names, r#"{"snakeCaseName":1,"a \"b\"\n":2,"Leading":3,"with1Digit":4}"#);
}

#[test]
fn unknown_fields_have_no_place() {
    let unknown_fields = UnknownFields::from_bytes(b"\xf8\x07\x01").unwrap();
    typed_row(&v3::Leaf { a: 1, unknown_fields, ..Default::default() }, r#"{"a":1}"#);
}

#[test]
fn strings_that_are_not_utf8() {
    static LOOSE: LazyLock<MessageDescriptor> = LazyLock::new(v2::Loose::descriptor);
    #[derive(tobu::Message, tobu::Serialize)]
    #[tobu(descriptor = LOOSE, message = "corpus.v2.Loose")]
    struct Loose {
        #[tobu(1)]
        text: Option<Vec<u8>>,
        #[tobu(2)]
        texts: Vec<Vec<u8>>,
    }
    let good = Loose { text: Some(b"a\"".to_vec()), texts: vec![b"b".to_vec()] };
    typed_row(&good, r#"{"text":"a\"","texts":["b"]}"#);
    let bad = Loose { text: None, texts: vec![b"b".to_vec(), b"\xff".to_vec()] };
    error(&bad, "corpus.v2.Loose.texts[1]: the string is not valid UTF-8, which JSON requires");
}

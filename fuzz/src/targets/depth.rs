//! A hundred levels on a stack of 256 KiB, for every kind of level.

use crate::oracle::on_stack;
use crate::rng::Rng;
use crate::subject::Subject;
use tobu::wire::{Tag, WireType, Writer};
use tobu::{Category, DecodeOptions, DynamicMessage, convert, json, text};

/// One more level around a message on the wire.
type Around = fn(&[u8]) -> Vec<u8>;

/// The text before and after one more level.
type Brackets = (&'static str, &'static str);

/// A message that holds itself, and how one more level of it is written around another, on the wire and in texts.
struct Recursive {
    message: &'static str,
    wire: &'static [Around],
    json: &'static [Brackets],
    text: &'static [Brackets],
}

fn message(number: u32, body: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.tag(Tag::new(number, WireType::Len));
    writer.len_prefixed(body);
    writer.finish().expect("a small message")
}

/// Each form adds one level.
const RECURSIVE: &[Recursive] = &[
    Recursive {
        message: "corpus.v3.Tree",
        wire: &[
            |body| message(2, body),
            |body| message(3, body),
            |body| message(4, body),
            |body| message(5, &[&b"\x0a\x01k"[..], &message(2, body)].concat()),
            |body| message(5, &message(2, body)),
            |body| [&message(6, b"\x08\x01")[..], &message(2, body), b"\x9b\x06\x9c\x06"].concat(),
            |body| [&b"\x0a\x01a"[..], &message(2, body), b"\x0a\x01b"].concat(),
        ],
        json: &[
            (r#"{"left":"#, "}"),
            (r#"{"name":"x","children":[{"name":"y"},"#, "]}"),
            (r#"{"named":{"k":"#, "}}"),
            (r#"{"right":"#, r#","name":"z"}"#),
        ],
        text: &[
            ("left {", "}"),
            ("name: 'x' children <", ">"),
            ("children: [{}, {", "}]"),
            ("named { key: 'k' value {", "} }"),
            ("named: [{ value: <", "> }], right: {}"),
        ],
    },
    Recursive {
        message: "corpus.v2.Required",
        wire: &[
            |body| [b"\x08\x01\x12\x01a", &message(3, body)[..]].concat(),
            |body| [b"\x08\x01\x12\x01a", &message(4, body)[..]].concat(),
            |body| [&message(3, body)[..], b"\x08\x01\x12\x01a"].concat(),
        ],
        json: &[(r#"{"id":1,"name":"","child":"#, "}"), (r#"{"children":["#, r#"],"id":1,"name":""}"#)],
        text: &[("id: 1 name: '' child {", "}"), ("children {", "} id: 1 name: ''")],
    },
    Recursive {
        message: "json.v2.Open",
        wire: &[|body| message(2, body)],
        json: &[(r#"{"child":"#, "}"), (r#"{"[json.v2.nested]":"#, "}")],
        text: &[("child {", "}"), ("[json.v2.nested] <", ">")],
    },
];

/// The innermost level: a message of this kind without another in it.
fn innermost(message: &str) -> (&'static [u8], &'static str, &'static str) {
    match message {
        "corpus.v2.Required" => (b"\x08\x01\x12\x01a", r#"{"id":1,"name":"a"}"#, "id: 1 name: 'a'"),
        _ => (b"", "{}", ""),
    }
}

/// A message of this many levels in each format.
struct Nested {
    wire: Vec<u8>,
    json: String,
    text: String,
}

impl Nested {
    /// One more level around it, in forms that `form` chooses.
    fn deeper(&self, recursive: &Recursive, form: usize) -> Self {
        let around = |(open, close): Brackets, inner: &str| format!("{open}{inner}{close}");
        Nested {
            wire: recursive.wire[form % recursive.wire.len()](&self.wire),
            json: around(recursive.json[form % recursive.json.len()], &self.json),
            text: around(recursive.text[form % recursive.text.len()], &self.text),
        }
    }
}

/// A hundred levels are read and written, one more is refused as too deep.
pub(super) fn depth(data: &[u8]) {
    let Some((&kind, forms)) = data.split_first() else { return };
    let recursive = &RECURSIVE[usize::from(kind) % RECURSIVE.len()];
    let form = |level: usize| usize::from(*forms.get(level % forms.len().max(1)).unwrap_or(&0));
    let (wire, json, text) = innermost(recursive.message);
    let mut nested = Nested { wire: wire.into(), json: json.into(), text: text.into() };
    for level in 1..100 {
        nested = nested.deeper(recursive, form(level));
    }
    let deeper = nested.deeper(recursive, form(0));
    let subject = Subject::named(recursive.message);
    on_stack(256, || {
        all(subject, &nested, None);
        all(subject, &deeper, Some(Category::Limit));
    });
}

/// Every reader has the expected result.
fn all(subject: &Subject, nested: &Nested, wanted: Option<Category>) {
    let Nested { wire, json, text } = nested;
    let check = |name: &str, done: tobu::Result<()>| {
        let got = done.as_ref().err().map(tobu::Error::category);
        assert_eq!(got, wanted, "{name}: {done:?}");
    };
    let descriptor = &subject.descriptor;
    let (json_options, text_options) = (json::Options::new(), text::Options::new());
    let message = DynamicMessage::decode(descriptor, wire);
    check("dynamic", message.and_then(|message| json::to_string(&message)).map(drop));
    check("parsed", DynamicMessage::from_json(descriptor, json).map(drop));
    check("parsed", DynamicMessage::from_text(descriptor, text).map(drop));
    let mut out = Vec::new();
    check("wire to json", convert::wire_to_json(descriptor, wire, &mut out));
    check("wire to text", convert::wire_to_text(descriptor, wire, &mut out, &text_options));
    let (json_bytes, text_bytes) = (json.as_bytes(), text.as_bytes());
    check("json to wire", convert::json_to_wire(descriptor, json_bytes, &mut out));
    check("text to wire", convert::text_to_wire(descriptor, text_bytes, &mut out, &text_options));
    let done = convert::json_to_text(descriptor, json_bytes, &mut out, &json_options, &text_options);
    check("json to text", done);
    let done = convert::text_to_json(descriptor, text_bytes, &mut out, &text_options, &json_options);
    check("text to json", done);
    // Types with serde's own derive are built on the machine's stack, which has a separate limit.
    for path in subject.paths().iter().filter(|path| !path.serde) {
        check(path.name, (path.wire)(wire, &DecodeOptions::new()).map(drop));
        check(path.name, (path.json)(json, &json_options).map(drop));
        check(path.name, (path.text)(text, &text_options).map(drop));
        check(path.name, (path.print)(wire, &json_options).map(drop));
        check(path.name, (path.print_text)(wire, &text_options).map(drop));
        if let Some(merge) = path.merge {
            check(path.name, merge(wire, wire).map(drop).map_err(|(error, _)| error));
        }
        if let Some(refill) = path.refill {
            check(path.name, refill(wire, wire).map(drop));
        }
    }
}

/// A kind of message, and a form of each level.
pub(super) fn seed(rng: &mut Rng) -> Vec<u8> {
    let mut seed = vec![rng.next() as u8];
    let most = *rng.pick(&[1, 3, 100]);
    seed.extend(rng.bytes(most));
    seed
}

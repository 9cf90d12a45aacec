//! A hundred levels on a stack of 256 KiB, for every kind of level.

use crate::oracle::on_stack;
use crate::rng::Rng;
use crate::subject::Subject;
use tobu::wire::{Tag, WireType, Writer};
use tobu::{Category, DecodeOptions, DynamicMessage, convert, json, text};

/// How many levels a form adds, because an entry of a map is a message of its own, and what it writes around a message.
type Around = (usize, fn(&[u8]) -> Vec<u8>);

/// How many levels a form adds, and the text before and after the message.
type Brackets = (usize, &'static str, &'static str);

/// A message that holds itself, and the forms in which it is written around another, on the wire and in texts. The first
/// form of each list adds one level.
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

const RECURSIVE: &[Recursive] = &[
    Recursive {
        message: "corpus.v3.Tree",
        wire: &[
            (1, |body| message(2, body)),
            (1, |body| message(3, body)),
            (1, |body| message(4, body)),
            (2, |body| message(5, &[&b"\x0a\x01k"[..], &message(2, body)].concat())),
            (2, |body| message(5, &message(2, body))),
            (1, |body| [&message(6, b"\x08\x01")[..], &message(2, body), b"\x9b\x06\x9c\x06"].concat()),
            (1, |body| [&b"\x0a\x01a"[..], &message(2, body), b"\x0a\x01b"].concat()),
        ],
        json: &[
            (1, r#"{"left":"#, "}"),
            (1, r#"{"name":"x","children":[{"name":"y"},"#, "]}"),
            (2, r#"{"named":{"k":"#, "}}"),
            (1, r#"{"right":"#, r#","name":"z"}"#),
        ],
        text: &[
            (1, "left {", "}"),
            (1, "name: 'x' children <", ">"),
            (1, "children: [{}, {", "}]"),
            (2, "named { key: 'k' value {", "} }"),
            (2, "named: [{ value: <", "> }], right: {}"),
        ],
    },
    Recursive {
        message: "corpus.v2.Required",
        wire: &[
            (1, |body| [b"\x08\x01\x12\x01a", &message(3, body)[..]].concat()),
            (1, |body| [b"\x08\x01\x12\x01a", &message(4, body)[..]].concat()),
            (1, |body| [&message(3, body)[..], b"\x08\x01\x12\x01a"].concat()),
        ],
        json: &[(1, r#"{"id":1,"name":"","child":"#, "}"), (1, r#"{"children":["#, r#"],"id":1,"name":""}"#)],
        text: &[(1, "id: 1 name: '' child {", "}"), (1, "children {", "} id: 1 name: ''")],
    },
    Recursive {
        message: "json.v2.Open",
        wire: &[(1, |body| message(2, body))],
        json: &[(1, r#"{"child":"#, "}"), (1, r#"{"[json.v2.nested]":"#, "}")],
        text: &[(1, "child {", "}"), (1, "[json.v2.nested] <", ">")],
    },
];

/// The innermost level: a message of this kind without another in it.
fn innermost(message: &str) -> (&'static [u8], &'static str, &'static str) {
    match message {
        "corpus.v2.Required" => (b"\x08\x01\x12\x01a", r#"{"id":1,"name":"a"}"#, "id: 1 name: 'a'"),
        _ => (b"", "{}", ""),
    }
}

/// A message in each format, with as many levels in each.
struct Nested {
    wire: Vec<u8>,
    json: String,
    text: String,
}

/// The levels that readers take unless they are told otherwise.
const LEVELS: usize = 100;

/// Writes forms around `innermost` until there are `LEVELS` of them. `choose` says which form comes next; where it would be
/// a level too many, the first one comes instead.
fn nest<F: Copy, T>(
    forms: &[(usize, F)],
    innermost: T,
    choose: impl Fn(usize) -> usize,
    around: impl Fn(F, &T) -> T,
) -> T {
    let (mut nested, mut levels) = (innermost, 1);
    while levels < LEVELS {
        let chosen = forms[choose(levels) % forms.len()];
        let (more, form) = if levels + chosen.0 > LEVELS { forms[0] } else { chosen };
        nested = around(form, &nested);
        levels += more;
    }
    nested
}

/// A hundred levels are read and written, one more is refused as too deep.
pub(super) fn depth(data: &[u8]) {
    let Some((&kind, forms)) = data.split_first() else { return };
    let recursive = &RECURSIVE[usize::from(kind) % RECURSIVE.len()];
    let choose = |level: usize| usize::from(*forms.get(level % forms.len().max(1)).unwrap_or(&0));
    let (wire, json, text) = innermost(recursive.message);
    let enclose = |(open, close): (&str, &str), inner: &String| format!("{open}{inner}{close}");
    let texts = |forms: &[Brackets]| {
        forms.iter().map(|&(levels, open, close)| (levels, (open, close))).collect::<Vec<_>>()
    };
    let (json_forms, text_forms) = (texts(recursive.json), texts(recursive.text));
    let nested = Nested {
        wire: nest(recursive.wire, wire.to_vec(), choose, |around, body| around(body)),
        json: nest(&json_forms, json.to_owned(), choose, enclose),
        text: nest(&text_forms, text.to_owned(), choose, enclose),
    };
    // Any form is a level too many here.
    let form = choose(0);
    let deeper = Nested {
        wire: recursive.wire[form % recursive.wire.len()].1(&nested.wire),
        json: enclose(json_forms[form % json_forms.len()].1, &nested.json),
        text: enclose(text_forms[form % text_forms.len()].1, &nested.text),
    };
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

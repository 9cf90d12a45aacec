//! A hundred levels on a stack of 256 KiB, whatever the levels are made of.

use crate::oracle::on_small_stack;
use crate::rng::Rng;
use crate::subject::Subject;
use tobu::wire::{Tag, WireType, Writer};
use tobu::{Category, DecodeOptions, DynamicMessage, json, transcode};

/// One more level around a message on the wire.
type Around = fn(&[u8]) -> Vec<u8>;

/// What stands before and after one more level in JSON.
type Brackets = (&'static str, &'static str);

/// A message that holds itself, and how one more level of it is written around another, on the wire and in JSON.
struct Recursive {
    message: &'static str,
    wire: &'static [Around],
    json: &'static [Brackets],
}

fn message(number: u32, body: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.tag(Tag::new(number, WireType::Len));
    writer.len_prefixed(body);
    writer.finish().expect("a small message")
}

/// Each wire form adds one level, and so does each JSON form.
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
    },
    Recursive {
        message: "corpus.v2.Required",
        wire: &[
            |body| [b"\x08\x01\x12\x01a", &message(3, body)[..]].concat(),
            |body| [b"\x08\x01\x12\x01a", &message(4, body)[..]].concat(),
            |body| [&message(3, body)[..], b"\x08\x01\x12\x01a"].concat(),
        ],
        json: &[(r#"{"id":1,"name":"","child":"#, "}"), (r#"{"children":["#, r#"],"id":1,"name":""}"#)],
    },
    Recursive {
        message: "json.v2.Open",
        wire: &[|body| message(2, body)],
        json: &[(r#"{"child":"#, "}"), (r#"{"[json.v2.nested]":"#, "}")],
    },
];

/// The innermost level: a message of this kind without another in it.
fn innermost(message: &str) -> (&'static [u8], &'static str) {
    match message {
        "corpus.v2.Required" => (b"\x08\x01\x12\x01a", r#"{"id":1,"name":"a"}"#),
        _ => (b"", "{}"),
    }
}

/// A hundred levels are read and written, one more is refused as too deep.
pub(super) fn depth(data: &[u8]) {
    let Some((&kind, forms)) = data.split_first() else { return };
    let recursive = &RECURSIVE[usize::from(kind) % RECURSIVE.len()];
    let form = |level: usize| usize::from(*forms.get(level % forms.len().max(1)).unwrap_or(&0));
    let (inner_wire, inner_json) = innermost(recursive.message);
    let (mut wire, mut text) = (inner_wire.to_vec(), inner_json.to_owned());
    for level in 1..100 {
        wire = recursive.wire[form(level) % recursive.wire.len()](&wire);
        let (open, close) = recursive.json[form(level) % recursive.json.len()];
        text = format!("{open}{text}{close}");
    }
    let deeper_wire = recursive.wire[form(0) % recursive.wire.len()](&wire);
    let (open, close) = recursive.json[form(0) % recursive.json.len()];
    let deeper_text = format!("{open}{text}{close}");
    let subject = Subject::named(recursive.message);
    on_small_stack(|| {
        all(subject, &wire, &text, None);
        all(subject, &deeper_wire, &deeper_text, Some(Category::Limit));
    });
}

/// Every reader gives what is wanted.
fn all(subject: &Subject, wire: &[u8], text: &str, wanted: Option<Category>) {
    let check = |name: &str, done: tobu::Result<()>| {
        let got = done.as_ref().err().map(tobu::Error::category);
        assert_eq!(got, wanted, "{name}: {done:?}");
    };
    let descriptor = &subject.descriptor;
    let message = DynamicMessage::decode(descriptor, wire);
    check("dynamic", message.and_then(|message| json::to_string(&message)).map(drop));
    check("transcoded", transcode::wire_to_json(descriptor, wire, &mut Vec::new()));
    check("parsed", DynamicMessage::from_json(descriptor, text).map(drop));
    check("transcoded back", transcode::json_to_wire(descriptor, text.as_bytes(), &mut Vec::new()));
    let typed = subject.typed.as_ref().expect("it was found by its name");
    // What serde's own derive reads is built on the machine's stack: that has a limit of its own.
    for path in typed.paths.iter().filter(|path| !path.serde) {
        check(path.name, (path.wire)(wire, &DecodeOptions::new()).map(drop));
        check(path.name, (path.json)(text, &json::Options::new()).map(drop));
        check(path.name, (path.print)(wire, &json::Options::new()).map(drop));
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

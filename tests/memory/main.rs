//! How much memory an input can make its reader take, as a multiple of the size of the input or of the limit.

mod buffers;
mod compact;
mod counting;
mod encoder;
mod parsed;
#[allow(dead_code, reason = "the corpus needs them all")]
#[path = "../corpus/types.rs"]
mod types;

use counting::peak;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tobu::{Category, DecodeOptions, Limits, Message, MessageDescriptorExt, MessageReader};
use types::{derived, plain};

/// Decodes with tobu's derive, with serde's, and into a tree of values; none may hold more than that many times the
/// size of the input.
#[track_caller]
fn at_most<D, P>(name: &str, wire: &[u8], times: [usize; 3])
where
    D: Message + DeserializeOwned,
    P: Message + DeserializeOwned,
{
    let descriptor = D::descriptor();
    // Tables built on first use count for none of them.
    assert!(tobu::from_slice::<D>(b"").is_ok());
    assert!(tobu::from_slice::<P>(b"").is_ok());
    assert!(descriptor.decode::<Value>(b"").is_ok());
    let (derived, message) = peak(|| tobu::from_slice::<D>(wire).map(Box::new));
    assert!(message.is_ok());
    let (serde, message) = peak(|| tobu::from_slice::<P>(wire).map(Box::new));
    assert!(message.is_ok());
    let (tree, value) = peak(|| descriptor.decode::<Value>(wire));
    assert!(value.is_ok());
    let held = [derived, serde, tree].map(|held| held.div_ceil(wire.len()));
    assert!(
        held.iter().zip(times).all(|(held, times)| *held <= times),
        "{name}: {held:?} times, not {times:?}"
    );
}

/// As many as take a few hundred kilobytes.
const MANY: usize = 100_000;

#[test]
fn lists() {
    let packed = |tag: u8| [&[tag, 0xa0, 0x8d, 0x06][..], &[1; MANY]].concat();
    let rows: [(&str, Vec<u8>, [usize; 3]); 9] = [
        ("numbers of a byte each", packed(0x32), [9, 17, 152]),
        ("bools", packed(0x6a), [2, 10, 152]),
        ("numbers, one by one", b"\x30\x01".repeat(MANY), [8, 13, 80]),
        ("runs of one number", b"\x32\x01\x01".repeat(MANY), [6, 11, 56]),
        ("two lists in turns", b"\x32\x01\x01\x1a\x01\x01".repeat(MANY), [4, 10, 48]),
        // Serde's own lists believe a length up to a megabyte, and grow from there by doubling.
        ("empty strings", b"\x72\x00".repeat(MANY), [13, 40, 80]),
        ("strings of a letter", b"\x72\x01a".repeat(MANY), [9, 30, 56]),
        ("empty byte strings", b"\x7a\x00".repeat(MANY), [13, 40, 80]),
        ("unknown fields", b"\xa0\x06\x01".repeat(MANY), [3, 8, 8]),
    ];
    for (name, wire, times) in rows {
        at_most::<derived::Lists, plain::Lists>(name, &wire, times);
    }
}

#[test]
fn values_that_are_replaced() {
    let rows: [(&str, Vec<u8>, [usize; 3]); 3] = [
        ("a number", b"\x18\x01".repeat(MANY), [1, 1, 1]),
        ("a string", b"\x72\x01a".repeat(MANY), [1, 1, 1]),
        ("bytes", [&b"\x7a\xa0\x8d\x06"[..], &[1; MANY]].concat(), [2, 2, 144]),
    ];
    for (name, wire, times) in rows {
        at_most::<derived::Scalars, plain::Scalars>(name, &wire, times);
    }
    let fragments = b"\x32\x02\x08\x01".repeat(MANY);
    at_most::<derived::Tree, plain::Tree>("a message in fragments", &fragments, [1, 1, 1]);
}

#[test]
fn messages_up_to_the_limit() {
    const LIMIT: usize = 2 << 20;
    let options = DecodeOptions::new().limits(Limits::default().memory(LIMIT as u64));
    let rows: [&[u8]; 8] = [
        b"\x22\x00",
        b"\x22\x02\x22\x00",
        b"\x22\x02\x2a\x00",
        b"\x22\x02\x32\x00",
        b"\x22\x03\x0a\x01x",
        b"\x12\x02\x1a\x00\x22\x02\x12\x00",
        b"\x22\x08\x22\x06\x22\x04\x22\x02\x22\x00",
        b"\x2a\x04\x12\x02\x22\x00",
    ];
    for row in rows {
        let wire = row.repeat(MANY);
        let descriptor = derived::Tree::descriptor();
        let (derived, message) = peak(|| options.from_slice::<derived::Tree>(&wire).map(Box::new));
        let (serde, other) = peak(|| options.from_slice::<plain::Tree>(&wire).map(Box::new));
        let (tree, value) = peak(|| descriptor.decode_with::<Value>(&wire, options));
        if row[0] == 0x22 {
            assert_eq!(message.unwrap_err().category(), Category::Limit);
            assert_eq!(other.unwrap_err().category(), Category::Limit);
            assert_eq!(value.unwrap_err().category(), Category::Limit);
        }
        // A list with one element has room for four, and is copied when it grows.
        let most = 4 * LIMIT + 48 * wire.len();
        assert!(derived.max(serde).max(tree) <= most, "{row:02x?}: {derived}, {serde}, {tree} of {most}");
    }
}

#[test]
fn texts_of_messages_up_to_the_limit() {
    const LIMIT: usize = 2 << 20;
    let limits = Limits::default().memory(LIMIT as u64);
    let nested = |start: &str, end: &str| format!("{}{}", start.repeat(5), end.repeat(5));
    let (name, end) = (r#"{"children":["#, "]}");
    let rows = [
        ("children{} ".repeat(MANY), format!("{name}{}{end}", ["{}"; MANY].join(","))),
        (
            nested("children{", "}").repeat(MANY / 2),
            format!("{name}{}{end}", vec![nested(name, end); MANY / 5].join(",")),
        ),
    ];
    assert!(tobu::text::from_str::<derived::Tree>("children{}").is_ok());
    assert!(tobu::json::from_str::<derived::Tree>("{}").is_ok());
    for (text, json) in rows {
        let of_text = || tobu::text::Options::new().limits(limits).from_str::<derived::Tree>(&text);
        let of_json = || tobu::json::Options::new().limits(limits).from_str::<derived::Tree>(&json);
        for (input, (held, error)) in [
            (&text, peak(|| of_text().map(drop).unwrap_err())),
            (&json, peak(|| of_json().map(drop).unwrap_err())),
        ] {
            assert_eq!(error.category(), Category::Limit, "{error}");
            // A list with one element has room for four, and is copied when it grows.
            assert!(held <= 4 * LIMIT, "{held} of {LIMIT} for {}", &input[..40]);
        }
    }
}

#[test]
fn lengths_that_lie() {
    // Tables built on first use do not count.
    assert!(tobu::from_slice::<derived::Leaf>(b"").is_ok());
    assert!(tobu::from_slice::<derived::Scalars>(b"").is_ok());
    assert!(tobu::from_slice::<derived::Lists>(b"").is_ok());
    let hold = |stream: &'static [u8]| {
        let (held, next) = peak(|| MessageReader::<_, derived::Leaf>::new(stream).next().unwrap());
        assert!(next.is_err());
        held
    };
    // The buffer of the reader and that of the message.
    assert!(hold(b"\xff\xff\xff\xff\x07abc") <= 32 << 10);
    for wire in [
        &b"\x72\xff\xff\xff\xff\x07a"[..],
        b"\x7a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\xba\x01\xff\xff\xff\xff\x07",
    ] {
        let (held, message) = peak(|| tobu::from_slice::<derived::Scalars>(wire).map(drop));
        assert!(message.is_err());
        assert!(held <= 1 << 10, "{held}");
    }
    let (held, message) =
        peak(|| tobu::from_slice::<derived::Lists>(b"\x32\xff\xff\xff\xff\x07\x01").map(drop));
    assert!(message.is_err() && held <= 1 << 10, "{held}");
}

#[test]
fn groups_that_are_never_closed() {
    assert!(tobu::from_slice::<derived::Leaf>(b"").is_ok());
    let wire = vec![0x4b; 1_000_000];
    let (held, message) = peak(|| tobu::from_slice::<derived::Leaf>(&wire).map(drop));
    assert!(message.is_err() && held <= 4 << 10, "{held}");
}

#[test]
fn one_huge_message_does_not_make_the_next_ones_huge() {
    let large = derived::Leaf { b: "x".repeat(32 << 20), ..derived::Leaf::default() };
    assert_eq!(tobu::to_vec(&large).unwrap().len(), (32 << 20) + 5);
    let bytes = tobu::to_vec(&derived::Leaf { a: 1, ..derived::Leaf::default() }).unwrap();
    assert_eq!(bytes, b"\x08\x01");
    assert!(bytes.capacity() <= 1 << 20, "{}", bytes.capacity());
}

fn len_prefixed(number: u8, body: &[u8]) -> Vec<u8> {
    let mut out = vec![number << 3 | 2];
    let mut len = body.len();
    while len >= 0x80 {
        out.push(len as u8 | 0x80);
        len >>= 7;
    }
    out.push(len as u8);
    out.extend_from_slice(body);
    out
}

/// A set of one file that has this in it besides its name.
fn set(body: &[u8]) -> Vec<u8> {
    len_prefixed(1, &[&len_prefixed(1, b"a"), body].concat())
}

/// The shortest names there are, each once.
fn short_names(count: usize) -> impl Iterator<Item = String> {
    let letters = || ('a'..='z').chain('A'..='Z').chain(['_']);
    let more = move |name: String| letters().map(move |letter| format!("{name}{letter}"));
    let one: Vec<_> = more(String::new()).collect();
    let two: Vec<_> = one.iter().cloned().flat_map(more).collect();
    let three: Vec<_> = two.iter().cloned().flat_map(more).collect();
    [one, two, three].into_iter().flatten().take(count)
}

#[test]
fn pools_of_tiny_declarations() {
    let named = |number, name: &str| len_prefixed(number, &len_prefixed(1, name.as_bytes()));
    let messages: Vec<u8> = short_names(MANY).flat_map(|name| named(4, &name)).collect();
    let services: Vec<u8> = short_names(MANY).flat_map(|name| named(6, &name)).collect();
    let nested: Vec<u8> = short_names(MANY).flat_map(|name| named(3, &name)).collect();
    let scope = len_prefixed(4, &[len_prefixed(1, "x".repeat(1000).as_bytes()), nested].concat());
    let field = |(number, name): (u8, String)| {
        len_prefixed(2, &[&len_prefixed(1, name.as_bytes())[..], &[0x18, number, 0x28, 5]].concat())
    };
    let fields: Vec<u8> = (1..=50).zip(short_names(50)).flat_map(field).collect();
    let fields = short_names(MANY / 50)
        .flat_map(|name| len_prefixed(4, &[len_prefixed(1, name.as_bytes()), fields.clone()].concat()));
    let values: Vec<u8> = short_names(MANY).flat_map(|name| named(2, &format!("e{name}"))).collect();
    let values = len_prefixed(5, &[len_prefixed(1, b"E"), values, vec![0x1a, 2, 0x10, 1]].concat());
    let rows = [
        ("messages", set(&messages)),
        ("messages in a scope with a long name", set(&scope)),
        ("services", set(&services)),
        ("fields", set(&fields.collect::<Vec<u8>>())),
        ("values of an enum", set(&values)),
    ];
    for (name, set) in rows {
        let (most, pool) = peak(|| tobu::Pool::from_descriptor_set(&set));
        assert!(pool.is_ok(), "{name}: {pool:?}");
        let times = most.div_ceil(set.len());
        assert!(times <= 32, "{name}: {times} times {}", set.len());
    }
}

#[test]
fn a_pool_takes_no_more_for_source_info_than_its_bytes() {
    let names = short_names(1000).flat_map(|name| len_prefixed(4, &len_prefixed(1, name.as_bytes())));
    let file: Vec<u8> = names.collect();
    let source =
        len_prefixed(9, &len_prefixed(1, &len_prefixed(3, "A comment. ".repeat(100_000).as_bytes())));
    let (plain, with_source) = (set(&file), set(&[file.clone(), source].concat()));
    let (without, pool) = peak(|| tobu::Pool::from_descriptor_set(&plain));
    drop(pool);
    let (with, pool) = peak(|| tobu::Pool::from_descriptor_set(&with_source));
    assert!(pool.is_ok());
    let more = with - without;
    assert!(more <= with_source.len() - plain.len() + 64, "{more} more");
}

//! The budget that holds unless another is set: 64 MiB, or 32 times the input where that is more, on every path.

#[path = "memory/counting.rs"]
mod counting;
#[allow(dead_code, reason = "the corpus needs them all")]
#[path = "corpus/types.rs"]
mod types;

use counting::peak;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tobu::{DynamicMessage, Limits, Message, MessageDescriptorExt, Result, json};
use types::{derived, plain};

/// A name, and a function that reads an input and drops the result.
type Path = (&'static str, fn(&[u8]) -> Result<()>);

fn wire<D: Message + DeserializeOwned, P: Message + DeserializeOwned>() -> [Path; 4] {
    [
        ("derived", |input| tobu::from_slice::<D>(input).map(drop)),
        ("serde's derive", |input| tobu::from_slice::<P>(input).map(drop)),
        ("tree", |input| D::descriptor().decode::<Value>(input).map(drop)),
        ("dynamic", |input| DynamicMessage::decode(&D::descriptor(), input).map(drop)),
    ]
}

fn json<D: Message + DeserializeOwned, P: Message + DeserializeOwned>() -> [Path; 4] {
    [
        ("derived", |input| json::from_slice::<D>(input).map(drop)),
        ("serde's derive", |input| json::from_slice::<P>(input).map(drop)),
        ("tree", |input| D::descriptor().decode_json::<Value>(text(input)).map(drop)),
        ("dynamic", |input| DynamicMessage::from_json(&D::descriptor(), text(input)).map(drop)),
    ]
}

fn text(input: &[u8]) -> &str {
    str::from_utf8(input).unwrap()
}

/// Reads an input on each path; `refused` names the paths whose limits it exceeds.
#[track_caller]
fn check(name: &str, paths: [Path; 4], input: &[u8], refused: [bool; 4]) {
    // While a list grows, its old allocation exists beside the new one.
    check_up_to(1.5, name, paths, input, refused);
}

/// The same with this multiple of the limit allowed.
#[track_caller]
fn check_up_to(times: f64, name: &str, paths: [Path; 4], input: &[u8], refused: [bool; 4]) {
    let limit = Limits::default().max_memory(input.len() as u64) as usize;
    let empty: &[u8] = if input[0] == b'{' { b"{}" } else { b"" };
    let mut was_refused = [false; 4];
    for ((path, read), was_refused) in paths.into_iter().zip(&mut was_refused) {
        // Data built on first use does not count.
        read(empty).unwrap();
        let (held, done) = peak(|| read(input));
        assert!(held as f64 <= times * limit as f64, "{name}, {path}: {held} of {limit}");
        if let Err(error) = done {
            assert_eq!(
                error.message(),
                format!("the decoded message would take more than {limit} bytes of memory")
            );
            *was_refused = true;
        }
    }
    assert_eq!(was_refused, refused, "{name}");
}

/// Input of this size takes more than 64 MiB if a byte of it becomes more than 64 bytes.
const SIZE: usize = 1_000_000;

fn packed(tag: u8) -> Vec<u8> {
    [&[tag, 0xc0, 0x84, 0x3d][..], &[1; SIZE]].concat()
}

fn repeated(part: &[u8]) -> Vec<u8> {
    part.repeat(SIZE / part.len())
}

fn array(name: &str, element: &str) -> Vec<u8> {
    let more = format!(",{element}").repeat(SIZE / (element.len() + 1));
    format!("{{\"{name}\":[{element}{more}]}}").into_bytes()
}

#[test]
fn lists_and_maps_from_the_wire() {
    let lists = wire::<derived::Lists, plain::Lists>;
    const TREE: [bool; 4] = [false, false, true, false];
    check("bools", lists(), &packed(0x6a), TREE);
    check("numbers of a byte each", lists(), &packed(0x32), TREE);
    check("two lists in turns", lists(), &repeated(b"\x32\x01\x01\x1a\x01\x01"), [false; 4]);
    check("two lists, one by one", lists(), &repeated(b"\x30\x01\x18\x01"), [false; 4]);
    check("empty strings", lists(), &repeated(b"\x72\x00"), [false; 4]);
    check("empty byte strings", lists(), &repeated(b"\x7a\x00"), [false; 4]);
    check("empty messages", lists(), &repeated(b"\x8a\x01\x00"), [false; 4]);
    let tree = wire::<derived::Tree, plain::Tree>;
    // A hash map of one entry has room for three, of which structs count one.
    check_up_to(
        2.25,
        "messages with a map each",
        tree(),
        &repeated(b"\x22\x02\x2a\x00"),
        [true, true, true, false],
    );
    let entries: Vec<u8> = (0..SIZE as u32 / 8)
        .flat_map(|key| [0x0a, 6, 8, key as u8 | 0x80, (key >> 7) as u8 | 0x80, (key >> 14) as u8, 0x10, 1])
        .collect();
    check("a map", wire::<derived::Maps, plain::Maps>(), &entries, [false; 4]);
}

#[test]
fn map_entries_without_a_value() {
    // Those that follow are counted once: for every entry, they took time by the square of their number.
    let entries: Vec<u8> = (0..SIZE as u32 / 24)
        .flat_map(|key| [0x0a, 4, 8, key as u8 | 0x80, (key >> 7) as u8 | 0x80, (key >> 14) as u8])
        .collect();
    check("entries", wire::<derived::Maps, plain::Maps>(), &entries, [false; 4]);
}

#[test]
fn fields_that_are_replaced() {
    let scalars = wire::<derived::Scalars, plain::Scalars>;
    check("a number", scalars(), &repeated(b"\x18\x01"), [false; 4]);
    check("a string", scalars(), &repeated(b"\x72\x01a"), [false; 4]);
    check("a byte string", scalars(), &repeated(b"\x7a\x01a"), [false; 4]);
    let tree = wire::<derived::Tree, plain::Tree>;
    check("a message in pieces", tree(), &repeated(b"\x32\x02\x08\x01"), [false; 4]);
}

#[test]
fn bytes_as_numbers() {
    check("bytes", wire::<derived::Scalars, plain::Scalars>(), &packed(0x7a), [false, false, true, false]);
}

#[test]
fn lists_from_json() {
    let lists = json::<derived::Lists, plain::Lists>;
    check("zeros", lists(), &array("fInt64", "0"), [false; 4]);
    check("bools", lists(), &array("fBool", "true"), [false; 4]);
    check("empty strings", lists(), &array("fString", "\"\""), [false; 4]);
    check("empty messages", lists(), &array("fLeaf", "{}"), [false; 4]);
    let tree = json::<derived::Tree, plain::Tree>;
    // JSON does not say how long a list is: it has room for up to twice as many as count.
    check_up_to(2.25, "messages of a message", tree(), &array("children", "{}"), [false, true, false, false]);
}

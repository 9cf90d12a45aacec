//! Changes to input: to bytes, to the fields of a message, to the tokens of a text.

use crate::pieces;
use crate::rng::Rng;
use std::ops::Range;
use tobu::wire::{Reader, Tag, WireType, Writer};

/// The syntax of an input, so that mutations change its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// Wire bytes of a message.
    Wire,
    /// JSON.
    Json,
    /// The text format.
    Text,
    /// `.proto` source.
    Proto,
    /// Templates, paths and queries.
    Path,
    /// None that changes should know.
    Bytes,
}

/// The bit of the first byte of an input that marks choices instead of raw bytes.
pub const BUILT: u8 = 0x80;

/// Inputs do not grow beyond this.
pub const LARGEST: usize = 1 << 16;

/// Changes an input up to six times, after a header of that many bytes; fragments are taken from `other`.
pub fn mutate(syntax: Syntax, header: usize, data: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    for _ in 0..1 + rng.below(6) {
        let built = header > 0 && data.first().is_some_and(|first| first & BUILT != 0);
        if data.len() < header || built || rng.chance(24) {
            bytes(data, other, rng);
        } else {
            let mut payload = data.split_off(header);
            once(syntax, &mut payload, other.get(header..).unwrap_or_default(), rng);
            data.append(&mut payload);
        }
        data.truncate(LARGEST);
    }
}

/// Makes one change.
pub fn once(syntax: Syntax, payload: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    match syntax {
        _ if rng.chance(3) => bytes(payload, other, rng),
        Syntax::Bytes => bytes(payload, other, rng),
        Syntax::Wire => fields(payload, other, rng, 6),
        Syntax::Json => text(payload, pieces::JSON, rng),
        Syntax::Text => text(payload, pieces::TEXT, rng),
        Syntax::Proto => text(payload, pieces::PROTO, rng),
        Syntax::Path => text(payload, pieces::PATHS, rng),
    }
}

/// A range of up to `most` bytes.
fn range(len: usize, most: usize, rng: &mut Rng) -> Range<usize> {
    let start = rng.below(len + 1);
    start..len.min(start + rng.below(most + 1))
}

/// Flips, sets, removes, inserts, copies, cuts and splices.
fn bytes(data: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let at = rng.below(data.len() + 1);
    match rng.below(9) {
        0 | 1 if at < data.len() => data[at] ^= 1 << rng.below(8),
        2 if at < data.len() => data[at] = *rng.pick(&[0, 1, 0x7f, 0x80, 0xff, b'"', b'{', b'}', b'/', b'%']),
        3 => drop(data.drain(range(data.len(), 8, rng))),
        4 => drop(data.splice(at..at, rng.bytes(8))),
        5 => {
            let piece = data[range(data.len(), 40, rng)].to_vec();
            data.splice(at..at, piece);
        }
        6 => {
            let piece = other[range(other.len(), 200, rng)].to_vec();
            data.splice(at..at, piece);
        }
        7 if rng.chance(4) => data.truncate(at),
        // Growth: quadratic time or much memory shows if a fragment is repeated often.
        8 if rng.chance(50) => {
            let piece = data[range(data.len(), 16, rng)].to_vec();
            let times = rng.below(4000);
            data.splice(at..at, piece.repeat(times));
        }
        _ if at < data.len() => data[at] = rng.next() as u8,
        _ => data.push(rng.next() as u8),
    }
}

/// One field of a message.
struct Field {
    tag: Tag,
    /// With its tag.
    whole: Range<usize>,
    value: Range<usize>,
}

/// The fields of a message, up to the first malformed one.
fn scan(data: &[u8]) -> Vec<Field> {
    let mut reader = Reader::new(data);
    let mut fields = Vec::new();
    while !reader.is_empty() {
        let start = reader.position();
        let Ok(tag) = reader.tag() else { break };
        let mut value = reader.position();
        if reader.skip(tag, 100).is_err() {
            break;
        }
        if tag.wire_type() == WireType::Len {
            let mut inner = Reader::new(&data[value..]);
            if inner.varint().is_ok() {
                value += inner.position();
            }
        }
        fields.push(Field { tag, whole: start..reader.position(), value: value..reader.position() });
    }
    fields
}

/// Changes a field, or one in the message that it holds.
fn fields(data: &mut Vec<u8>, other: &[u8], rng: &mut Rng, depth: usize) {
    let all = scan(data);
    if all.is_empty() {
        return bytes(data, other, rng);
    }
    let field = &all[rng.below(all.len())];
    let whole = data[field.whole.clone()].to_vec();
    let start = all[rng.below(all.len())].whole.start;
    match rng.below(13) {
        0 => drop(data.splice(start..start, whole)),
        1 => drop(data.drain(field.whole.clone())),
        2 => {
            data.drain(field.whole.clone());
            let at = start.min(data.len());
            data.splice(at..at, whole);
        }
        3 => {
            let number = match rng.below(4) {
                0 => 1 + rng.below(20) as u32,
                1 => field.tag.number() ^ 1,
                2 => *rng.pick(&[100, 1000, 18_999, 20_000, 536_870_911]),
                _ => field.tag.number(),
            };
            let wire_type = *rng.pick(&WIRE_TYPES);
            let mut writer = Writer::new();
            writer
                .tag(Tag::new(number.max(1), if rng.chance(2) { wire_type } else { field.tag.wire_type() }));
            writer.raw(&whole[whole.len() - (field.whole.end - field.value.start)..]);
            replace(data, field.whole.clone(), writer);
        }
        4 => {
            // The length is wrong.
            let mut writer = Writer::new();
            writer.tag(field.tag);
            let len = field.value.len() as u64;
            writer.varint(*rng.pick(&[0, len + 1, len.wrapping_sub(1), 1 << 31, u64::MAX, len + 128]));
            writer.raw(&data[field.value.clone()]);
            replace(data, field.whole.clone(), writer);
        }
        5 => {
            let fields = scan(other);
            if let Some(field) = fields.get(rng.below(fields.len())) {
                data.splice(start..start, other[field.whole.clone()].iter().copied());
            }
        }
        6 => {
            // One more level around the field.
            let mut writer = Writer::new();
            if rng.chance(2) {
                writer.tag(Tag::new(field.tag.number(), WireType::Len));
                writer.len_prefixed(&whole);
            } else {
                writer.tag(Tag::new(field.tag.number(), WireType::StartGroup));
                writer.raw(&whole);
                writer.tag(Tag::new(field.tag.number(), WireType::EndGroup));
            }
            replace(data, field.whole.clone(), writer);
        }
        7 if field.tag.wire_type() == WireType::Varint => {
            let mut writer = Writer::new();
            writer.tag(field.tag);
            writer.varint(match rng.below(3) {
                0 => rng.below(4) as u64,
                1 => (1u64 << rng.below(64)).wrapping_sub(rng.below(2) as u64),
                _ => rng.next(),
            });
            replace(data, field.whole.clone(), writer);
        }
        8 if field.tag.wire_type() == WireType::Len && !field.value.is_empty() => {
            // Not UTF-8 any more, if it was text.
            let at = field.value.start + rng.below(field.value.len());
            data[at] = *rng.pick(&[0x80, 0xbf, 0xc0, 0xed, 0xf5, 0xff]);
        }
        _ if field.tag.wire_type() == WireType::Len && depth > 0 => {
            let mut inner = data[field.value.clone()].to_vec();
            fields(&mut inner, other, rng, depth - 1);
            let mut writer = Writer::new();
            writer.tag(field.tag);
            writer.len_prefixed(&inner);
            replace(data, field.whole.clone(), writer);
        }
        _ => bytes(data, other, rng),
    }
}

const WIRE_TYPES: [WireType; 6] = [
    WireType::Varint,
    WireType::Fixed64,
    WireType::Len,
    WireType::StartGroup,
    WireType::EndGroup,
    WireType::Fixed32,
];

fn replace(data: &mut Vec<u8>, range: Range<usize>, writer: Writer) {
    data.splice(range, writer.finish().expect("a message below 2 GiB"));
}

/// Takes tokens out, puts them in, doubles and swaps them.
fn text(data: &mut Vec<u8>, pieces: &[&str], rng: &mut Rng) {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_.+-\\%".contains(&byte) || byte >= 0x80;
    let mut cuts: Vec<usize> =
        (1..data.len()).filter(|&at| !(is_word(data[at - 1]) && is_word(data[at]))).collect();
    cuts.insert(0, 0);
    cuts.push(data.len());
    let token = |rng: &mut Rng| {
        let at = rng.below(cuts.len() - 1);
        // Mostly one token, sometimes a run of them.
        let end = if rng.chance(3) { at + 1 + rng.below(cuts.len() - 1 - at) } else { at + 1 };
        cuts[at]..cuts[end]
    };
    let (range, at) = (token(rng), token(rng).start);
    match rng.below(6) {
        0 => drop(data.drain(range)),
        1 | 2 => drop(data.splice(range, rng.pick(pieces).bytes())),
        3 => drop(data.splice(at..at, rng.pick(pieces).bytes())),
        4 => {
            let piece = data[range].to_vec();
            data.splice(at..at, piece);
        }
        _ => {
            let piece: Vec<u8> = data.drain(range).collect();
            let at = at.min(data.len());
            data.splice(at..at, piece);
        }
    }
}

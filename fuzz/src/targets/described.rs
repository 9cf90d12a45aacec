//! Self-describing streams: damaged, and with corrected checksums.

use super::stream::Slow;
use crate::generate::Choices;
use crate::mutate::{BUILT, Syntax};
use crate::oracle::canonical;
use crate::rng::Rng;
use crate::{counting, generate};
use arbitrary::Unstructured;
use std::io::Read;
use tobu::descriptor::compare;
use tobu::stream::described::{Options, Reader, Writer};
use tobu::{Category, DynamicMessage};

/// The bit of the first byte that says that checksums are made right, so that more than these is tried.
const SEALED: u8 = 0x40;

/// The limits of a reader: input is at most 64 KiB.
fn options() -> Options {
    Options::new().max_block(1 << 20).max_schema(1 << 16).max_types(1000)
}

/// A message of a stream: its number, its type and its bytes.
type Message = (u64, String, Vec<u8>);

/// All messages up to the end or an error, and that.
fn read(stream: impl Read, options: Options) -> (Vec<Message>, Result<(), (Category, String)>) {
    let mut reader = Reader::with_options(stream, options);
    let mut messages = Vec::new();
    loop {
        match reader.next() {
            Ok(Some(entry)) => {
                let name = entry.descriptor().full_name().to_owned();
                messages.push((entry.number(), name, entry.bytes().to_vec()));
            }
            Ok(None) => return (messages, Ok(())),
            Err(error) => return (messages, Err((error.category(), error.to_string()))),
        }
    }
}

/// A reader returns the same messages from chunks, and no fewer when it skips damage; and its messages can be
/// written.
pub(super) fn described(data: &[u8]) {
    let Some((&kind, rest)) = data.split_first() else { return };
    let mut stream = if kind & BUILT == 0 { rest.to_vec() } else { built(rest) };
    if kind & SEALED != 0 {
        seal(&mut stream);
    }
    let most = usize::from(kind & 0x3f).max(1);
    let (held, (messages, end)) = counting::peak(|| read(&stream[..], options()));
    // Descriptors take more than the rest of a stream; decompressed blocks have a separate limit.
    let limit = 128 * stream.len() + (4 << 20);
    assert!(held <= limit, "{held} bytes for a stream of {}, not {limit}", stream.len());
    let slowly = read(Slow { bytes: &stream, most }, options());
    assert_eq!((&slowly.0, &slowly.1), (&messages, &end), "in pieces");
    let (held, (found, _)) = counting::peak(|| read(&stream[..], options().skip_damage(true)));
    assert!(held <= limit, "{held} bytes for a stream of {} with damage", stream.len());
    assert!(found.starts_with(&messages), "what is before the damage is read");
    assert!(found.windows(2).all(|two| two[0].0 < two[1].0), "in order");
    if end.is_ok() {
        assert_eq!(found, messages, "there is no damage to pass over");
    }
    again(&stream);
}

/// Messages read from a stream are written and read again.
fn again(stream: &[u8]) {
    let mut reader = Reader::with_options(stream, options().skip_damage(true));
    let mut writer = Writer::with_options(Vec::new(), Options::new().block_size(100));
    let mut written: Vec<DynamicMessage> = Vec::new();
    while let Ok(Some(entry)) = reader.next() {
        if let Ok(message) = entry.to_dynamic() {
            writer.write_dynamic(&message).expect("what was read can be written");
            written.push(message);
        }
    }
    writer.finish().expect("a vector takes all");
    let stream = writer.into_inner();
    let mut reader = Reader::new(&stream[..]);
    for message in &written {
        let entry = reader.next().expect("what was written can be read").expect("all of it");
        assert_eq!(compare(message.descriptor(), entry.descriptor()), []);
        assert_eq!(canonical(&entry.to_dynamic().expect("as before")), canonical(message));
    }
    assert!(reader.next().expect("its end is there").is_none());
}

/// A stream of messages of random schemas, and damage to it.
fn built(rest: &[u8]) -> Vec<u8> {
    let options = Options::new().block_size(60).sync_marker(*b"0123456789abcdef");
    let mut writer = Writer::with_options(Vec::new(), options);
    let mut choices = Unstructured::new(rest);
    let all = choices.arbitrary_iter::<Choices<'_>>().into_iter().flatten().flatten().take(8);
    let all: Vec<_> = all.collect();
    for choices in &all {
        let subject = choices.subject();
        // Another schema has the same names.
        if let Ok(message) = DynamicMessage::decode(&subject.descriptor, &choices.wire(&subject)) {
            let _ = writer.write_dynamic(&message);
        }
    }
    writer.finish().expect("a vector takes all");
    let mut stream = writer.into_inner();
    all.iter().for_each(|choices| choices.hurt(&mut stream, Syntax::Bytes));
    stream
}

/// Corrects the checksums of the possible prefix and blocks, inner ones first.
fn seal(stream: &mut [u8]) {
    let Some(marker) = stream.get(12..28).map(<[u8]>::to_vec) else { return };
    for at in (28..stream.len()).rev() {
        if stream[at..].starts_with(&marker) && at + 48 <= stream.len() {
            let stored = u32::from_le_bytes(stream[at + 20..at + 24].try_into().expect("four bytes"));
            let end = stream.len().min(at + 48 + stored as usize);
            put(stream, at + 40, at + 48..end);
            put(stream, at + 44, at..at + 44);
        }
    }
    if stream.len() >= 32 {
        put(stream, 28, 0..28);
    }
}

fn put(stream: &mut [u8], at: usize, range: std::ops::Range<usize>) {
    let sum = crc32c::crc32c(&stream[range]);
    stream[at..at + 4].copy_from_slice(&sum.to_le_bytes());
}

/// A stream, or the choices for one.
pub(super) fn seed(rng: &mut Rng) -> Vec<u8> {
    let kind = rng.next() as u8;
    let choices = generate::choices(rng);
    let rest = if kind & BUILT == 0 { built(&choices) } else { choices };
    [&[kind][..], &rest].concat()
}

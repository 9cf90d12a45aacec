//! Streams that lie, end too early, or fail.

use crate::types::derived::Leaf;
use std::io::{self, Read};
use tobu::{Category, DecodeOptions, Limits, MessageReader, MessageWriter};

fn all(stream: &[u8]) -> Vec<Result<Leaf, String>> {
    MessageReader::new(stream).map(|next| next.map_err(|error: tobu::Error| error.to_string())).collect()
}

fn leaf(a: i32) -> Leaf {
    Leaf { a, ..Leaf::default() }
}

#[test]
fn streams_that_end_too_early() {
    let stream = b"\x02\x08\x01\x00\x83\x00\x08\x81\x00";
    assert_eq!(all(stream), [Ok(leaf(1)), Ok(leaf(0)), Ok(leaf(1))]);
    for cut in 0..stream.len() {
        let got = all(&stream[..cut]);
        let expected: Vec<Result<Leaf, String>> = match cut {
            0 => vec![],
            1 => vec![Err("length of 2 bytes, but only 0 bytes are left (at byte 1)".into())],
            2 => vec![Err("length of 2 bytes, but only 1 bytes are left (at byte 1)".into())],
            3 => vec![Ok(leaf(1))],
            4 => vec![Ok(leaf(1)), Ok(leaf(0))],
            5 => vec![Ok(leaf(1)), Ok(leaf(0)), Err("input ends inside a varint (at byte 4)".into())],
            cut => vec![
                Ok(leaf(1)),
                Ok(leaf(0)),
                Err(format!("length of 3 bytes, but only {} bytes are left (at byte 6)", cut - 6)),
            ],
        };
        assert_eq!(got, expected, "cut at {cut}");
    }
}

#[test]
fn lengths_that_lie() {
    let error = |stream: &[u8]| all(stream).pop().unwrap().unwrap_err();
    assert_eq!(
        error(b"\xff\xff\xff\xff\x07\x08\x01\x10"),
        "length of 2147483647 bytes, but only 3 bytes are left (at byte 5)"
    );
    assert_eq!(
        error(b"\x80\x80\x80\x80\x08\x08"),
        "input of 2147483648 bytes is larger than the limit of 2147483647 bytes (at byte 0)"
    );
    assert_eq!(
        error(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
        "input of 18446744073709551615 bytes is larger than the limit of 2147483647 bytes (at byte 0)"
    );
    let overflow = "varint is longer than 10 bytes or does not fit 64 bits (at byte 0)";
    assert_eq!(error(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), overflow);
    assert_eq!(error(b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"), overflow);
    let options = DecodeOptions::new().limits(Limits::default().input(1));
    let mut reader = MessageReader::<_, Leaf>::with_options(&b"\x00\x02\x08\x01"[..], options);
    assert_eq!(reader.next().unwrap().unwrap(), leaf(0));
    let text = reader.next().unwrap().unwrap_err().to_string();
    assert_eq!(text, "input of 2 bytes is larger than the limit of 1 bytes (at byte 1)");
    assert!(reader.next().is_none());
}

#[test]
fn a_message_that_is_malformed_ends_the_stream() {
    let got = all(b"\x02\x08\x01\x02\x08\x80\x02\x08\x01");
    assert_eq!(
        got,
        [Ok(leaf(1)), Err("derived.v3.Leaf.a: input ends inside a varint (at byte 1)".to_owned())]
    );
}

/// Gives a byte at a time, is interrupted before each, and fails in the end.
struct Stuttering<'a>(&'a [u8], bool);

impl Read for Stuttering<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let Some((first, rest)) = self.0.split_first() else {
            return Err(io::Error::new(io::ErrorKind::ConnectionReset, "the line is dead"));
        };
        out[0] = *first;
        self.0 = rest;
        Ok(1)
    }
}

#[test]
fn a_reader_that_stutters_and_fails() {
    let mut reader = MessageReader::<_, Leaf>::new(Stuttering(b"\x02\x08\x01\x02\x08", false));
    assert_eq!(reader.next().unwrap().unwrap(), leaf(1));
    let error = reader.next().unwrap().unwrap_err();
    assert_eq!((error.category(), error.to_string()), (Category::Io, "the line is dead".to_owned()));
    assert!(reader.next().is_none());
    let error = tobu::from_reader::<Leaf>(Stuttering(b"\x08\x01", false)).unwrap_err();
    assert_eq!(error.category(), Category::Io);
}

#[test]
fn a_writer_writes_whole_messages_or_nothing() {
    use crate::messages::derived::Strict;
    let strict = |id| Strict { id, ..Strict::default() };
    let mut writer = MessageWriter::new(Vec::new());
    writer.write(&strict(Some(1))).unwrap();
    let error = writer.write(&strict(None)).unwrap_err();
    assert_eq!(error.to_string(), "derived.hostile.Strict.id: required field id has no value");
    writer.write(&strict(Some(2))).unwrap();
    assert_eq!(writer.into_inner(), b"\x02\x08\x01\x02\x08\x02");
}

//! Streams of messages, each after its length.

use crate::generate;
use crate::mutate::BUILT;
use crate::rng::Rng;
use crate::subject::Subject;
use std::io::Read;
use tobu::wire::{Reader, Writer};
use tobu::{MessageReader, MessageWriter};
use tobu_schemas::corpus::corpus::v3::Tree;

/// Gives as many bytes at a time as the first byte of the input says.
pub(super) struct Slow<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) most: usize,
}

impl Read for Slow<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let len = self.bytes.len().min(buf.len()).min(self.most);
        let (now, later) = self.bytes.split_at(len);
        buf[..len].copy_from_slice(now);
        self.bytes = later;
        Ok(len)
    }
}

/// A reader of a stream returns its messages, up to the first error.
pub(super) fn stream(data: &[u8]) {
    let Some((&most, bytes)) = data.split_first() else { return };
    let bytes = &*generate::stream(most, bytes, subject(), frame);
    let slow = Slow { bytes, most: usize::from(most & !BUILT).max(1) };
    let read: Vec<_> =
        crate::oracle::bounded("stream", bytes.len(), || MessageReader::<_, Tree>::new(slow).collect());
    let mut reader = Reader::new(bytes);
    let mut expected = Vec::new();
    while !reader.is_empty() {
        let next = match reader.len_prefixed() {
            Ok(message) => tobu::from_slice::<Tree>(message),
            Err(error) => Err(error),
        };
        let failed = next.is_err();
        expected.push(next);
        if failed {
            break;
        }
    }
    assert_eq!(read.len(), expected.len(), "messages up to the first error");
    let mut writer = MessageWriter::new(Vec::new());
    for (one, other) in read.iter().zip(&expected) {
        match (one, other) {
            (Ok(one), Ok(other)) => {
                assert_eq!(one, other);
                writer.write(one).unwrap();
            }
            (Err(one), Err(other)) => assert_eq!(one.category(), other.category(), "{one} {other}"),
            _ => panic!("{one:?} and {other:?}"),
        }
    }
    let written = writer.into_inner();
    let again: Vec<_> = MessageReader::<_, Tree>::new(&written[..]).map(Result::unwrap).collect();
    assert!(again.iter().eq(read.iter().flatten()), "what was written is read");
}

fn subject() -> &'static Subject {
    Subject::named("corpus.v3.Tree")
}

fn frame(message: &[u8], out: &mut Vec<u8>) {
    let mut writer = Writer::append_to(std::mem::take(out));
    writer.len_prefixed(message);
    *out = writer.finish().expect("a stream below 2 GiB");
}

/// Some messages, one after the other.
pub(super) fn seed(rng: &mut Rng) -> Vec<u8> {
    generate::stream_seed(rng, subject(), frame)
}

//! Messages and lines decoded from chunked streams, as received by gRPC and HTTP.

use crate::generate;
use crate::mutate::BUILT;
use crate::oracle::lean;
use crate::rng::Rng;
use crate::subject::Subject;
use bytes::Bytes;
use futures_core::Stream;
use http_body::{Body, Frame};
use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use tobu_schemas::corpus::corpus::v3::Tree;
use tobu_tonic::TobuCodec;
use tobu_transcode::{FrameDecoder, LineDecoder, frame_header};
use tonic::codec::{Codec, Streaming};

/// The longest message and line.
const LIMIT: usize = 4096;

/// Frames are the same for every split into chunks, and a call returns their messages.
pub(super) fn frames(data: &[u8]) {
    let Some((&kind, bytes)) = data.split_first() else { return };
    let bytes = &*generate::stream(kind, bytes, subject(), frame);
    let size = usize::from(kind & !BUILT).max(1);
    let whole = lean("frames", bytes.len(), || take_frames([bytes]));
    let pieces = lean("pieces", bytes.len(), || take_frames(bytes.chunks(size)));
    assert_eq!(whole, pieces, "in pieces of {size}");
    let messages = call(bytes, size);
    for (index, message) in messages.iter().enumerate() {
        let frame = &whole.0[index];
        match message {
            Ok(message) => assert_eq!(Ok(message), tobu::from_slice::<Tree>(&frame.1).as_ref().map_err(drop)),
            Err(()) => assert!(frame.0 || tobu::from_slice::<Tree>(&frame.1).is_err(), "message {index}"),
        }
    }
}

/// The frames, and how the stream ends.
type Frames = (Vec<(bool, Bytes)>, Result<(), String>);

fn take_frames<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Frames {
    let mut decoder = FrameDecoder::new(LIMIT);
    let mut frames = Vec::new();
    for piece in pieces {
        decoder.push(piece);
        loop {
            match decoder.next_frame() {
                Ok(Some(frame)) => frames.push((frame.compressed, frame.message)),
                Ok(None) => break,
                Err(error) => return (frames, Err(error.to_string())),
            }
        }
    }
    (frames, decoder.finish().map_err(|error| error.to_string()))
}

/// A body of chunks.
struct Pieces(std::vec::IntoIter<Bytes>);

impl Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.next().map(|piece| Ok(Frame::data(piece))))
    }
}

/// The messages that a server decodes from a body, up to the first complete one that is malformed.
fn call(bytes: &[u8], size: usize) -> Vec<Result<Tree, ()>> {
    let pieces: Vec<Bytes> = bytes.chunks(size).map(Bytes::copy_from_slice).collect();
    let decoder = TobuCodec::<Tree, Tree>::new().decoder();
    let mut stream = pin!(Streaming::new_request(decoder, Pieces(pieces.into_iter()), None, Some(LIMIT)));
    let mut messages = Vec::new();
    let mut context = Context::from_waker(Waker::noop());
    loop {
        match stream.as_mut().poll_next(&mut context) {
            Poll::Ready(Some(Ok(message))) => messages.push(Ok(message)),
            // Errors of frames are tonic's; that of a message is tobu's, as the source of the status.
            Poll::Ready(Some(Err(status))) => {
                let ours =
                    std::error::Error::source(&status).is_some_and(|source| source.is::<tobu::Error>());
                if ours {
                    messages.push(Err(()));
                }
                return messages;
            }
            Poll::Ready(None) | Poll::Pending => return messages,
        }
    }
}

/// Lines are the same for every split into chunks.
pub(super) fn lines(data: &[u8]) {
    let Some((&size, bytes)) = data.split_first() else { return };
    let size = usize::from(size).max(1);
    let take = |pieces: &mut dyn Iterator<Item = &[u8]>| {
        let mut decoder = LineDecoder::new(LIMIT);
        let mut lines = Vec::new();
        for piece in pieces {
            decoder.push(piece);
            loop {
                match decoder.next_line() {
                    Ok(Some(line)) => lines.push(line),
                    Ok(None) => break,
                    Err(error) => return (lines, Some(error.to_string())),
                }
            }
        }
        lines.extend(decoder.finish());
        (lines, None)
    };
    let whole = lean("lines", bytes.len(), || take(&mut std::iter::once(bytes)));
    let pieces = lean("pieces", bytes.len(), || take(&mut bytes.chunks(size)));
    assert_eq!(whole, pieces, "in pieces of {size}");
}

fn subject() -> &'static Subject {
    Subject::named("corpus.v3.Tree")
}

fn frame(message: &[u8], out: &mut Vec<u8>) {
    out.extend(frame_header(message.len()).expect("a small message"));
    out.extend(message);
}

/// Some messages, each in a frame.
pub(super) fn seed(rng: &mut Rng) -> Vec<u8> {
    generate::stream_seed(rng, subject(), frame)
}

/// Some lines of JSON.
pub(super) fn lines_seed(rng: &mut Rng) -> Vec<u8> {
    let mut seed = vec![*rng.pick(&[1, 3, 64, 127])];
    for _ in 0..rng.below(5) {
        seed.extend(generate::json(subject(), rng).bytes());
        seed.extend(rng.pick(&["\n", "\r\n", "\n\n", ""]).bytes());
    }
    seed
}

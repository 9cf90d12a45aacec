//! The codec of a client's call. The messages of requests are already encoded when this codec gets them. So the code of
//! tonic that is generic over the request is compiled only once for all messages.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::BufMut;
use futures_core::Stream;
use tonic::Status;
use tonic::codec::{Codec, Decoder, EncodeBuf, Encoder};

use super::Failure;

/// The bytes of a message of a request, or the status that says why the message could not be encoded.
pub(crate) type Outgoing = Result<Vec<u8>, Status>;

pub(crate) enum Messages {
    One(Option<Vec<u8>>),
    Many(Pin<Box<dyn Stream<Item = Outgoing> + Send>>),
}

impl Messages {
    pub(crate) fn one(bytes: Vec<u8>) -> Self {
        Messages::One(Some(bytes))
    }

    /// Creates a request of a stream of messages. `encode` encodes each message when it is sent.
    pub(crate) fn many<S>(messages: S, encode: impl Fn(S::Item) -> Outgoing + Send + 'static) -> Self
    where
        S: Stream + Send + 'static,
    {
        Messages::Many(Box::pin(Encoding { messages: Box::pin(messages), encode }))
    }
}

impl Stream for Messages {
    type Item = Outgoing;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        match &mut *self {
            Messages::One(message) => Poll::Ready(message.take().map(Ok)),
            Messages::Many(messages) => messages.as_mut().poll_next(context),
        }
    }
}

struct Encoding<S, F> {
    messages: Pin<Box<S>>,
    encode: F,
}

// Only the stream is pinned, and it is in a box, so the struct itself may move.
impl<S, F> Unpin for Encoding<S, F> {}

impl<S: Stream, F: Fn(S::Item) -> Outgoing> Stream for Encoding<S, F> {
    type Item = Outgoing;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        let message = self.messages.as_mut().poll_next(context);
        message.map(|message| message.map(|message| (self.encode)(message)))
    }
}

pub(crate) struct CallCodec<D> {
    failure: Failure,
    decoder: D,
}

impl<D> CallCodec<D> {
    /// Creates the codec for one call. Also returns the [`Failure`] in which the encoder of the codec stores an error.
    pub(crate) fn new(decoder: D) -> (Self, Failure) {
        let failure = Failure::default();
        (CallCodec { failure: failure.clone(), decoder }, failure)
    }
}

impl<D: Decoder<Item: Send + 'static, Error = Status> + Clone + Send + 'static> Codec for CallCodec<D> {
    type Encode = Outgoing;
    type Decode = D::Item;
    type Encoder = CallEncoder;
    type Decoder = D;

    fn encoder(&mut self) -> CallEncoder {
        CallEncoder(self.failure.clone())
    }

    fn decoder(&mut self) -> D {
        self.decoder.clone()
    }
}

pub(crate) struct CallEncoder(Failure);

impl Encoder for CallEncoder {
    type Item = Outgoing;
    type Error = Status;

    fn encode(&mut self, message: Outgoing, dst: &mut EncodeBuf<'_>) -> Result<(), Status> {
        let bytes = message.inspect_err(|status| self.0.note(status))?;
        dst.reserve(bytes.len());
        dst.put_slice(&bytes);
        Ok(())
    }
}

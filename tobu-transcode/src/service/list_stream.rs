//! The body of a response with one long message, which is converted while it is received.

use std::future::poll_fn;
use std::mem;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::HeaderMap;
use tobu::convert::WireToJson;

use super::BoxError;
use super::body::Pieces;
use super::compress::{Decoder, Encoding, too_large};
use super::guard::Guard;
use super::observe::Report;
use super::reply::Failure;
use super::response_stream::{CHUNK, Messages, Next};
use crate::answer::wrong;
use crate::code::Code;
use crate::error::{Error, Result};

/// The task yields after this many chunks without output.
const TURN: usize = 64;

/// The body of the response.
pub(super) struct ListStream {
    messages: Messages,
    decoder: Decoder,
    json: WireToJson,
    /// How many bytes the message may still have.
    left: usize,
    limit: usize,
    guard: Guard,
    /// The JSON that is not yet sent.
    text: Vec<u8>,
    state: State,
    pub(super) report: Option<Report>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The message is being received.
    Message,
    /// The message was received completely, but some of it must still be decompressed.
    Decoder,
    /// The whole message was converted. The trailers will say whether the call succeeded.
    Trailers,
    Over,
}

impl ListStream {
    /// Creates the body of a message of up to `limit` bytes. `Messages::poll_long` has begun the message.
    pub(super) fn new(
        messages: Messages,
        encoding: Encoding,
        json: WireToJson,
        limit: usize,
        guard: Guard,
    ) -> Self {
        ListStream {
            messages,
            decoder: Decoder::new(encoding, limit),
            json,
            left: limit,
            limit,
            guard,
            text: Vec::new(),
            state: State::Message,
            report: None,
        }
    }

    /// Converts the first chunk of the body. If this is the whole body, returns it with the trailers.
    ///
    /// # Errors
    /// The call fails before the first chunk is complete.
    pub(super) async fn first(&mut self) -> Result<Option<(Vec<u8>, HeaderMap)>, Failure> {
        let trailers = poll_fn(|cx| self.poll_text(cx)).await?;
        Ok(trailers.map(|trailers| (mem::take(&mut self.text), trailers)))
    }

    /// Converts the message until there is enough JSON for a chunk. Returns the trailers at the end of the call.
    fn poll_text(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<HeaderMap>, Failure>> {
        if let Poll::Ready(failure) = self.guard.poll(cx) {
            return Poll::Ready(Err(failure));
        }
        for _ in 0..TURN {
            // The last chunk is not sent before the trailers say that the call succeeded.
            if self.text.len() >= CHUNK && self.state != State::Trailers {
                return Poll::Ready(Ok(None));
            }
            match self.state {
                State::Message | State::Decoder => {
                    if let Some(piece) = self.decoder.next().map_err(in_response)? {
                        self.left = self
                            .left
                            .checked_sub(piece.len())
                            .ok_or_else(|| in_response(too_large(self.limit)))?;
                        self.json.push(&piece, &mut self.text).map_err(wrong)?;
                    } else if self.state == State::Decoder {
                        self.json.finish(&mut self.text).map_err(wrong)?;
                        self.state = State::Trailers;
                    } else if let Some(piece) = ready!(self.messages.poll_piece(cx))? {
                        self.decoder.push(piece);
                    } else {
                        self.decoder.end();
                        self.state = State::Decoder;
                    }
                }
                State::Trailers => match ready!(self.messages.poll_next(cx))? {
                    Next::End(trailers) => {
                        self.state = State::Over;
                        return Poll::Ready(Ok(Some(trailers)));
                    }
                    Next::Message(_) => {
                        return Poll::Ready(Err(
                            Error::response("the service sent more than one message").into()
                        ));
                    }
                },
                State::Over => return Poll::Ready(Ok(None)),
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    fn end(&mut self, code: Code, detail: Option<&str>) {
        self.state = State::Over;
        if let Some(report) = self.report.take() {
            report.ended(code, detail);
        }
    }
}

impl Pieces for ListStream {
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxError>>> {
        match self.poll_text(cx) {
            Poll::Ready(Ok(trailers)) => {
                if trailers.is_some() {
                    self.end(Code::Ok, None);
                }
            }
            // The body ends with an error, so the client sees that the JSON is incomplete.
            Poll::Ready(Err(failure)) => {
                self.end(failure.status.code(), failure.detail());
                self.text.clear();
                return Poll::Ready(Some(Err(failure.status.message().into())));
            }
            Poll::Pending if self.text.is_empty() || self.state == State::Trailers => return Poll::Pending,
            Poll::Pending => {}
        }
        let text = mem::take(&mut self.text);
        Poll::Ready((!text.is_empty()).then(|| Ok(text.into())))
    }
}

fn in_response(error: Error) -> Error {
    Error::response(format!("the response: {error}")).caused_by(error)
}

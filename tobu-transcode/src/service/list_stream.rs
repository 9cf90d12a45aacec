//! A response of one long message, converted while it is received.

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

/// After this many chunks without output the task yields.
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
    /// Text not sent yet.
    text: Vec<u8>,
    state: State,
    pub(super) report: Option<Report>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The message is being received.
    Message,
    /// It was received completely, and must still be decompressed.
    Decoder,
    /// All of it was converted: the end of the call decides.
    Trailers,
    Over,
}

impl ListStream {
    /// Returns the body of a message of up to `limit` bytes that was begun.
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

    /// Makes the first chunk of the body; returns it with the trailers if it is the whole body.
    ///
    /// # Errors
    /// The call fails before the first chunk is complete.
    pub(super) async fn first(&mut self) -> Result<Option<(Vec<u8>, HeaderMap)>, Failure> {
        let trailers = poll_fn(|cx| self.poll_text(cx)).await?;
        Ok(trailers.map(|trailers| (mem::take(&mut self.text), trailers)))
    }

    /// Makes text until there is enough for a chunk; returns the trailers at the end.
    fn poll_text(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<HeaderMap>, Failure>> {
        if let Poll::Ready(failure) = self.guard.poll(cx) {
            return Poll::Ready(Err(failure));
        }
        for _ in 0..TURN {
            // The end of the text is not sent before the call is known to have succeeded.
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
            // A text that has no end: the client sees that it was broken off.
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

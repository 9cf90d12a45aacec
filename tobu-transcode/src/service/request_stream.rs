//! Converts a stream of requests, which is lines of JSON or raw bytes, to frames of gRPC.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::request::Parts;
use http_body::Body as _;
use tokio::sync::oneshot;

use super::body::Pieces;
use super::compress::Decoder;
use super::read::cut;
use super::reply::Failure;
use super::{Body, BoxError, Shared};
use crate::bind::Request;
use crate::error::{Category, Error, Result};
use crate::route::{self, Route};
use crate::stream::{LineDecoder, frame_header};

/// How many chunks are processed in one poll.
const TURN: usize = 32;

/// How many decompressed bytes there may be for each received byte. The length of a stream is not limited, so without this
/// limit a few compressed bytes could expand to gigabytes of blank lines. Useful JSON never expands as much.
const EXPANSION: u64 = 1000;
/// The limit of `EXPANSION` does not apply to streams of up to this many decompressed bytes.
const ANYWAY: u64 = 16 << 20;

/// The body of the gRPC request.
pub(super) struct RequestStream {
    shared: Arc<Shared>,
    route: Arc<Route>,
    /// The head of the request. The first message is bound from the head and the first line.
    head: Parts,
    content_type: String,
    body: Body,
    decoder: Decoder,
    lines: LineDecoder,
    state: State,
    /// How many bytes were received. `expanded` is the number of decompressed bytes.
    received: u64,
    expanded: u64,
    /// True if the body has ended.
    is_over: bool,
    /// Reports an error to the task of the call, which then cancels the call.
    failed: Option<oneshot::Sender<Failure>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// No message was sent yet.
    Start,
    Going,
    End,
}

impl RequestStream {
    pub(super) fn new(
        shared: Arc<Shared>,
        route: Arc<Route>,
        head: Parts,
        content_type: String,
        body: Body,
        decoder: Decoder,
    ) -> (Self, oneshot::Receiver<Failure>) {
        let (failed, receiver) = oneshot::channel();
        let (options, limit) = (shared.router.options(), shared.settings.max_body);
        let lines = match (options.arrays, options.concatenated) {
            (true, _) => LineDecoder::array(limit),
            (false, true) => LineDecoder::values(limit),
            (false, false) => LineDecoder::new(limit),
        };
        let stream = RequestStream {
            shared,
            route,
            head,
            content_type,
            body,
            decoder,
            lines,
            state: State::Start,
            received: 0,
            expanded: 0,
            is_over: false,
            failed: Some(failed),
        };
        (stream, receiver)
    }

    fn is_raw(&self) -> bool {
        matches!(self.route.body(), route::RequestBody::Raw | route::RequestBody::RawField(_))
    }

    /// Returns a message in a frame of gRPC. The first message includes the fields of path and query.
    fn message(&mut self, body: &[u8]) -> Result<Bytes> {
        let mut out = vec![0; 5];
        let request = Request::new().body(body);
        match self.state {
            State::Start => {
                let uri = &self.head.uri;
                let found = self.shared.router.find(&self.head.method, uri.path())?;
                let request = request.query(uri.query().unwrap_or_default()).content_type(&self.content_type);
                found.bind(&request, &mut out)?;
                self.state = State::Going;
            }
            _ => self.route.bind_next(&self.shared.router.shared_options(), &request, &mut out)?,
        }
        let header = frame_header(out.len() - 5)?;
        out[..5].copy_from_slice(&header);
        Ok(out.into())
    }

    /// Returns the next message of the received lines.
    fn next_line(&mut self) -> Result<Option<Bytes>> {
        match self.lines.next_line()? {
            Some(line) => self.message(&line).map(Some),
            None => Ok(None),
        }
    }

    /// Handles the end of the body. Returns the message of a last line without a line end. Without such a line, returns a
    /// message of the path and the query alone, if no message was sent and they can set fields or the message is raw.
    fn last(&mut self) -> Result<Option<Bytes>> {
        self.state = if self.state == State::Start { State::Start } else { State::Going };
        self.lines.check_end()?;
        if let Some(line) = self.lines.finish() {
            return self.message(&line).map(Some);
        }
        let binds = !self.route.variables.is_empty() || self.head.uri.query().is_some();
        match self.state == State::Start && (binds || self.is_raw()) {
            true => self.message(b"").map(Some),
            false => Ok(None),
        }
    }

    /// Adds a piece of the decompressed body. Returns the next message, if it is complete.
    fn piece(&mut self, piece: &Bytes) -> Result<Option<Bytes>> {
        self.expanded += piece.len() as u64;
        if self.expanded > ANYWAY && self.expanded / EXPANSION > self.received {
            let text = format!(
                "the decompressed body is more than {EXPANSION} times as long as the compressed body"
            );
            return Err(Error::new(Category::TooLarge, text));
        }
        if self.is_raw() {
            return match piece.is_empty() {
                true => Ok(None),
                false => self.message(piece).map(Some),
            };
        }
        self.lines.push(piece);
        self.next_line()
    }

    fn fail(&mut self, error: Error) -> BoxError {
        self.state = State::End;
        let text = error.to_string();
        if let Some(failed) = self.failed.take() {
            // If the receiver is gone, the call has ended.
            let _ = failed.send(error.into());
        }
        text.into()
    }
}

impl Pieces for RequestStream {
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxError>>> {
        if self.state == State::End {
            return Poll::Ready(None);
        }
        let mut message = self.next_line();
        let mut chunks = 0;
        while let Ok(None) = message {
            message = match self.decoder.next() {
                Ok(Some(piece)) => self.piece(&piece),
                Ok(None) if self.is_over => {
                    let last = self.last();
                    self.state = State::End;
                    if let Ok(None) = last {
                        self.failed = None;
                        return Poll::Ready(None);
                    }
                    last
                }
                Ok(None) => match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                    Some(Ok(frame)) => {
                        if let Ok(piece) = frame.into_data() {
                            self.received += piece.len() as u64;
                            self.decoder.push(piece);
                        }
                        Ok(None)
                    }
                    Some(Err(error)) => Err(cut(error)),
                    None => {
                        self.decoder.end();
                        self.is_over = true;
                        Ok(None)
                    }
                },
                Err(error) => Err(error),
            };
            // A few compressed bytes may expand to many bytes without a message. So the task yields from time to time.
            chunks += 1;
            if chunks == TURN && matches!(message, Ok(None)) {
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
        }
        match message {
            Ok(message) => Poll::Ready(message.map(Ok)),
            Err(error) => Poll::Ready(Some(Err(self.fail(error)))),
        }
    }
}

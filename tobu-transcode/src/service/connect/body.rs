//! Converts the envelopes of a Connect request to frames of gRPC, and the messages of a gRPC response to envelopes.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::HeaderMap;
use http_body::Body as _;
use tokio::sync::oneshot;

use super::super::body::Pieces;
use super::super::builder::Settings;
use super::super::compress::{Encoding, decompress, gzip};
use super::super::guard::Guard;
use super::super::observe::Report;
use super::super::read::{collect, cut};
use super::super::reply::Failure;
use super::super::response_stream::{CHUNK, Messages, Next};
use super::super::{Body, BoxError, Shared};
use super::head::Codec;
use super::reply::{COMPRESSED, close_envelope, end};
use super::{from_wire, to_frame};
use crate::code::Code;
use crate::error::{Error, Result};
use crate::route::Route;
use crate::status::Status;
use crate::stream::{Envelope, FrameDecoder};

/// The body of a gRPC request, with the messages in the envelopes of a Connect request.
pub(super) struct RequestEnvelopes {
    shared: Arc<Shared>,
    route: Arc<Route>,
    codec: Codec,
    encoding: Encoding,
    body: Body,
    frames: FrameDecoder,
    is_over: bool,
    /// Reports a bad message to the task of the call, which then cancels the call.
    failed: Option<oneshot::Sender<Failure>>,
}

impl RequestEnvelopes {
    pub(super) fn new(
        shared: &Arc<Shared>,
        route: &Arc<Route>,
        codec: Codec,
        encoding: Encoding,
        body: Body,
    ) -> (Self, oneshot::Receiver<Failure>) {
        let (failed, receiver) = oneshot::channel();
        let envelopes = RequestEnvelopes {
            shared: Arc::clone(shared),
            route: Arc::clone(route),
            codec,
            encoding,
            body,
            frames: FrameDecoder::of_request(shared.settings.max_body),
            is_over: false,
            failed: Some(failed),
        };
        (envelopes, receiver)
    }

    /// Returns the next message in a frame of gRPC, or `None` if its bytes are not yet all received.
    fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        let Some(envelope) = self.frames.next_envelope()? else { return Ok(None) };
        let message = open(envelope, self.encoding, self.shared.settings.max_body)?;
        Ok(Some(to_frame(&self.shared, &self.route, self.codec, &message)?.into()))
    }

    fn poll_frame(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>, Failure>> {
        loop {
            if let Some(frame) = self.next()? {
                return Poll::Ready(Ok(Some(frame)));
            }
            match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                Some(Ok(frame)) => {
                    // Trailers of a request have no meaning.
                    if let Ok(data) = frame.into_data() {
                        self.frames.push(data);
                    }
                }
                Some(Err(error)) => return Poll::Ready(Err(cut(error).into())),
                None => {
                    self.frames.finish().map_err(|_| inside())?;
                    return Poll::Ready(Ok(None));
                }
            }
        }
    }
}

impl Pieces for RequestEnvelopes {
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxError>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        match ready!(self.poll_frame(cx)) {
            Ok(Some(frame)) => Poll::Ready(Some(Ok(frame))),
            Ok(None) => {
                self.is_over = true;
                self.failed = None;
                Poll::Ready(None)
            }
            Err(failure) => {
                self.is_over = true;
                let text = failure.status.message().to_owned();
                if let Some(failed) = self.failed.take() {
                    // If the receiver is gone, the call has ended.
                    let _ = failed.send(failure);
                }
                Poll::Ready(Some(Err(text.into())))
            }
        }
    }
}

/// Reads the only message of a request to a method without client streaming.
///
/// # Errors
/// The request has no message or several, a message is malformed or too long, or the body does not arrive in time.
pub(super) async fn only_message(
    body: Body,
    headers: &HeaderMap,
    encoding: Encoding,
    settings: &Settings,
) -> Result<Bytes, Failure> {
    let body = collect(body, headers, settings.max_body.saturating_add(5), settings.read_timeout).await?;
    let mut frames = FrameDecoder::of_request(settings.max_body);
    frames.push(body);
    let unary = |count: &str| Status::new(Code::Unimplemented, format!("the request has {count} message"));
    match frames.next_envelope()? {
        Some(envelope) => {
            let message = open(envelope, encoding, settings.max_body)?;
            match frames.finish() {
                Ok(()) => Ok(message),
                Err(_) => Err(unary("more than one").into()),
            }
        }
        None => match frames.finish() {
            Ok(()) => Err(unary("no").into()),
            Err(_) => Err(inside().into()),
        },
    }
}

fn inside() -> Error {
    Error::argument("the body ends inside an envelope")
}

/// Returns the message in an envelope of a request. Decompresses the message if the flags say that it is compressed.
///
/// # Errors
/// The flags are not valid in a request, or the message cannot be decompressed.
fn open(envelope: Envelope, encoding: Encoding, limit: usize) -> Result<Bytes, Failure> {
    match envelope.flags {
        0 => Ok(envelope.content),
        COMPRESSED if encoding == Encoding::Identity => {
            let text = "an envelope is compressed, but connect-content-encoding names no compression";
            Err(Status::new(Code::Internal, text).into())
        }
        COMPRESSED => Ok(decompress(envelope.content, encoding, limit)?),
        flags => Err(Error::argument(format!(
            "an envelope of a request has the flags {flags}, but only 0 and 1 are defined"
        ))
        .into()),
    }
}

/// The body of a streaming response. Each message is in an envelope.
pub(super) struct ResponseEnvelopes {
    pub(super) shared: Arc<Shared>,
    pub(super) route: Arc<Route>,
    pub(super) codec: Codec,
    pub(super) gzip: bool,
    pub(super) messages: Messages,
    pub(super) guard: Guard,
    /// The first message or the end of the stream, if it was received before this body was created.
    pub(super) first: Option<Next>,
    pub(super) report: Option<Report>,
    pub(super) is_over: bool,
}

impl ResponseEnvelopes {
    fn next(&mut self, cx: &mut Context<'_>) -> Poll<Result<Next, Failure>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Ok(first));
        }
        let next = self.messages.poll_next(cx);
        match self.guard.poll(cx) {
            Poll::Ready(failure) => Poll::Ready(Err(failure)),
            Poll::Pending => next,
        }
    }

    fn write(&self, message: Bytes, out: &mut Vec<u8>) -> Result<()> {
        let message = from_wire(&self.shared, &self.route, self.codec, message)?;
        let compressed = self.gzip.then(|| gzip(&message)).flatten();
        let (flags, content) = match &compressed {
            Some(compressed) => (COMPRESSED, &compressed[..]),
            None => (0, &message[..]),
        };
        let start = out.len();
        out.extend_from_slice(&[0; 5]);
        out.extend_from_slice(content);
        close_envelope(flags, &mut out[start..]);
        Ok(())
    }

    fn end(&mut self, failure: Option<Failure>, trailers: &HeaderMap, out: &mut Vec<u8>) {
        self.is_over = true;
        let code = failure.as_ref().map_or(Code::Ok, |failure| failure.status.code());
        let status = failure.as_ref().map(|failure| &failure.status);
        out.extend_from_slice(&end(&self.shared, status, trailers));
        if let Some(report) = self.report.take() {
            report.ended(code, failure.as_ref().and_then(Failure::detail));
        }
    }
}

impl Pieces for ResponseEnvelopes {
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxError>>> {
        let mut out = Vec::new();
        while !self.is_over && out.len() < CHUNK {
            let failed = match self.next(cx) {
                Poll::Pending if out.is_empty() => return Poll::Pending,
                Poll::Pending => break,
                Poll::Ready(Ok(Next::Message(message))) => {
                    self.write(message, &mut out).map_err(Failure::from)
                }
                Poll::Ready(Ok(Next::End(trailers))) => {
                    self.end(None, &trailers, &mut out);
                    Ok(())
                }
                Poll::Ready(Err(failure)) => Err(failure),
            };
            if let Err(failure) = failed {
                let [_, trailers] = failure.metadata();
                let trailers = trailers.clone();
                self.end(Some(failure), &trailers, &mut out);
            }
        }
        Poll::Ready((!out.is_empty()).then(|| Ok(out.into())))
    }
}

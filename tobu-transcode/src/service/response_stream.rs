//! Reads the messages of a gRPC response, and creates the body of a response with a stream of messages.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{HeaderMap, HeaderName};
use http_body::Body as _;
use tobu::Projection;

use super::body::Pieces;
use super::compress::{Encoding, by_name, decompress};
use super::guard::Guard;
use super::observe::Report;
use super::reply::Failure;
use super::{Body, BoxError, Shared};
use crate::code::Code;
use crate::error::{Error, Result};
use crate::route::Route;
use crate::status::Status;
use crate::stream::{Begun, FrameDecoder, StreamEncoder};

/// A chunk of the body is sent when it has this size, even if more messages are available.
pub(super) const CHUNK: usize = 64 << 10;

/// The messages of a response.
pub(super) struct Messages {
    body: Body,
    frames: FrameDecoder,
    encoding: Option<Encoding>,
    limit: usize,
    /// The trailers, if they were received while earlier messages are still to be returned.
    trailers: Option<HeaderMap>,
}

/// The next item of a response.
pub(super) enum Next {
    Message(Bytes),
    /// The trailers of a call that succeeded.
    End(HeaderMap),
}

impl Messages {
    pub(super) fn new(body: Body, headers: &HeaderMap, limit: usize) -> Self {
        let encoding = headers.get(HeaderName::from_static("grpc-encoding"));
        let encoding = encoding.map_or(Some(Encoding::Identity), |name| by_name(name.as_bytes()).ok());
        Messages { body, frames: FrameDecoder::new(limit), encoding, limit, trailers: None }
    }

    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Result<Next, Failure>> {
        loop {
            if let Some(message) = self.ready()? {
                return Poll::Ready(Ok(Next::Message(message)));
            }
            if let Some(trailers) = self.trailers.take() {
                return Poll::Ready(self.end(trailers));
            }
            ready!(self.poll_more(cx))?;
        }
    }

    /// Begins a long message of up to `limit` bytes, and returns its compression. [`poll_piece`](Self::poll_piece) then
    /// returns the message in pieces. Returns `None` if the next message is not long, or there is no message.
    pub(super) fn poll_long(
        &mut self,
        limit: usize,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Option<Encoding>, Failure>> {
        loop {
            match (self.frames.begin(CHUNK, limit)?, self.encoding) {
                (Some(Begun::Pieces { compressed: false }), _) => {
                    return Poll::Ready(Ok(Some(Encoding::Identity)));
                }
                (Some(Begun::Pieces { compressed: true }), encoding) => {
                    let known = encoding.filter(|encoding| *encoding != Encoding::Identity);
                    return Poll::Ready(known.map(Some).ok_or_else(|| not_known().into()));
                }
                (Some(Begun::Whole), _) => return Poll::Ready(Ok(None)),
                (None, _) if self.trailers.is_some() => return Poll::Ready(Ok(None)),
                (None, _) => ready!(self.poll_more(cx))?,
            }
        }
    }

    /// Returns the next bytes of a long message, still compressed, or `None` at its end.
    pub(super) fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>, Failure>> {
        loop {
            let piece = self.frames.next_piece();
            if piece.is_some() || !self.frames.is_inside() {
                return Poll::Ready(Ok(piece));
            }
            if let Some(trailers) = self.trailers.take() {
                return Poll::Ready(self.end(trailers).map(|_| None));
            }
            ready!(self.poll_more(cx))?;
        }
    }

    /// Waits for the next frame of the HTTP body.
    fn poll_more(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        let failure = match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
            Some(Ok(frame)) => {
                match frame.into_data() {
                    Ok(data) => self.frames.push(data),
                    Err(frame) => self.trailers = frame.into_trailers().ok(),
                }
                return Poll::Ready(Ok(()));
            }
            None => match self.frames.finish() {
                Ok(()) => {
                    let text = "the response of the service ends without a status";
                    Failure::from(Status::new(Code::Unknown, text))
                }
                Err(error) => error.into(),
            },
            Some(Err(error)) => {
                let status = Status::new(Code::Unavailable, "the response of the service broke off");
                Failure::from(status).caused_by(&*error)
            }
        };
        Poll::Ready(Err(failure))
    }

    /// Returns the next message of the received bytes, if it is complete.
    fn ready(&mut self) -> Result<Option<Bytes>> {
        let Some(frame) = self.frames.next_frame()? else { return Ok(None) };
        match (frame.compressed, self.encoding) {
            (false, _) => Ok(Some(frame.message)),
            (true, Some(encoding)) if encoding != Encoding::Identity => {
                let message = decompress(frame.message, encoding, self.limit);
                message
                    .map(Some)
                    .map_err(|error| Error::response(format!("the response: {error}")).caused_by(error))
            }
            (true, _) => Err(not_known()),
        }
    }

    fn end(&self, trailers: HeaderMap) -> Result<Next, Failure> {
        self.frames.finish()?;
        match Status::from_headers(&trailers) {
            Some(status) if status.code() == Code::Ok => Ok(Next::End(trailers)),
            Some(status) => Err(Failure::from(status).with_metadata(trailers)),
            None => {
                let text = "the response of the service ends without a status";
                Err(Status::new(Code::Unknown, text).into())
            }
        }
    }
}

fn not_known() -> Error {
    Error::response("the response has an unknown compression")
}

/// The body of a response with a stream of messages.
pub(super) struct ResponseStream {
    shared: Arc<Shared>,
    route: Arc<Route>,
    /// The selected fields of the messages.
    fields: Option<Projection>,
    messages: Messages,
    guard: Guard,
    /// The item that was read before the body began.
    first: Option<Next>,
    /// The encoder of JSON, or `None` for raw bytes.
    encoder: Option<StreamEncoder>,
    scratch: Vec<u8>,
    is_over: bool,
    report: Option<Report>,
}

impl ResponseStream {
    pub(super) fn new(
        shared: Arc<Shared>,
        (route, fields): (Arc<Route>, Option<Projection>),
        messages: Messages,
        guard: Guard,
        first: Next,
        encoder: Option<StreamEncoder>,
        report: Option<Report>,
    ) -> Self {
        let scratch = Vec::new();
        ResponseStream {
            shared,
            route,
            fields,
            messages,
            guard,
            first: Some(first),
            encoder,
            scratch,
            is_over: false,
            report,
        }
    }

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

    /// Appends a message. Fails if the message is not valid.
    fn write(&mut self, message: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let (options, fields) = (self.shared.router.options(), self.fields.as_ref());
        match &mut self.encoder {
            None => self.route.respond_fields(options, fields, message, out).map(drop),
            Some(encoder) => {
                self.scratch.clear();
                self.route.respond_fields(options, fields, message, &mut self.scratch)?;
                encoder.value(&self.scratch, out);
                Ok(())
            }
        }
    }

    fn end(&mut self, code: Code, detail: Option<&str>) {
        self.is_over = true;
        if let Some(report) = self.report.take() {
            report.ended(code, detail);
        }
    }

    /// Ends a stream that failed: appends a last element with the status. A stream of raw bytes has no place for a status, so
    /// it ends with an error.
    fn fail(&mut self, failure: &Failure, out: &mut Vec<u8>) -> Result<(), BoxError> {
        self.end(failure.status.code(), failure.detail());
        match &mut self.encoder {
            Some(encoder) => {
                encoder.error(&failure.status.to_json(&self.shared.router.options().response), out);
                Ok(())
            }
            None => Err(failure.status.message().into()),
        }
    }
}

impl Pieces for ResponseStream {
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxError>>> {
        let mut out = Vec::new();
        while !self.is_over && out.len() < CHUNK {
            let failed = match self.next(cx) {
                Poll::Pending if out.is_empty() => return Poll::Pending,
                Poll::Pending => break,
                Poll::Ready(Ok(Next::Message(message))) => {
                    self.write(&message, &mut out).map_err(Failure::from)
                }
                Poll::Ready(Ok(Next::End(_))) => {
                    self.end(Code::Ok, None);
                    self.encoder.iter_mut().for_each(|encoder| encoder.finish(&mut out));
                    Ok(())
                }
                Poll::Ready(Err(failure)) => Err(failure),
            };
            if let Err(failure) = failed
                && let Err(error) = self.fail(&failure, &mut out)
            {
                return Poll::Ready(Some(Err(error)));
            }
        }
        Poll::Ready((!out.is_empty()).then(|| Ok(out.into())))
    }
}

//! Forwards gRPC calls unchanged, and ends them at their deadlines. Reports to the observer how they end.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Request, Response};
use http_body::{Body as _, Frame, SizeHint};
use tokio::time::Instant;
use tower_service::Service;

use super::call::is_grpc;
use super::guard::Guard;
use super::observe::Report;
use super::{Body, BoxError, Shared};
use crate::code::Code;
use crate::metadata::request_timeout;
use crate::status::Status;

/// Forwards a call. `start` is the time at which the call was received. A server around this service, and the channel to the
/// inner service, may also have timers for the deadline of the call. The answer of the server would not fit gRPC-Web, and the
/// channel would report an error of the connection. Therefore the timer of this function expires earlier.
///
/// # Errors
/// The inner service fails.
pub(super) async fn call<S, R>(
    shared: &Arc<Shared>,
    inner: &mut S,
    request: Request<Body>,
    start: Instant,
) -> Result<Response<Body>, S::Error>
where
    S: Service<Request<Body>, Response = Response<R>>,
    R: http_body::Body + Send + 'static,
    R::Data: Send,
    R::Error: Into<BoxError>,
{
    // If the timeout is malformed, the inner service reports it.
    let timeout = request_timeout(request.headers()).unwrap_or_default();
    let report = shared.settings.is_observed().then(|| report(shared, &request, start));
    let response = match Guard::new(start, timeout).run(inner.call(request)).await {
        Ok(Ok(response)) => response.map(Body::new),
        Ok(Err(error)) => {
            if let Some(report) = report {
                report.ended(Code::Unavailable, None);
            }
            return Err(error);
        }
        Err(_) => late(),
    };
    // Without an observer, the body needs no second box.
    Ok(match report {
        Some(report) => watched(report, response),
        None => response,
    })
}

/// Returns the response of a call whose deadline has passed.
fn late() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    headers.insert("grpc-status", Code::DeadlineExceeded.number().into());
    let message = HeaderValue::from_static("the%20deadline%20of%20the%20call%20has%20passed");
    headers.insert("grpc-message", message);
    response
}

fn watched(report: Report, response: Response<Body>) -> Response<Body> {
    report.answered(response.status());
    let code = match Status::from_headers(response.headers()) {
        Some(status) => status.code(),
        None if !is_grpc(response.headers()) => Code::from_http_status(response.status()),
        None => {
            let (head, body) = response.into_parts();
            let mut watched = Watched { body, report: Some(report) };
            watched.end_without_status();
            return Response::from_parts(head, Body::new(watched));
        }
    };
    report.ended(code, None);
    response
}

/// Reports a call that is not forwarded, and returns `response`.
pub(super) fn refuse(
    shared: &Arc<Shared>,
    request: &Request<Body>,
    start: Instant,
    response: Response<Body>,
) -> Response<Body> {
    let report = report(shared, request, start);
    report.answered(response.status());
    report.ended(Code::from_http_status(response.status()), None);
    response
}

fn report(shared: &Arc<Shared>, request: &Request<Body>, start: Instant) -> Report {
    let id = shared.settings.request_id(request.headers());
    Report::new(shared, request.method(), id, shared.connect.method(request.uri().path()), start)
}

/// The body of a response. It reads from the trailers how the call ended, and reports it.
struct Watched {
    body: Body,
    report: Option<Report>,
}

impl Watched {
    fn end(&mut self, code: Code, detail: Option<&str>) {
        if let Some(report) = self.report.take() {
            report.ended(code, detail);
        }
    }

    /// Reports the end of a call if the body has ended, because then nobody polls for trailers.
    fn end_without_status(&mut self) {
        if self.body.is_end_stream() {
            self.end(Code::Unknown, Some("the response of the service ends without a status"));
        }
    }
}

impl http_body::Body for Watched {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        match &frame {
            Some(Ok(frame)) => match frame.trailers_ref() {
                Some(trailers) => {
                    let status = Status::from_headers(trailers);
                    self.end(status.map_or(Code::Unknown, |status| status.code()), None);
                }
                None => self.end_without_status(),
            },
            Some(Err(error)) => self.end(Code::Unavailable, Some(&error.to_string())),
            None => self.end(Code::Unknown, Some("the response of the service ends without a status")),
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

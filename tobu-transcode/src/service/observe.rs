//! Observers of requests.

use std::sync::Arc;
use std::time::Duration;

use http::{HeaderValue, Method, StatusCode};
use tokio::time::Instant;

use super::{Shared, Transcoder};
use crate::code::Code;
use crate::error::{Error, Result};
use crate::route::Route;

/// Observes requests and changes of the rules, for example for metrics. The layer calls an observer for every request that the
/// layer transcodes, rejects, or forwards as a gRPC call. The layer does not call it for other requests that the inner service
/// answers, for requests for the OpenAPI document and its page, and for preflight requests of CORS.
pub trait Observer: Send + Sync {
    /// Receives the outcome of a request when the head of the response is known. In a stream, messages may follow.
    fn answered(&self, outcome: &Outcome<'_>);

    /// Receives the end of a call, once for every request and after [`answered`](Self::answered). A stream ends after its
    /// last message. If the client canceled the call, the code is `CANCELLED`. If the call was canceled, or if it is a
    /// forwarded gRPC call on which the inner service fails, `answered` may not have been called.
    fn ended(&self, ending: &Ending<'_>) {
        let _ = ending;
    }

    /// Receives the transcoder with new rules, or the error because of which the rules stay unchanged. Only
    /// [`Live`](super::Live) calls this function.
    fn reloaded(&self, outcome: Result<&Transcoder, &Error>) {
        let _ = outcome;
    }
}

/// The outcome of a request.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Outcome<'a> {
    /// The HTTP method of the request.
    pub http_method: &'a Method,
    /// The route. `None` if the request was rejected before a route was found, or is a gRPC call of an unknown method.
    pub route: Option<&'a Route>,
    /// The ID of the request. `None` without [`RequestId`](super::RequestId).
    pub request_id: Option<&'a str>,
    /// The status of the response.
    pub status: StatusCode,
    /// The time from the start of the request to the head of the response.
    pub elapsed: Duration,
}

/// The end of a call.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Ending<'a> {
    /// The HTTP method of the request.
    pub http_method: &'a Method,
    /// The route. `None` if the request was rejected before a route was found, or is a gRPC call of an unknown method.
    pub route: Option<&'a Route>,
    /// The ID of the request. `None` without [`RequestId`](super::RequestId).
    pub request_id: Option<&'a str>,
    /// The code with which the call ended.
    pub code: Code,
    /// The time from the start of the request to the end of the call.
    pub elapsed: Duration,
    /// The cause of a failure that is hidden from the client: an error of a connection or a decoder, or an invalid message
    /// of the service. The cause is also logged.
    pub detail: Option<&'a str>,
}

/// Reports one request to the observer. If a report is dropped before `ended` is called, it reports that the request was
/// canceled.
pub(super) struct Report {
    shared: Arc<Shared>,
    http_method: Method,
    id: Option<HeaderValue>,
    route: Option<Arc<Route>>,
    start: Instant,
    code: Code,
    detail: Option<String>,
}

impl Report {
    pub(super) fn new(
        shared: &Arc<Shared>,
        http_method: &Method,
        id: Option<HeaderValue>,
        route: Option<&Arc<Route>>,
        start: Instant,
    ) -> Self {
        Report {
            shared: Arc::clone(shared),
            http_method: http_method.clone(),
            id,
            route: route.cloned(),
            start,
            code: Code::Cancelled,
            detail: None,
        }
    }

    fn id(&self) -> Option<&str> {
        self.id.as_ref().and_then(|id| id.to_str().ok())
    }

    pub(super) fn answered(&self, status: StatusCode) {
        self.shared.settings.observe(|observer| {
            observer.answered(&Outcome {
                http_method: &self.http_method,
                route: self.route.as_deref(),
                request_id: self.id(),
                status,
                elapsed: self.start.elapsed(),
            });
        });
    }

    pub(super) fn ended(mut self, code: Code, detail: Option<&str>) {
        let request_id = self.id();
        match detail {
            Some(detail) if code.http_status().is_server_error() => {
                tracing::warn!(?code, detail, request_id, "a call failed")
            }
            Some(detail) => tracing::debug!(?code, detail, request_id, "a request failed"),
            None => {}
        }
        self.code = code;
        self.detail = detail.map(str::to_owned);
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        self.shared.settings.observe(|observer| {
            observer.ended(&Ending {
                http_method: &self.http_method,
                route: self.route.as_deref(),
                request_id: self.id(),
                code: self.code,
                elapsed: self.start.elapsed(),
                detail: self.detail.as_deref(),
            });
        });
    }
}

//! Observers of requests.

use std::sync::Arc;
use std::time::Duration;

use http::{Method, StatusCode};
use tokio::time::Instant;

use super::{Shared, Transcoder};
use crate::code::Code;
use crate::error::{Error, Result};
use crate::route::Route;

/// Is called for metrics: for every request that is transcoded, rejected, or forwarded as a call of gRPC, and for changes of
/// the rules. Other requests without a rule belong to the service behind.
pub trait Observer: Send + Sync {
    /// The head of a response is known: of a stream, more may follow.
    fn answered(&self, outcome: &Outcome<'_>);

    /// A call has ended: called once for every request, after [`answered`](Self::answered); for a stream after its last
    /// message. A call that the client canceled is `CANCELLED`. That one may have had no answer, and neither has a call of gRPC
    /// on which the service behind fails.
    fn ended(&self, ending: &Ending<'_>) {
        let _ = ending;
    }

    /// The rules have changed, or are unchanged because of this error: called only by
    /// [`Live`](super::Live).
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
    /// The route; `None` if the request was rejected before one was found, or calls an unknown method by gRPC.
    pub route: Option<&'a Route>,
    /// The status of the response.
    pub status: StatusCode,
    /// How long it took.
    pub elapsed: Duration,
}

/// How a call ended.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Ending<'a> {
    /// The HTTP method of the request.
    pub http_method: &'a Method,
    /// The route; `None` if the request was rejected before one was found, or calls an unknown method by gRPC.
    pub route: Option<&'a Route>,
    /// The code that the call ended with.
    pub code: Code,
    /// How long it took, to the end.
    pub elapsed: Duration,
    /// The cause that is hidden from the client: the error of a connection, a decoder or a message of the service. It
    /// is logged, too.
    pub detail: Option<&'a str>,
}

/// Reports one request to the observer. If it is dropped without an ending, the request was
/// canceled.
pub(super) struct Report {
    shared: Arc<Shared>,
    http_method: Method,
    route: Option<Arc<Route>>,
    start: Instant,
    code: Code,
    detail: Option<String>,
}

impl Report {
    pub(super) fn new(
        shared: &Arc<Shared>,
        http_method: &Method,
        route: Option<&Arc<Route>>,
        start: Instant,
    ) -> Self {
        Report {
            shared: Arc::clone(shared),
            http_method: http_method.clone(),
            route: route.cloned(),
            start,
            code: Code::Cancelled,
            detail: None,
        }
    }

    pub(super) fn answered(&self, status: StatusCode) {
        self.shared.settings.observe(|observer| {
            observer.answered(&Outcome {
                http_method: &self.http_method,
                route: self.route.as_deref(),
                status,
                elapsed: self.start.elapsed(),
            });
        });
    }

    pub(super) fn ended(mut self, code: Code, detail: Option<&str>) {
        match detail {
            Some(detail) if code.http_status().is_server_error() => {
                tracing::warn!(?code, detail, "a call failed")
            }
            Some(detail) => tracing::debug!(?code, detail, "a request failed"),
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
                code: self.code,
                elapsed: self.start.elapsed(),
                detail: self.detail.as_deref(),
            });
        });
    }
}

//! Whom to tell of requests.

use std::sync::Arc;
use std::time::Duration;

use http::{Method, StatusCode};
use tokio::time::Instant;

use super::{Shared, Transcoder};
use crate::code::Code;
use crate::error::{Error, Result};
use crate::route::Route;

/// Is told of every request that is transcoded or turned down, for metrics, and of changes of the rules.
pub trait Observer: Send + Sync {
    /// The head of a response is known: of a stream, more may follow.
    fn answered(&self, outcome: &Outcome<'_>);

    /// A call is over: told once for every request, after [`answered`](Self::answered), of a stream when its last message
    /// was handed on. A call that the client gave up is `CANCELLED`, and may have had no answer.
    fn ended(&self, ending: &Ending<'_>) {
        let _ = ending;
    }

    /// The rules have changed, or stay as they were for this reason: told by [`Live`](super::Live) alone.
    fn reloaded(&self, outcome: Result<&Transcoder, &Error>) {
        let _ = outcome;
    }
}

/// What became of a request.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Outcome<'a> {
    /// The HTTP method of the request.
    pub http_method: &'a Method,
    /// The route; none where the request was turned down before there was one.
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
    /// The route; none where the request was turned down before there was one.
    pub route: Option<&'a Route>,
    /// The code that the call ended with.
    pub code: Code,
    /// How long it took, to the end.
    pub elapsed: Duration,
    /// What is behind the code where the client is not told: what a connection, a decoder or a message of the service failed with.
    /// It is a line in the log, too.
    pub detail: Option<&'a str>,
}

/// Tells the observer of one request. Where nobody tells how it ended, it was given up.
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

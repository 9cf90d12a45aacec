//! Whom to tell of requests.

use std::time::Duration;

use http::{Method, StatusCode};

use crate::route::Route;

/// Is told of every request that was transcoded or turned down, for metrics.
pub trait Observer: Send + Sync {
    /// The head of a response is known: of a stream, more may follow.
    fn answered(&self, outcome: &Outcome<'_>);
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

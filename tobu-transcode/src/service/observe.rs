//! Whom to tell of requests.

use std::time::Duration;

use http::{Method, StatusCode};

use super::Transcoder;
use crate::error::{Error, Result};
use crate::route::Route;

/// Is told of every request that was transcoded or turned down, for metrics, and of changes of the rules.
pub trait Observer: Send + Sync {
    /// The head of a response is known: of a stream, more may follow.
    fn answered(&self, outcome: &Outcome<'_>);

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

//! Stores the error because of which a request was not sent.

use std::sync::{Arc, OnceLock};

use tonic::Status;

/// The place where the encoder of a client stores its error.
///
/// If the body of a request fails, the call ends with an error of the transport. That error does not say why the body
/// failed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failure(Arc<OnceLock<Status>>);

impl Failure {
    /// Stores an error, unless an error is already stored.
    pub(super) fn note(&self, status: &Status) {
        let _ = self.0.set(status.clone());
    }

    /// Returns the error of the encoder. If the encoder did not fail, returns `status`, with which the call ended.
    pub(crate) fn or(&self, status: Status) -> Status {
        self.0.get().cloned().unwrap_or(status)
    }
}

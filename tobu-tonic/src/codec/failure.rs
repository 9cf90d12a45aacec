//! Why a request was not sent.

use std::sync::{Arc, OnceLock};

use tonic::Status;

/// Where the encoder of a client leaves its error.
///
/// A body that fails ends a call with an error of the transport, which does not say why.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failure(Arc<OnceLock<Status>>);

impl Failure {
    /// Remembers the first error.
    pub(super) fn note(&self, status: &Status) {
        let _ = self.0.set(status.clone());
    }

    /// The error of the encoder, or else the one that the call ended with.
    pub(crate) fn or(&self, status: Status) -> Status {
        self.0.get().cloned().unwrap_or(status)
    }
}

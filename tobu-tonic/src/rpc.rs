//! The messages of `google.rpc`, as details of tonic's [`Status`](tonic::Status).
//!
//! This module re-exports the messages of [`tobu::rpc`]. [`StatusExt`] adds them to a status of tonic and reads them from a
//! status. So a server can send more about an error than a code and a text, and the client can read it:
//!
//! ```
//! use tobu_tonic::rpc::{BadRequest, StatusExt};
//! use tonic::{Code, Status};
//!
//! // In the server.
//! let wrong = BadRequest::new([("title", "it is empty")]);
//! let status = Status::with_error_details(Code::InvalidArgument, "no title", [wrong]);
//!
//! // In the client.
//! let details = status.error_details()?;
//! for violation in details.bad_request().map_or(&[][..], |request| &request.field_violations) {
//!     assert_eq!((violation.field.as_str(), violation.description.as_str()), ("title", "it is empty"));
//! }
//! # assert!(details.bad_request().is_some());
//! # Ok::<(), tobu::Error>(())
//! ```
//!
//! The details are sent as an encoded `google.rpc.Status` in the trailer `grpc-status-details-bin`, as in other
//! implementations of gRPC.
//!
//! To convert between [`Code`] and [`tonic::Code`], use their numbers: both implement `From<i32>`, and `i32::from` returns
//! their number.
//!
//! This module is in layer 0 of the crate: it uses no other module of the crate.

use std::sync::Arc;

use bytes::Bytes;
#[doc(no_inline)]
pub use tobu::rpc::{
    BadRequest, Code, DebugInfo, Detail, ErrorDetails, ErrorInfo, Help, LocalizedMessage,
    PreconditionFailure, QuotaFailure, RequestInfo, ResourceInfo, RetryInfo, Status, bad_request, help,
    precondition_failure, quota_failure,
};

/// Adds details to a [`tonic::Status`], and reads them.
///
/// Only [`tonic::Status`] implements this trait.
pub trait StatusExt: sealed::Sealed + Sized {
    /// Creates a status with details.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tobu_tonic::rpc::{ErrorDetails, ErrorInfo, RetryInfo, StatusExt};
    /// use tonic::{Code, Status};
    ///
    /// // Details of one type as an array, of several types one after the other.
    /// let details = ErrorDetails::new()
    ///     .with(ErrorInfo::new("ON_LOAN", "library.example.com"))
    ///     .with(RetryInfo::new(Duration::from_secs(3600)));
    /// let status = Status::with_error_details(Code::Unavailable, "the book is on loan", details);
    /// assert_eq!(status.error_details()?.error_info().unwrap().reason, "ON_LOAN");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// If the details are longer than 2 GiB, they cannot be encoded, and the status has none.
    fn with_error_details(
        code: tonic::Code,
        message: impl Into<String>,
        details: impl IntoIterator<Item: Into<Detail>>,
    ) -> Self {
        Self::from_rpc(Status::new(Code::from(i32::from(code)), message).with_details(details))
    }

    /// Returns the details. If the call ended without details, the result is empty.
    ///
    /// ```
    /// use tobu_tonic::rpc::StatusExt;
    /// use tonic::{Code, Status};
    ///
    /// assert_eq!(Status::not_found("no such book").error_details()?.iter().count(), 0);
    ///
    /// let status = Status::with_details(Code::NotFound, "no such book", b"\x80"[..].into());
    /// let error = status.error_details().unwrap_err();
    /// assert_eq!(error.to_string(), "google.rpc.Status: input ends inside a varint (at byte 0)");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`to_rpc`](Self::to_rpc) fails, or a detail of a type in this module is malformed. The code and the text of the
    /// status are still readable.
    fn error_details(&self) -> tobu::Result<ErrorDetails> {
        self.to_rpc()?.error_details()
    }

    /// Converts a `google.rpc.Status` and its details to a status of tonic. A code that [`tonic::Code`] does not have is
    /// converted to [`tonic::Code::Unknown`].
    ///
    /// ```
    /// use tobu_tonic::rpc::{self, RequestInfo, StatusExt};
    ///
    /// let status = rpc::Status::new(rpc::Code::INTERNAL, "sorry").with_details([RequestInfo::new("r-17", "")]);
    /// let status = tonic::Status::from_rpc(status);
    /// assert_eq!((status.code(), status.message()), (tonic::Code::Internal, "sorry"));
    /// assert_eq!(status.error_details()?.request_info().unwrap().request_id, "r-17");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// If the details are longer than 2 GiB, they cannot be encoded, and the status has none.
    fn from_rpc(status: Status) -> Self;

    /// Converts the status to a `google.rpc.Status`. The code and the text are those of this status, even if the encoded
    /// `google.rpc.Status` with the details has others. The details in the member `details` are not decoded.
    ///
    /// ```
    /// use tobu_tonic::rpc::{self, StatusExt};
    ///
    /// let status = tonic::Status::not_found("no such book").to_rpc()?;
    /// assert_eq!(status, rpc::Status::new(rpc::Code::NOT_FOUND, "no such book"));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The details of the status are not an encoded `google.rpc.Status`.
    fn to_rpc(&self) -> tobu::Result<Status>;

    /// Converts an error of tobu to the status that a server sends if it cannot decode or parse a message of a client. The
    /// status tells the client where its message is wrong, and nothing about the program. The implementation of
    /// `From<&tobu::Error>` for [`Status`] has a table of the codes. The source of the status is the error, for logs.
    ///
    /// ```
    /// # use tobu::types::Struct;
    /// use tobu_tonic::rpc::StatusExt;
    /// use tonic::Status;
    ///
    /// fn read(settings: &str) -> Result<Struct, Status> {
    ///     tobu::json::from_str(settings).map_err(Status::from_tobu)
    /// }
    ///
    /// let status = read(r#"{"theme":}"#).unwrap_err();
    /// assert_eq!(status.code(), tonic::Code::InvalidArgument);
    /// assert_eq!(status.error_details()?.bad_request().unwrap().field_violations[0].field, r#"fields["theme"]"#);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    fn from_tobu(error: tobu::Error) -> Self;
}

impl StatusExt for tonic::Status {
    fn from_rpc(status: Status) -> Self {
        // A status without details does not need the trailer.
        let details = match status.details.is_empty() {
            true => Bytes::new(),
            false => tobu::to_vec(&status).unwrap_or_default().into(),
        };
        tonic::Status::with_details(tonic::Code::from(status.code), status.message, details)
    }

    fn to_rpc(&self) -> tobu::Result<Status> {
        let status: Status = tobu::from_slice(self.details())?;
        Ok(Status { code: self.code().into(), message: self.message().to_owned(), ..status })
    }

    fn from_tobu(error: tobu::Error) -> Self {
        let mut status = Self::from_rpc(Status::from(&error));
        status.set_source(Arc::new(error));
        status
    }
}

mod sealed {
    pub trait Sealed {}

    impl Sealed for tonic::Status {}
}

//! The messages of `google.rpc`, and the details that tonic's [`Status`](tonic::Status) carries.
//!
//! The messages are those of [`tobu::rpc`], under its names. [`StatusExt`] puts them into a status of tonic and takes them
//! out, so that client and server see more of an error than a code and a text:
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
//! The details travel as an encoded `google.rpc.Status` in the trailer `grpc-status-details-bin`, as other implementations
//! of gRPC have them.
//!
//! [`Code`] and [`tonic::Code`] are both `From<i32>`, and give their number by `i32::from`.
//!
//! Layer 0 of the crate: names nothing else in it.

use std::sync::Arc;

use bytes::Bytes;
#[doc(no_inline)]
pub use tobu::rpc::{
    BadRequest, Code, DebugInfo, Detail, ErrorDetails, ErrorInfo, Help, LocalizedMessage,
    PreconditionFailure, QuotaFailure, RequestInfo, ResourceInfo, RetryInfo, Status, bad_request, help,
    precondition_failure, quota_failure,
};

/// What a [`tonic::Status`] can do with details.
///
/// It is implemented for [`tonic::Status`] alone.
pub trait StatusExt: sealed::Sealed + Sized {
    /// A status with details.
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
    /// Details of more than 2 GiB, which cannot be encoded, are left out.
    fn with_error_details(
        code: tonic::Code,
        message: impl Into<String>,
        details: impl IntoIterator<Item: Into<Detail>>,
    ) -> Self {
        Self::from_rpc(Status::new(Code::from(i32::from(code)), message).with_details(details))
    }

    /// The details; none where the call ended with none.
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
    /// As [`to_rpc`](Self::to_rpc), or a detail of a usual type is malformed. Code and text of the status are there still.
    fn error_details(&self) -> tobu::Result<ErrorDetails> {
        self.to_rpc()?.error_details()
    }

    /// The status that a `google.rpc.Status` is, with its details. A number that is none of [`tonic::Code`] becomes
    /// [`tonic::Code::Unknown`].
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
    /// Details of more than 2 GiB, which cannot be encoded, are left out.
    fn from_rpc(status: Status) -> Self;

    /// The status as a `google.rpc.Status`: with the code and the text that the call ended with, whatever those beside
    /// the details are. Its member `details` has them undecoded.
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
    /// What came as details is no `google.rpc.Status`.
    fn to_rpc(&self) -> tobu::Result<Status>;

    /// What a server answers to a client whose message cannot be read. The client learns where its message is wrong, and
    /// nothing of the program; `From<&tobu::Error>` of [`Status`] has a table. The error is the source of the status, for
    /// logs.
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
        // A status without details has no trailer for them.
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

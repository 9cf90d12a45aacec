//! The status of a call and the details of its error: the messages of `google.rpc`. This module needs the feature
//! `rpc`.
//!
//! gRPC sends a [`Code`] and a text with each error, and an encoded [`Status`] if there are details. Details are messages of
//! any type. [`Detail`] has a variant for each message type of `google/rpc/error_details.proto`.
//!
//! ```
//! use std::time::Duration;
//! use tobu::rpc::{BadRequest, Code, ErrorDetails, RetryInfo, Status};
//!
//! let details = ErrorDetails::new()
//!     .with(BadRequest::new([("title", "it is empty"), ("pages", "it is negative")]))
//!     .with(RetryInfo::new(Duration::from_secs(5)));
//! let status = Status::new(Code::INVALID_ARGUMENT, "no such book can be").with_details(details);
//!
//! let bytes = tobu::to_vec(&status)?;
//! let status: Status = tobu::from_slice(&bytes)?;
//! let details = status.error_details()?;
//! assert_eq!(details.bad_request().unwrap().field_violations[1].field, "pages");
//! assert_eq!(details.retry_info().unwrap().delay(), Some(Duration::from_secs(5)));
//! # Ok::<(), tobu::Error>(())
//! ```
//!
//! The types have the schemas of Google's files, so generated code can use these types instead of its own:
//! `tobu_build::Config::extern_path(".google.rpc", "::tobu::rpc")`.
//!
//! Reference: <https://google.aip.dev/193>.

mod messages;
mod status;

/// The output of `tobu-build` for `proto/`. The golden tests of `tobu-build` compare this output.
mod generated {
    include!("generated.rs");
}

pub use generated::google::rpc::{
    BadRequest, Code, DebugInfo, ErrorInfo, Help, LocalizedMessage, PreconditionFailure, QuotaFailure,
    RequestInfo, ResourceInfo, RetryInfo, Status, bad_request, help, precondition_failure, quota_failure,
};
pub use status::Detail;
pub use status::ErrorDetails;

/// The files of `google/rpc/`, in the form in which `tobu-build` embeds them in generated code.
pub mod files {
    pub use super::generated::{
        FILE_GOOGLE_RPC_CODE as CODE, FILE_GOOGLE_RPC_ERROR_DETAILS as ERROR_DETAILS,
        FILE_GOOGLE_RPC_STATUS as STATUS,
    };
}

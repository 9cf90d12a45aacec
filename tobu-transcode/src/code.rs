//! The codes of gRPC, and the HTTP statuses that correspond to them.
//!
//! This file is in layer 0 (see DESIGN.md). Specification:
//! <https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto>.

use http::StatusCode;
use tobu::rpc;

/// A status code of gRPC: one of the values that `google.rpc.Code` declares.
///
/// `From` converts a code to and from an `i32`, a `tobu::rpc::Code` and, with the feature `remote`, a `tonic::Code`.
///
/// ```
/// use tobu_transcode::{Code, rpc};
///
/// assert_eq!(i32::from(Code::NotFound), 5);
/// assert_eq!(Code::from(rpc::Code::NOT_FOUND), Code::NotFound);
/// assert_eq!(Code::from(99), Code::Unknown);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Code {
    /// Not an error.
    Ok = 0,
    /// The caller canceled the call.
    Cancelled = 1,
    /// The error has no known code.
    Unknown = 2,
    /// The request is wrong, whatever state the system is in.
    InvalidArgument = 3,
    /// The deadline passed.
    DeadlineExceeded = 4,
    /// The requested entity does not exist.
    NotFound = 5,
    /// The entity that the request wants to create exists already.
    AlreadyExists = 6,
    /// The caller does not have the permission for the operation.
    PermissionDenied = 7,
    /// A resource or a quota is exhausted.
    ResourceExhausted = 8,
    /// The system is not in the state that the operation needs.
    FailedPrecondition = 9,
    /// The operation was aborted because of a conflict with another operation.
    Aborted = 10,
    /// The operation went past the valid range.
    OutOfRange = 11,
    /// The server does not implement the operation.
    Unimplemented = 12,
    /// An invariant of the system is broken.
    Internal = 13,
    /// The service is not available. A retry may help.
    Unavailable = 14,
    /// Data is lost.
    DataLoss = 15,
    /// The caller is not known.
    Unauthenticated = 16,
}

impl Code {
    /// Returns the code with this number, or [`Code::Unknown`] if `google.rpc.Code` does not declare the number.
    pub fn from_number(number: i32) -> Self {
        match number {
            0 => Code::Ok,
            1 => Code::Cancelled,
            3 => Code::InvalidArgument,
            4 => Code::DeadlineExceeded,
            5 => Code::NotFound,
            6 => Code::AlreadyExists,
            7 => Code::PermissionDenied,
            8 => Code::ResourceExhausted,
            9 => Code::FailedPrecondition,
            10 => Code::Aborted,
            11 => Code::OutOfRange,
            12 => Code::Unimplemented,
            13 => Code::Internal,
            14 => Code::Unavailable,
            15 => Code::DataLoss,
            16 => Code::Unauthenticated,
            _ => Code::Unknown,
        }
    }

    /// Returns the number of the code.
    pub fn number(self) -> i32 {
        self as i32
    }

    /// Returns the HTTP status that corresponds to the code.
    ///
    /// ```
    /// use tobu_transcode::Code;
    ///
    /// assert_eq!(Code::NotFound.http_status(), 404);
    /// assert_eq!(Code::Cancelled.http_status(), 499);
    /// ```
    pub fn http_status(self) -> StatusCode {
        let status = match self {
            Code::Ok => 200,
            Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange => 400,
            Code::Unauthenticated => 401,
            Code::PermissionDenied => 403,
            Code::NotFound => 404,
            Code::Aborted | Code::AlreadyExists => 409,
            Code::ResourceExhausted => 429,
            Code::Cancelled => 499,
            Code::DataLoss | Code::Unknown | Code::Internal => 500,
            Code::Unimplemented => 501,
            Code::Unavailable => 503,
            Code::DeadlineExceeded => 504,
        };
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Returns the code that corresponds to the HTTP status of a response that is not a gRPC response.
    ///
    /// Specification: <https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md>.
    pub fn from_http_status(status: StatusCode) -> Self {
        match status.as_u16() {
            400 => Code::Internal,
            401 => Code::Unauthenticated,
            403 => Code::PermissionDenied,
            404 => Code::Unimplemented,
            429 | 502 | 503 | 504 => Code::Unavailable,
            _ => Code::Unknown,
        }
    }
}

/// Converts a number that `google.rpc.Code` does not declare to [`Code::Unknown`].
impl From<i32> for Code {
    fn from(number: i32) -> Self {
        Code::from_number(number)
    }
}

impl From<Code> for i32 {
    fn from(code: Code) -> Self {
        code.number()
    }
}

/// Converts a number that `google.rpc.Code` does not declare to [`Code::Unknown`].
impl From<rpc::Code> for Code {
    fn from(code: rpc::Code) -> Self {
        Code::from_number(code.0)
    }
}

impl From<Code> for rpc::Code {
    fn from(code: Code) -> Self {
        rpc::Code(code.number())
    }
}

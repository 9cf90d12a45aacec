//! `google.rpc.Status`: a code, a text, and details.

use std::{slice, vec};

use serde::Serialize;

use crate::error::{Category, Error, Result};
use crate::message::{Message, MessageName};
use crate::rpc::{
    BadRequest, Code, DebugInfo, ErrorInfo, Help, LocalizedMessage, PreconditionFailure, QuotaFailure,
    RequestInfo, ResourceInfo, RetryInfo, Status,
};
use crate::types::Any;

impl Status {
    /// Creates a status without details.
    ///
    /// ```
    /// use tobu::rpc::{Code, Status};
    ///
    /// let status = Status::new(Code::NOT_FOUND, "no such book");
    /// assert_eq!(tobu::to_vec(&status)?, b"\x08\x05\x12\x0cno such book");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Status { code: code.into(), message: message.into(), ..Status::default() }
    }

    /// Returns the code. A number that `google.rpc.Code` does not have is kept.
    ///
    /// ```
    /// use tobu::rpc::{Code, Status};
    ///
    /// assert_eq!(Status::new(Code::NOT_FOUND, "").code(), Code::NOT_FOUND);
    /// assert_eq!(Code::NOT_FOUND.to_string(), "NOT_FOUND");
    /// ```
    pub fn code(&self) -> Code {
        Code::from(self.code)
    }

    /// Adds details.
    ///
    /// ```
    /// use tobu::rpc::{BadRequest, Code, Status};
    ///
    /// let wrong = BadRequest::new([("title", "it is empty")]);
    /// let status = Status::new(Code::INVALID_ARGUMENT, "no title").with_details([wrong]);
    /// assert_eq!(status.details[0].type_url, "type.googleapis.com/google.rpc.BadRequest");
    /// ```
    #[must_use]
    pub fn with_details(mut self, details: impl IntoIterator<Item: Into<Detail>>) -> Self {
        self.details.extend(details.into_iter().map(|detail| Any::from(detail.into())));
        self
    }

    /// Returns the details. A detail is decoded if its type is declared in `google/rpc/error_details.proto`.
    ///
    /// ```
    /// use tobu::rpc::{Code, RequestInfo, Status};
    ///
    /// let mut status = Status::new(Code::INTERNAL, "").with_details([RequestInfo::new("r-17", "")]);
    /// assert_eq!(status.error_details()?.request_info().unwrap().request_id, "r-17");
    ///
    /// status.details[0].value = b"\x0a\x04r-1".to_vec();
    /// let error = status.error_details().unwrap_err();
    /// let text = "google.rpc.Status.details[0].request_id: length of 4 bytes, but only 3 bytes are left";
    /// assert_eq!(error.to_string(), text);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// A detail of such a type is malformed. The member `details` still has all details unchanged.
    pub fn error_details(&self) -> Result<ErrorDetails> {
        let decode = |(index, any): (usize, &Any)| {
            Detail::try_from(any.clone()).map_err(|error| {
                // The position in the error is a position in the detail. It would be wrong in the status, so it is removed.
                error.nowhere().in_index(index).in_field("details").within_message(Status::FULL_NAME)
            })
        };
        self.details.iter().enumerate().map(decode).collect()
    }
}

/// Creates the answer to a client whose message cannot be read. The answer says what is wrong with the message. It gives no
/// details of errors in the types and schemas of the program.
///
/// | category | code | text |
/// | --- | --- | --- |
/// | `Malformed`, `Required` | `INVALID_ARGUMENT` | the text of the error; a [`BadRequest`] names the field |
/// | `Limit` | `RESOURCE_EXHAUSTED` | the text of the error |
/// | any other | `INTERNAL` | one fixed text for each category |
///
/// The field is the [`field_path`](Error::field_path) of the error, with names from the schema and indices from zero.
///
/// ```
/// use tobu::rpc::{Code, Status};
/// use tobu::types::ListValue;
///
/// let error = tobu::from_slice::<ListValue>(b"\x0a\x03\x1a\x01\xff").unwrap_err();
/// let status = Status::from(&error);
/// let text = "google.protobuf.ListValue.values[0].string_value: invalid UTF-8 in a string (at byte 4)";
/// assert_eq!((status.code(), status.message.as_str()), (Code::INVALID_ARGUMENT, text));
///
/// let details = status.error_details()?;
/// let violation = &details.bad_request().unwrap().field_violations[0];
/// assert_eq!(violation.field, "values[0].string_value");
/// assert_eq!(violation.description, "invalid UTF-8 in a string");
/// # Ok::<(), tobu::Error>(())
/// ```
impl From<&Error> for Status {
    fn from(error: &Error) -> Self {
        match error.category() {
            Category::Malformed | Category::Required => {
                let status = Status::new(Code::INVALID_ARGUMENT, error.to_string());
                let field = error.field_path();
                match field.is_empty() {
                    true => status,
                    false => status.with_details([BadRequest::new([(field, error.message())])]),
                }
            }
            Category::Limit => Status::new(Code::RESOURCE_EXHAUSTED, error.to_string()),
            Category::Type => Status::new(Code::INTERNAL, "the message and its type do not fit together"),
            Category::Schema => Status::new(Code::INTERNAL, "the schema of the message is not valid"),
            Category::Io => Status::new(Code::INTERNAL, "a stream of messages failed"),
            _ => Status::new(Code::INTERNAL, "the message could not be read or written"),
        }
    }
}

/// A detail of an error: one of the messages of `google/rpc/error_details.proto`, or a message of another type.
///
/// ```
/// use tobu::rpc::{Detail, RequestInfo};
/// use tobu::types::{Any, Empty};
///
/// let any = Any::from(Detail::from(RequestInfo::new("r-17", "")));
/// assert_eq!(any.type_url, "type.googleapis.com/google.rpc.RequestInfo");
/// assert_eq!(Detail::try_from(any)?, Detail::RequestInfo(RequestInfo::new("r-17", "")));
///
/// // A message of one's own.
/// let any = Any::pack(&Empty::new())?;
/// assert_eq!(Detail::try_from(any.clone())?, Detail::Other(any));
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Detail {
    /// The cause of the failure, in a form that programs can use.
    ErrorInfo(ErrorInfo),
    /// The time after which the client can try again.
    RetryInfo(RetryInfo),
    /// The place in the server's code at which the error occurred.
    DebugInfo(DebugInfo),
    /// The quotas that are used up.
    QuotaFailure(QuotaFailure),
    /// The preconditions that failed.
    PreconditionFailure(PreconditionFailure),
    /// The fields of the request that are wrong.
    BadRequest(BadRequest),
    /// The request that failed, for error reports.
    RequestInfo(RequestInfo),
    /// The resource that the error concerns.
    ResourceInfo(ResourceInfo),
    /// Links to more information.
    Help(Help),
    /// A description of the error for users.
    LocalizedMessage(LocalizedMessage),
    /// A message of another type, which [`Any::unpack`] decodes.
    Other(Any),
}

/// Implements the conversions of the message types that a detail may have.
macro_rules! usual_details {
    ($($ty:ident),*) => {
        $(
            impl From<$ty> for Detail {
                fn from(message: $ty) -> Self {
                    Detail::$ty(message)
                }
            }
        )*

        /// Encodes a detail. A detail of more than 2 GiB cannot be encoded, and becomes an empty message of its type.
        impl From<Detail> for Any {
            fn from(detail: Detail) -> Self {
                match detail {
                    $(Detail::$ty(message) => pack(&message),)*
                    Detail::Other(any) => any,
                }
            }
        }

        /// Decodes a detail if [`Detail`] has a variant for its type. A message of any other type becomes [`Detail::Other`].
        impl TryFrom<Any> for Detail {
            type Error = Error;

            fn try_from(any: Any) -> Result<Self> {
                match any.type_name() {
                    $(Some(<$ty as MessageName>::FULL_NAME) => any.unpack().map(Detail::$ty),)*
                    _ => Ok(Detail::Other(any)),
                }
            }
        }
    };
}

usual_details!(
    ErrorInfo,
    RetryInfo,
    DebugInfo,
    QuotaFailure,
    PreconditionFailure,
    BadRequest,
    RequestInfo,
    ResourceInfo,
    Help,
    LocalizedMessage
);

fn pack<T: MessageName + Message + Serialize>(message: &T) -> Any {
    Any::pack(message).unwrap_or_else(|_| Any::new(T::TYPE_URL, []))
}

/// The details of an error, in their order.
///
/// Each type has a getter, which returns the first detail of the type; [`iter`](Self::iter) returns all details.
///
/// ```
/// use tobu::rpc::{Detail, ErrorDetails, ErrorInfo, LocalizedMessage};
///
/// let details = ErrorDetails::new()
///     .with(ErrorInfo::new("ON_LOAN", "library.example.com"))
///     .with(LocalizedMessage::new("en-US", "The book is on loan."))
///     .with(LocalizedMessage::new("de-CH", "Das Buch ist ausgeliehen."));
/// assert_eq!(details.error_info().unwrap().reason, "ON_LOAN");
/// assert_eq!(details.help(), None);
///
/// let languages: Vec<&str> = details
///     .iter()
///     .filter_map(|detail| match detail {
///         Detail::LocalizedMessage(message) => Some(message.locale.as_str()),
///         _ => None,
///     })
///     .collect();
/// assert_eq!(languages, ["en-US", "de-CH"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ErrorDetails(Vec<Detail>);

impl ErrorDetails {
    /// Creates a list without details.
    pub const fn new() -> Self {
        ErrorDetails(Vec::new())
    }

    /// Adds a detail.
    #[must_use]
    pub fn with(mut self, detail: impl Into<Detail>) -> Self {
        self.0.push(detail.into());
        self
    }

    /// Returns an iterator over all details.
    pub fn iter(&self) -> slice::Iter<'_, Detail> {
        self.0.iter()
    }

    /// Returns an iterator over the details of types without a getter.
    ///
    /// ```
    /// use tobu::rpc::{Detail, ErrorDetails, RequestInfo};
    /// use tobu::types::{Any, Duration};
    ///
    /// let lent_for = Any::pack(&Duration::new(3600, 0))?;
    /// let details = ErrorDetails::new().with(RequestInfo::new("r-17", "")).with(Detail::Other(lent_for));
    /// let other = details.others().next().unwrap();
    /// assert_eq!(other.unpack::<Duration>()?.seconds, 3600);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn others(&self) -> impl Iterator<Item = &Any> {
        self.iter().filter_map(|detail| match detail {
            Detail::Other(any) => Some(any),
            _ => None,
        })
    }
}

/// Implements the getters. Each returns the first detail of its type.
macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident: $ty:ident,)*) => {
        impl ErrorDetails {
            $(
                $(#[$doc])*
                pub fn $name(&self) -> Option<&$ty> {
                    self.iter().find_map(|detail| match detail {
                        Detail::$ty(message) => Some(message),
                        _ => None,
                    })
                }
            )*
        }
    };
}

getters! {
    /// Returns the cause of the failure, in a form that programs can use.
    error_info: ErrorInfo,
    /// Returns the time after which the client can try again.
    retry_info: RetryInfo,
    /// Returns the place in the server's code at which the error occurred.
    debug_info: DebugInfo,
    /// Returns the quotas that are used up.
    quota_failure: QuotaFailure,
    /// Returns the preconditions that failed.
    precondition_failure: PreconditionFailure,
    /// Returns the fields of the request that are wrong.
    bad_request: BadRequest,
    /// Returns the request that failed, for error reports.
    request_info: RequestInfo,
    /// Returns the resource that the error concerns.
    resource_info: ResourceInfo,
    /// Returns links to more information.
    help: Help,
    /// Returns a description of the error for users.
    localized_message: LocalizedMessage,
}

impl<D: Into<Detail>> FromIterator<D> for ErrorDetails {
    fn from_iter<I: IntoIterator<Item = D>>(details: I) -> Self {
        ErrorDetails(details.into_iter().map(Into::into).collect())
    }
}

impl IntoIterator for ErrorDetails {
    type Item = Detail;
    type IntoIter = vec::IntoIter<Detail>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a ErrorDetails {
    type Item = &'a Detail;
    type IntoIter = slice::Iter<'a, Detail>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

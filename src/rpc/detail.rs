//! One detail of an error.

use serde::Serialize;

use super::{
    BadRequest, DebugInfo, ErrorInfo, Help, LocalizedMessage, PreconditionFailure, QuotaFailure, RequestInfo,
    ResourceInfo, RetryInfo,
};
use crate::error::{Error, Result};
use crate::message::{Message, MessageName};
use crate::types::Any;

/// A detail of an error: one of the messages of `google/rpc/error_details.proto`, or one of another type.
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
    /// Why the call failed, for programs to decide by.
    ErrorInfo(ErrorInfo),
    /// When to try again.
    RetryInfo(RetryInfo),
    /// Where in the program of the server the error was.
    DebugInfo(DebugInfo),
    /// Which quotas are used up.
    QuotaFailure(QuotaFailure),
    /// Which preconditions do not hold.
    PreconditionFailure(PreconditionFailure),
    /// Which fields of the request are wrong.
    BadRequest(BadRequest),
    /// Which request it was, for reports.
    RequestInfo(RequestInfo),
    /// Which resource the error is about.
    ResourceInfo(ResourceInfo),
    /// Where to read more.
    Help(Help),
    /// What went wrong, for users.
    LocalizedMessage(LocalizedMessage),
    /// A message of another type, which [`Any::unpack`] decodes.
    Other(Any),
}

/// Lists the types that a detail may have.
macro_rules! usual_details {
    ($($ty:ident),*) => {
        $(
            impl From<$ty> for Detail {
                fn from(message: $ty) -> Self {
                    Detail::$ty(message)
                }
            }
        )*

        /// A detail of more than 2 GiB, which cannot be encoded, becomes one of its type without content.
        impl From<Detail> for Any {
            fn from(detail: Detail) -> Self {
                match detail {
                    $(Detail::$ty(message) => pack(&message),)*
                    Detail::Other(any) => any,
                }
            }
        }

        /// Decodes a detail of one of the usual types.
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

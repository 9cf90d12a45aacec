//! The details of an error, by their types.

use std::{slice, vec};

use super::{
    BadRequest, DebugInfo, Detail, ErrorInfo, Help, LocalizedMessage, PreconditionFailure, QuotaFailure,
    RequestInfo, ResourceInfo, RetryInfo,
};
use crate::types::Any;

/// The details of an error, in their order.
///
/// A type has a getter, which gives the first detail of the type; [`iter`](Self::iter) gives all details.
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
    /// No details.
    pub const fn new() -> Self {
        ErrorDetails(Vec::new())
    }

    /// The same with one more detail.
    #[must_use]
    pub fn with(mut self, detail: impl Into<Detail>) -> Self {
        self.0.push(detail.into());
        self
    }

    /// All details.
    pub fn iter(&self) -> slice::Iter<'_, Detail> {
        self.0.iter()
    }

    /// The details of other types than those that have a getter.
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

/// Lists the getters, each with its type.
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
    /// Why the call failed, for programs to decide by.
    error_info: ErrorInfo,
    /// When to try again.
    retry_info: RetryInfo,
    /// Where in the program of the server the error was.
    debug_info: DebugInfo,
    /// Which quotas are used up.
    quota_failure: QuotaFailure,
    /// Which preconditions do not hold.
    precondition_failure: PreconditionFailure,
    /// Which fields of the request are wrong.
    bad_request: BadRequest,
    /// Which request it was, for reports.
    request_info: RequestInfo,
    /// Which resource the error is about.
    resource_info: ResourceInfo,
    /// Where to read more.
    help: Help,
    /// What went wrong, for users.
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

//! `Any`: an encoded message of any type.

use crate::UnknownFields;
use crate::error::{Error, Result};
use crate::message::{Message, described};
use crate::syntax::well_known::quoted;
use serde::{Deserialize, Serialize};

/// The default prefix of type URLs.
const PREFIX: &str = "type.googleapis.com";

/// An encoded message of any type, with a URL that names the type.
///
/// ```
/// use tobu::types::{Any, Duration, Timestamp};
///
/// let any = Any::pack(&Duration::new(1, 0))?;
/// assert_eq!(any, Any::new("type.googleapis.com/google.protobuf.Duration", b"\x08\x01"));
/// assert!(any.is::<Duration>());
/// assert_eq!(any.unpack::<Duration>()?, Duration::new(1, 0));
///
/// let error = any.unpack::<Timestamp>().unwrap_err();
/// assert_eq!(error.to_string(), "the message is of type google.protobuf.Duration, not google.protobuf.Timestamp");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#any>.
#[derive(
    Clone,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    crate::Message,
    crate::Debug,
    crate::Serialize,
    crate::Deserialize,
)]
#[tobu(descriptor = crate::types::files::ANY, stated = crate::types::files::ANY_SLOT, message = "google.protobuf.Any", direct, lookup)]
pub struct Any {
    /// A URL that names the type. The full name of the type comes after the last slash, as in
    /// `type.googleapis.com/google.protobuf.Duration`.
    #[tobu(1)]
    pub type_url: String,
    /// The encoded message.
    #[tobu(2)]
    pub value: Vec<u8>,
    /// Fields that the schema of this message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

impl Any {
    /// Creates an `Any` with exactly this URL and these bytes. [`pack`](Self::pack) encodes a message into an `Any`.
    pub fn new(type_url: impl Into<String>, value: impl Into<Vec<u8>>) -> Self {
        Any { type_url: type_url.into(), value: value.into(), unknown_fields: UnknownFields::new() }
    }

    /// Encodes a message into an `Any`. The URL is `type.googleapis.com/` and the full name of the message.
    ///
    /// # Errors
    /// Fails if [`to_vec`](crate::to_vec) would fail.
    pub fn pack<T: Message + Serialize>(message: &T) -> Result<Self> {
        Self::pack_with_prefix(message, PREFIX)
    }

    /// Encodes a message into an `Any`. The URL is the prefix, a slash and the full name of the message.
    ///
    /// ```
    /// use tobu::types::{Any, Empty};
    ///
    /// let any = Any::pack_with_prefix(&Empty::new(), "types.example.com/v1")?;
    /// assert_eq!(any.type_url, "types.example.com/v1/google.protobuf.Empty");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`to_vec`](crate::to_vec) would fail.
    pub fn pack_with_prefix<T: Message + Serialize>(message: &T, prefix: &str) -> Result<Self> {
        let full_name = described::<T>().descriptor()?.full_name();
        let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
        Ok(Any::new(format!("{prefix}/{full_name}"), crate::to_vec(message)?))
    }

    /// Decodes the message in this `Any`. The message may borrow from the bytes.
    ///
    /// # Errors
    /// The message in this `Any` has another type, the URL names no type, or [`from_slice`](crate::from_slice) would fail.
    pub fn unpack<'de, T: Message + Deserialize<'de>>(&'de self) -> Result<T> {
        check_type::<T>(&self.type_url)?;
        crate::from_slice(&self.value)
    }

    /// Copies the bytes and decodes them into a [`Parsed`](crate::Parsed) message, whose fields you read with accessors.
    ///
    /// ```
    /// use tobu::types::{Any, Duration};
    ///
    /// let any = Any::pack(&Duration::new(1, 0))?;
    /// assert_eq!(any.unpack_parsed::<Duration>()?.get().seconds(), 1);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The message in this `Any` has another type, the URL names no type, or [`Parsed::decode`](crate::Parsed::decode) would
    /// fail.
    pub fn unpack_parsed<T: Message>(&self) -> Result<crate::Parsed<T>> {
        check_type::<T>(&self.type_url)?;
        crate::Parsed::decode(&self.value)
    }

    /// Decodes the message in this `Any` as a dynamic message. The type of the message is looked up in the pool.
    ///
    /// ```
    /// # use tobu::{Message, Pool};
    /// use tobu::types::{Any, Duration};
    ///
    /// # let _ = Duration::descriptor();
    /// let any = Any::pack(&Duration::new(1, 0))?;
    /// assert_eq!(any.resolve(&Pool::global())?.get_by_name("seconds")?.as_i64(), Some(1));
    ///
    /// let error = any.resolve(&Pool::new()).unwrap_err();
    /// assert_eq!(error.to_string(), r#"there is no message named "google.protobuf.Duration" in the pool"#);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The URL does not name a type in the pool, or the value is malformed.
    pub fn resolve(&self, pool: &crate::Pool) -> Result<crate::DynamicMessage> {
        crate::message::reflect::any::unpack(&self.type_url, &self.value, pool)
    }

    /// Encodes a message, typed or dynamic, into an `Any`. The URL is `type.googleapis.com/` and the full name of the message.
    ///
    /// # Errors
    /// Messages nest deeper than 100 levels, or a required field has no value.
    pub fn from_reflect(message: &dyn crate::message::reflect::Reflect) -> Result<Self> {
        let full_name = message.descriptor();
        let value = crate::message::reflect::any::encode(message)?;
        Ok(Any::new(format!("{PREFIX}/{}", full_name.full_name()), value))
    }

    /// True if the URL names the type `T`.
    pub fn is<T: Message>(&self) -> bool {
        described::<T>().descriptor().is_ok_and(|descriptor| self.type_name() == Some(descriptor.full_name()))
    }

    /// Returns the full name of the type: the text after the last slash of the URL. Returns `None` if the URL has no slash, or
    /// no text after it.
    ///
    /// ```
    /// use tobu::types::Any;
    ///
    /// let any = Any::new("types.example.com/library.v1.Book", []);
    /// assert_eq!(any.type_name(), Some("library.v1.Book"));
    /// assert_eq!(Any::new("library.v1.Book", []).type_name(), None);
    /// ```
    pub fn type_name(&self) -> Option<&str> {
        name_in(&self.type_url)
    }
}

/// Returns the text after the last slash of a URL, or `None` if there is no such text.
fn name_in(url: &str) -> Option<&str> {
    url.rsplit_once('/').map(|(_, name)| name).filter(|name| !name.is_empty())
}

/// Checks that the URL names the type `T`.
///
/// # Errors
/// The URL names another type, or no type.
pub(super) fn check_type<T: Message>(url: &str) -> Result<()> {
    let wanted = described::<T>().descriptor()?.full_name();
    match name_in(url) {
        Some(name) if name == wanted => Ok(()),
        Some(name) => Err(Error::ty(format!("the message is of type {}, not {wanted}", printed(name)))),
        None => {
            let url = quoted(url);
            Err(Error::ty(format!("the type URL {url} has no name of a type after a slash")))
        }
    }
}

/// Returns the name of a type unchanged. Any other text, and a long name, is put in quotes.
fn printed(name: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    if name.len() <= 256 && name.chars().all(is_name) { name.to_owned() } else { quoted(name) }
}

//! The traits of generated references.

use crate::error::Result;
use crate::message::Message;
use crate::message::parsed::untyped::Untyped;
use crate::message::parsed::value::Value;
use crate::message::reflect::MessageRef;
use serde::de::DeserializeOwned;

/// A message type for which `tobu_build::Config::parsed` generated a reference type. [`Parsed::get`](crate::Parsed::get)
/// returns this reference.
///
/// Generated code implements this trait.
#[diagnostic::on_unimplemented(
    message = "no reference is generated for `{Self}`",
    note = "name the message in `tobu_build::Config::parsed`"
)]
pub trait Parse: Message {
    /// The reference type: `BookRef<'a>` for `Book`.
    type Ref<'a>: TypedRef<'a, Message = Self>;
}

/// A generated reference to a message inside a [`Parsed`](crate::Parsed) message.
///
/// ```
/// # use tobu_schemas::library::v1::Book;
/// use tobu::Parsed;
/// use tobu::parsed::TypedRef;
///
/// let book = Parsed::<Book>::decode(b"\x3a\x05\x0a\x03Ann")?;
/// let loan = book.get().loan().expect("the book is lent");
/// assert_eq!(loan.reader(), "Ann");
/// assert_eq!(loan.reflect().get_by_name("reader")?.as_str(), Some("Ann"));
/// assert_eq!(tobu::json::to_string(&loan.untyped())?, r#"{"reader":"Ann"}"#);
/// # Ok::<(), tobu::Error>(())
/// ```
pub trait TypedRef<'a>: Value<'a> {
    /// The message type.
    type Message: Parse;

    /// Returns the message without its type. The result can be encoded in each format.
    fn untyped(self) -> Untyped<'a>;

    /// Returns the message for reflection.
    fn reflect(self) -> MessageRef<'a> {
        self.untyped().reflect()
    }

    /// Converts the message to its Rust type.
    ///
    /// ```
    /// # use tobu_schemas::library::v1::{Book, Loan};
    /// use tobu::Parsed;
    /// use tobu::parsed::TypedRef;
    ///
    /// let book = Parsed::<Book>::decode(b"\x3a\x05\x0a\x03Ann")?;
    /// let loan: Loan = book.get().loan_or_default().to_message()?;
    /// assert_eq!(loan.reader, "Ann");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`DynamicMessage::absorb`](crate::DynamicMessage::absorb) would fail.
    fn to_message(self) -> Result<Self::Message>
    where
        Self::Message: DeserializeOwned,
    {
        self.untyped().to_dynamic()?.absorb()
    }

    /// Returns the fields that the schema does not name, including extensions, as they were encoded.
    fn unknown_bytes(self) -> &'a [u8] {
        self.untyped().unknown_fields()
    }
}

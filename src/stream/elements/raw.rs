//! One encoded element, and its conversions.

use crate::descriptor::FieldDescriptor;
use crate::error::Result;
use crate::options::DecodeOptions;

/// One encoded element.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'a> {
    /// The repeated field.
    pub(super) field: &'a FieldDescriptor,
    /// A number, or the content of a string or a message.
    pub(super) bytes: &'a [u8],
    /// How the element is decoded.
    pub(super) options: DecodeOptions,
}

/// Makes a value of an element; nothing of a number that a closed enum does not have, which is an unknown field.
pub trait FromRaw: Sized {
    /// # Errors
    /// The element is malformed, or is not as the type.
    fn from_raw(raw: Raw<'_>) -> Result<Option<Self>>;
}

//! Unknown fields, kept byte for byte.

use crate::error::Result;
use crate::wire::{Reader, Tag};
use std::fmt;

/// The fields of a message that its type does not name, as wire bytes, in the order of the input.
///
/// A message with such a member loses nothing when it is decoded and encoded again: it keeps fields of a newer
/// schema, extensions, and unknown values of closed enums.
///
/// ```
/// use tobu::UnknownFields;
///
/// let fields = UnknownFields::from_bytes(&[0x08, 0x96, 0x01])?;
/// let (tag, value) = fields.iter().next().unwrap();
/// assert_eq!((tag.number(), value), (1, &[0x96, 0x01][..]));
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnknownFields(
    #[expect(clippy::box_collection, reason = "nearly always none: one word in each message, not three")]
    Option<Box<Vec<u8>>>,
);

impl UnknownFields {
    /// Creates an empty set of unknown fields.
    pub const fn new() -> Self {
        UnknownFields(None)
    }

    /// Returns the fields in `bytes`.
    ///
    /// # Errors
    /// If the bytes are not a sequence of well-formed fields.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        while !reader.is_empty() {
            let tag = reader.tag()?;
            reader.skip(tag, 100)?;
        }
        let mut fields = UnknownFields::new();
        fields.extend(bytes);
        Ok(fields)
    }

    /// Returns the fields as wire bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    /// True if there are no unknown fields.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.as_bytes().is_empty()
    }

    /// Removes all fields.
    #[inline]
    pub fn clear(&mut self) {
        if self.0.is_some() {
            self.0 = None;
        }
    }

    /// Returns an iterator over the fields: for each field the tag, and the bytes after the tag to the end of the field.
    pub fn iter(&self) -> impl Iterator<Item = (Tag, &[u8])> {
        let mut reader = Reader::new(self.as_bytes());
        std::iter::from_fn(move || {
            let tag = reader.tag().ok()?;
            let value = reader.rest();
            reader.skip(tag, 100).ok()?;
            Some((tag, &value[..value.len() - reader.rest().len()]))
        })
    }

    #[inline]
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.0.get_or_insert_default().extend_from_slice(bytes);
        }
    }
}

/// Prints the numbers and wire types of the fields, without the values, because these may be secret.
impl fmt::Debug for UnknownFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_map();
        for (tag, _) in self.iter() {
            fields.entry(&tag.number(), &format_args!("{:?} [REDACTED]", tag.wire_type()));
        }
        fields.finish()
    }
}

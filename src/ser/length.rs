//! How long a key or a value of a map will be, where it tells at once: strings and bytes.

use super::other::{Other, other};
use serde::ser::{Serialize, Serializer};

/// The length of a value that is a string or bytes; none where it is anything else, which is not looked into.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn length<T: Serialize + ?Sized>(value: &T) -> Option<usize> {
    value.serialize(Length).ok()
}

struct Length;

impl Serializer for Length {
    other!(usize: numbers rest);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, value: &str) -> Result<usize, Other> {
        Ok(value.len())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, value: &[u8]) -> Result<usize, Other> {
        Ok(value.len())
    }
}

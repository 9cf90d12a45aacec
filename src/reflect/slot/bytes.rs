//! Byte strings.

use super::{At, Element, Slot, borrowed, misfit};
use crate::error::Result;
use crate::plan::Kind;
use crate::reflect::{Value, ValueRef};
use bytes::Bytes;
use std::borrow::Cow;

/// Lists the Rust types that are byte strings, what makes one, and what makes the empty one.
macro_rules! byte_strings {
    ($($ty:ty, $make:expr, $empty:expr;)*) => {
        $(
            impl Slot for $ty {
                #[inline]
                fn get(&self, at: At) -> Option<ValueRef<'_>> {
                    Some(value_of(at, self))
                }

                fn set(&mut self, _: At, value: Value) -> Result<()> {
                    let make: fn(Bytes) -> Result<Self> = $make;
                    *self = make(content(value)?)?;
                    Ok(())
                }

                fn clear(&mut self, _: At) {
                    *self = $empty;
                }
            }

            impl Element for $ty {
                #[inline]
                fn empty() -> Option<Self> {
                    Some($empty)
                }
            }
        )*
    };
}

byte_strings! {
    Vec<u8>, |bytes| Ok(bytes.into()), Vec::new();
    Bytes, Ok, Bytes::new();
    Box<[u8]>, |bytes| Ok(Vec::from(bytes).into()), Box::default();
    Cow<'_, [u8]>, |bytes| Ok(Cow::Owned(bytes.into())), Cow::Borrowed(&[]);
    &[u8], |_| Err(borrowed()), &[];
}

/// The bytes as the schema sees them: a type of bytes may hold a string that need not be UTF-8.
fn value_of(at: At, bytes: &[u8]) -> ValueRef<'_> {
    if at.field.kind == Kind::String
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return ValueRef::Str(text);
    }
    ValueRef::Bytes(bytes)
}

fn content(value: Value) -> Result<Bytes> {
    match value {
        Value::Bytes(bytes) => Ok(bytes),
        Value::String(text) => Ok(text.into()),
        other => Err(misfit(&other)),
    }
}

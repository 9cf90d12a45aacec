//! Strings.

use super::{At, Element, Slot, borrowed, misfit};
use crate::error::{Error, Result};
use crate::plan::Kind;
use crate::reflect::{Value, ValueRef};
use std::borrow::Cow;

/// Lists the Rust types that are strings, what makes one, and what makes the empty one.
macro_rules! strings {
    ($($ty:ty, $make:expr, $empty:expr;)*) => {
        $(
            impl Slot for $ty {
                #[inline]
                fn get(&self, at: At) -> Option<ValueRef<'_>> {
                    let text: &str = self;
                    Some(if at.field.kind == Kind::Bytes {
                        ValueRef::Bytes(text.as_bytes())
                    } else {
                        ValueRef::Str(text)
                    })
                }

                fn set(&mut self, _: At, value: Value) -> Result<()> {
                    let make: fn(String) -> Result<Self> = $make;
                    *self = make(text(value)?)?;
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

strings! {
    String, Ok, String::new();
    Box<str>, |text| Ok(text.into()), Box::default();
    Cow<'_, str>, |text| Ok(Cow::Owned(text)), Cow::Borrowed("");
    &str, |_| Err(borrowed()), "";
}

/// The text of a value for a type that can only hold UTF-8.
fn text(value: Value) -> Result<String> {
    match value {
        Value::String(text) => Ok(text),
        Value::Bytes(bytes) => match String::from_utf8(bytes.into()) {
            Ok(text) => Ok(text),
            Err(_) => Err(Error::ty("the Rust type is a string, but the value is bytes that are not UTF-8")),
        },
        other => Err(misfit(&other)),
    }
}

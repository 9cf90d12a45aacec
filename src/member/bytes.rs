//! Byte strings, which serde would otherwise take for lists of numbers.

use super::{Emit, Held, Member, Merge};
use crate::shape::TypeShape;
use bytes::Bytes;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserializer, Serializer};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;

/// Lists the Rust types that are byte strings: all are written alike.
macro_rules! byte_strings {
    ($($ty:ty),*) => {
        $(
            impl Member for $ty {
                const TYPE: TypeShape = TypeShape::Bytes;
            }

            impl Emit for $ty {
                const HELD: Held = Held::Bytes;

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn emit<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_bytes(self)
                }
            }
        )*
    };
}

byte_strings!(Vec<u8>, Bytes, Box<[u8]>, &[u8], Cow<'_, [u8]>);

impl<'de> Merge<'de> for Vec<u8> {
    const HELD: Held = Held::Bytes;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty() -> Self {
        Vec::new()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_byte_buf(InPlace(self))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        Vec::clear(self);
    }
}

impl<'de> Merge<'de> for Box<[u8]> {
    const HELD: Held = Held::Bytes;

    fn empty() -> Self {
        Box::default()
    }

    fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        let mut bytes = Vec::new();
        bytes.merge(deserializer)?;
        *self = bytes.into();
        Ok(())
    }

    fn clear(&mut self) {
        *self = Box::default();
    }
}

impl<'de: 'a, 'a> Merge<'de> for &'a [u8] {
    const HELD: Held = Held::Bytes;
    const KEEPS: bool = false;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty() -> Self {
        &[]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        *self = serde::Deserialize::deserialize(deserializer)?;
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        *self = &[];
    }
}

impl<'de: 'a, 'a> Merge<'de> for Cow<'a, [u8]> {
    const HELD: Held = Held::Bytes;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty() -> Self {
        Cow::Borrowed(&[])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        *self = deserializer.deserialize_bytes(CowVisitor)?;
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        *self = Cow::Borrowed(&[]);
    }
}

impl<'de> Merge<'de> for Bytes {
    const HELD: Held = Held::Bytes;
    const KEEPS: bool = false;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty() -> Self {
        Bytes::new()
    }

    fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        *self = match deserializer.deserialize_bytes(CowVisitor)? {
            Cow::Borrowed(bytes) => share(bytes),
            Cow::Owned(bytes) => bytes.into(),
        };
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        *self = Bytes::new();
    }
}

thread_local! {
    /// The input of the `from_bytes` that is under way: serde has no way to hand a `Bytes` through.
    static SHARED: RefCell<Option<Bytes>> = const { RefCell::new(None) };
}

/// Runs `decode` so that `Bytes` members share `input` instead of copying from it.
pub(crate) fn sharing<T>(input: &Bytes, decode: impl FnOnce() -> T) -> T {
    struct Restore(Option<Bytes>);
    impl Drop for Restore {
        fn drop(&mut self) {
            SHARED.set(self.0.take());
        }
    }
    let _restore = Restore(SHARED.replace(Some(input.clone())));
    decode()
}

/// A part of the shared input as a `Bytes` of its own; other bytes are copied.
fn share(part: &[u8]) -> Bytes {
    SHARED.with_borrow(|shared| match shared {
        Some(shared) if shared.as_ptr_range().contains(&part.as_ptr()) => shared.slice_ref(part),
        _ => Bytes::copy_from_slice(part),
    })
}

/// Refills a vector, keeping its allocation.
struct InPlace<'a>(&'a mut Vec<u8>);

impl<'de> Visitor<'de> for InPlace<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        // A new one is allocated at its size: a growing one would be asked how far it may grow.
        if self.0.capacity() == 0 {
            *self.0 = bytes.to_vec();
        } else {
            self.0.clear();
            self.0.extend_from_slice(bytes);
        }
        Ok(())
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<(), E> {
        *self.0 = bytes;
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.visit_bytes(text.as_bytes())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.0.clear();
        while let Some(byte) = seq.next_element()? {
            self.0.push(byte);
        }
        Ok(())
    }
}

/// Borrows where the input allows.
struct CowVisitor;

impl<'de> Visitor<'de> for CowVisitor {
    type Value = Cow<'de, [u8]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_borrowed_bytes<E: Error>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(bytes))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text.as_bytes()))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(Cow::Owned(bytes.to_owned()))
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Self::Value, E> {
        Ok(Cow::Owned(bytes))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        let mut bytes = Vec::new();
        InPlace(&mut bytes).visit_seq(seq)?;
        Ok(Cow::Owned(bytes))
    }
}

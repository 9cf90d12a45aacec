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

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_bytes(Share(self))
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
#[inline(never)]
fn share(part: &[u8]) -> Bytes {
    SHARED.with_borrow(|shared| {
        if let Some(shared) = shared {
            let start = part.as_ptr().addr().wrapping_sub(shared.as_ptr().addr());
            if start <= shared.len() && part.len() <= shared.len() - start {
                return shared.slice(start..start + part.len());
            }
        }
        Bytes::copy_from_slice(part)
    })
}

/// Puts bytes in the place of others: a part of the shared input where they are one.
struct Share<'a>(&'a mut Bytes);

impl<'de> Visitor<'de> for Share<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_borrowed_bytes<E: Error>(self, bytes: &'de [u8]) -> Result<(), E> {
        *self.0 = share(bytes);
        Ok(())
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<(), E> {
        self.visit_borrowed_bytes(text.as_bytes())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.visit_bytes(text.as_bytes())
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        *self.0 = Bytes::copy_from_slice(bytes);
        Ok(())
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<(), E> {
        *self.0 = bytes.into();
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        let mut bytes = Vec::new();
        InPlace(&mut bytes).visit_seq(seq)?;
        *self.0 = bytes.into();
        Ok(())
    }
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

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        self.visit_bytes(text.as_bytes())
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::IntoDeserializer;
    use serde::de::value::{BytesDeserializer, Error, SeqDeserializer};

    #[test]
    fn parts_of_the_input_are_shared_and_others_copied() {
        let whole = Bytes::from((0..10).collect::<Vec<u8>>());
        let input = whole.slice(2..7);
        let is_shared = |from: usize, to: usize| {
            let part = &whole[from..to];
            let made = share(part);
            assert_eq!(made, part);
            !part.is_empty() && made.as_ptr() == part.as_ptr()
        };
        sharing(&input, || {
            let rows = [
                (2, 7, true),
                (2, 3, true),
                (6, 7, true),
                (1, 3, false),
                (6, 8, false),
                (7, 8, false),
                (0, 10, false),
                (7, 7, false),
                (4, 4, false),
            ];
            for (from, to, shared) in rows {
                assert_eq!(is_shared(from, to), shared, "{from}..{to}");
            }
            sharing(&whole.slice(8..), || assert!(is_shared(8, 10) && !is_shared(2, 7)));
            assert!(is_shared(2, 7));
        });
        assert!(!is_shared(2, 7));
    }

    #[test]
    fn any_form_of_bytes_is_taken() {
        let mut bytes = Bytes::from_static(b"before");
        bytes.merge(BytesDeserializer::<Error>::new(b"lent")).unwrap();
        assert_eq!(bytes, "lent");
        bytes.merge(IntoDeserializer::<Error>::into_deserializer("text")).unwrap();
        assert_eq!(bytes, "text");
        let mut either = Cow::Borrowed(&b""[..]);
        either.merge(IntoDeserializer::<Error>::into_deserializer("text")).unwrap();
        assert_eq!(either, &b"text"[..]);
        bytes.merge(SeqDeserializer::<_, Error>::new([1u8, 2].into_iter())).unwrap();
        assert_eq!(bytes, [1, 2][..]);
        let error = bytes.merge(IntoDeserializer::<Error>::into_deserializer(true)).unwrap_err();
        assert_eq!(error.to_string(), "invalid type: boolean `true`, expected bytes");
        assert_eq!(bytes, [1, 2][..]);
    }
}

//! Lists of numbers, which some formats give many at a time.
//!
//! A list of numbers asks for itself as a newtype struct of a name that says what a number is. Formats look through
//! newtypes and give a sequence; tobu's own knows the name, and where it has a packed run gives a map instead: from
//! how many numbers there may be, to the bytes of some of them as they are in memory; or the bytes of all, where the input
//! has those.

use super::Merge;
use super::list::{Extend, make_room};
use crate::message::Enumeration;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// What a number of a list is in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    Bool,
    I32,
    I64,
    U32,
    U64,
    F32,
    F64,
}

impl Element {
    /// The name by which a list of such numbers asks for itself.
    const fn name(self) -> &'static str {
        match self {
            Element::Bool => "$tobu::List<bool>",
            Element::I32 => "$tobu::List<i32>",
            Element::I64 => "$tobu::List<i64>",
            Element::U32 => "$tobu::List<u32>",
            Element::U64 => "$tobu::List<u64>",
            Element::F32 => "$tobu::List<f32>",
            Element::F64 => "$tobu::List<f64>",
        }
    }

    /// How many bytes it is.
    const fn size(self) -> usize {
        match self {
            Element::Bool => 1,
            Element::I32 | Element::U32 | Element::F32 => 4,
            Element::I64 | Element::U64 | Element::F64 => 8,
        }
    }

    /// The element of a list that asks for itself by this name.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn of(name: &str) -> Option<Self> {
        match name {
            "$tobu::List<bool>" => Some(Element::Bool),
            "$tobu::List<i32>" => Some(Element::I32),
            "$tobu::List<i64>" => Some(Element::I64),
            "$tobu::List<u32>" => Some(Element::U32),
            "$tobu::List<u64>" => Some(Element::U64),
            "$tobu::List<f32>" => Some(Element::F32),
            "$tobu::List<f64>" => Some(Element::F64),
            _ => None,
        }
    }
}

/// How the elements of a list come of their bytes in memory.
pub(super) trait Bulk<T> {
    const ELEMENT: Element;

    /// Adds elements to a list.
    fn extend<E: Error>(list: &mut Vec<T>, bytes: &[u8]) -> Result<(), E>;
}

/// Numbers as they are.
pub(super) struct Numbers;

/// Lists the Rust types that are numbers in memory.
macro_rules! numbers {
    ($($ty:ty => $element:ident),*) => {
        $(
            impl Bulk<$ty> for Numbers {
                const ELEMENT: Element = Element::$element;

                #[inline]
                fn extend<E: Error>(list: &mut Vec<$ty>, bytes: &[u8]) -> Result<(), E> {
                    list.extend(bytes.as_chunks().0.iter().map(|bytes| <$ty>::from_ne_bytes(*bytes)));
                    Ok(())
                }
            }
        )*
    };
}

numbers!(i32 => I32, i64 => I64, u32 => U32, u64 => U64, f32 => F32, f64 => F64);

impl Bulk<bool> for Numbers {
    const ELEMENT: Element = Element::Bool;

    #[inline]
    fn extend<E: Error>(list: &mut Vec<bool>, bytes: &[u8]) -> Result<(), E> {
        list.extend(bytes.iter().map(|byte| *byte != 0));
        Ok(())
    }
}

/// The values of an enumeration by their numbers.
struct Values;

impl<T: Enumeration> Bulk<T> for Values {
    const ELEMENT: Element = Element::I32;

    #[inline]
    fn extend<E: Error>(list: &mut Vec<T>, bytes: &[u8]) -> Result<(), E> {
        for bytes in bytes.as_chunks().0 {
            let number = i32::from_ne_bytes(*bytes);
            match T::from_number(number) {
                Some(value) => list.push(value),
                None => {
                    return Err(E::invalid_value(Unexpected::Signed(number.into()), &T::shape().rust_name));
                }
            }
        }
        Ok(())
    }
}

/// Refills a list by adding to what is left of it, which is nothing at first. What adds is a macro's: a function that
/// is given one has it out of line, where it is not known what is told.
macro_rules! refill {
    ($list:ident, $count:ident, $add:expr) => {{
        $list.truncate(*$count as usize);
        let added = $add;
        *$count = u32::try_from($list.len()).unwrap_or(u32::MAX);
        added
    }};
}
pub(super) use refill;

/// Reads a list of numbers.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn merge_numbers<'de, T: Merge<'de>, D: Deserializer<'de>>(
    list: &mut Vec<T>,
    deserializer: D,
) -> Result<(), D::Error>
where
    Numbers: Bulk<T>,
{
    deserializer
        .deserialize_newtype_struct(<Numbers as Bulk<T>>::ELEMENT.name(), Packed::<T, Numbers>::new(list))
}

/// Reads a list of the values of an enumeration.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn merge_enumerations<'de, T: Merge<'de> + Enumeration, D: Deserializer<'de>>(
    list: &mut Vec<T>,
    deserializer: D,
) -> Result<(), D::Error> {
    deserializer.deserialize_newtype_struct(Element::I32.name(), Packed::<T, Values>::new(list))
}

/// Refills a list of the values of an enumeration.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn refill_enumerations<'de, T: Merge<'de> + Enumeration, D: Deserializer<'de>>(
    list: &mut Vec<T>,
    count: &mut u32,
    deserializer: D,
) -> Result<(), D::Error> {
    refill!(list, count, merge_enumerations(list, deserializer))
}

struct Packed<'a, T, B>(&'a mut Vec<T>, PhantomData<B>);

impl<'a, T, B> Packed<'a, T, B> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(list: &'a mut Vec<T>) -> Self {
        Packed(list, PhantomData)
    }
}

impl<'de, T: Merge<'de>, B: Bulk<T>> Visitor<'de> for Packed<'_, T, B> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(Extend(self.0))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        Extend(self.0).visit_seq(seq)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        extend::<T, B, E>(self.0, bytes)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_map<A: MapAccess<'de>>(self, mut run: A) -> Result<(), A::Error> {
        while let Some(count) = run.next_key::<usize>()? {
            // Once for most lists; a piece never has more than this.
            if self.0.capacity() - self.0.len() < count.min(256) {
                make_room(self.0, count);
            }
            run.next_value_seed(Packed::<T, B>::new(self.0))?;
        }
        Ok(())
    }
}

impl<'de, T: Merge<'de>, B: Bulk<T>> DeserializeSeed<'de> for Packed<'_, T, B> {
    type Value = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

/// Adds elements whose bytes are there, so that there is nothing to be mistrusted about how many they are.
#[inline(never)]
fn extend<T, B: Bulk<T>, E: Error>(list: &mut Vec<T>, bytes: &[u8]) -> Result<(), E> {
    let size = const { B::ELEMENT.size() };
    if !bytes.len().is_multiple_of(size) {
        return Err(E::invalid_length(bytes.len(), &"the bytes of whole numbers"));
    }
    if list.capacity() == 0 {
        *list = Vec::with_capacity(bytes.len() / size);
    }
    B::extend(list, bytes)
}

//! How long an input must live for a type that may borrow from it.
//!
//! The derives bind the lifetime of an input by what they see: the lifetime parameters of a struct, and `'static` where it is
//! written. What hides behind an alias they do not see, so they ask the compiler for each member.

use crate::vec_map::VecMap;
use bytes::Bytes;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;
use std::rc::Rc;
use std::sync::Arc;

/// A type that may be filled from an input that lives for `'de`.
///
/// # Safety
/// `'de` outlives whatever a value borrows.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a member of a message",
    note = "derive `tobu::Message` or `tobu::Enumeration` on it; of numbers, protobuf has those of 32 and 64 bits"
)]
pub unsafe trait FilledFrom<'de> {}

macro_rules! owned {
    ($($ty:ty),*) => {
        // SAFETY: such a value borrows nothing.
        $(unsafe impl FilledFrom<'_> for $ty {})*
    };
}

owned!(
    bool,
    i32,
    i64,
    u8,
    u32,
    u64,
    f32,
    f64,
    str,
    [u8],
    String,
    Bytes,
    Arc<str>,
    Arc<[u8]>,
    Rc<str>,
    Rc<[u8]>
);

// SAFETY: the bounds say it of all parts, here and below.
unsafe impl<'de: 'a, 'a> FilledFrom<'de> for &'a str {}
// SAFETY: as above.
unsafe impl<'de: 'a, 'a> FilledFrom<'de> for &'a [u8] {}
// SAFETY: as above; what is owned borrows nothing.
unsafe impl<'de: 'a, 'a> FilledFrom<'de> for Cow<'a, str> {}
// SAFETY: as above.
unsafe impl<'de: 'a, 'a> FilledFrom<'de> for Cow<'a, [u8]> {}
// SAFETY: as above.
unsafe impl<'de, T: FilledFrom<'de>> FilledFrom<'de> for Option<T> {}
// SAFETY: as above.
unsafe impl<'de, T: FilledFrom<'de> + ?Sized> FilledFrom<'de> for Box<T> {}
// SAFETY: as above.
unsafe impl<'de, T: FilledFrom<'de>> FilledFrom<'de> for Vec<T> {}
// SAFETY: as above; a hasher is not filled, but is one for the lifetimes that it has here.
unsafe impl<'de, K: FilledFrom<'de>, V: FilledFrom<'de>, S: BuildHasher + Default> FilledFrom<'de>
    for HashMap<K, V, S>
{
}
// SAFETY: as above.
unsafe impl<'de, K: FilledFrom<'de>, V: FilledFrom<'de>> FilledFrom<'de> for BTreeMap<K, V> {}
// SAFETY: as above.
unsafe impl<'de, K: FilledFrom<'de>, V: FilledFrom<'de>> FilledFrom<'de> for VecMap<K, V> {}

//! How long an input must live so that a type may borrow from it.
//!
//! The derives bound the lifetime of an input by what they see: the lifetime parameters of a struct, and a literal
//! `'static`. They cannot see what is behind an alias, so they ask the compiler for each member.

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
    note = "derive `tobu::Message` or `tobu::Enumeration` on it, or name a conversion for the member: `#[tobu(1, with = ...)]`"
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

// SAFETY: a value borrows only for `'a`, which `'de` outlives by the bound `'de: 'a`.
unsafe impl<'de: 'a, 'a> FilledFrom<'de> for &'a str {}
// SAFETY: a value borrows only for `'a`, which `'de` outlives by the bound `'de: 'a`.
unsafe impl<'de: 'a, 'a> FilledFrom<'de> for &'a [u8] {}
// SAFETY: a value owns its text or borrows it for `'a`, which `'de` outlives by the bound `'de: 'a`.
unsafe impl<'de: 'a, 'a> FilledFrom<'de> for Cow<'a, str> {}
// SAFETY: a value owns its text or borrows it for `'a`, which `'de` outlives by the bound `'de: 'a`.
unsafe impl<'de: 'a, 'a> FilledFrom<'de> for Cow<'a, [u8]> {}
// SAFETY: a value borrows only what the `T` in it borrows, and `'de` outlives that by the bound `T: FilledFrom<'de>`.
unsafe impl<'de, T: FilledFrom<'de>> FilledFrom<'de> for Option<T> {}
// SAFETY: a value borrows only what the `T` in it borrows, and `'de` outlives that by the bound `T: FilledFrom<'de>`.
unsafe impl<'de, T: FilledFrom<'de> + ?Sized> FilledFrom<'de> for Box<T> {}
// SAFETY: a list borrows only what its elements borrow, and `'de` outlives that by the bound on `T`.
unsafe impl<'de, T: FilledFrom<'de>> FilledFrom<'de> for Vec<T> {}
// SAFETY: a map borrows only what its keys and values borrow, and `'de` outlives that by the bounds on `K` and `V`. No
// input fills the hasher: `Default` makes it, for the lifetimes that its type has here.
unsafe impl<'de, K: FilledFrom<'de>, V: FilledFrom<'de>, S: BuildHasher + Default> FilledFrom<'de>
    for HashMap<K, V, S>
{
}
// SAFETY: a map borrows only what its keys and values borrow, and `'de` outlives that by the bounds on `K` and `V`.
unsafe impl<'de, K: FilledFrom<'de>, V: FilledFrom<'de>> FilledFrom<'de> for BTreeMap<K, V> {}
// SAFETY: a map borrows only what its keys and values borrow, and `'de` outlives that by the bounds on `K` and `V`.
unsafe impl<'de, K: FilledFrom<'de>, V: FilledFrom<'de>> FilledFrom<'de> for VecMap<K, V> {}

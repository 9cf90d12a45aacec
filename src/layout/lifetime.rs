//! Says how long an input must live so that a type may borrow from it.
//!
//! The derive macro bounds the lifetime of the input by the lifetimes that it sees in the declaration of the Rust type: the
//! lifetime parameters, and a literal `'static`. The macro cannot see the lifetimes inside of a type alias, so the code that it
//! generates lets the compiler check each member with a trait.

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
/// `'de` outlives everything that a value of the type borrows from the input.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a member of a message",
    note = "derive `tobu::Message` or `tobu::Enumeration` on it, or name a conversion for the member: `#[tobu(1, with = ...)]`"
)]
pub unsafe trait FilledFrom<'de> {}

macro_rules! owned {
    ($($ty:ty),*) => {
        // SAFETY: a value of this type does not borrow.
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

// SAFETY: a value borrows only for `'a`, and `'de` outlives `'a` by the bound `'de: 'a`.
unsafe impl<'de: 'a, 'a> FilledFrom<'de> for &'a str {}
// SAFETY: a value borrows only for `'a`, and `'de` outlives `'a` by the bound `'de: 'a`.
unsafe impl<'de: 'a, 'a> FilledFrom<'de> for &'a [u8] {}
// SAFETY: a value owns its text or borrows the text for `'a`, and `'de` outlives `'a` by the bound `'de: 'a`.
unsafe impl<'de: 'a, 'a> FilledFrom<'de> for Cow<'a, str> {}
// SAFETY: a value owns its bytes or borrows the bytes for `'a`, and `'de` outlives `'a` by the bound `'de: 'a`.
unsafe impl<'de: 'a, 'a> FilledFrom<'de> for Cow<'a, [u8]> {}
// SAFETY: a value borrows only what the `T` in it borrows, and by the bound on `T`, `'de` outlives what `T` borrows.
unsafe impl<'de, T: FilledFrom<'de>> FilledFrom<'de> for Option<T> {}
// SAFETY: a value borrows only what the `T` in it borrows, and by the bound on `T`, `'de` outlives what `T` borrows.
unsafe impl<'de, T: FilledFrom<'de> + ?Sized> FilledFrom<'de> for Box<T> {}
// SAFETY: a list borrows only what its elements borrow, and by the bound on `T`, `'de` outlives what `T` borrows.
unsafe impl<'de, T: FilledFrom<'de>> FilledFrom<'de> for Vec<T> {}
// SAFETY: a map borrows only what its keys and values borrow, and by the bounds on `K` and `V`, `'de` outlives what they
// borrow. The hasher borrows nothing from the input, because decoding never writes it, and `Default` creates a new hasher.
unsafe impl<'de, K: FilledFrom<'de>, V: FilledFrom<'de>, S: BuildHasher + Default> FilledFrom<'de>
    for HashMap<K, V, S>
{
}
// SAFETY: a map borrows only what its keys and values borrow, and by the bounds on `K` and `V`, `'de` outlives what they
// borrow.
unsafe impl<'de, K: FilledFrom<'de>, V: FilledFrom<'de>> FilledFrom<'de> for BTreeMap<K, V> {}
// SAFETY: a map borrows only what its keys and values borrow, and by the bounds on `K` and `V`, `'de` outlives what they
// borrow.
unsafe impl<'de, K: FilledFrom<'de>, V: FilledFrom<'de>> FilledFrom<'de> for VecMap<K, V> {}

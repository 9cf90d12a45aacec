//! Messages that are decoded when they are first read.
//!
//! A [`Lazy`] member is used like an `Option<Box<T>>`, a [`LazyList`] member like a `Vec<T>`. The decoder of the wire
//! format validates such a message completely, and keeps its bytes instead of decoding them. The first access decodes the
//! bytes. Encoding copies the bytes if the message was not changed.
//!
//! # Soundness
//! The functions in `Lazy::OPTION` take the address of a `Lazy<T>`, by the contract of `LazyOption`. They return the address of
//! the message in its cell. A shared reference is enough to decode the message through the cell: threads that read it first at
//! the same time get the same message, and it does not move until the `Lazy` is changed. The bytes may be a copy of the input,
//! so `T` must not borrow from them. The bound `FilledFrom` for any lifetime ensures this.

#![allow(unsafe_code)]

mod list;

pub use crate::options::lazy::{is_enabled, set_enabled};
pub use list::LazyList;

use crate::codec::wire::{self, Input, Mode, Validated};
use crate::layout::{FilledFrom, LazyFunctions, LazyOption, Member, OptionStorage, Storage, Text};
use crate::limits::Limits;
use crate::message::Message;
use crate::object::RootMut;
use bytes::Bytes;
use once_cell::sync::OnceCell;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::{fmt, ptr};

/// An optional message that is decoded when it is first read.
///
/// Generated messages with the opaque API have such members for fields with the option `lazy`. Decoding checks the
/// whole message: its wire form, UTF-8, required fields, and the limits of depth and memory. So only decoding can fail,
/// and the first access cannot. The member shares the bytes with the input if the input is a [`Bytes`], and copies them
/// once otherwise. If a field occurs again, both occurrences are decoded and merged at once. Messages with groups or Rust
/// enums are also decoded at once, because the check does not support groups and Rust enums.
///
/// ```
/// use tobu::lazy::Lazy;
///
/// #[derive(Clone, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
/// struct Log {
///     #[tobu(1)]
///     level: u32,
///     #[tobu(2)]
///     payload: Lazy<Payload>,
/// }
///
/// #[derive(Clone, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
/// struct Payload {
///     #[tobu(1)]
///     lines: Vec<String>,
/// }
///
/// let log: Log = tobu::from_slice(b"\x08\x03\x12\x04\x0a\x02hi")?;
/// assert!(!log.payload.is_decoded());
/// assert_eq!(tobu::to_vec(&log)?, b"\x08\x03\x12\x04\x0a\x02hi");
/// assert_eq!(log.payload.get().unwrap().lines, ["hi"]);
///
/// // A string that is not UTF-8 is an error now, not later.
/// assert!(tobu::from_slice::<Log>(b"\x12\x03\x0a\x01\xff").is_err());
/// # Ok::<(), tobu::Error>(())
/// ```
pub struct Lazy<T>(Option<Box<Content<T>>>);

struct Content<T> {
    /// The valid bytes of the message, and the number of levels of messages in them; `None` after a change.
    raw: Option<(Bytes, u32)>,
    message: OnceCell<Box<T>>,
}

impl<T> Lazy<T> {
    /// Creates a value without a message.
    pub const fn none() -> Self {
        Lazy(None)
    }

    /// Creates a value with a decoded message.
    pub fn new(message: T) -> Self {
        Lazy(Some(Box::new(Content { raw: None, message: OnceCell::with_value(Box::new(message)) })))
    }

    /// True if there is a message, whether or not it is decoded.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.is_some()
    }

    /// True if there is a message and it is decoded.
    pub fn is_decoded(&self) -> bool {
        self.0.as_ref().is_some_and(|content| content.message.get().is_some())
    }

    /// Returns the bytes of the message, which encoding copies; `None` if the message was changed or not set.
    pub fn raw(&self) -> Option<&Bytes> {
        self.0.as_ref()?.raw.as_ref().map(|(bytes, _)| bytes)
    }

    /// Removes the message.
    #[inline]
    pub fn clear(&mut self) {
        self.0 = None;
    }
}

impl<T: Message + for<'de> FilledFrom<'de>> Lazy<T> {
    /// Returns the message, and decodes it if necessary.
    #[inline]
    pub fn get(&self) -> Option<&T> {
        let content = self.0.as_deref()?;
        match content.message.get() {
            Some(message) => Some(message),
            None => Some(content.decode()),
        }
    }

    /// Returns a mutable reference to the message. Creates an empty message if there is none.
    ///
    /// # Panics
    /// If there is no message and an empty one cannot be made, because a skipped member has no default.
    pub fn get_mut(&mut self) -> &mut T {
        self.insert().expect("an empty message can be made")
    }

    /// Removes the message and returns it, decoded.
    pub fn take(&mut self) -> Option<T> {
        self.get()?;
        self.0.take()?.message.into_inner().map(|message| *message)
    }

    fn insert(&mut self) -> Option<&mut T> {
        if self.0.is_none() {
            self.0 =
                Some(Box::new(Content { raw: None, message: OnceCell::with_value(Box::new(T::empty()?)) }));
        }
        let content = self.0.as_deref_mut()?;
        content.decode();
        // The caller may change the message from now on.
        content.raw = None;
        content.message.get_mut().map(|message| &mut **message)
    }

    const OPTION: LazyOption = LazyOption {
        value: T::STORAGE,
        get: Self::get_at,
        insert: Self::insert_at,
        lazy: LazyFunctions {
            check: wire::CHECK,
            raw: Self::raw_at,
            put: Self::put_at,
            clear: Self::clear_at,
        },
    };

    unsafe fn get_at(at: *const u8) -> *const u8 {
        // SAFETY: by the contract of the functions, a live `Lazy<T>` is at the address, and no mutable reference to it
        // exists meanwhile.
        match unsafe { &*at.cast::<Self>() }.get() {
            Some(message) => ptr::from_ref(message).cast(),
            None => ptr::null(),
        }
    }

    unsafe fn insert_at(at: *mut u8) -> *mut u8 {
        // SAFETY: by the contract of the functions, a live `Lazy<T>` is at the address, and nothing else refers to it.
        match unsafe { &mut *at.cast::<Self>() }.insert() {
            Some(message) => ptr::from_mut(message).cast(),
            None => ptr::null_mut(),
        }
    }

    unsafe fn clear_at(at: *mut u8) {
        // SAFETY: by the contract of the functions, a live `Lazy<T>` is at the address, and nothing else refers to it.
        unsafe { &mut *at.cast::<Self>() }.clear();
    }

    unsafe fn raw_at(at: *const u8) -> Option<(*const Bytes, u32)> {
        // SAFETY: by the contract of the functions, a live `Lazy<T>` is at the address, and no mutable reference to it
        // exists meanwhile.
        let content = unsafe { &*at.cast::<Self>() }.0.as_deref()?;
        content.raw.as_ref().map(|(bytes, levels)| (ptr::from_ref(bytes), *levels))
    }

    unsafe fn put_at(at: *mut u8, raw: Text<'_>, levels: u32) -> bool {
        // SAFETY: by the contract of the functions, a live `Lazy<T>` is at the address, and nothing else refers to it.
        let slot = unsafe { &mut *at.cast::<Self>() };
        // If the field already has a message, the decoder must decode and merge both occurrences at once. If no empty message
        // can be made, decoding must fail at once.
        if slot.is_set() || T::empty().is_none() {
            return false;
        }
        slot.0 = Some(Box::new(Content { raw: Some((raw.to_bytes(), levels)), message: OnceCell::new() }));
        true
    }
}

impl<T: Message + for<'de> FilledFrom<'de>> Content<T> {
    #[cold]
    #[inline(never)]
    fn decode(&self) -> &T {
        self.message.get_or_init(|| {
            let mut message = Box::new(empty());
            if let Some((bytes, levels)) = &self.raw {
                fill(&mut *message, bytes, bytes, *levels);
            }
            message
        })
    }
}

/// Returns an empty message. `put_at` has checked that the type can make one.
fn empty<T: Message>() -> T {
    T::empty().unwrap_or_else(|| undecodable(&"an empty message cannot be made"))
}

/// Decodes valid bytes, which are a part of `shared`, into an empty message.
fn fill<T: Message>(message: &mut T, bytes: &[u8], shared: &Bytes, levels: u32) {
    let limits = Limits::default().depth(u32::MAX).memory(u64::MAX);
    let validated = Validated::Already { levels };
    let input = Input { bytes, shared: Some(shared), limits: &limits, partial: true, validated };
    let decoded = RootMut::of(message).bare().and_then(|view| wire::decode(view, input, Mode::Fresh));
    if let Err(error) = decoded {
        undecodable(&error);
    }
}

/// Panics because the check of the bytes and the decoder disagree, or because the type can no longer make an empty value.
/// The partly decoded message is dropped.
#[cold]
#[inline(never)]
fn undecodable(problem: &dyn fmt::Display) -> ! {
    panic!("the bytes of a lazy field were found valid, and cannot be decoded: {problem}")
}

// SAFETY: `STORAGE` has functions that are for exactly this type. The type borrows nothing, so any input may fill it.
unsafe impl<T: Message + for<'de> FilledFrom<'de>> FilledFrom<'_> for Lazy<T> {}

// SAFETY: `STORAGE` has functions that are for exactly this type.
unsafe impl<T: Message + for<'de> FilledFrom<'de>> Member for Lazy<T> {
    const STORAGE: Storage = Storage::Option(OptionStorage::Lazy(&Self::OPTION));

    fn register() {
        T::register();
    }

    fn empty() -> Option<Self> {
        Some(Lazy::none())
    }

    fn is_set(&self) -> bool {
        self.0.is_some()
    }
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Lazy::none()
    }
}

impl<T> From<T> for Lazy<T> {
    fn from(message: T) -> Self {
        Lazy::new(message)
    }
}

impl<T> From<Option<T>> for Lazy<T> {
    fn from(message: Option<T>) -> Self {
        message.map_or_else(Lazy::none, Lazy::new)
    }
}

impl<T: Clone> Clone for Lazy<T> {
    fn clone(&self) -> Self {
        Lazy(
            self.0.as_ref().map(|content| {
                Box::new(Content { raw: content.raw.clone(), message: content.message.clone() })
            }),
        )
    }
}

/// Compares the messages after decoding them.
impl<T: Message + for<'de> FilledFrom<'de> + PartialEq> PartialEq for Lazy<T> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Message + for<'de> FilledFrom<'de> + Eq> Eq for Lazy<T> {}

impl<T: Message + for<'de> FilledFrom<'de> + Hash> Hash for Lazy<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.get().hash(state);
    }
}

impl<T: Message + for<'de> FilledFrom<'de> + PartialOrd> PartialOrd for Lazy<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.get().partial_cmp(&other.get())
    }
}

impl<T: Message + for<'de> FilledFrom<'de> + Ord> Ord for Lazy<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.get().cmp(&other.get())
    }
}

/// Prints the message after decoding it.
impl<T: Message + for<'de> FilledFrom<'de> + fmt::Debug> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::StringValue;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Checks that bytes that the check should have refused never become a partly filled message.
    #[test]
    fn bytes_that_cannot_be_decoded() {
        let raw = Some((Bytes::from_static(b"\x0a\x01a\x0a\x05b"), 1));
        let lazy = Lazy::<StringValue>(Some(Box::new(Content { raw, message: OnceCell::new() })));
        for _ in 0..2 {
            let panic = catch_unwind(AssertUnwindSafe(|| lazy.get().map(|message| message.value.clone())));
            let text = panic.unwrap_err().downcast_ref::<String>().cloned();
            assert_eq!(
                text.as_deref(),
                Some(
                    "the bytes of a lazy field were found valid, and cannot be decoded: google.protobuf.StringValue.value: \
                     length of 5 bytes, but only 1 bytes are left (at byte 5)"
                )
            );
            assert!(lazy.is_set() && !lazy.is_decoded());
        }
        assert_eq!(lazy.raw().unwrap(), &b"\x0a\x01a\x0a\x05b"[..]);
    }
}

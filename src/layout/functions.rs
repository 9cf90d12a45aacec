//! Functions that reach values whose layout Rust does not promise.
//!
//! All functions take the address of a live value of their type.

use crate::error::{Error, Result};
use crate::layout::member::JsonBytes;
use bytes::Bytes;
use std::any::Any;
use std::mem::forget;
use std::ptr::{self, NonNull};

/// A string or byte string to be stored.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The bytes, which are valid UTF-8 if the target is a string.
    pub bytes: &'a [u8],
    /// True if the bytes are a part of the input and the input outlives the message, so that a type that borrows may
    /// refer to them.
    pub borrowed: bool,
    /// The input, if it is shared.
    pub input: Option<&'a Bytes>,
}

/// The functions of a string or byte string type that has no fast path.
#[derive(Debug)]
pub struct TextFunctions {
    /// True if the type is always UTF-8 in Rust.
    pub is_string: bool,
    /// True if a value can share the input.
    pub shares: bool,
    /// Returns the address of the bytes and their number.
    pub get: unsafe fn(*const u8) -> (*const u8, usize),
    /// Replaces the value. Returns false if the type can only borrow and the text is not borrowed, or if the
    /// conversion rejects the text.
    pub set: unsafe fn(*mut u8, Text<'_>) -> bool,
    /// The conversion behind the functions, if the type is not itself a text.
    pub conversion: Option<Conversion>,
    /// Returns whether the type accepts a text. Absent for types that accept all.
    pub takes: Option<fn(&[u8]) -> bool>,
}

/// The facts about a conversion that a codec needs beside the functions of its values.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    /// The text for errors that says what a value must be.
    pub expected: &'static str,
    /// How JSON shows the bytes.
    pub json: Option<&'static JsonBytes>,
    /// The kind of value that the conversion gives to an absent field.
    pub absent: fn() -> Absent,
}

/// The kind of value that a conversion gives to an absent field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// A value that counts as not set.
    Unset,
    /// A value that counts as set, and would be written.
    Set,
    /// No value, but an initial one that the decoder must replace.
    Initial,
    /// No value at all.
    Nothing,
}

/// Which value the conversion rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The single value of the member.
    Whole,
    /// An element of a list.
    Element(usize),
    /// The value under a key of a map.
    Entry(String),
}

/// The functions of a message, or a list of messages, that is decoded when it is first read.
///
/// The bytes of a lazy message are its content. The bytes of a lazy list are its records, each with its tag.
#[derive(Debug)]
pub struct LazyFunctions {
    /// The function that checks the bytes. Only the decoder has it, so that a program without lazy messages does not
    /// contain it.
    pub check: &'static (dyn Any + Send + Sync),
    /// The bytes and the levels of messages in them, unless the value was changed since it was decoded.
    pub raw: unsafe fn(*const u8) -> Option<(*const Bytes, u32)>,
    /// Stores valid bytes and their levels of messages, or adds them to a list that is not decoded yet. Without bytes
    /// it only returns whether it would store them. Returns false if the value was decoded already, or if an empty
    /// message cannot be made.
    pub put: unsafe fn(*mut u8, Text<'_>, u32) -> bool,
    /// Removes the value without decoding it.
    pub clear: unsafe fn(*mut u8),
}

/// The functions of a list of messages that is decoded when one of them is first read, beside those of a `Vec`.
#[derive(Debug)]
pub struct LazyListFunctions {
    /// The functions of the bytes that are not decoded yet.
    pub functions: LazyFunctions,
    /// Returns whether there is a `Vec` already.
    pub is_decoded: unsafe fn(*const u8) -> bool,
    /// The address of the `Vec` for reading; decodes it first if necessary.
    pub vec: unsafe fn(*const u8) -> *const u8,
    /// The address of the `Vec` for changing it.
    pub vec_mut: unsafe fn(*mut u8) -> *mut u8,
}

/// A borrowed key of a map field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyRef<'a> {
    /// `bool`
    Bool(bool),
    /// `int32`, `sint32`, `sfixed32`
    I32(i32),
    /// `int64`, `sint64`, `sfixed64`
    I64(i64),
    /// `uint32`, `fixed32`
    U32(u32),
    /// `uint64`, `fixed64`
    U64(u64),
    /// `string`
    Str(&'a str),
}

/// Fills a new map entry: takes the addresses of an empty key and an empty value, and returns whether to insert them.
pub(crate) type FillEntry<'a> = &'a mut dyn FnMut(*mut u8, *mut u8) -> bool;

/// Visits an entry of a map: takes the addresses of key and value, and returns false to end the visit.
pub(crate) type VisitEntry<'a> = &'a mut dyn FnMut(*const u8, *const u8) -> bool;

/// A [`VisitEntry`] that may change the value.
pub(crate) type VisitEntryMut<'a> = &'a mut dyn FnMut(*const u8, *mut u8) -> bool;

/// The index of a variant, and the address of its value.
pub(crate) type VariantValue = (usize, NonNull<u8>);

/// The functions of the member that holds a oneof: an `Option` of its enum.
#[derive(Clone, Copy, Debug)]
pub struct OneofFunctions {
    /// The index of the variant that is set, and the address of its value; `None` if no variant is set.
    pub value: unsafe fn(*const u8) -> Option<VariantValue>,
    /// The address of the value of a variant. If another variant is set, an empty value replaces it. Null if no empty
    /// value can be made; then the other variant stays.
    pub insert: unsafe fn(*mut u8, usize) -> *mut u8,
    /// Makes it `None`.
    pub clear: unsafe fn(*mut u8),
    /// The name of the variant that is set, if it is a skipped one, which `value` does not report. Absent for a type
    /// that skips no variant.
    pub skipped: Option<unsafe fn(*const u8) -> Option<&'static str>>,
}

impl OneofFunctions {
    /// Returns the index of the variant that is set, and the address of its value; `None` if no variant is set.
    ///
    /// # Safety
    /// `at` is the address of a live option of the type that the functions are for.
    #[inline]
    pub(crate) unsafe fn get(&self, at: *const u8) -> Option<(usize, *const u8)> {
        // SAFETY: the caller promises that `at` is the address of a live option of the type, which is all that `value`
        // asks for.
        let (variant, value) = unsafe { (self.value)(at) }?;
        Some((variant, value.as_ptr()))
    }

    /// Fails if the variant that is set is a skipped one, which no format can write.
    ///
    /// # Safety
    /// `at` is the address of a live option of the type that the functions are for.
    #[inline]
    pub(crate) unsafe fn refuse_skipped(&self, at: *const u8) -> Result<()> {
        // SAFETY: the caller promises that `at` is the address of a live option of the type, which is all that
        // `skipped` asks for.
        match self.skipped.and_then(|skipped| unsafe { skipped(at) }) {
            Some(name) => Err(Error::ty(format!("the variant `{name}` is skipped and cannot be serialized"))),
            None => Ok(()),
        }
    }
}

/// Returns the offset of a value in an option of its type that is `Some`. The layout of a type has one such offset.
pub const fn in_option<T>(value: T) -> Option<u32> {
    let some = Some(value);
    let offset = match &some {
        // SAFETY: the value is a part of the option.
        Some(value) => unsafe { ptr::from_ref(value).byte_offset_from(ptr::from_ref(&some)) },
        None => 0,
    };
    forget(some);
    Some(offset as u32)
}

//! By which functions values are reached whose layout Rust does not promise, of those that need not know what lies in them.
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
    /// The bytes; valid UTF-8 where the target is a string.
    pub bytes: &'a [u8],
    /// The bytes are a part of the input, which outlives the message: a type that borrows may refer to them.
    pub borrowed: bool,
    /// The input, where it is shared.
    pub input: Option<&'a Bytes>,
}

/// What can be done with a string of a type without a fast path.
#[derive(Debug)]
pub struct TextFunctions {
    /// The type is UTF-8 in Rust.
    pub is_string: bool,
    /// A value may share the input, where that is shared.
    pub shares: bool,
    /// The bytes: where they start, and how many.
    pub get: unsafe fn(*const u8) -> (*const u8, usize),
    /// Replaces the value; false where the type can only borrow and the text is not borrowed, or where there is no value
    /// for the text.
    pub set: unsafe fn(*mut u8, Text<'_>) -> bool,
    /// The conversion by which the functions go, for a type that is no text itself.
    pub conversion: Option<Conversion>,
    /// Whether there is a value for a text, for a type that does not take every one.
    pub takes: Option<fn(&[u8]) -> bool>,
}

/// A conversion as data, for what a codec asks of it beside the functions of its values.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    /// What a value must be.
    pub expected: &'static str,
    /// How JSON shows bytes.
    pub json: Option<&'static JsonBytes>,
    /// What stands for a field that is not there.
    pub absent: fn() -> Absent,
}

/// What a conversion has for a field that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// A value that is not set.
    Unset,
    /// A value that would be written.
    Set,
    /// Only one that has to be replaced.
    Initial,
    /// Nothing.
    Nothing,
}

/// Which value has none by the conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The only one.
    Whole,
    /// An element of a list.
    Element(usize),
    /// The value under a key of a map.
    Entry(String),
}

/// What can be done with a message, or a list of them, that is decoded when it is first read.
///
/// The bytes of a message are its content, those of a list its records, each with its tag.
#[derive(Debug)]
pub struct LazyFunctions {
    /// What checks the bytes, which only the decoder knows. A program without such messages contains none of that.
    pub check: &'static (dyn Any + Send + Sync),
    /// The bytes where it was not changed since, as long as it is not, and the levels of messages in a message.
    pub raw: unsafe fn(*const u8) -> Option<(*const Bytes, u32)>,
    /// Stores valid bytes, with the levels of messages in a message, or adds them to a list that is not decoded; without
    /// bytes it says whether it would. False where there is something else already, or an empty message cannot be made.
    pub put: unsafe fn(*mut u8, Text<'_>, u32) -> bool,
    /// Removes what is there without decoding it.
    pub clear: unsafe fn(*mut u8),
}

/// What can be done with a list of messages that is decoded when one of them is first read, beside what can be done with a
/// `Vec` of them.
#[derive(Debug)]
pub struct LazyListFunctions {
    /// Those of what is not decoded yet.
    pub functions: LazyFunctions,
    /// Whether there is a `Vec` already.
    pub is_decoded: unsafe fn(*const u8) -> bool,
    /// The address of the `Vec`, to be read: decoded now if it was not.
    pub vec: unsafe fn(*const u8) -> *const u8,
    /// The address of the `Vec`, to be changed.
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

/// Fills a new map entry: is given the addresses of an empty key and an empty value, and says whether to insert them.
pub(crate) type FillEntry<'a> = &'a mut dyn FnMut(*mut u8, *mut u8) -> bool;

/// Sees an entry of a map: the addresses of key and value. False ends the visit.
pub(crate) type VisitEntry<'a> = &'a mut dyn FnMut(*const u8, *const u8) -> bool;

/// As [`VisitEntry`]; the value may be changed.
pub(crate) type VisitEntryMut<'a> = &'a mut dyn FnMut(*const u8, *mut u8) -> bool;

/// The index of a variant, and the address of its value.
pub(crate) type VariantValue = (usize, NonNull<u8>);

/// What can be done with the member that holds a oneof: an `Option` of its enum.
#[derive(Clone, Copy, Debug)]
pub struct OneofFunctions {
    /// The index of the variant that is set and the address of its value; `None` where none is.
    pub value: unsafe fn(*const u8) -> Option<VariantValue>,
    /// The value of a variant: the one that is there, or an empty one, which replaces another variant. Null where an empty value
    /// cannot be made: then the other variant stays.
    pub insert: unsafe fn(*mut u8, usize) -> *mut u8,
    /// Makes it `None`.
    pub clear: unsafe fn(*mut u8),
    /// The name of the variant that is set where it is one that is skipped: `value` says nothing of it. None for a type
    /// that skips no variant.
    pub skipped: Option<unsafe fn(*const u8) -> Option<&'static str>>,
}

impl OneofFunctions {
    /// The index of the variant that is set and the address of its value; `None` where none is.
    ///
    /// # Safety
    /// The address is that of a live option of the type that the functions are for.
    #[inline]
    pub(crate) unsafe fn get(&self, at: *const u8) -> Option<(usize, *const u8)> {
        // SAFETY: the caller promises that a live option of the type lies at the address, which is all that `value`
        // asks for.
        let (variant, value) = unsafe { (self.value)(at) }?;
        Some((variant, value.as_ptr()))
    }

    /// Says so where the variant that is set is one that is skipped, which no format can write.
    ///
    /// # Safety
    /// The address is that of a live option of the type that the functions are for.
    #[inline]
    pub(crate) unsafe fn refuse_skipped(&self, at: *const u8) -> Result<()> {
        // SAFETY: the caller promises that a live option of the type lies at the address, which is all that `skipped`
        // asks for.
        match self.skipped.and_then(|skipped| unsafe { skipped(at) }) {
            Some(name) => Err(Error::ty(format!("the variant `{name}` is skipped and cannot be serialized"))),
            None => Ok(()),
        }
    }
}

/// Where a value lies in an option of its type that is `Some`: the layout of a type has one offset for it.
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

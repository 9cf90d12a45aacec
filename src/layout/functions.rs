//! Functions that access values of types whose memory layout Rust does not define.
//!
//! An address that one of these functions takes is the address of a live value of the type that the function is for.

use crate::error::{Error, Result};
use crate::layout::member::JsonBytes;
use bytes::Bytes;
use std::any::Any;
use std::mem::forget;
use std::ptr::{self, NonNull};

/// A string or byte string that is about to be stored.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The bytes. They are valid UTF-8 if the target is a string.
    pub bytes: &'a [u8],
    /// True if the bytes are a part of the input and the input outlives the message. Then a type that borrows may refer to the
    /// bytes.
    pub borrowed: bool,
    /// The whole input, if the caller has it as `Bytes`.
    pub input: Option<&'a Bytes>,
}

/// The functions of a string or byte string type for which the codecs have no fast path.
#[derive(Debug)]
pub struct TextFunctions {
    /// True if the Rust type guarantees UTF-8.
    pub is_string: bool,
    /// True if a value can share the input.
    pub shares: bool,
    /// Returns the address and the number of the bytes.
    pub get: unsafe fn(*const u8) -> (*const u8, usize),
    /// Replaces the value. Returns false if the type can only borrow and the text cannot be borrowed, or if the conversion
    /// rejects the text.
    pub set: unsafe fn(*mut u8, Text<'_>) -> bool,
    /// The conversion that the functions use, if the type is not itself a string or byte string.
    pub conversion: Option<Conversion>,
    /// Returns true if the type accepts a text. `None` for types that accept every text.
    pub takes: Option<fn(&[u8]) -> bool>,
}

/// The properties of a conversion that a codec needs. The functions that read and write the converted values are stored
/// elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    /// A description of valid values, for errors.
    pub expected: &'static str,
    /// The JSON form of the bytes, if it is not base64.
    pub json: Option<&'static JsonBytes>,
    /// Returns the kind of value that the conversion returns for an absent field.
    pub absent: fn() -> Absent,
}

/// The kind of value that a conversion returns for an absent field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// A value that counts as not set.
    Unset,
    /// A value that counts as set, and would be written.
    Set,
    /// The conversion gives no value for an absent field, so the field is required. The member starts with an initial value,
    /// which the decoder must replace.
    Initial,
    /// Neither a value nor an initial value.
    Nothing,
}

/// The value that a conversion rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The single value of the member.
    Whole,
    /// An element of a list.
    Element(usize),
    /// The value of a map entry, with its key.
    Entry(String),
}

/// The functions of a lazy message or list of messages, which is decoded when it is first read.
///
/// The bytes of a lazy message are its content. The bytes of a lazy list are its elements, each with its tag.
#[derive(Debug)]
pub struct LazyFunctions {
    /// The function that checks the bytes. It is an `Any`, because its type belongs to the decoder, in a higher layer. The
    /// decoder calls it only through this member, so a program without lazy messages does not contain it.
    pub check: &'static (dyn Any + Send + Sync),
    /// Returns the bytes and the number of levels of messages in them. Returns `None` if the value is not set, or if it may
    /// have been changed after it was decoded.
    pub raw: unsafe fn(*const u8) -> Option<(*const Bytes, u32)>,
    /// Stores valid bytes and the number of levels of messages in them. A list that has bytes and is not yet decoded keeps
    /// them, and gets the new bytes at its end. If there are no new bytes, a list is not changed. Returns false, and stores
    /// nothing, if a message is already set, if a list is already decoded, or if the message type has no empty value, from
    /// which decoding starts.
    pub put: unsafe fn(*mut u8, Text<'_>, u32) -> bool,
    /// Removes the value without decoding it.
    pub clear: unsafe fn(*mut u8),
}

/// The functions of a lazy list of messages, in addition to the functions of a `Vec`. The list is decoded when one of its
/// elements is first read.
#[derive(Debug)]
pub struct LazyListFunctions {
    /// The functions for the bytes that are not yet decoded.
    pub functions: LazyFunctions,
    /// Returns true if the list was already decoded to a `Vec`.
    pub is_decoded: unsafe fn(*const u8) -> bool,
    /// Returns the address of the `Vec` for reading. Decodes the list first if necessary.
    pub vec: unsafe fn(*const u8) -> *const u8,
    /// Returns the address of the `Vec` for changes. Decodes the list first if necessary.
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

/// A function that fills a new map entry. It gets the addresses of an empty key and an empty value, and returns true if the
/// entry is to be inserted.
pub(crate) type FillEntry<'a> = &'a mut dyn FnMut(*mut u8, *mut u8) -> bool;

/// A function that visits the entries of a map. It gets the addresses of a key and its value, and returns false to end the
/// visit.
pub(crate) type VisitEntry<'a> = &'a mut dyn FnMut(*const u8, *const u8) -> bool;

/// A function that visits the entries of a map like [`VisitEntry`], and may change the values.
pub(crate) type VisitEntryMut<'a> = &'a mut dyn FnMut(*const u8, *mut u8) -> bool;

/// The index of a variant, and the address of the variant's value.
pub(crate) type VariantValue = (usize, NonNull<u8>);

/// The functions of a member for a oneof. The member is an `Option` of the oneof's enum.
#[derive(Clone, Copy, Debug)]
pub struct OneofFunctions {
    /// Returns the index of the variant that is set, and the address of its value. Returns `None` if no variant is set.
    pub value: unsafe fn(*const u8) -> Option<VariantValue>,
    /// Returns the address of the value of a variant. If this variant is not set, sets the member to an empty value of this
    /// variant. Returns null, and changes nothing, if no empty value can be created.
    pub insert: unsafe fn(*mut u8, usize) -> *mut u8,
    /// Sets the member to `None`.
    pub clear: unsafe fn(*mut u8),
    /// If a skipped variant is set, for which `value` returns `None`, returns its name. `None` for a type without skipped
    /// variants.
    pub skipped: Option<unsafe fn(*const u8) -> Option<&'static str>>,
}

impl OneofFunctions {
    /// Returns the index of the variant that is set, and the address of its value. Returns `None` if no variant is set.
    ///
    /// # Safety
    /// `at` is the address of a live option of the type that the functions are for.
    #[inline]
    pub(crate) unsafe fn get(&self, at: *const u8) -> Option<(usize, *const u8)> {
        // SAFETY: the caller promises that `at` is the address of a live option of the type, which is all that `value`
        // requires.
        let (variant, value) = unsafe { (self.value)(at) }?;
        Some((variant, value.as_ptr()))
    }

    /// Fails if the variant that is set is skipped, because no format can write such a variant.
    ///
    /// # Safety
    /// `at` is the address of a live option of the type that the functions are for.
    #[inline]
    pub(crate) unsafe fn refuse_skipped(&self, at: *const u8) -> Result<()> {
        // SAFETY: the caller promises that `at` is the address of a live option of the type, which is all that `skipped`
        // requires.
        match self.skipped.and_then(|skipped| unsafe { skipped(at) }) {
            Some(name) => Err(Error::ty(format!("the variant `{name}` is skipped and cannot be serialized"))),
            None => Ok(()),
        }
    }
}

/// Returns the offset of the value in an `Option<T>` that is `Some`. The offset is the same for all values of the type.
pub const fn in_option<T>(value: T) -> Option<u32> {
    let some = Some(value);
    let offset = match &some {
        // SAFETY: `value` is a part of `some`, so both addresses are in the same allocation.
        Some(value) => unsafe { ptr::from_ref(value).byte_offset_from(ptr::from_ref(&some)) },
        None => 0,
    };
    forget(some);
    Some(offset as u32)
}

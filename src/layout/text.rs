//! Strings and byte strings.

use super::functions::in_option;
use super::leaf::put_text;
use super::{LeafField, Member, Storage, Text, TextFunctions};
use crate::wire::store_slice;
use bytes::Bytes;
use std::borrow::Cow;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

macro_rules! texts {
    ($($ty:ty => $storage:expr, $empty:expr $(, $constant:expr)?;)*) => {
        $(
            // SAFETY: `STORAGE` is the storage of exactly this type.
            unsafe impl Member for $ty {
                const STORAGE: Storage = $storage;
                $(const IN_OPTION: Option<u32> = in_option::<$ty>($constant);)?

                fn empty() -> Option<Self> {
                    Some($empty)
                }

                #[inline]
                fn is_set(&self) -> bool {
                    !self.is_empty()
                }

                const IS_LEAF: bool = true;

                #[inline]
                unsafe fn write(&self, field: LeafField, at: *mut u8, limit: usize) -> *mut u8 {
                    // SAFETY: the caller promises that `at` is not after `limit`, and that there is enough room after
                    // `limit`.
                    unsafe { put_text(field, AsRef::<[u8]>::as_ref(&**self), at, limit) }
                }
            }
        )*
    };
}

texts! {
    String => Storage::String, String::new(), String::new();
    &str => Storage::Str, "", "";
    Cow<'_, str> => Storage::Text(&COW_STR), Cow::Borrowed("");
    Vec<u8> => Storage::Vec, Vec::new(), Vec::new();
    &[u8] => Storage::Slice, &[], &[];
    Bytes => Storage::Text(&BYTES), Bytes::new(), Bytes::new();
    Cow<'_, [u8]> => Storage::Text(&COW_BYTES), Cow::Borrowed(&[]);
    Box<str> => Storage::Text(&Of::<Box<str>>::STR), Box::default();
    Arc<str> => Storage::Text(&Of::<Arc<str>>::STR), Arc::default();
    Rc<str> => Storage::Text(&Of::<Rc<str>>::STR), Rc::default();
    Box<[u8]> => Storage::Text(&Of::<Box<[u8]>>::BYTES), Box::default();
    Arc<[u8]> => Storage::Text(&Of::<Arc<[u8]>>::BYTES), Arc::default();
    Rc<[u8]> => Storage::Text(&Of::<Rc<[u8]>>::BYTES), Rc::default();
}

pub(super) fn parts(bytes: &[u8]) -> (*const u8, usize) {
    (bytes.as_ptr(), bytes.len())
}

/// Converts bytes that are known to be UTF-8 to a string.
///
/// # Safety
/// The bytes are UTF-8.
unsafe fn str(bytes: &[u8]) -> &str {
    // SAFETY: the caller promises that the bytes are UTF-8.
    unsafe { std::str::from_utf8_unchecked(bytes) }
}

/// Extends the lifetime of a text to the lifetime of the input that contains the text.
///
/// # Safety
/// The bytes are a part of an input (as [`Text::borrowed`] says) or empty, and the caller stores them only in a value that does
/// not outlive the input.
unsafe fn extend<'a>(bytes: &[u8]) -> &'a [u8] {
    // SAFETY: address and length are those of a live slice. The caller promises to store the text only in a value that does not
    // outlive the input, so the bytes stay valid and unchanged for `'a`.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr(), bytes.len()) }
}

/// The text types `str` and `[u8]`.
pub trait OfText {
    /// True if the type is `str`, whose values are UTF-8.
    const IS_STRING: bool;

    /// Returns the bytes.
    fn as_bytes(&self) -> &[u8];

    /// Converts bytes to the text, without a check.
    ///
    /// # Safety
    /// For a string, the bytes are UTF-8.
    unsafe fn of_bytes(bytes: &[u8]) -> &Self;

    /// Checks the bytes and converts them to the text. Returns `None` if the text is a string and the bytes are not UTF-8.
    fn checked(bytes: &[u8]) -> Option<&Self>;
}

impl OfText for str {
    const IS_STRING: bool = true;

    fn as_bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    unsafe fn of_bytes(bytes: &[u8]) -> &str {
        // SAFETY: the caller promises that the bytes are UTF-8, because `Self` is a string.
        unsafe { str(bytes) }
    }

    fn checked(bytes: &[u8]) -> Option<&str> {
        std::str::from_utf8(bytes).ok()
    }
}

impl OfText for [u8] {
    const IS_STRING: bool = false;

    fn as_bytes(&self) -> &[u8] {
        self
    }

    unsafe fn of_bytes(bytes: &[u8]) -> &[u8] {
        bytes
    }

    fn checked(bytes: &[u8]) -> Option<&[u8]> {
        Some(bytes)
    }
}

/// The type for the functions of a pointer type `T` that owns a copy of the text, such as `Box<str>`.
struct Of<T>(T);

impl<T: Deref<Target = str> + for<'a> From<&'a str>> Of<T> {
    const STR: TextFunctions = TextFunctions {
        is_string: true,
        shares: false,
        // SAFETY: the caller passes the address of a live value of the type, which is borrowed here only to find where
        // its text lies.
        get: |at| parts(unsafe { &*at.cast::<T>() }.as_bytes()),
        set: |at, text| {
            // SAFETY: the caller passes the address of a live value of the type that nothing else refers to, so the value may
            // be replaced. The caller has checked that the text of a string is UTF-8.
            unsafe { *at.cast::<T>() = str(text.bytes).into() };
            true
        },
        conversion: None,
        takes: None,
    };
}

impl<T: Deref<Target = [u8]> + for<'a> From<&'a [u8]>> Of<T> {
    const BYTES: TextFunctions = TextFunctions {
        is_string: false,
        shares: false,
        // SAFETY: the caller passes the address of a live value of the type, which is borrowed here only to find where
        // its text lies.
        get: |at| parts(unsafe { &*at.cast::<T>() }),
        set: |at, text| {
            // SAFETY: the caller passes the address of a live value of the type that nothing else refers to, so the value may
            // be replaced.
            unsafe { *at.cast::<T>() = text.bytes.into() };
            true
        },
        conversion: None,
        takes: None,
    };
}

static COW_STR: TextFunctions = TextFunctions {
    is_string: true,
    shares: false,
    // SAFETY: the caller passes the address of a live value of the type, which is borrowed here only to find where its
    // text lies.
    get: |at| parts(unsafe { &*at.cast::<Cow<'_, str>>() }.as_bytes()),
    set: |at, text| {
        // SAFETY: the caller has checked that the text of a string is UTF-8. If `borrowed` is true, the text is a part of
        // an input that outlives the value, so the value may refer to it.
        let new = unsafe {
            match text.borrowed {
                true => Cow::Borrowed(str(extend(text.bytes))),
                false => Cow::Owned(str(text.bytes).to_owned()),
            }
        };
        // SAFETY: the caller passes the address of a live value of the type that nothing else refers to, so the value may be
        // replaced.
        unsafe { *at.cast::<Cow<'_, str>>() = new };
        true
    },
    conversion: None,
    takes: None,
};

static COW_BYTES: TextFunctions = TextFunctions {
    is_string: false,
    shares: false,
    // SAFETY: the caller passes the address of a live value of the type, which is borrowed here only to find where its
    // text lies.
    get: |at| parts(unsafe { &*at.cast::<Cow<'_, [u8]>>() }),
    set: |at, text| {
        // SAFETY: the caller passes the address of a live value of the type that nothing else refers to, so the value may be
        // replaced. If `borrowed` is true, the text is a part of an input that outlives the value, so the value may refer to
        // it.
        unsafe {
            *at.cast::<Cow<'_, [u8]>>() = match text.borrowed {
                true => Cow::Borrowed(extend(text.bytes)),
                false => Cow::Owned(text.bytes.to_owned()),
            };
        }
        true
    },
    conversion: None,
    takes: None,
};

static BYTES: TextFunctions = TextFunctions {
    is_string: false,
    shares: true,
    // SAFETY: the caller passes the address of a live value of the type, which is borrowed here only to find where its
    // text lies.
    get: |at| parts(unsafe { &*at.cast::<Bytes>() }),
    set: |at, text| {
        // SAFETY: the caller passes the address of a live value of the type that nothing else refers to, so the value may be
        // replaced.
        unsafe { *at.cast::<Bytes>() = text.to_bytes() };
        true
    },
    conversion: None,
    takes: None,
};

impl Text<'_> {
    /// Creates a text that is neither borrowed nor shared. A type that can only borrow cannot hold such a text unless it is
    /// empty.
    pub(crate) fn owned(bytes: &[u8]) -> Text<'_> {
        Text { bytes, borrowed: false, input: None }
    }

    /// Returns the text as `Bytes`: a reference to a part of the input if the input is shared, or else a copy.
    pub(crate) fn to_bytes(self) -> Bytes {
        match self.input {
            Some(input) if is_within(input, self.bytes) => input.slice_ref(self.bytes),
            _ => Bytes::copy_from_slice(self.bytes),
        }
    }
}

fn is_within(input: &[u8], bytes: &[u8]) -> bool {
    let (all, part) = (input.as_ptr_range(), bytes.as_ptr_range());
    all.start <= part.start && part.end <= all.end
}

/// Returns the bytes of a string or byte string, or `None` if the storage is of another kind.
///
/// # Safety
/// `at` is the address of a live value with the storage `storage`, which outlives `'a`.
pub(crate) unsafe fn get<'a>(storage: Storage, at: *const u8) -> Option<&'a [u8]> {
    // SAFETY: the caller promises that a live value with this storage lies at the address, so each arm reads the type that
    // lies there, and that the value outlives `'a`. The bytes that `get` finds are a part of the value or outlive it.
    unsafe {
        Some(match storage {
            Storage::String => (*at.cast::<String>()).as_bytes(),
            Storage::Vec => &*at.cast::<Vec<u8>>(),
            Storage::Str => (*at.cast::<&str>()).as_bytes(),
            Storage::Slice => *at.cast::<&[u8]>(),
            Storage::Text(functions) => {
                let (start, len) = (functions.get)(at);
                std::slice::from_raw_parts(start, len)
            }
            _ => return None,
        })
    }
}

/// Replaces the text of a string, and reuses the allocation.
#[inline]
pub(crate) fn fill_string(target: &mut String, text: &str) {
    // SAFETY: the bytes are those of a string, so `target` stays valid UTF-8.
    unsafe { fill(target.as_mut_vec(), text.as_bytes()) }
}

/// Replaces the bytes of a vector, and reuses the allocation.
#[inline]
pub(crate) fn fill(target: &mut Vec<u8>, bytes: &[u8]) {
    target.clear();
    if target.capacity() == 0 {
        // A new vector is allocated with exactly the length of the bytes.
        *target = Vec::with_capacity(bytes.len());
    } else {
        target.reserve(bytes.len());
    }
    // SAFETY: there is room for the bytes, which do not overlap a vector that is borrowed mutably.
    unsafe {
        store_slice(bytes, target.as_mut_ptr());
        target.set_len(bytes.len());
    }
}

/// Replaces a string or byte string; a `String` or a `Vec` reuses its allocation. Returns false if the type can only borrow and
/// the text is neither borrowed nor empty, if the conversion rejects the text, or if the storage is of another kind.
///
/// # Safety
/// `at` is the address of a live value with the storage `storage`. The text is UTF-8 if the type is a string.
pub(crate) unsafe fn set(storage: Storage, at: *mut u8, text: Text<'_>) -> bool {
    // SAFETY: the caller promises that a live value with this storage lies at the address and that the text of a string is
    // UTF-8. A text that a value refers to is empty, or `borrowed` says that it is a part of an input that outlives the
    // value.
    unsafe {
        match storage {
            Storage::String => fill_string(&mut *at.cast::<String>(), str(text.bytes)),
            Storage::Vec => fill(&mut *at.cast::<Vec<u8>>(), text.bytes),
            Storage::Str if text.borrowed || text.bytes.is_empty() => {
                *at.cast::<&str>() = str(extend(if text.borrowed { text.bytes } else { &[] }));
            }
            Storage::Slice if text.borrowed || text.bytes.is_empty() => {
                *at.cast::<&[u8]>() = extend(if text.borrowed { text.bytes } else { &[] });
            }
            Storage::Text(functions) => return (functions.set)(at, text),
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_used_target_holds_what_it_is_filled_with_and_nothing_else() {
        let text: String = ('a'..='z').cycle().take(100).collect();
        for (old, new) in (0..=100).flat_map(|old| (0..=100).map(move |new| (old, new))) {
            let (mut string, mut bytes) = (text[..old].to_owned(), text.as_bytes()[..old].to_vec());
            let kept = string.capacity().max(new);
            fill_string(&mut string, &text[100 - new..]);
            fill(&mut bytes, &text.as_bytes()[100 - new..]);
            assert_eq!((&*string, &*bytes), (&text[100 - new..], &text.as_bytes()[100 - new..]));
            assert!(string.capacity() >= kept && bytes.capacity() >= kept);
        }
        // A new vector has no spare capacity.
        let (mut string, mut bytes) = (String::new(), Vec::new());
        fill_string(&mut string, "Dune");
        fill(&mut bytes, b"Emma");
        assert_eq!((string.capacity(), bytes.capacity()), (4, 4));
    }
}

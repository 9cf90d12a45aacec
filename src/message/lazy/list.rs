//! Lists of messages that are decoded when they are first read.
//!
//! The functions in `LazyList::FUNCTIONS` take the address of a `LazyList<T>`, by the contract of `ListFunctions`. The
//! elements lie in a cell that is filled once, through a shared reference, like the cell of a `Lazy`.

#![allow(unsafe_code)]

use crate::codec::wire;
use crate::layout::{
    FilledFrom, LazyFunctions, LazyListFunctions, ListFunctions, Member, Storage, Text, list_functions,
};
use crate::message::Message;
use crate::message::lazy::{empty, fill};
use crate::wire::Reader;
use bytes::{Bytes, BytesMut};
use once_cell::sync::OnceCell;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::mem;
use std::ops::Deref;
use std::{fmt, ptr, slice};

/// A list of messages, which are all decoded when one of them is first read.
///
/// A `LazyList` is for lists what [`Lazy`](super::Lazy) is for single messages: the decoder validates all elements when it
/// receives them. Lazy fields inside the elements remain lazy when the list is decoded.
///
/// ```
/// use tobu::lazy::LazyList;
///
/// #[derive(Clone, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
/// struct Log {
///     #[tobu(1)]
///     level: u32,
///     #[tobu(2)]
///     entries: LazyList<Entry>,
/// }
///
/// #[derive(Clone, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
/// struct Entry {
///     #[tobu(1)]
///     line: String,
/// }
///
/// let mut log: Log = tobu::from_slice(b"\x08\x03\x12\x04\x0a\x02hi\x12\x00")?;
/// assert!(!log.entries.is_decoded());
/// assert_eq!(tobu::to_vec(&log)?, b"\x08\x03\x12\x04\x0a\x02hi\x12\x00");
/// assert_eq!((log.entries.len(), &*log.entries[0].line), (2, "hi"));
///
/// log.entries.get_mut().pop();
/// assert_eq!(tobu::to_vec(&log)?, b"\x08\x03\x12\x04\x0a\x02hi");
/// # Ok::<(), tobu::Error>(())
/// ```
pub struct LazyList<T>(Option<Box<Content<T>>>);

struct Content<T> {
    /// The valid records (tag, length and payload) of the elements, at least one, and the number of levels of messages in
    /// an element; `None` after a change.
    raw: Option<(Bytes, u32)>,
    list: OnceCell<Vec<T>>,
}

/// Has the empty list that is returned for an absent list.
struct Absent<'a, T>(PhantomData<&'a T>);

impl<'a, T> Absent<'a, T> {
    const LIST: &'a Vec<T> = &Vec::new();
}

impl<T> LazyList<T> {
    /// Creates an empty list.
    pub const fn new() -> Self {
        LazyList(None)
    }

    /// True if the list is empty or its elements are decoded.
    pub fn is_decoded(&self) -> bool {
        self.0.as_ref().is_none_or(|content| content.list.get().is_some())
    }

    /// Returns the records of the elements, each with its tag, which encoding copies; `None` if the list was changed or is
    /// empty.
    pub fn raw(&self) -> Option<&Bytes> {
        self.0.as_ref()?.raw.as_ref().map(|(bytes, _)| bytes)
    }

    /// Removes all elements.
    #[inline]
    pub fn clear(&mut self) {
        self.0 = None;
    }
}

impl<T: Message + for<'de> FilledFrom<'de>> LazyList<T> {
    /// Returns the elements, and decodes them if necessary.
    #[inline]
    pub fn get(&self) -> &Vec<T> {
        match self.0.as_deref() {
            None => Absent::LIST,
            Some(content) => match content.list.get() {
                Some(list) => list,
                None => content.decode(),
            },
        }
    }

    /// Returns a mutable reference to the elements.
    pub fn get_mut(&mut self) -> &mut Vec<T> {
        let content = self.0.get_or_insert_with(|| Box::new(Content { raw: None, list: OnceCell::new() }));
        content.decode();
        // The caller may change the elements from now on.
        content.raw = None;
        content.list.get_mut().expect("it is decoded")
    }

    /// Removes the elements and returns them, decoded.
    pub fn take(&mut self) -> Vec<T> {
        match self.0.is_some() {
            true => mem::take(self.get_mut()),
            false => Vec::new(),
        }
    }

    const FUNCTIONS: ListFunctions = ListFunctions {
        lazy: Some(&LazyListFunctions {
            functions: LazyFunctions {
                check: wire::CHECK,
                raw: Self::raw_at,
                put: Self::put_at,
                clear: Self::clear_at,
            },
            is_decoded: Self::is_decoded_at,
            vec: Self::vec_at,
            vec_mut: Self::vec_mut_at,
        }),
        ..list_functions::<T>()
    };

    unsafe fn is_decoded_at(at: *const u8) -> bool {
        // SAFETY: by the contract of the functions, a live `LazyList<T>` is at the address, and no mutable reference to it
        // exists meanwhile.
        unsafe { &*at.cast::<Self>() }.is_decoded()
    }

    unsafe fn vec_at(at: *const u8) -> *const u8 {
        // SAFETY: by the contract of the functions, a live `LazyList<T>` is at the address, and no mutable reference to it
        // exists meanwhile.
        ptr::from_ref(unsafe { &*at.cast::<Self>() }.get()).cast()
    }

    unsafe fn vec_mut_at(at: *mut u8) -> *mut u8 {
        // SAFETY: by the contract of the functions, a live `LazyList<T>` is at the address, and nothing else refers to it.
        ptr::from_mut(unsafe { &mut *at.cast::<Self>() }.get_mut()).cast()
    }

    unsafe fn clear_at(at: *mut u8) {
        // SAFETY: by the contract of the functions, a live `LazyList<T>` is at the address, and nothing else refers to it.
        unsafe { &mut *at.cast::<Self>() }.clear();
    }

    unsafe fn raw_at(at: *const u8) -> Option<(*const Bytes, u32)> {
        // SAFETY: by the contract of the functions, a live `LazyList<T>` is at the address, and no mutable reference to it
        // exists meanwhile.
        let content = unsafe { &*at.cast::<Self>() }.0.as_deref()?;
        content.raw.as_ref().map(|(bytes, levels)| (ptr::from_ref(bytes), *levels))
    }

    unsafe fn put_at(at: *mut u8, more: Text<'_>, more_levels: u32) -> bool {
        // SAFETY: by the contract of the functions, a live `LazyList<T>` is at the address, and nothing else refers to it.
        let slot = unsafe { &mut *at.cast::<Self>() };
        // If no element can be made, decoding must fail at once.
        if T::empty().is_none() {
            return false;
        }
        match slot.0.as_deref_mut() {
            None if more.bytes.is_empty() => {}
            None => {
                let raw = Some((more.to_bytes(), more_levels));
                slot.0 = Some(Box::new(Content { raw, list: OnceCell::new() }));
            }
            Some(Content { raw: Some((raw, levels)), list }) if list.get().is_none() => {
                if !more.bytes.is_empty() {
                    // Bytes that are not shared grow in place.
                    let mut bytes = BytesMut::from(mem::take(raw));
                    bytes.extend_from_slice(more.bytes);
                    *raw = bytes.freeze();
                    *levels = more_levels.max(*levels);
                }
            }
            Some(_) => return false,
        }
        true
    }
}

impl<T: Message + for<'de> FilledFrom<'de>> Content<T> {
    #[cold]
    #[inline(never)]
    fn decode(&self) -> &Vec<T> {
        self.list.get_or_init(|| {
            let mut list = Vec::new();
            if let Some((bytes, levels)) = &self.raw {
                list.reserve_exact(records(bytes).count());
                for record in records(bytes) {
                    let mut element: T = empty();
                    fill(&mut element, record, bytes, *levels);
                    list.push(element);
                }
            }
            list
        })
    }
}

/// Returns the payloads of valid records.
fn records(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut reader = Reader::new(bytes);
    std::iter::from_fn(move || {
        reader.tag().ok()?;
        reader.len_prefixed().ok()
    })
}

// SAFETY: the functions in `STORAGE` are for exactly this type. The type borrows nothing, so any input may fill it.
unsafe impl<T: Message + for<'de> FilledFrom<'de>> FilledFrom<'_> for LazyList<T> {}

// SAFETY: the functions in `STORAGE` are for exactly this type.
unsafe impl<T: Message + for<'de> FilledFrom<'de>> Member for LazyList<T> {
    const STORAGE: Storage = Storage::List(&Self::FUNCTIONS);

    fn register() {
        T::register();
    }

    fn empty() -> Option<Self> {
        Some(LazyList::new())
    }

    fn is_set(&self) -> bool {
        self.0.is_some()
    }
}

impl<T: Message + for<'de> FilledFrom<'de>> Deref for LazyList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.get()
    }
}

impl<T> Default for LazyList<T> {
    fn default() -> Self {
        LazyList::new()
    }
}

impl<T> From<Vec<T>> for LazyList<T> {
    fn from(list: Vec<T>) -> Self {
        match list.capacity() {
            0 => LazyList::new(),
            _ => LazyList(Some(Box::new(Content { raw: None, list: OnceCell::with_value(list) }))),
        }
    }
}

impl<T> FromIterator<T> for LazyList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Vec::from_iter(elements).into()
    }
}

impl<'a, T: Message + for<'de> FilledFrom<'de>> IntoIterator for &'a LazyList<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.get().iter()
    }
}

impl<T: Clone> Clone for LazyList<T> {
    fn clone(&self) -> Self {
        LazyList(
            self.0
                .as_ref()
                .map(|content| Box::new(Content { raw: content.raw.clone(), list: content.list.clone() })),
        )
    }
}

/// Compares the elements after decoding them.
impl<T: Message + for<'de> FilledFrom<'de> + PartialEq> PartialEq for LazyList<T> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Message + for<'de> FilledFrom<'de> + Eq> Eq for LazyList<T> {}

impl<T: Message + for<'de> FilledFrom<'de> + Hash> Hash for LazyList<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.get().hash(state);
    }
}

impl<T: Message + for<'de> FilledFrom<'de> + PartialOrd> PartialOrd for LazyList<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.get().partial_cmp(other.get())
    }
}

impl<T: Message + for<'de> FilledFrom<'de> + Ord> Ord for LazyList<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.get().cmp(other.get())
    }
}

/// Prints the elements after decoding them.
impl<T: Message + for<'de> FilledFrom<'de> + fmt::Debug> fmt::Debug for LazyList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

//! Values are dropped by their storage here, without code for their types.
//!
//! A program drops the messages that it has by code that the compiler makes for each type. Functions of containers that
//! dropped what they take away would have that code once more: a fifth of what is compiled for a message. Lists of plain messages
//! have it, where it is short: those are dropped each time a used message is read again.

use super::{
    BitOption, BoxStorage, ElementDrop, InsideOption, ListFunctions, MemberShape, MessageShape,
    OneofFunctions, OneofShape, OptionStorage, OptionTask, Role, Storage, UnknownFields, vec,
};
use std::alloc::{self, Layout};
use std::mem::{self, MaybeUninit};
use std::ptr;
use std::slice;

impl Storage {
    /// Drops a value.
    ///
    /// # Safety
    /// A live value with this storage is at the address, and nobody looks at it again.
    #[inline(never)]
    pub(crate) unsafe fn drop(&self, at: *mut u8) {
        // SAFETY: as above.
        unsafe {
            match *self {
                Storage::String => at.cast::<String>().drop_in_place(),
                Storage::Vec => at.cast::<Vec<u8>>().drop_in_place(),
                Storage::Text(functions) => {
                    if let Some(drop) = functions.drop {
                        drop(at);
                    }
                }
                Storage::Message(shape) => shape().drop(at),
                Storage::Box(content) => content.drop(at),
                Storage::Option(option) => option.drop(at),
                Storage::List(functions) => functions.drop(at),
                Storage::Map(functions) => functions.drop(at),
                _ => debug_assert!(self.is_number_or_borrowed()),
            }
        }
    }

    /// The same, without a call for strings and for what has nothing to drop: these are most of what lists hold.
    ///
    /// # Safety
    /// As for [`drop`](Self::drop).
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn drop_inline(&self, at: *mut u8) {
        match self {
            // SAFETY: as above.
            Storage::String => unsafe { at.cast::<String>().drop_in_place() },
            storage if storage.is_number_or_borrowed() => {}
            // SAFETY: as above.
            storage => unsafe { storage.drop(at) },
        }
    }

    /// True for what has nothing to drop.
    #[inline]
    fn is_number_or_borrowed(&self) -> bool {
        use Storage::{Bool, ClosedEnum, F32, F64, I32, I64, OpenEnum, Slice, Str, U32, U64};
        matches!(self, Bool | I32 | I64 | U32 | U64 | F32 | F64 | Str | Slice | OpenEnum(_) | ClosedEnum(_))
    }
}

impl BoxStorage {
    /// Drops a box.
    ///
    /// # Safety
    /// As for [`Storage::drop`].
    unsafe fn drop(&self, at: *mut u8) {
        // SAFETY: as above; a box is the address of its content, which has this size and this alignment.
        unsafe {
            let content = at.cast::<*mut u8>().read();
            let _free = OnDrop(|| {
                if self.size != 0 {
                    alloc::dealloc(content, Layout::from_size_align_unchecked(self.size, self.align));
                }
            });
            self.content.drop(content);
        }
    }
}

impl OptionStorage {
    /// Takes the value away.
    ///
    /// # Safety
    /// As for [`get`](Self::get).
    #[inline(never)]
    pub(crate) unsafe fn clear(self, at: *mut u8) {
        // SAFETY: as above. An option is no value until it is `None`, be it that code of a user panics.
        unsafe {
            match self {
                OptionStorage::Inside(InsideOption { function, .. }) => {
                    let value = function(OptionTask::Clear, at);
                    if !value.is_null() {
                        let _none = OnDrop(|| {
                            function(OptionTask::Forget, at);
                        });
                        self.value().drop(value);
                    }
                }
                OptionStorage::Bit(bit) => bit.clear(at),
                OptionStorage::Lazy(lazy) => (lazy.lazy.clear)(at),
            }
        }
    }

    /// Drops an optional value.
    ///
    /// # Safety
    /// As for [`Storage::drop`].
    unsafe fn drop(self, at: *mut u8) {
        // SAFETY: as above. What has a presence bit is a value whatever that says.
        unsafe {
            match self {
                OptionStorage::Inside(InsideOption { function, .. }) => {
                    let value = function(OptionTask::Clear, at);
                    if !value.is_null() {
                        self.value().drop(value);
                    }
                }
                OptionStorage::Bit(BitOption { value, .. }) => value.drop(at),
                OptionStorage::Lazy(lazy) => (lazy.lazy.clear)(at),
            }
        }
    }
}

impl ListFunctions {
    /// Drops so many elements from an address on.
    ///
    /// # Safety
    /// They are there, and nobody looks at them again.
    #[inline]
    pub(super) unsafe fn drop_elements(&self, first: *mut u8, count: usize) {
        if !matches!(self.drop, ElementDrop::None) {
            // SAFETY: as above.
            unsafe { self.call_drop(first, count) };
        }
    }

    /// The same of those that need it.
    ///
    /// # Safety
    /// As for [`drop_elements`](Self::drop_elements).
    #[inline(never)]
    unsafe fn call_drop(&self, first: *mut u8, count: usize) {
        // SAFETY: as above.
        unsafe {
            match (self.drop, self.element) {
                (ElementDrop::Compiled(drop), _) => drop(first, count),
                (_, Storage::Message(shape)) => {
                    let shape = shape();
                    each(count, |index| shape.drop(first.add(index * self.stride)));
                }
                (_, element) => each(count, |index| element.drop_inline(first.add(index * self.stride))),
            }
        }
    }

    /// Drops a list.
    ///
    /// # Safety
    /// As for [`Storage::drop`].
    unsafe fn drop(&self, at: *mut u8) {
        // SAFETY: as above.
        unsafe {
            if let Some(lazy) = self.lazy {
                return (lazy.functions.clear)(at);
            }
            let _free = OnDrop(|| vec::free(at, self.stride, self.align));
            let (first, len) = vec::elements(at);
            self.drop_elements(first, len);
        }
    }
}

impl MessageShape {
    /// Drops a message.
    ///
    /// # Safety
    /// A live message of the type is at the address, and nobody looks at it again.
    unsafe fn drop(&self, at: *mut u8) {
        if let Some(drop) = self.own_drop {
            // SAFETY: as above.
            return unsafe { drop(at) };
        }
        if self.needs_drop {
            let mut members = Members { rest: self.members.iter(), message: at };
            // SAFETY: as above.
            unsafe { members.drop_rest() };
            mem::forget(members);
        }
    }
}

/// Members of a message that are to be dropped; those after one that panics are as well.
struct Members {
    rest: slice::Iter<'static, MemberShape>,
    message: *mut u8,
}

impl Members {
    /// # Safety
    /// They are those of the message, and nobody looks at them again.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn drop_rest(&mut self) {
        for member in self.rest.by_ref() {
            // SAFETY: as above; the member lies there.
            unsafe {
                let at = self.message.add(member.offset as usize);
                match &member.role {
                    Role::Field(storage) => storage.drop_inline(at),
                    Role::Oneof(shape) => shape().drop(at),
                    Role::Unknown => at.cast::<UnknownFields>().drop_in_place(),
                }
            }
        }
    }
}

impl Drop for Members {
    #[cold]
    #[inline(never)]
    fn drop(&mut self) {
        // SAFETY: as when it was made.
        unsafe { self.drop_rest() };
    }
}

/// How many words a oneof may take that is replaced by one on the stack.
const PLACE: usize = 16;

impl OneofShape {
    /// Drops a oneof.
    ///
    /// # Safety
    /// As for [`Storage::drop`].
    unsafe fn drop(&self, at: *mut u8) {
        // SAFETY: as above.
        unsafe {
            if let Some(drop) = self.functions.drop {
                return drop(at);
            }
            if let Some((variant, value)) = (self.functions.value)(at) {
                self.variants[variant].storage.drop_inline(value.as_ptr());
            }
        }
    }

    /// Makes it `None`.
    ///
    /// # Safety
    /// A oneof of this type is at the address, and nothing else refers to it.
    #[inline(never)]
    pub(crate) unsafe fn clear(&self, at: *mut u8) {
        // SAFETY: as above. It is no value until it is `None`, be it that code of a user panics.
        unsafe {
            let _none = OnDrop(|| {
                (self.functions.insert)(at, OneofShape::NONE);
            });
            self.drop(at);
        }
    }

    /// The value of a variant: the one that is there, or an empty one that replaces another variant. Null where none can be
    /// made.
    ///
    /// # Safety
    /// As for [`clear`](Self::clear).
    #[inline]
    pub(crate) unsafe fn insert(&self, at: *mut u8, variant: usize) -> *mut u8 {
        // SAFETY: as above.
        let value = unsafe { (self.functions.insert)(at, variant) };
        // SAFETY: as above.
        if value.is_null() { unsafe { self.replace(at, variant) } } else { value }
    }

    /// The same where another variant is there, or an empty value cannot be made.
    ///
    /// # Safety
    /// As for [`clear`](Self::clear).
    #[cold]
    unsafe fn replace(&self, at: *mut u8, variant: usize) -> *mut u8 {
        let OneofFunctions { insert, layout, .. } = self.functions;
        // SAFETY: as above; the layout is that of an option with a variant, which takes room.
        unsafe {
            // It is made elsewhere: what is there stays where none can be made. Most fit into a place on the stack.
            let mut place = [MaybeUninit::<u128>::uninit(); PLACE];
            let is_large = layout.size() > size_of_val(&place) || layout.align() > align_of_val(&place);
            let made = match is_large {
                true => alloc::alloc(layout),
                false => place.as_mut_ptr().cast(),
            };
            if made.is_null() {
                alloc::handle_alloc_error(layout);
            }
            let _free = OnDrop(|| {
                if is_large {
                    alloc::dealloc(made, layout);
                }
            });
            insert(made, OneofShape::NONE);
            if insert(made, variant).is_null() {
                return ptr::null_mut();
            }
            self.clear(at);
            ptr::copy_nonoverlapping(made, at, layout.size());
            insert(at, variant)
        }
    }
}

/// A value that is dropped with this.
pub(super) struct Unused {
    storage: Storage,
    at: *mut u8,
}

impl Unused {
    /// # Safety
    /// A live value with this storage is at the address, and nobody looks at it again once this is dropped.
    pub(super) unsafe fn new(storage: Storage, at: *mut u8) -> Self {
        Unused { storage, at }
    }
}

impl Drop for Unused {
    fn drop(&mut self) {
        // SAFETY: see `new`.
        unsafe { self.storage.drop(self.at) };
    }
}

/// Does something when it is dropped, be it that code of a user panics.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Calls a function with each index, also with those after one for which it panics.
#[cfg_attr(not(debug_assertions), inline(always))]
fn each(count: usize, mut call: impl FnMut(usize)) {
    struct Rest<'f, F: FnMut(usize)> {
        next: usize,
        count: usize,
        call: &'f mut F,
    }

    impl<F: FnMut(usize)> Drop for Rest<'_, F> {
        #[cold]
        fn drop(&mut self) {
            (self.next..self.count).for_each(&mut self.call);
        }
    }

    let mut rest = Rest { next: 0, count, call: &mut call };
    while rest.next < count {
        rest.next += 1;
        (rest.call)(rest.next - 1);
    }
    mem::forget(rest);
}

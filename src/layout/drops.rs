//! Values are dropped by their storage here, without code for their types.
//!
//! A program drops the messages that it has by code that the compiler makes for each type. Functions of options and oneofs
//! that dropped what they take away would have that code once more: a tenth of what is compiled for a message. Lists have it:
//! their elements are many, and are dropped each time a used message gets a shorter list.

use super::{
    BitOption, BoxStorage, ListFunctions, MessageShape, OneofFunctions, OneofShape, OptionFunction,
    OptionStorage, OptionTask, Role, Storage, UnknownFields, vec,
};
use std::alloc::{self, Layout};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::Ordering;

impl Storage {
    /// True where dropping a value does something.
    pub(crate) fn needs_drop(self) -> bool {
        match self {
            Storage::String | Storage::Vec | Storage::Box(_) | Storage::List(_) | Storage::Map(_) => true,
            Storage::Text(functions) => functions.drop.is_some(),
            Storage::Message(shape) => shape().needs_drop,
            Storage::Option(OptionStorage::Lazy(_)) => true,
            Storage::Option(option) => option.value().needs_drop(),
            Storage::Bool | Storage::I32 | Storage::I64 | Storage::U32 | Storage::U64 => false,
            Storage::F32 | Storage::F64 | Storage::Str | Storage::Slice => false,
            Storage::OpenEnum(_) | Storage::ClosedEnum(_) => false,
        }
    }

    /// Drops a value.
    ///
    /// # Safety
    /// A live value with this storage is at the address, and nobody looks at it again.
    pub(crate) unsafe fn drop(self, at: *mut u8) {
        // SAFETY: as above.
        unsafe {
            match self {
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
                Storage::Bool | Storage::I32 | Storage::I64 | Storage::U32 | Storage::U64 => {}
                Storage::F32 | Storage::F64 | Storage::Str | Storage::Slice => {}
                Storage::OpenEnum(_) | Storage::ClosedEnum(_) => {}
            }
        }
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
    pub(crate) unsafe fn clear(self, at: *mut u8) {
        // SAFETY: as above. An option is no value until it is `None`, be it that code of a user panics.
        unsafe {
            match self {
                OptionStorage::Inside(function) => {
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
                OptionStorage::Inside(function) => {
                    let value = function(OptionTask::Get, at);
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
        if let Some(drop) = self.drop {
            // SAFETY: as above.
            unsafe { drop(first, count) };
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

/// What has something to drop in a message, as it is found when the first one is dropped.
#[derive(Clone, Copy, Debug)]
struct DroppedMember {
    /// Where it lies: bytes from the start of the struct.
    offset: u32,
    content: Content,
}

/// Those of a message type.
struct Dropped(Box<[DroppedMember]>);

/// A value to be dropped. It is as its storage, but options and messages are found already.
#[derive(Clone, Copy, Debug)]
enum Content {
    None,
    String,
    Vec,
    OptionString,
    OptionVec,
    Unknown,
    /// One without a `Drop` of its own.
    Message(&'static MessageShape),
    /// An option of such a message.
    OptionMessage(OptionFunction, &'static MessageShape),
    /// An option of something else that needs a drop, by how that lies in memory.
    Option(OptionFunction, Storage),
    /// An `Option<Box<T>>` is a pointer, which may be null.
    OptionBox(&'static BoxStorage),
    Oneof(&'static OneofShape),
    Other(Storage),
}

impl Content {
    #[inline]
    fn of(storage: Storage) -> Content {
        match storage {
            Storage::String => Content::String,
            Storage::Vec => Content::Vec,
            Storage::Message(shape) if shape().needs_drop && shape().own_drop.is_none() => {
                Content::Message(shape())
            }
            Storage::Option(OptionStorage::Inside(function)) => {
                match OptionStorage::Inside(function).value() {
                    Storage::String => Content::OptionString,
                    Storage::Vec => Content::OptionVec,
                    Storage::Box(content) => Content::OptionBox(content),
                    value => match Content::of(value) {
                        Content::None => Content::None,
                        Content::Message(shape) => Content::OptionMessage(function, shape),
                        _ => Content::Option(function, value),
                    },
                }
            }
            storage if storage.needs_drop() => Content::Other(storage),
            _ => Content::None,
        }
    }

    /// Drops the value at an address.
    ///
    /// # Safety
    /// As for [`Storage::drop`].
    #[inline]
    unsafe fn drop(self, at: *mut u8) {
        // SAFETY: as above.
        unsafe {
            match self {
                Content::None => {}
                Content::String => at.cast::<String>().drop_in_place(),
                Content::Vec => at.cast::<Vec<u8>>().drop_in_place(),
                Content::OptionString => at.cast::<Option<String>>().drop_in_place(),
                Content::OptionVec => at.cast::<Option<Vec<u8>>>().drop_in_place(),
                Content::Unknown => at.cast::<UnknownFields>().drop_in_place(),
                Content::Message(shape) => MessageShape::drop_members(shape.dropped(), at),
                Content::OptionMessage(function, shape) => {
                    let at = function(OptionTask::Get, at);
                    if !at.is_null() {
                        MessageShape::drop_members(shape.dropped(), at);
                    }
                }
                Content::Option(function, value) => {
                    let at = function(OptionTask::Get, at);
                    if !at.is_null() {
                        value.drop(at);
                    }
                }
                Content::OptionBox(content) => {
                    if !at.cast::<*mut u8>().read().is_null() {
                        content.drop(at);
                    }
                }
                Content::Oneof(shape) => shape.drop(at),
                Content::Other(storage) => storage.drop(at),
            }
        }
    }
}

impl MessageShape {
    /// Drops a message.
    ///
    /// # Safety
    /// A live message of the type is at the address, and nobody looks at it again.
    unsafe fn drop(&self, at: *mut u8) {
        // SAFETY: as above.
        unsafe {
            match self.own_drop {
                Some(drop) => drop(at),
                None if self.needs_drop => Self::drop_members(self.dropped(), at),
                None => {}
            }
        }
    }

    /// The members that have something to drop.
    #[inline]
    fn dropped(&self) -> &'static [DroppedMember] {
        let known = self.cells().dropped.load(Ordering::Acquire);
        match known.is_null() {
            true => self.find_dropped(),
            // SAFETY: it was made by `find_dropped`, and stays.
            false => unsafe { &(*known.cast::<Dropped>()).0 },
        }
    }

    #[cold]
    #[inline(never)]
    fn find_dropped(&self) -> &'static [DroppedMember] {
        let mut members = Vec::new();
        for member in self.members {
            let content = match member.role {
                Role::Field(storage) => Content::of(storage),
                Role::Oneof(shape) => Content::Oneof(shape()),
                Role::Unknown => Content::Unknown,
            };
            match content {
                Content::None => {}
                // What is in a message that is a member itself is as well in this one.
                Content::Message(inner) => members.extend(inner.dropped().iter().map(|inner| {
                    DroppedMember { offset: member.offset + inner.offset, content: inner.content }
                })),
                content => members.push(DroppedMember { offset: member.offset, content }),
            }
        }
        let made = Box::into_raw(Box::new(Dropped(members.into()))).cast();
        let cell = &self.cells().dropped;
        // Another thread may have been first.
        if cell.compare_exchange(ptr::null_mut(), made, Ordering::AcqRel, Ordering::Acquire).is_err() {
            // SAFETY: nothing else has the address.
            drop(unsafe { Box::from_raw(made.cast::<Dropped>()) });
        }
        self.dropped()
    }

    /// Drops these members of a message.
    ///
    /// # Safety
    /// As for [`drop`](Self::drop); they are those of its type.
    #[inline]
    unsafe fn drop_members(members: &[DroppedMember], at: *mut u8) {
        // SAFETY: as above; the members lie there.
        each(members.len(), |index| unsafe {
            let DroppedMember { offset, content } = members[index];
            content.drop(at.add(offset as usize));
        });
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
                self.variants[variant].storage.drop(value.as_ptr());
            }
        }
    }

    /// Makes it `None`.
    ///
    /// # Safety
    /// A oneof of this type is at the address, and nothing else refers to it.
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
#[inline]
fn each(count: usize, call: impl FnMut(usize)) {
    struct Rest<F: FnMut(usize)> {
        next: usize,
        count: usize,
        call: F,
    }

    impl<F: FnMut(usize)> Rest<F> {
        #[inline]
        fn call(&mut self) {
            while self.next < self.count {
                self.next += 1;
                (self.call)(self.next - 1);
            }
        }
    }

    impl<F: FnMut(usize)> Drop for Rest<F> {
        #[inline]
        fn drop(&mut self) {
            self.call();
        }
    }

    Rest { next: 0, count, call }.call();
}

//! The members of Rust structs as they lie in memory, without a schema.
//!
//! What formats that know no schema see of a struct: its members in the order of declaration, whatever the fields are
//! that they stand for.
//!
//! # Soundness
//! A stored value is an address and the storage of the live value at it. Both come from one [`Member`], from one member of a
//! shape, or from the functions of a container: so they belong together, as `access` requires. `'a` is the
//! lifetime of the reference that it all began with.

#![allow(unsafe_code)]

use super::{Typed, TypedMut, access, mismatch, unconverted};
use crate::error::Result;
use crate::layout::{
    EnumShape, ListFunctions, MadeFunctions, MapFunctions, Member, MessageShape, OneofLayout, OneofShape,
    Opened, Role, Storage, Text, UnknownFields, text,
};
use std::marker::PhantomData;

/// A value to be read.
#[derive(Clone, Copy)]
pub(crate) struct Stored<'a> {
    storage: Storage,
    at: *const u8,
    value: PhantomData<&'a u8>,
}

/// A value by its kind.
pub(crate) enum View<'a> {
    Bool(bool),
    I32(i32),
    I64(i64),
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
    Enum(&'static EnumShape, i32),
    Str(&'a str),
    Bytes(&'a [u8]),
    Message(Struct<'a>),
    Option(Option<Stored<'a>>),
    List(StoredList<'a>),
    Map(StoredMap<'a>),
    Made(StoredMade<'a>),
}

impl<'a> Stored<'a> {
    /// A value by its address.
    ///
    /// # Safety
    /// A live value with this storage lies there, and is not changed for `'a`.
    unsafe fn new(storage: Storage, at: *const u8) -> Self {
        Stored { storage, at, value: PhantomData }
    }

    /// The value by its kind.
    pub(crate) fn view(self) -> View<'a> {
        let at = self.at;
        // SAFETY: a live value with this storage is at the address and is not changed for `'a`, by the contract of
        // `new`. So each arm reads the type that lies there, an option or a box leads to a live value with the storage
        // of its content, and the bytes of a string type are UTF-8.
        unsafe {
            let str = |bytes| View::Str(std::str::from_utf8_unchecked(bytes));
            match self.storage {
                Storage::Bool => View::Bool(at.cast::<bool>().read()),
                Storage::I32 => View::I32(at.cast::<i32>().read()),
                Storage::I64 => View::I64(at.cast::<i64>().read()),
                Storage::U32 => View::U32(at.cast::<u32>().read()),
                Storage::U64 => View::U64(at.cast::<u64>().read()),
                Storage::F32 => View::F32(at.cast::<f32>().read()),
                Storage::F64 => View::F64(at.cast::<f64>().read()),
                Storage::OpenEnum(shape) => View::Enum(shape(), at.cast::<i32>().read()),
                Storage::ClosedEnum(functions) => View::Enum((functions.shape)(), (functions.get)(at)),
                Storage::Message(shape) => View::Message(Struct::new(shape(), at)),
                Storage::Box(boxed) => Stored::new(boxed.content, access::unboxed(at)).view(),
                Storage::Option(option) => {
                    let value = option.get(at);
                    View::Option((!value.is_null()).then(|| Stored::new(option.value(), value)))
                }
                Storage::List(functions) => View::List(StoredList { functions, at, list: PhantomData }),
                Storage::Map(functions) => View::Map(StoredMap { functions, at, map: PhantomData }),
                Storage::Number(functions) => number(functions.proto, (functions.get)(at)),
                Storage::Made(functions) => View::Made(StoredMade { functions, at, member: PhantomData }),
                storage @ (Storage::String
                | Storage::Str
                | Storage::Vec
                | Storage::Slice
                | Storage::Text(_)) => {
                    let bytes = text::get(storage, at).unwrap_or_default();
                    if storage.is_string() { str(bytes) } else { View::Bytes(bytes) }
                }
            }
        }
    }
}

/// A number by its bits.
fn number(storage: Storage, bits: u64) -> View<'static> {
    match storage {
        Storage::Bool => View::Bool(bits != 0),
        Storage::I32 => View::I32(bits as i32),
        Storage::I64 => View::I64(bits as i64),
        Storage::U32 => View::U32(bits as u32),
        Storage::F32 => View::F32(f32::from_bits(bits as u32)),
        Storage::F64 => View::F64(f64::from_bits(bits)),
        _ => View::U64(bits),
    }
}

/// A member for which a conversion makes the proto value.
#[derive(Clone, Copy)]
pub(crate) struct StoredMade<'a> {
    functions: &'static MadeFunctions,
    at: *const u8,
    member: PhantomData<&'a u8>,
}

impl StoredMade<'_> {
    /// Calls a function with the proto value.
    pub(crate) fn read(self, read: &mut dyn FnMut(Stored<'_>)) {
        // SAFETY: `view` takes functions and address from the live member that it found. The proto value is live, and
        // has the storage that the functions say, until the closure returns, which passes it on for no longer.
        unsafe { (self.functions.read)(self.at, &mut |proto| read(Stored::new(self.functions.proto, proto))) }
    }
}

/// A list to be read.
#[derive(Clone, Copy)]
pub(crate) struct StoredList<'a> {
    functions: &'static ListFunctions,
    at: *const u8,
    list: PhantomData<&'a u8>,
}

impl<'a> StoredList<'a> {
    /// The elements.
    pub(crate) fn elements(self) -> impl ExactSizeIterator<Item = Stored<'a>> {
        // SAFETY: `view` takes functions and address from the live list that it found, which is not changed for `'a`.
        // Its elements lie one after the other at the stride, and each index is below their number.
        unsafe {
            let (first, len) = self.functions.elements(self.at);
            let ListFunctions { element, stride, .. } = *self.functions;
            (0..len).map(move |index| Stored::new(element, first.add(index * stride)))
        }
    }
}

/// A map to be read.
#[derive(Clone, Copy)]
pub(crate) struct StoredMap<'a> {
    functions: &'static MapFunctions,
    at: *const u8,
    map: PhantomData<&'a u8>,
}

impl<'a> StoredMap<'a> {
    /// How many entries there are.
    pub(crate) fn len(self) -> usize {
        // SAFETY: `view` takes functions and address from the live map that it found, which is not changed for `'a`.
        unsafe { self.functions.len(self.at) }
    }

    /// Visits the entries, until one gives false.
    pub(crate) fn visit(self, visit: &mut dyn FnMut(Stored<'a>, Stored<'a>) -> bool) {
        let MapFunctions { key, value, visit: each, .. } = *self.functions;
        // SAFETY: `view` takes functions and address from the live map that it found, which is not changed for `'a`.
        // The functions give the addresses of a key and a value in it, with the storages that they say.
        unsafe {
            each(self.at, &mut |key_at, value_at| {
                visit(Stored::new(key, key_at), Stored::new(value, value_at))
            });
        }
    }
}

/// A message struct to be read.
#[derive(Clone, Copy)]
pub(crate) struct Struct<'a> {
    shape: &'static MessageShape,
    at: *const u8,
    message: PhantomData<&'a u8>,
}

/// A member of a struct to be read.
pub(crate) enum StoredMember<'a> {
    Field(Stored<'a>),
    Oneof(Variant<'a>),
    Unknown(&'a [u8]),
}

/// What is in a oneof.
pub(crate) struct Variant<'a> {
    pub(crate) shape: &'static OneofShape,
    /// The index of the variant that is set and its value. An error is the name of one that is skipped.
    pub(crate) set: Result<Option<(usize, Stored<'a>)>, &'static str>,
}

impl<'a> Struct<'a> {
    /// A message.
    ///
    /// # Panics
    /// When the type is not a message struct.
    pub(crate) fn of<T: Member>(message: &'a T) -> Self {
        T::register();
        match T::STORAGE {
            // SAFETY: the storage is that of the type.
            Storage::Message(shape) => unsafe { Struct::new(shape(), std::ptr::from_ref(message).cast()) },
            _ => panic!("the type is no message"),
        }
    }

    /// A struct by its address.
    ///
    /// # Safety
    /// A live struct of the shape lies there, and is not changed for `'a`.
    unsafe fn new(shape: &'static MessageShape, at: *const u8) -> Self {
        Struct { shape, at, message: PhantomData }
    }

    /// What the derive says of the type.
    pub(crate) fn shape(self) -> &'static MessageShape {
        self.shape
    }

    /// The same as a message of the schema that the type has.
    ///
    /// # Errors
    /// The type and its schema do not fit together.
    pub(crate) fn typed(self) -> Result<Typed<'a>> {
        let table = self.shape.table()?;
        // SAFETY: the table is that of the shape.
        Ok(unsafe { Typed::new(self.at, table) })
    }

    /// The members in the order of declaration, with the names under which serde sees them.
    pub(crate) fn members(self) -> impl Iterator<Item = (&'static str, StoredMember<'a>)> {
        self.shape.members.iter().zip(self.shape.names()).map(move |(member, name)| {
            // SAFETY: the shape says what lies where.
            let stored = unsafe {
                let at = self.at.add(member.offset as usize);
                match member.role {
                    Role::Field(storage) => StoredMember::Field(Stored::new(storage, at)),
                    Role::Oneof(shape) => StoredMember::Oneof(Variant::at(shape(), at)),
                    Role::Unknown => StoredMember::Unknown((*at.cast::<UnknownFields>()).as_bytes()),
                }
            };
            (*name, stored)
        })
    }
}

/// The same message without the schema that it is seen through.
impl<'a> From<Typed<'a>> for Struct<'a> {
    fn from(message: Typed<'a>) -> Self {
        let shape = super::Object::table(message).shape.expect("a typed message has a type");
        // SAFETY: the table was built from the shape, and the address is that of a struct of the type.
        unsafe { Struct::new(shape, message.address()) }
    }
}

impl<'a> Variant<'a> {
    /// What is in the option of an enum at an address.
    ///
    /// # Safety
    /// A live option of the shape's enum lies there, and is not changed for `'a`.
    unsafe fn at(shape: &'static OneofShape, at: *const u8) -> Self {
        // SAFETY: the caller promises that a live option of the shape's enum lies at the address and is not changed for
        // `'a`. The functions of the shape are those of this type, and the value that they give is of the variant at
        // the index, whose storage the shape has.
        unsafe {
            let set = match shape.functions.get(at) {
                Some((index, value)) => Ok(Some((index, Stored::new(shape.variants[index].storage, value)))),
                None => shape.functions.skipped.and_then(|skipped| skipped(at)).map_or(Ok(None), Err),
            };
            Variant { shape, set }
        }
    }

    /// A oneof by itself; `shape` is that of its type.
    pub(crate) fn of<T: OneofLayout>(shape: &'static OneofShape, oneof: &'a T) -> Self {
        let set = match oneof.value() {
            // SAFETY: the layout says that the value of this variant lies there.
            Some((index, value)) => unsafe {
                Ok(Some((index, Stored::new(shape.variants[index].storage, value))))
            },
            None => oneof.skipped().map_or(Ok(None), Err),
        };
        Variant { shape, set }
    }
}

/// A value to be filled. What it borrows must live for `'de`.
pub(crate) struct StoredMut<'a, 'de> {
    storage: Storage,
    at: *mut u8,
    value: PhantomData<&'a mut u8>,
    input: PhantomData<fn(&'de u8) -> &'de u8>,
}

impl<'a, 'de> StoredMut<'a, 'de> {
    /// A value by its address; of a box that which is in it.
    ///
    /// # Safety
    /// A live value with this storage lies there, nothing else refers to it for `'a`, and its type borrows nothing that
    /// must outlive `'de`.
    unsafe fn new(mut storage: Storage, mut at: *mut u8) -> Self {
        while let Storage::Box(boxed) = storage {
            // SAFETY: the caller promises that a live value with this storage lies there, so a box contains a live
            // value with the storage of its content. Nothing else refers to the box for `'a`, nor to what it owns.
            (storage, at) = (boxed.content, unsafe { access::unboxed_mut(at) });
        }
        StoredMut { storage, at, value: PhantomData, input: PhantomData }
    }

    /// How the value lies in memory; never a box.
    pub(crate) fn storage(&self) -> Storage {
        self.storage
    }

    /// Writes a number, bool or enum; false where the type has no room for it.
    pub(crate) fn set_bits(&mut self, bits: u64) -> bool {
        // SAFETY: a live value with this storage is at the address and nothing else refers to it for `'a`, by the
        // contract of `new`.
        unsafe { access::set_scalar(self.storage, self.at, bits) }
    }

    /// Replaces a string; false where the type only borrows and the text is not borrowed, or where it is no string and
    /// no bytes.
    pub(crate) fn set_str(&mut self, text: &str) -> bool {
        // SAFETY: a live value with this storage is at the address and nothing else refers to it for `'a`, by the
        // contract of `new`. The text is a `str`, and so UTF-8; it is not marked as borrowed, so the value keeps no
        // reference to it.
        unsafe { access::set_text(self.storage, self.at, Text::owned(text.as_bytes())) }
    }

    /// The same of a part of the input.
    pub(crate) fn set_borrowed_str(&mut self, text: &'de str) -> bool {
        let text = Text { bytes: text.as_bytes(), borrowed: true, input: None };
        // SAFETY: a live value with this storage is at the address and nothing else refers to it for `'a`, by the
        // contract of `new`. The text is a `str`, and so UTF-8, and it lives for `'de`, which outlives all that the
        // type borrows.
        unsafe { access::set_text(self.storage, self.at, text) }
    }

    /// Replaces a byte string; false as for [`set_str`](Self::set_str), and where the type is a string.
    pub(crate) fn set_bytes(&mut self, bytes: &[u8]) -> bool {
        // SAFETY: a live value with this storage is at the address and nothing else refers to it for `'a`, by the
        // contract of `new`. The type is no string, so the bytes need not be UTF-8; they are not marked as borrowed, so
        // the value keeps no reference to them.
        !self.storage.is_string() && unsafe { access::set_text(self.storage, self.at, Text::owned(bytes)) }
    }

    /// The same of a part of the input.
    pub(crate) fn set_borrowed_bytes(&mut self, bytes: &'de [u8]) -> bool {
        let text = Text { bytes, borrowed: true, input: None };
        // SAFETY: a live value with this storage is at the address and nothing else refers to it for `'a`, by the
        // contract of `new`. The type is no string, so the bytes need not be UTF-8, and they live for `'de`, which
        // outlives all that the type borrows.
        !self.storage.is_string() && unsafe { access::set_text(self.storage, self.at, text) }
    }

    /// The value in an option, an empty one where there is none.
    pub(crate) fn insert(self) -> Option<StoredMut<'a, 'de>> {
        let Storage::Option(option) = self.storage else { return None };
        // SAFETY: a live value with this storage is at the address and nothing else refers to it for `'a`, by the
        // contract of `new`. The value that `insert` gives is in this option, has the storage that the option says, and
        // is reached only by `self`, which ends here.
        unsafe {
            let value = option.insert(self.at);
            (!value.is_null()).then(|| StoredMut::new(option.value(), value))
        }
    }

    /// An empty proto value of a member for which a conversion makes it; `None` for any other, or where none can be made.
    pub(crate) fn open(&self) -> Option<Opened> {
        let Storage::Made(functions) = self.storage else { return None };
        // SAFETY: the address is null.
        unsafe { Opened::new(functions, std::ptr::null()) }
    }

    /// The proto value that was opened, to be filled.
    pub(crate) fn opened<'b>(&'b mut self, opened: &'b mut Opened) -> Option<StoredMut<'b, 'de>> {
        let Storage::Made(functions) = self.storage else { return None };
        // SAFETY: the proto value is live and nothing else refers to it as long as `opened` is borrowed. It borrows
        // nothing, and `open` got it from these functions, so that it has this storage.
        Some(unsafe { StoredMut::new(functions.proto, opened.address()) })
    }

    /// Replaces the member by what the conversion makes of the proto value.
    ///
    /// # Errors
    /// It makes nothing of it.
    pub(crate) fn close(self, opened: Opened) -> Result<()> {
        let Storage::Made(functions) = self.storage else { return Err(mismatch()) };
        // SAFETY: a live value with this storage is at the address and nothing else refers to it for `'a`, by the
        // contract of `new`.
        let closed = unsafe { opened.close(&mut || self.at) };
        closed.map_err(|refused| unconverted(&functions.conversion, refused))
    }

    /// Makes an option `None`; false where it is no option.
    pub(crate) fn clear(self) -> bool {
        let Storage::Option(option) = self.storage else { return false };
        // SAFETY: a live value with this storage is at the address and nothing else refers to it for `'a`, by the
        // contract of `new`.
        unsafe { option.clear(self.at) };
        true
    }

    /// Makes room in a list for as many elements as are said to come, up to a megabyte.
    pub(crate) fn reserve(&mut self, hint: usize) {
        if let Storage::List(functions) = self.storage {
            let most = (1 << 20) / functions.stride.max(1);
            // SAFETY: a live value with this storage is at the address and nothing else refers to it for `'a`, by the
            // contract of `new`, and the storage says that it is a list of these functions.
            unsafe { functions.reserve(self.at, hint.min(most), true) };
        }
    }

    /// Adds an empty element to a list; `None` where none can be made.
    pub(crate) fn push(&mut self) -> Option<StoredMut<'_, 'de>> {
        let Storage::List(functions) = self.storage else { return None };
        // SAFETY: a live value with this storage is at the address and nothing else refers to it for `'a`, by the
        // contract of `new`, and the storage says that it is a list of these functions. The new element is live and of
        // the storage that they say, and `self` stays borrowed while it is referred to.
        unsafe {
            let element = functions.push(self.at);
            (!element.is_null()).then(|| StoredMut::new(functions.element, element))
        }
    }

    /// Has an entry of a map filled, and inserts it if the filler says so. Nothing is done where no empty entry can be
    /// made.
    pub(crate) fn insert_entry(
        &mut self,
        fill: &mut dyn FnMut(StoredMut<'_, 'de>, StoredMut<'_, 'de>) -> bool,
    ) {
        if let Storage::Map(functions) = self.storage {
            // SAFETY: a live value with this storage is at the address and nothing else refers to it for `'a`, by the
            // contract of `new`, and the storage says that it is a map of these functions. They give the addresses of a
            // new key and a new value with the storages that they say, which nothing else refers to.
            unsafe {
                (functions.insert)(self.at, &mut |key, value| {
                    fill(StoredMut::new(functions.key, key), StoredMut::new(functions.value, value))
                });
            }
        }
    }

    /// The message that it is.
    pub(crate) fn message(self) -> Option<StructMut<'a, 'de>> {
        match self.storage {
            Storage::Message(shape) => {
                Some(StructMut { shape: shape(), at: self.at, message: PhantomData, input: PhantomData })
            }
            _ => None,
        }
    }
}

/// A message struct to be filled. What it borrows must live for `'de`.
pub(crate) struct StructMut<'a, 'de> {
    shape: &'static MessageShape,
    at: *mut u8,
    message: PhantomData<&'a mut u8>,
    input: PhantomData<fn(&'de u8) -> &'de u8>,
}

/// A member of a struct to be filled.
pub(crate) enum StoredMemberMut<'a, 'de> {
    Field(StoredMut<'a, 'de>),
    Oneof(OneofMut<'a, 'de>),
    Unknown(&'a mut UnknownFields),
}

impl<'a, 'de> StructMut<'a, 'de> {
    /// A message.
    ///
    /// # Safety
    /// What the type borrows need not outlive `'de`.
    ///
    /// # Panics
    /// When the type is not a message struct.
    pub(crate) unsafe fn of<T: Member>(message: &'a mut T) -> Self {
        T::register();
        match T::STORAGE {
            Storage::Message(shape) => {
                let at = std::ptr::from_mut(message).cast();
                StructMut { shape: shape(), at, message: PhantomData, input: PhantomData }
            }
            _ => panic!("the type is no message"),
        }
    }

    /// What the derive says of the type.
    pub(crate) fn shape(&self) -> &'static MessageShape {
        self.shape
    }

    /// The message for a little while.
    pub(crate) fn reborrow(&mut self) -> StructMut<'_, 'de> {
        StructMut { shape: self.shape, at: self.at, message: PhantomData, input: PhantomData }
    }

    /// The same as a message of the schema that the type has: texts that live for `'de` may be borrowed.
    ///
    /// # Errors
    /// The type and its schema do not fit together.
    pub(crate) fn typed(self) -> Result<TypedMut<'a, 'static>> {
        let table = self.shape.table()?;
        // SAFETY: the table is that of the shape, and the address is lent for `'a`.
        Ok(unsafe { TypedMut::new(self.at, table) })
    }

    /// A member.
    ///
    /// # Panics
    /// When there is none with this index.
    pub(crate) fn member(&mut self, index: usize) -> StoredMemberMut<'_, 'de> {
        let member = &self.shape.members[index];
        // SAFETY: the shape says what lies where.
        unsafe {
            let at = self.at.add(member.offset as usize);
            match member.role {
                Role::Field(storage) => StoredMemberMut::Field(StoredMut::new(storage, at)),
                Role::Oneof(shape) => StoredMemberMut::Oneof(OneofMut {
                    shape: shape(),
                    at,
                    oneof: PhantomData,
                    input: PhantomData,
                }),
                Role::Unknown => StoredMemberMut::Unknown(&mut *at.cast::<UnknownFields>()),
            }
        }
    }
}

/// The option of a oneof's enum, to be filled. What it borrows must live for `'de`.
pub(crate) struct OneofMut<'a, 'de> {
    shape: &'static OneofShape,
    at: *mut u8,
    oneof: PhantomData<&'a mut u8>,
    input: PhantomData<fn(&'de u8) -> &'de u8>,
}

impl<'a, 'de> OneofMut<'a, 'de> {
    /// A oneof by itself; `shape` is that of its type.
    ///
    /// # Safety
    /// What the type borrows need not outlive `'de`.
    pub(crate) unsafe fn of<T: OneofLayout>(shape: &'static OneofShape, oneof: &'a mut Option<T>) -> Self {
        OneofMut { shape, at: std::ptr::from_mut(oneof).cast(), oneof: PhantomData, input: PhantomData }
    }

    /// What the derive says of the type.
    pub(crate) fn shape(&self) -> &'static OneofShape {
        self.shape
    }

    /// The value of a variant: the one that is there, or an empty one that replaces another variant. `None` where none
    /// can be made.
    pub(crate) fn insert(self, variant: usize) -> Option<StoredMut<'a, 'de>> {
        let storage = self.shape.variants.get(variant)?.storage;
        // SAFETY: `of` and the shape of the struct give the address of a live option of the shape's enum, and nothing
        // else refers to it for `'a`. The value that `insert` gives is of the variant, whose storage the shape has.
        unsafe {
            let value = self.shape.insert(self.at, variant);
            (!value.is_null()).then(|| StoredMut::new(storage, value))
        }
    }

    /// Makes it `None`.
    pub(crate) fn clear(self) {
        // SAFETY: `of` and the shape of the struct give the address of a live option of the shape's enum, and nothing
        // else refers to it for `'a`.
        unsafe { self.shape.clear(self.at) }
    }
}

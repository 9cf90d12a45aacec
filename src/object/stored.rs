//! Reads and fills the members of Rust structs without a schema.
//!
//! Binary formats of serde see a struct as its members in the order of declaration. They do not see the fields of the
//! schema.
//!
//! # Soundness
//! A [`Storage`] says how a Rust type holds a value, for example as an `i32`, a `String` or an option. A [`Stored`] is the
//! address of a live value, with the storage of the value. Address and storage come from one [`Member`], from one member of a
//! shape, or from the functions of a container. So the storage is always that of the value, as `access` requires. `'a` is the
//! lifetime of the reference from which the first address came.

#![allow(unsafe_code)]

use super::{Typed, TypedMut, access, mismatch, unconverted};
use crate::error::Result;
use crate::layout::{
    EnumShape, ListFunctions, MadeFunctions, MapFunctions, Member, MessageShape, OneofLayout, OneofShape,
    Opened, Role, Storage, Text, UnknownFields, text,
};
use std::marker::PhantomData;

#[derive(Clone, Copy)]
pub(crate) struct Stored<'a> {
    storage: Storage,
    at: *const u8,
    value: PhantomData<&'a u8>,
}

/// A value that was read, with one variant for each kind of value.
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
    /// Makes a value from its address.
    ///
    /// # Safety
    /// `at` is the address of a live value with the storage `storage`. The value is not changed for `'a`.
    unsafe fn new(storage: Storage, at: *const u8) -> Self {
        Stored { storage, at, value: PhantomData }
    }

    pub(crate) fn view(self) -> View<'a> {
        let at = self.at;
        // SAFETY: by the contract of `new`, `self.at` is the address of a live value with the storage `self.storage`,
        // and the value is not changed for `'a`. So each arm reads the type that the storage names, an option or a box
        // contains a live value with the storage of its content, and the bytes of a string type are UTF-8.
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

/// Converts the 64 bits of a number to a value of the type that `storage` names.
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

/// A member of any Rust type, and the conversion that makes a proto value (a value of a type that the library knows)
/// from it.
#[derive(Clone, Copy)]
pub(crate) struct StoredMade<'a> {
    functions: &'static MadeFunctions,
    at: *const u8,
    member: PhantomData<&'a u8>,
}

impl StoredMade<'_> {
    pub(crate) fn read(self, read: &mut dyn FnMut(Stored<'_>)) {
        // SAFETY: `view` took `self.functions` and `self.at` from the live member that it found. Until the closure
        // returns, the proto value is live and has the storage `functions.proto`, and the closure does not keep it.
        unsafe { (self.functions.read)(self.at, &mut |proto| read(Stored::new(self.functions.proto, proto))) }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct StoredList<'a> {
    functions: &'static ListFunctions,
    at: *const u8,
    list: PhantomData<&'a u8>,
}

impl<'a> StoredList<'a> {
    pub(crate) fn elements(self) -> impl ExactSizeIterator<Item = Stored<'a>> {
        // SAFETY: `view` took `self.functions` and `self.at` from the live list that it found. The list is not changed
        // for `'a`. Its elements follow each other, one stride apart, and each index is below `len`.
        unsafe {
            let (first, len) = self.functions.elements(self.at);
            let ListFunctions { element, stride, .. } = *self.functions;
            (0..len).map(move |index| Stored::new(element, first.add(index * stride)))
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct StoredMap<'a> {
    functions: &'static MapFunctions,
    at: *const u8,
    map: PhantomData<&'a u8>,
}

impl<'a> StoredMap<'a> {
    pub(crate) fn len(self) -> usize {
        // SAFETY: `view` took `self.functions` and `self.at` from the live map that it found. The map is not changed
        // for `'a`.
        unsafe { self.functions.len(self.at) }
    }

    /// Calls `visit` for the entries, until `visit` returns false.
    pub(crate) fn visit(self, visit: &mut dyn FnMut(Stored<'a>, Stored<'a>) -> bool) {
        let MapFunctions { key, value, visit: each, .. } = *self.functions;
        // SAFETY: `view` took `self.functions` and `self.at` from the live map that it found. The map is not changed
        // for `'a`. `each` calls the closure with the addresses of a key and a value in this map, which have the
        // storages `key` and `value`.
        unsafe {
            each(self.at, &mut |key_at, value_at| {
                visit(Stored::new(key, key_at), Stored::new(value, value_at))
            });
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Struct<'a> {
    shape: &'static MessageShape,
    at: *const u8,
    message: PhantomData<&'a u8>,
}

pub(crate) enum StoredMember<'a> {
    Field(Stored<'a>),
    Oneof(Variant<'a>),
    Unknown(&'a [u8]),
}

/// The value of a oneof.
pub(crate) struct Variant<'a> {
    pub(crate) shape: &'static OneofShape,
    /// The index of the variant that is set, and its value. If serde skips the variant, the error is the name of the variant.
    pub(crate) set: Result<Option<(usize, Stored<'a>)>, &'static str>,
}

impl<'a> Struct<'a> {
    /// Makes a `Struct` from a reference to a message.
    ///
    /// # Panics
    /// The type is not a message struct.
    pub(crate) fn of<T: Member>(message: &'a T) -> Self {
        T::register();
        match T::STORAGE {
            // SAFETY: `shape` comes from the storage of `T`, so it is the shape of the struct at this address.
            Storage::Message(shape) => unsafe { Struct::new(shape(), std::ptr::from_ref(message).cast()) },
            _ => panic!("the type is not a message"),
        }
    }

    /// Makes a stored message from its address.
    ///
    /// # Safety
    /// `at` is the address of a live struct with the shape `shape`. The struct is not changed for `'a`.
    unsafe fn new(shape: &'static MessageShape, at: *const u8) -> Self {
        Struct { shape, at, message: PhantomData }
    }

    pub(crate) fn shape(self) -> &'static MessageShape {
        self.shape
    }

    /// Returns the struct as a message of its schema.
    ///
    /// # Errors
    /// The type and its schema do not fit together.
    pub(crate) fn typed(self) -> Result<Typed<'a>> {
        let table = self.shape.table()?;
        // SAFETY: the table was built from `self.shape`, which is the shape of the live struct at `self.at`.
        Ok(unsafe { Typed::new(self.at, table) })
    }

    /// Returns the members in the order of declaration, with the names that serde sees.
    pub(crate) fn members(self) -> impl Iterator<Item = (&'static str, StoredMember<'a>)> {
        self.shape.members.iter().zip(self.shape.names()).map(move |(member, name)| {
            // SAFETY: `self.shape` has the offset and the storage of each member of the struct at `self.at`.
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

/// Converts a typed message to a struct without its schema.
impl<'a> From<Typed<'a>> for Struct<'a> {
    fn from(message: Typed<'a>) -> Self {
        let shape = super::Object::table(message).shape.expect("a typed message has a type");
        // SAFETY: the table of `message` was built from `shape`, so the struct at the address of `message` has this
        // shape.
        unsafe { Struct::new(shape, message.address()) }
    }
}

impl<'a> Variant<'a> {
    /// Returns the value of the oneof at an address.
    ///
    /// # Safety
    /// `at` is the address of a live `Option` of the enum with the shape `shape`. The `Option` is not changed for `'a`.
    unsafe fn at(shape: &'static OneofShape, at: *const u8) -> Self {
        // SAFETY: the caller promises that `at` is the address of a live `Option` of the enum with this shape. The
        // `Option` is not changed for `'a`. The functions of the shape are for this type. They return the index of the
        // variant that is set and the address of its value, whose storage the shape has.
        unsafe {
            let set = match shape.functions.get(at) {
                Some((index, value)) => Ok(Some((index, Stored::new(shape.variants[index].storage, value)))),
                None => shape.functions.skipped.and_then(|skipped| skipped(at)).map_or(Ok(None), Err),
            };
            Variant { shape, set }
        }
    }

    /// Makes the value from a reference to a oneof outside of a message. `shape` is the shape of the oneof's type.
    pub(crate) fn of<T: OneofLayout>(shape: &'static OneofShape, oneof: &'a T) -> Self {
        let set = match oneof.value() {
            // SAFETY: the functions of the layout returned the address of the value of this variant.
            Some((index, value)) => unsafe {
                Ok(Some((index, Stored::new(shape.variants[index].storage, value))))
            },
            None => oneof.skipped().map_or(Ok(None), Err),
        };
        Variant { shape, set }
    }
}

/// A value that can be filled. If its type borrows text, the text must live for `'de`.
pub(crate) struct StoredMut<'a, 'de> {
    storage: Storage,
    at: *mut u8,
    value: PhantomData<&'a mut u8>,
    input: PhantomData<fn(&'de u8) -> &'de u8>,
}

impl<'a, 'de> StoredMut<'a, 'de> {
    /// Makes a `StoredMut` from the address of a value. If the value is a box, the result is for the value in the box.
    ///
    /// # Safety
    /// `at` is the address of a live value with the storage `storage`, nothing else refers to the value for `'a`, and
    /// its type borrows nothing that must outlive `'de`.
    unsafe fn new(mut storage: Storage, mut at: *mut u8) -> Self {
        while let Storage::Box(boxed) = storage {
            // SAFETY: the caller promises that `at` is the address of a live value with the storage `storage`, so a box
            // contains a live value with the storage `boxed.content`. Nothing else refers to the box or to this value
            // for `'a`.
            (storage, at) = (boxed.content, unsafe { access::unboxed_mut(at) });
        }
        StoredMut { storage, at, value: PhantomData, input: PhantomData }
    }

    /// Returns the storage of the value, which is never a box.
    pub(crate) fn storage(&self) -> Storage {
        self.storage
    }

    /// Sets a number, bool or enum value. Returns false if the type cannot hold it.
    pub(crate) fn set_bits(&mut self, bits: u64) -> bool {
        // SAFETY: by the contract of `new`, `self.at` is the address of a live value with the storage `self.storage`, to which
        // nothing else refers.
        unsafe { access::set_scalar(self.storage, self.at, bits) }
    }

    /// Replaces a string or byte string by a copy of `text`. Returns false if the type cannot hold the copy, for example
    /// because it can only borrow.
    pub(crate) fn set_str(&mut self, text: &str) -> bool {
        // SAFETY: by the contract of `new`, `self.at` is the address of a live value with the storage `self.storage`, to which
        // nothing else refers. The text is a `str`, so it is UTF-8; it is not marked as borrowed, so the value keeps no
        // reference to it.
        unsafe { access::set_text(self.storage, self.at, Text::owned(text.as_bytes())) }
    }

    /// Replaces a string or byte string by a part of the input, which the value may borrow. Returns false if the type cannot
    /// hold the text.
    pub(crate) fn set_borrowed_str(&mut self, text: &'de str) -> bool {
        let text = Text { bytes: text.as_bytes(), borrowed: true, input: None };
        // SAFETY: by the contract of `new`, `self.at` is the address of a live value with the storage `self.storage`, to which
        // nothing else refers. The text is a `str`, so it is UTF-8, and it lives for `'de`, which outlives all that the type
        // borrows.
        unsafe { access::set_text(self.storage, self.at, text) }
    }

    /// Replaces a byte string by a copy of `bytes`. Returns false if the type cannot hold the copy, for example because it can
    /// only borrow or is a string.
    pub(crate) fn set_bytes(&mut self, bytes: &[u8]) -> bool {
        // SAFETY: by the contract of `new`, `self.at` is the address of a live value with the storage `self.storage`, to which
        // nothing else refers. The type is no string, so the bytes need not be UTF-8; they are not marked as borrowed, so the
        // value keeps no reference to them.
        !self.storage.is_string() && unsafe { access::set_text(self.storage, self.at, Text::owned(bytes)) }
    }

    /// Replaces a byte string by a part of the input, which the value may borrow. Returns false if the type cannot hold the
    /// bytes.
    pub(crate) fn set_borrowed_bytes(&mut self, bytes: &'de [u8]) -> bool {
        let text = Text { bytes, borrowed: true, input: None };
        // SAFETY: by the contract of `new`, `self.at` is the address of a live value with the storage `self.storage`, to which
        // nothing else refers. The type is no string, so the bytes need not be UTF-8, and they live for `'de`, which outlives
        // all that the type borrows.
        !self.storage.is_string() && unsafe { access::set_text(self.storage, self.at, text) }
    }

    /// Returns the value in an option. If the option is `None`, first inserts an empty value. Returns `None` if the
    /// value is not an option, or if no empty value can be made.
    pub(crate) fn insert(self) -> Option<StoredMut<'a, 'de>> {
        let Storage::Option(option) = self.storage else { return None };
        // SAFETY: by the contract of `new`, `self.at` is the address of a live value with the storage `self.storage`, to which
        // nothing else refers. The address that `insert` returns is the address of the value in this option, whose storage is
        // `option.value()`. This function consumes `self`, so nothing else refers to the value.
        unsafe {
            let value = option.insert(self.at);
            (!value.is_null()).then(|| StoredMut::new(option.value(), value))
        }
    }

    /// Creates an empty proto value for a member with a conversion. Returns `None` if the member has no conversion, or
    /// if no proto value can be made.
    pub(crate) fn open(&self) -> Option<Opened> {
        let Storage::Made(functions) = self.storage else { return None };
        // SAFETY: `Opened::new` allows a null address, which means that there is no member to convert.
        unsafe { Opened::new(functions, std::ptr::null()) }
    }

    /// Returns a mutable view of the proto value in `opened`. Returns `None` if the member has no conversion.
    pub(crate) fn opened<'b>(&'b mut self, opened: &'b mut Opened) -> Option<StoredMut<'b, 'de>> {
        let Storage::Made(functions) = self.storage else { return None };
        // SAFETY: the proto value is live and nothing else refers to it as long as `opened` is borrowed. The proto
        // value borrows nothing, and `open` got it from these functions, so it has the storage `functions.proto`.
        Some(unsafe { StoredMut::new(functions.proto, opened.address()) })
    }

    /// Replaces the member by the value that the conversion makes of the proto value `opened`.
    ///
    /// # Errors
    /// The conversion rejects the proto value.
    pub(crate) fn close(self, opened: Opened) -> Result<()> {
        let Storage::Made(functions) = self.storage else { return Err(mismatch()) };
        // SAFETY: by the contract of `new`, `self.at` is the address of a live value with the storage `self.storage`, to which
        // nothing else refers.
        let closed = unsafe { opened.close(&mut || self.at) };
        closed.map_err(|refused| unconverted(&functions.conversion, refused))
    }

    /// Sets an option to `None`. Returns false if the value is not an option.
    pub(crate) fn clear(self) -> bool {
        let Storage::Option(option) = self.storage else { return false };
        // SAFETY: by the contract of `new`, `self.at` is the address of a live value with the storage `self.storage`, to which
        // nothing else refers.
        unsafe { option.clear(self.at) };
        true
    }

    /// Reserves memory in a list for `hint` elements, but for at most 1 MiB of elements.
    pub(crate) fn reserve(&mut self, hint: usize) {
        if let Storage::List(functions) = self.storage {
            let most = (1 << 20) / functions.stride.max(1);
            // SAFETY: by the contract of `new`, `self.at` is the address of a live value with the storage `self.storage`, to
            // which nothing else refers, and the storage says that the value is a list of the type of `functions`.
            unsafe { functions.reserve(self.at, hint.min(most), true) };
        }
    }

    /// Appends an empty element to a list, and returns the element. Returns `None` if the value is not a list, or if no
    /// empty element can be made.
    pub(crate) fn push(&mut self) -> Option<StoredMut<'_, 'de>> {
        let Storage::List(functions) = self.storage else { return None };
        // SAFETY: by the contract of `new`, `self.at` is the address of a live value with the storage `self.storage`, to which
        // nothing else refers, and the storage says that the value is a list of the type of `functions`. The new element is
        // live and has the storage that the functions name, and `self` stays borrowed while the element is used.
        unsafe {
            let element = functions.push(self.at);
            (!element.is_null()).then(|| StoredMut::new(functions.element, element))
        }
    }

    /// Lets `fill` set the key and the value of a new map entry, and inserts the entry if `fill` returns true. Does
    /// nothing if the value is not a map, or if no empty entry can be made.
    pub(crate) fn insert_entry(
        &mut self,
        fill: &mut dyn FnMut(StoredMut<'_, 'de>, StoredMut<'_, 'de>) -> bool,
    ) {
        if let Storage::Map(functions) = self.storage {
            // SAFETY: by the contract of `new`, `self.at` is the address of a live value with the storage `self.storage`, to
            // which nothing else refers. The storage says that the value is a map of the type of `functions`. `insert` calls
            // the closure with the addresses of a new key and a new value, which have the storages `functions.key` and
            // `functions.value`. Nothing else refers to the key and the value.
            unsafe {
                (functions.insert)(self.at, &mut |key, value| {
                    fill(StoredMut::new(functions.key, key), StoredMut::new(functions.value, value))
                });
            }
        }
    }

    /// Returns the value as a message, or `None` if it is not a message.
    pub(crate) fn message(self) -> Option<StructMut<'a, 'de>> {
        match self.storage {
            Storage::Message(shape) => {
                Some(StructMut { shape: shape(), at: self.at, message: PhantomData, input: PhantomData })
            }
            _ => None,
        }
    }
}

/// A message struct that can be filled. If its type borrows text, the text must live for `'de`.
pub(crate) struct StructMut<'a, 'de> {
    shape: &'static MessageShape,
    at: *mut u8,
    message: PhantomData<&'a mut u8>,
    input: PhantomData<fn(&'de u8) -> &'de u8>,
}

pub(crate) enum StoredMemberMut<'a, 'de> {
    Field(StoredMut<'a, 'de>),
    Oneof(OneofMut<'a, 'de>),
    Unknown(&'a mut UnknownFields),
}

impl<'a, 'de> StructMut<'a, 'de> {
    /// Makes the message from a reference to its struct.
    ///
    /// # Safety
    /// The type borrows nothing that must outlive `'de`.
    ///
    /// # Panics
    /// The type is not a message struct.
    pub(crate) unsafe fn of<T: Member>(message: &'a mut T) -> Self {
        T::register();
        match T::STORAGE {
            Storage::Message(shape) => {
                let at = std::ptr::from_mut(message).cast();
                StructMut { shape: shape(), at, message: PhantomData, input: PhantomData }
            }
            _ => panic!("the type is not a message"),
        }
    }

    pub(crate) fn shape(&self) -> &'static MessageShape {
        self.shape
    }

    pub(crate) fn reborrow(&mut self) -> StructMut<'_, 'de> {
        StructMut { shape: self.shape, at: self.at, message: PhantomData, input: PhantomData }
    }

    /// Returns the struct as a message of its schema. The message may borrow texts that live for `'de`.
    ///
    /// # Errors
    /// The type and its schema do not fit together.
    pub(crate) fn typed(self) -> Result<TypedMut<'a, 'static>> {
        let table = self.shape.table()?;
        // SAFETY: the table was built from `self.shape`, which is the shape of the live struct at `self.at`. Nothing
        // else refers to this struct for `'a`.
        Ok(unsafe { TypedMut::new(self.at, table) })
    }

    /// Returns the member with the index `index`.
    ///
    /// # Panics
    /// There is no member with this index.
    pub(crate) fn member(&mut self, index: usize) -> StoredMemberMut<'_, 'de> {
        let member = &self.shape.members[index];
        // SAFETY: `self.shape` has the offset and the storage of each member of the struct at `self.at`.
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

/// A oneof that can be filled: an `Option` of its enum. If its type borrows text, the text must live for `'de`.
pub(crate) struct OneofMut<'a, 'de> {
    shape: &'static OneofShape,
    at: *mut u8,
    oneof: PhantomData<&'a mut u8>,
    input: PhantomData<fn(&'de u8) -> &'de u8>,
}

impl<'a, 'de> OneofMut<'a, 'de> {
    /// Makes the value from a reference to a oneof outside of a message. `shape` is the shape of the oneof's type.
    ///
    /// # Safety
    /// The type borrows nothing that must outlive `'de`.
    pub(crate) unsafe fn of<T: OneofLayout>(shape: &'static OneofShape, oneof: &'a mut Option<T>) -> Self {
        OneofMut { shape, at: std::ptr::from_mut(oneof).cast(), oneof: PhantomData, input: PhantomData }
    }

    pub(crate) fn shape(&self) -> &'static OneofShape {
        self.shape
    }

    /// Returns the value of a variant. If the variant is not set, first sets the oneof to this variant with an empty
    /// value. Returns `None` if the oneof has no variant with this index, or if no empty value can be made.
    pub(crate) fn insert(self, variant: usize) -> Option<StoredMut<'a, 'de>> {
        let storage = self.shape.variants.get(variant)?.storage;
        // SAFETY: `self.at` comes from `of` or from the shape of the struct, so it is the address of a live `Option` of
        // the enum with the shape `self.shape`. Nothing else refers to the `Option` for `'a`. The value at the address
        // that `insert` returns is the value of the variant, and `storage` is the storage of this variant.
        unsafe {
            let value = self.shape.insert(self.at, variant);
            (!value.is_null()).then(|| StoredMut::new(storage, value))
        }
    }

    pub(crate) fn clear(self) {
        // SAFETY: `self.at` comes from `of` or from the shape of the struct, so it is the address of a live `Option` of
        // the enum with the shape `self.shape`. Nothing else refers to the `Option` for `'a`.
        unsafe { self.shape.clear(self.at) }
    }
}

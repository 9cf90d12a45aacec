//! Describes Rust types as data: the members of a struct, the offset of each member, and the part of a message for which the
//! member stands.
//!
//! The derive macros write one [`MessageShape`] per type into a `static`. The table of the type is built from the shape and
//! from the descriptor that the shape names.

use super::attributes::{Attributes, Extra};
use super::cells::{InStatic, MessageCells, OneofCells};
use super::enum_shape::EnumShape;
use super::functions::{
    Conversion, FillEntry, KeyRef, LazyFunctions, LazyListFunctions, OneofFunctions, Refused, TextFunctions,
    VisitEntry, VisitEntryMut,
};
use super::leaf::LeavesFn;
use super::name::Name;
use super::presence::PresenceBit;
use super::protos::Protos;
use super::schema::{Described, Schema};
use crate::descriptor::{MessageDescriptor, Registered};
use crate::error::Result;
use std::any::Any;

/// The kind of field that a Rust type can represent, derived from its storage.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TypeShape {
    Bool,
    I32,
    I64,
    U32,
    U64,
    F32,
    F64,
    Str,
    Bytes,
    Enum(fn() -> &'static EnumShape),
    Message(fn() -> &'static MessageShape),
    Option(Storage),
    List(Storage),
    Map(Storage, Storage),
}

/// How a value of a Rust type lies in memory, and which functions reach the value if Rust does not promise its layout.
///
/// Codecs match on the storage only once, when a table is built. If a function of a storage takes the address of a value, the
/// value is live and has the type of the storage.
#[derive(Clone, Copy, Debug)]
pub enum Storage {
    /// `bool`
    Bool,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `String`
    String,
    /// `&str`, a part of the input
    Str,
    /// `Vec<u8>`
    Vec,
    /// `&[u8]`, a part of the input
    Slice,
    /// Strings and byte strings of other types
    Text(&'static TextFunctions),
    /// An `Enumeration` that is a newtype over `i32`: an `i32` in memory
    OpenEnum(fn() -> &'static EnumShape),
    /// An `Enumeration` that is a Rust enum
    ClosedEnum(&'static EnumFunctions),
    /// A message struct
    Message(fn() -> &'static MessageShape),
    /// `Box<T>`: the address of the value
    Box(&'static BoxStorage),
    /// `Option<T>`, or a `T` with a presence bit
    Option(OptionStorage),
    /// `Vec<T>` except `Vec<u8>`, or a lazy list
    List(&'static ListFunctions),
    /// `HashMap<K, V>` and other maps
    Map(&'static MapFunctions),
    /// A number type with a conversion, such as `u16`
    Number(&'static NumberFunctions),
    /// A member of any type, with a conversion of the whole member to a proto value (a value of a type that the library knows)
    Made(&'static MadeFunctions),
}

impl Storage {
    /// Returns the storage of the single value inside boxes, options, lists and proto values. Does not enter maps.
    pub(crate) fn leaf(self) -> Storage {
        match self {
            Storage::Box(boxed) => boxed.content.leaf(),
            Storage::Option(option) => option.value().leaf(),
            Storage::List(functions) => functions.element.leaf(),
            Storage::Made(functions) => functions.proto.leaf(),
            other => other,
        }
    }

    /// Returns the storage of the value that formats see: for a member with a conversion, the storage of the proto
    /// value.
    pub(crate) fn proto(self) -> Storage {
        if let Storage::Made(functions) = self { functions.proto } else { self }
    }

    /// The error text for a type that [`boxes_many`](Self::boxes_many) finds.
    pub(crate) const BOXES_MANY: &str = "a list or a map is on the heap already; write it without `Box`";

    /// True for a list or a map in a box. Such a type is refused.
    pub(crate) fn boxes_many(self) -> bool {
        matches!(self, Storage::Box(_)) && matches!(self.ty(), TypeShape::List(_) | TypeShape::Map(..))
    }

    #[inline(never)]
    pub(crate) fn ty(self) -> TypeShape {
        match self {
            Storage::Bool => TypeShape::Bool,
            Storage::I32 => TypeShape::I32,
            Storage::I64 => TypeShape::I64,
            Storage::U32 => TypeShape::U32,
            Storage::U64 => TypeShape::U64,
            Storage::F32 => TypeShape::F32,
            Storage::F64 => TypeShape::F64,
            Storage::String | Storage::Str => TypeShape::Str,
            Storage::Vec | Storage::Slice => TypeShape::Bytes,
            Storage::Text(functions) if functions.is_string => TypeShape::Str,
            Storage::Text(_) => TypeShape::Bytes,
            Storage::OpenEnum(shape) => TypeShape::Enum(shape),
            Storage::ClosedEnum(functions) => TypeShape::Enum(functions.shape),
            Storage::Message(shape) => TypeShape::Message(shape),
            Storage::Box(boxed) => boxed.content.ty(),
            Storage::Option(option) => TypeShape::Option(option.value()),
            Storage::List(functions) => TypeShape::List(functions.element),
            Storage::Map(functions) => TypeShape::Map(functions.key, functions.value),
            Storage::Number(functions) => functions.proto.ty(),
            Storage::Made(functions) => functions.proto.ty(),
        }
    }

    /// Returns the message type of the value, or of the values in the box, option, list or map. `None` if these values are not
    /// messages.
    pub(crate) fn message(self) -> Option<&'static MessageShape> {
        match self.leaf() {
            Storage::Message(shape) => Some(shape()),
            Storage::Map(functions) => functions.value.message(),
            _ => None,
        }
    }

    /// Returns the enum type of the value, or of the values in the box, option, list or map. `None` if these values are not
    /// enums.
    pub(crate) fn enumeration(self) -> Option<&'static EnumShape> {
        match self.leaf() {
            Storage::OpenEnum(shape) => Some(shape()),
            Storage::ClosedEnum(functions) => Some((functions.shape)()),
            Storage::Map(functions) => functions.value.enumeration(),
            _ => None,
        }
    }

    /// True for strings and byte strings, also in a box, an option or a list.
    pub(crate) fn is_text(self) -> bool {
        matches!(
            self.leaf(),
            Storage::String | Storage::Str | Storage::Vec | Storage::Slice | Storage::Text(_)
        )
    }

    /// True for strings whose Rust type is always UTF-8, also in a box, an option or a list.
    pub(crate) fn is_string(self) -> bool {
        match self.leaf() {
            Storage::String | Storage::Str => true,
            Storage::Text(functions) => functions.is_string,
            _ => false,
        }
    }

    /// Returns the functions of messages that are decoded when they are first read. `None` if the type is not lazy.
    pub(crate) fn lazy(self) -> Option<&'static LazyFunctions> {
        match self {
            Storage::Option(option) => option.lazy(),
            Storage::List(functions) => functions.lazy.map(|lazy| &lazy.functions),
            _ => None,
        }
    }

    /// True if [`Member::write`](super::Member::write) writes values of this type.
    pub(crate) fn is_leaf(self) -> bool {
        match self {
            Storage::Option(OptionStorage::Lazy(_)) => false,
            Storage::Option(option) => option.value().is_leaf(),
            Storage::Text(functions) => functions.conversion.is_none(),
            Storage::List(list) => {
                list.lazy.is_none() && matches!(list.element, Storage::String | Storage::Vec)
            }
            Storage::Message(_)
            | Storage::Box(_)
            | Storage::Map(_)
            | Storage::Number(_)
            | Storage::Made(_) => false,
            _ => true,
        }
    }

    /// Returns the conversion of the member, or of a single value in the member. `None` if neither has a conversion.
    pub(crate) fn conversion(self) -> Option<&'static Conversion> {
        if let Storage::Made(functions) = self {
            return Some(&functions.conversion);
        }
        match self.leaf() {
            Storage::Text(functions) => functions.conversion.as_ref(),
            Storage::Number(functions) => Some(&functions.conversion),
            _ => None,
        }
    }
}

/// The functions of a Rust enum that stands for a protobuf enum.
#[derive(Debug)]
pub struct EnumFunctions {
    /// The shape of the type.
    pub shape: fn() -> &'static EnumShape,
    /// Returns the number of the value.
    pub get: unsafe fn(*const u8) -> i32,
    /// Replaces the value; returns false if the type has no value with this number.
    pub set: unsafe fn(*mut u8, i32) -> bool,
}

/// The functions of a number type with a conversion.
#[derive(Debug)]
pub struct NumberFunctions {
    /// How the number that the conversion makes lies in memory.
    pub proto: Storage,
    /// Returns the number as bits.
    pub get: unsafe fn(*const u8) -> u64,
    /// Replaces the value; returns false if the conversion rejects the bits.
    pub set: unsafe fn(*mut u8, u64) -> bool,
    /// True if the conversion accepts the bits.
    pub takes: fn(u64) -> bool,
    /// The conversion.
    pub conversion: Conversion,
}

/// The functions of a member with a conversion of the whole member to a proto value and back.
///
/// A proto value that is being filled has its own box, which [`Opened`] owns.
#[derive(Debug)]
pub struct MadeFunctions {
    /// How a proto value lies in memory.
    pub proto: Storage,
    /// The properties of the conversion.
    pub conversion: Conversion,
    /// Calls a function with the address of the proto value, which lives until that function returns.
    pub read: unsafe fn(*const u8, &mut dyn FnMut(*const u8)),
    /// Makes the proto value of the field with the given number, keeps it in the [`Protos`] of the message, and returns its
    /// address.
    pub keep: unsafe fn(*const u8, &Protos, u32) -> *const u8,
    /// Makes the proto value of the member in a new box, or an empty proto value if the address of the member is null.
    /// Returns the address of the proto value, or null if none can be made.
    pub open: unsafe fn(*const u8) -> *mut u8,
    /// Takes back the box, and converts the proto value. Then calls the given function for the address of the member, and
    /// replaces the member unless the address is null. On an error the member is unchanged.
    pub close: unsafe fn(*mut u8, &mut dyn FnMut() -> *mut u8) -> Result<(), Refused>,
    /// Drops the box with the proto value.
    pub drop: unsafe fn(*mut u8),
    /// Gives the member the value of an absent field.
    pub clear: unsafe fn(*mut u8),
}

/// The content of a box.
#[derive(Debug)]
pub struct BoxStorage {
    /// How the content lies in memory.
    pub content: Storage,
    /// The size of the content in bytes.
    pub size: usize,
}

/// Where an optional value stores whether it is set, and which functions reach the value.
#[derive(Clone, Copy, Debug)]
pub enum OptionStorage {
    /// An `Option<T>`.
    Inside(&'static InsideOption),
    /// A `T` whose presence bit lies in another member of the same struct.
    Bit(&'static BitOption),
    /// A `Lazy<T>`, which is decoded when it is first read.
    Lazy(&'static LazyOption),
}

/// The functions of an `Option<T>`.
#[derive(Debug)]
pub struct InsideOption {
    /// How the value lies in memory.
    pub value: Storage,
    /// The offset of the value in an option that is `Some`. `None` if [`Member::IN_OPTION`](super::Member::IN_OPTION) does not
    /// know the offset.
    pub offset: Option<u32>,
    /// Does a task with the option at an address. [`OptionTask`] says what the function returns.
    pub function: unsafe fn(OptionTask, *mut u8) -> *mut u8,
}

/// A task for the function of an option. One function for all tasks costs less than several, because each function
/// has its address in constants and an entry for unwinding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionTask {
    /// Returns the address of the value, or null if the option is `None`. The option is only read.
    Get,
    /// Returns the address of the value. If the option is `None`, makes an empty value first. Returns null if the value
    /// cannot be made.
    Insert,
    /// Makes the option `None`. Returns null.
    Clear,
}

/// A value with a presence bit.
#[derive(Debug)]
pub struct BitOption {
    /// How the value lies in memory.
    pub value: Storage,
    /// The bit that says whether there is a value.
    pub bit: PresenceBit,
    /// Makes the value empty; the bit stays.
    pub clear_value: unsafe fn(*mut u8),
}

/// How a value that may have a presence bit lies in memory, and how it becomes empty.
#[derive(Clone, Copy, Debug)]
pub struct BitStorage {
    pub(super) value: Storage,
    pub(super) clear_value: unsafe fn(*mut u8),
}

/// The functions of a message that is decoded when it is first read.
#[derive(Debug)]
pub struct LazyOption {
    /// How the message lies in memory.
    pub value: Storage,
    /// Returns the address of the message, or null if no message is set.
    pub get: unsafe fn(*const u8) -> *const u8,
    /// Returns the address of the message. If there is no message, makes an empty one first. Returns null if it cannot be
    /// made.
    pub insert: unsafe fn(*mut u8) -> *mut u8,
    /// The functions that do not decode the message.
    pub lazy: LazyFunctions,
}

/// The functions of a list.
#[derive(Debug)]
pub struct ListFunctions {
    /// How an element lies in memory.
    pub element: Storage,
    /// The distance from one element to the next, in bytes.
    pub stride: usize,
    /// The alignment of an element.
    pub align: usize,
    /// Writes the given number of empty elements to an address, and counts them. Stops if an element cannot be made.
    pub fill: unsafe fn(*mut u8, usize, &mut usize),
    /// Drops the given number of elements, beginning at an address. `None` if elements need no drop.
    pub drop: Option<unsafe fn(*mut u8, usize)>,
    /// The functions of a lazy list. If this is `None`, the list is a `Vec`.
    pub lazy: Option<&'static LazyListFunctions>,
}

/// The functions of a map.
#[derive(Debug)]
pub struct MapFunctions {
    /// How a key lies in memory.
    pub key: Storage,
    /// How a value lies in memory.
    pub value: Storage,
    /// The size of an entry in bytes.
    pub entry_size: usize,
    /// Does a task with the map at an address. The last parameter is the number of entries for `Reserve`, and zero for other
    /// tasks.
    pub whole: unsafe fn(MapTask, *mut u8, usize) -> usize,
    /// Makes an empty key and an empty value, calls the given function to fill both, and inserts them. They replace an
    /// entry with the same key. Returns the address of the value in the map, or null if the function returns false or if a
    /// type has no empty value.
    pub insert: unsafe fn(*mut u8, FillEntry<'_>) -> *mut u8,
    /// Visits the entries, until the given function returns false.
    pub visit: unsafe fn(*const u8, VisitEntry<'_>),
    /// Returns the address of the value of a key, or null if the map has no such key.
    pub get: unsafe fn(*const u8, KeyRef<'_>) -> *const u8,
    /// Returns the address of the value of a key, to change the value, or null if the map has no such key.
    pub get_mut: unsafe fn(*mut u8, KeyRef<'_>) -> *mut u8,
    /// Removes the entry of a key. Returns false if the map has no such entry.
    pub remove: unsafe fn(*mut u8, KeyRef<'_>) -> bool,
    /// Visits the entries, until the given function returns false. The function may change values in place. `None` if the
    /// values cannot hold messages.
    pub visit_mut: Option<unsafe fn(*mut u8, VisitEntryMut<'_>)>,
}

/// A task for the function `whole` of a map.
#[derive(Clone, Copy, Debug)]
pub enum MapTask {
    /// Returns the number of entries. The map is only read.
    Len,
    /// Returns the capacity, in entries. The map is only read.
    Capacity,
    /// Reserves room for the given number of further entries.
    Reserve,
    /// Drops all entries.
    Clear,
}

impl Described for MessageDescriptor {
    type Shape = MessageShape;

    fn stated_name(shape: &MessageShape) -> Option<&'static str> {
        shape.stated_name()
    }

    fn of_file(file: &'static dyn Registered, full_name: &str) -> Option<Self> {
        file.find_message(full_name)
    }
}

/// A message struct as its derive describes it.
#[derive(Debug)]
pub struct MessageShape {
    /// All names. The name of the Rust type is the first.
    names: &'static str,
    pub(crate) schema: Schema<MessageDescriptor>,
    pub(crate) members: &'static [MemberShape],
    pub(crate) size: u32,
    cells: InStatic<MessageCells>,
    /// Finds the members that are set. `None` for a message without members.
    pub(crate) presence: Option<PresenceFn>,
    /// Writes the members that are leaves. `None` for a message whose field numbers are only in its descriptor.
    pub(crate) leaves: Option<LeavesFn>,
    extras: Option<&'static [Extra]>,
    unusual: Option<&'static Unusual>,
    /// True if the stated schema says that messages may have extensions.
    pub(crate) extendable: bool,
    /// The offset of the member that keeps proto values for other members.
    pub(crate) protos: Option<u32>,
}

/// Facts that few message structs have, or only structs that are written by hand.
#[derive(Debug)]
pub struct Unusual {
    serde_name: Option<&'static str>,
    reset_skipped: Option<unsafe fn(*mut u8)>,
    build: Option<BuildTable>,
    json_ignore_unknown: bool,
}

impl Unusual {
    /// The value without any of these facts.
    pub const NONE: Unusual =
        Unusual { serde_name: None, reset_skipped: None, build: None, json_ignore_unknown: false };

    /// Sets the name under which serde sees the type, if it is not the name of the Rust type.
    #[must_use]
    pub const fn serde_name(mut self, name: &'static str) -> Self {
        self.serde_name = Some(name);
        self
    }

    /// Sets the function that resets skipped members to their defaults.
    ///
    /// # Safety
    /// The function takes the address of a message of the type.
    #[must_use]
    pub const fn reset_skipped(mut self, reset: unsafe fn(*mut u8)) -> Self {
        self.reset_skipped = Some(reset);
        self
    }

    /// Makes serde's `Deserialize` skip JSON members that the schema does not have.
    #[must_use]
    pub const fn json_ignore_unknown(mut self) -> Self {
        self.json_ignore_unknown = true;
        self
    }

    /// Sets the function that builds the table of the type from its descriptor.
    #[must_use]
    pub const fn built_by(mut self, build: BuildTable) -> Self {
        self.build = Some(build);
        self
    }
}

pub(crate) type ShapeFn = fn() -> &'static MessageShape;

/// A function that finds the members of a message that are set. It takes the address of a message and a mask for each of
/// its members, and returns the union of the masks of those members for which [`Member::is_set`](super::Member::is_set) is
/// true.
pub(crate) type PresenceFn = unsafe fn(*const u8, &[u64]) -> u64;

/// A function that builds the table of a type from its descriptor. A program whose types all state their schemas
/// ([`Schema::Stated`]) does not contain this function.
pub(crate) type BuildTable = fn(&'static MessageShape) -> Result<&'static (dyn Any + Send + Sync)>;

/// One member of a message struct. A shape lists the members in the order in which serde sees them.
///
/// Only the role contains pointers, because a program has many member shapes, and pointers would make them larger.
#[derive(Clone, Copy, Debug)]
pub struct MemberShape {
    /// The offset of the member: bytes from the start of the struct.
    pub(crate) offset: u32,
    /// The field number; zero if the field is looked up by name, and for members that are not fields.
    pub(crate) number: u32,
    /// The proto name of the field or oneof, in the names of the struct.
    pub(crate) name: Name,
    pub(crate) role: Role,
}

/// The part of a message for which a member of a struct stands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Role {
    /// A field, with the storage of its Rust type.
    Field(Storage),
    /// A oneof. The member is an option of an enum.
    Oneof(fn() -> &'static OneofShape),
    /// The unknown fields
    Unknown,
}

impl MemberShape {
    /// Returns the storages that a value of the member can have: one for a field, one for each variant of a oneof, none for the
    /// unknown fields.
    pub(crate) fn storages(&self) -> Vec<Storage> {
        match self.role {
            Role::Field(storage) => vec![storage],
            Role::Oneof(oneof) => {
                let mut storages = Vec::new();
                for variant in oneof().variants {
                    storages.push(variant.storage);
                }
                storages
            }
            Role::Unknown => Vec::new(),
        }
    }
}

/// One variant of the enum of a oneof. A shape lists the variants in the order in which serde sees them.
#[derive(Clone, Copy, Debug)]
pub struct VariantShape {
    /// The field number; zero if the field is looked up by name.
    pub(crate) number: u32,
    /// The proto name of the field, in the names of the enum.
    pub(crate) name: Name,
    pub(crate) serde_name: Name,
    pub(crate) storage: Storage,
}

/// A field of a member or of a oneof variant, with its attributes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldShape {
    pub(crate) name: &'static str,
    /// The field number; `None` if the field is looked up by name.
    pub(crate) number: Option<u32>,
    pub(crate) storage: Storage,
    pub(crate) attributes: &'static Attributes,
}

impl FieldShape {
    fn new(number: u32, name: &'static str, storage: Storage, extra: Option<&'static Extra>) -> Self {
        let number = if number == 0 { None } else { Some(number) };
        let attributes = extra.map_or(&Attributes::NONE, |extra| &extra.attributes);
        FieldShape { name, number, storage, attributes }
    }
}

/// The enum of a oneof: one newtype variant per member field.
#[derive(Debug)]
pub struct OneofShape {
    /// All names. The name of the Rust enum is the first.
    names: &'static str,
    pub(crate) variants: &'static [VariantShape],
    /// The functions of the member that holds the oneof, an `Option` of the enum.
    pub(crate) functions: OneofFunctions,
    serde_name: Option<&'static str>,
    extras: Option<&'static [Extra]>,
    cells: InStatic<OneofCells>,
}

impl OneofShape {
    /// Returns the shape of an enum.
    pub const fn new(
        names: &'static str,
        variants: &'static [VariantShape],
        functions: OneofFunctions,
        cells: &'static OneofCells,
    ) -> Self {
        let cells = InStatic::new(cells);
        OneofShape { names, variants, functions, serde_name: None, extras: None, cells }
    }

    /// Sets the name under which serde sees the enum, if it is not the name of the Rust type.
    #[must_use]
    pub const fn serde_name(mut self, name: &'static str) -> Self {
        self.serde_name = Some(name);
        self
    }

    /// Sets the attributes of variants, in their order.
    #[must_use]
    pub const fn extras(mut self, extras: &'static [Extra]) -> Self {
        self.extras = Some(extras);
        self
    }

    pub(crate) fn rust_name(&self) -> &'static str {
        Name::FIRST.of(self.names)
    }

    /// Returns the name under which serde sees the enum.
    pub(crate) fn named(&self) -> &'static str {
        self.serde_name.unwrap_or_else(|| self.rust_name())
    }

    /// Returns the field of the variant with the given index.
    ///
    /// # Panics
    /// If there is no such variant.
    pub(crate) fn field(&self, index: usize) -> FieldShape {
        let variant = &self.variants[index];
        let name = variant.name.of(self.names);
        let extra = self.extras.and_then(|extras| Extra::of(extras, index));
        FieldShape::new(variant.number, name, variant.storage, extra)
    }

    pub(crate) fn fields(&self) -> impl Iterator<Item = FieldShape> {
        (0..self.variants.len()).map(|index| self.field(index))
    }

    /// Returns the index of the variant for the field with this number, or with this proto name if the variant has no
    /// number.
    pub(crate) fn variant_for(&self, number: u32, name: &str) -> Option<usize> {
        self.variants.iter().position(|variant| match variant.number {
            0 => variant.name.is(self.names, name),
            own => own == number,
        })
    }

    /// Returns the names under which serde sees the variants, in order.
    pub(crate) fn names(&self) -> &'static [&'static str] {
        self.cells.get().names.get_or_init(|| {
            let mut names = Vec::with_capacity(self.variants.len());
            for variant in self.variants {
                names.push(variant.serde_name.of(self.names));
            }
            names.into()
        })
    }
}

impl MessageShape {
    /// Returns the shape of a struct.
    pub const fn new(
        names: &'static str,
        schema: Schema<MessageDescriptor>,
        members: &'static [MemberShape],
        cells: &'static MessageCells,
    ) -> Self {
        MessageShape {
            names,
            schema,
            members,
            size: 64,
            cells: InStatic::new(cells),
            presence: None,
            leaves: None,
            extras: None,
            unusual: None,
            extendable: false,
            protos: None,
        }
    }

    /// Sets the offset of the member that keeps proto values for other members; [`protos_at`](super::protos_at) finds this
    /// offset. The function is not `unsafe`, because tobu uses only shapes to which the `STORAGE` of an `unsafe impl` leads.
    #[must_use]
    pub const fn protos(mut self, offset: u32) -> Self {
        self.protos = Some(offset);
        self
    }

    /// Sets the facts that few types have.
    #[must_use]
    pub const fn unusual(mut self, unusual: &'static Unusual) -> Self {
        self.unusual = Some(unusual);
        self
    }

    /// Returns the function that builds the table from the descriptor; `None` if the type states its schema. The function
    /// belongs to a higher layer, so the derive puts it into the shape.
    pub(crate) fn build(&self) -> Option<BuildTable> {
        self.unusual?.build
    }

    pub(crate) fn reset_skipped(&self) -> Option<unsafe fn(*mut u8)> {
        self.unusual?.reset_skipped
    }

    /// True if serde's `Deserialize` of the type skips JSON members that the schema does not have.
    pub(crate) fn ignores_unknown_json(&self) -> bool {
        self.unusual.is_some_and(|unusual| unusual.json_ignore_unknown)
    }

    fn extra(&self, member: usize) -> Option<&'static Extra> {
        Extra::of(self.extras?, member)
    }

    /// States that messages may have extensions.
    #[must_use]
    pub const fn extendable(mut self) -> Self {
        self.extendable = true;
        self
    }

    /// Returns the run-time cells of the type, which all copies of its shape share.
    #[inline]
    pub(crate) fn cells(&self) -> &'static MessageCells {
        self.cells.get()
    }

    /// Sets the size of the struct, which the memory budget counts.
    ///
    /// # Panics
    /// If the struct takes 4 GiB or more.
    #[must_use]
    pub const fn of<T>(mut self) -> Self {
        assert!(size_of::<T>() <= u32::MAX as usize, "a message struct is smaller than 4 GiB");
        self.size = size_of::<T>() as u32;
        self
    }

    /// Sets the attributes of members, in their order.
    #[must_use]
    pub const fn extras(mut self, extras: &'static [Extra]) -> Self {
        self.extras = Some(extras);
        self
    }

    pub(crate) fn rust_name(&self) -> &'static str {
        Name::FIRST.of(self.names)
    }

    /// Returns the name under which serde sees the type.
    pub(crate) fn named(&self) -> &'static str {
        self.unusual.and_then(|unusual| unusual.serde_name).unwrap_or_else(|| self.rust_name())
    }

    /// Returns the full name of the message; `None` if the type does not state its schema.
    pub(crate) fn stated_name(&self) -> Option<&'static str> {
        match self.schema {
            Schema::Stated(_, name) => Some(name.of(self.names)),
            _ => None,
        }
    }

    /// Returns the proto name of a member; a fixed name for the unknown fields.
    pub(crate) fn proto_name(&self, member: &MemberShape) -> &'static str {
        match member.role {
            Role::Unknown => "unknown_fields",
            Role::Field(_) | Role::Oneof(_) => member.name.of(self.names),
        }
    }

    /// Returns the field of the member with the given index; `None` if this member is not a field.
    pub(crate) fn field(&self, index: usize) -> Option<FieldShape> {
        let member = self.members.get(index)?;
        let Role::Field(storage) = member.role else { return None };
        Some(FieldShape::new(member.number, self.proto_name(member), storage, self.extra(index)))
    }

    /// Returns the enum of the oneof with this proto name, if the struct has a member for it.
    pub(crate) fn oneof(&self, name: &str) -> Option<&'static OneofShape> {
        self.members.iter().find_map(|member| match member.role {
            Role::Oneof(shape) if member.name.is(self.names, name) => Some(shape()),
            _ => None,
        })
    }

    /// Returns the names under which serde sees the members, in order.
    pub(crate) fn names(&self) -> &'static [&'static str] {
        self.cells.get().names.get_or_init(|| {
            let mut names = Vec::with_capacity(self.members.len());
            for (index, member) in self.members.iter().enumerate() {
                let renamed = self.extra(index).and_then(|extra| extra.serde_name);
                names.push(renamed.unwrap_or_else(|| self.proto_name(member)));
            }
            names.into()
        })
    }

    /// Sets the function that finds the members that are set.
    ///
    /// # Safety
    /// The function takes the address of a message of the type.
    #[must_use]
    pub const fn presence(mut self, presence: PresenceFn) -> Self {
        self.presence = Some(presence);
        self
    }

    /// Sets the function that writes the members that are leaves, in the order of the field numbers.
    ///
    /// # Safety
    /// The function takes the address of a message of the type.
    #[must_use]
    pub const fn leaves(mut self, leaves: LeavesFn) -> Self {
        self.leaves = Some(leaves);
        self
    }
}

// Storages are copied into rows and steps, of which there are many, so they must stay small.
const _: () = assert!(size_of::<Storage>() == 2 * size_of::<usize>());

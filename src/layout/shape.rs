//! Rust types as data: the members of a struct, where each lies and what it stands for in a message.
//!
//! The derive macros write one [`MessageShape`] per type into a `static`; a table is built from it and from the
//! descriptor it names.

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

/// What a Rust type looks like to a schema, whatever library it is of; by the storage of what it holds.
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

/// How a value of a Rust type lies in memory, and by which functions it is reached where Rust does not promise that.
///
/// A codec matches on it once, when a table is built. All functions take the address of a live value of the type.
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
    /// `Vec<T>` of anything but `u8`
    List(&'static ListFunctions),
    /// `HashMap<K, V>` and other maps
    Map(&'static MapFunctions),
    /// A number of a type that is none itself, by a conversion
    Number(&'static NumberFunctions),
    /// A member as a whole, for which a conversion makes proto values
    Made(&'static MadeFunctions),
}

impl Storage {
    /// The storage of one value in boxes, options and lists.
    pub(crate) fn leaf(self) -> Storage {
        match self {
            Storage::Box(boxed) => boxed.content.leaf(),
            Storage::Option(option) => option.value().leaf(),
            Storage::List(functions) => functions.element.leaf(),
            Storage::Made(functions) => functions.proto.leaf(),
            other => other,
        }
    }

    /// The storage of the value that formats see: of a member that a conversion makes it for, that of the proto value.
    pub(crate) fn proto(self) -> Storage {
        if let Storage::Made(functions) = self { functions.proto } else { self }
    }

    /// Why a list or a map cannot be in a box.
    pub(crate) const BOXES_MANY: &str = "a list or a map is on the heap already; write it without `Box`";

    /// True for a list or a map in a box. A box takes off its allocation only where it holds a single value, so such a type
    /// is refused.
    pub(crate) fn boxes_many(self) -> bool {
        matches!(self, Storage::Box(_)) && matches!(self.ty(), TypeShape::List(_) | TypeShape::Map(..))
    }

    /// What the type looks like to a schema.
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

    /// The message type of one value: of the list's elements, of the map's values, of what the option holds.
    pub(crate) fn message(self) -> Option<&'static MessageShape> {
        match self.leaf() {
            Storage::Message(shape) => Some(shape()),
            Storage::Map(functions) => functions.value.message(),
            _ => None,
        }
    }

    /// The enum type of one value.
    pub(crate) fn enumeration(self) -> Option<&'static EnumShape> {
        match self.leaf() {
            Storage::OpenEnum(shape) => Some(shape()),
            Storage::ClosedEnum(functions) => Some((functions.shape)()),
            Storage::Map(functions) => functions.value.enumeration(),
            _ => None,
        }
    }

    /// True for strings and byte strings.
    pub(crate) fn is_text(self) -> bool {
        matches!(
            self.leaf(),
            Storage::String | Storage::Str | Storage::Vec | Storage::Slice | Storage::Text(_)
        )
    }

    /// True for types that are UTF-8 in Rust.
    pub(crate) fn is_string(self) -> bool {
        match self.leaf() {
            Storage::String | Storage::Str => true,
            Storage::Text(functions) => functions.is_string,
            _ => false,
        }
    }

    /// The functions of messages that are decoded when they are first read.
    pub(crate) fn lazy(self) -> Option<&'static LazyFunctions> {
        match self {
            Storage::Option(option) => option.lazy(),
            Storage::List(functions) => functions.lazy.map(|lazy| &lazy.functions),
            _ => None,
        }
    }

    /// True for what [`Member::write`](super::Member::write) writes.
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

    /// The conversion of one value, for a type that has one.
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

/// What can be done with a Rust enum that stands for a protobuf enum.
#[derive(Debug)]
pub struct EnumFunctions {
    /// The shape of the type.
    pub shape: fn() -> &'static EnumShape,
    /// The number of the value.
    pub get: unsafe fn(*const u8) -> i32,
    /// Replaces the value; false where the type has none with this number.
    pub set: unsafe fn(*mut u8, i32) -> bool,
}

/// What can be done with a number of a type that is none itself, by a conversion.
#[derive(Debug)]
pub struct NumberFunctions {
    /// How the number lies in memory that the conversion makes.
    pub proto: Storage,
    /// The number as bits.
    pub get: unsafe fn(*const u8) -> u64,
    /// Replaces the value; false where there is none for the bits.
    pub set: unsafe fn(*mut u8, u64) -> bool,
    /// Whether there is a value for the bits.
    pub takes: fn(u64) -> bool,
    /// The conversion.
    pub conversion: Conversion,
}

/// What can be done with a member as a whole for which a conversion makes proto values.
///
/// A proto value that is filled has a box of its own, which [`Opened`] owns.
#[derive(Debug)]
pub struct MadeFunctions {
    /// How a proto value lies in memory.
    pub proto: Storage,
    /// The conversion of the values in it.
    pub conversion: Conversion,
    /// Calls a function with the address of the proto value, which lives until the function returns.
    pub read: unsafe fn(*const u8, &mut dyn FnMut(*const u8)),
    /// The address of the proto value of the field with a number, which is kept.
    pub keep: unsafe fn(*const u8, &Protos, u32) -> *const u8,
    /// The address of the proto value in a box; of an empty one where the address of the member is null. Null where none can be
    /// made.
    pub open: unsafe fn(*const u8) -> *mut u8,
    /// Takes the box back, converts the proto value, and then asks for the address of the member that it replaces, which may be
    /// null. An error leaves the member as it is.
    pub close: unsafe fn(*mut u8, &mut dyn FnMut() -> *mut u8) -> Result<(), Refused>,
    /// Takes the box back.
    pub drop: unsafe fn(*mut u8),
    /// Makes the member what it is where the field is not there.
    pub clear: unsafe fn(*mut u8),
}

/// What is in a box.
#[derive(Debug)]
pub struct BoxStorage {
    /// How it lies in memory.
    pub content: Storage,
    /// How many bytes it takes.
    pub size: usize,
}

/// What says whether an optional value is there, and how it is reached.
#[derive(Clone, Copy, Debug)]
pub enum OptionStorage {
    /// An `Option<T>`.
    Inside(&'static InsideOption),
    /// A `T` with a bit of the struct that it is a member of.
    Bit(&'static BitOption),
    /// A `Lazy<T>`, which is decoded when it is first read.
    Lazy(&'static LazyOption),
}

/// What can be done with an `Option<T>`.
#[derive(Debug)]
pub struct InsideOption {
    /// How the value lies in memory.
    pub value: Storage,
    /// Where the value lies in an option that is `Some`: bytes from its start, where [`Member::IN_OPTION`](super::Member::IN_OPTION)
    /// says it.
    pub offset: Option<u32>,
    /// Does a task with the option at an address.
    pub function: unsafe fn(OptionTask, *mut u8) -> *mut u8,
}

/// A task for the function of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionTask {
    /// The address of the value, or null. The option is only read.
    Get,
    /// The address of the value; an empty one is made where there is none. Null where none can be made.
    Insert,
    /// To make it `None`. Gives null.
    Clear,
}

/// A value with a presence bit.
#[derive(Debug)]
pub struct BitOption {
    /// How the value lies in memory.
    pub value: Storage,
    /// Says whether there is a value.
    pub bit: PresenceBit,
    /// Makes the value empty; the bit stays.
    pub clear_value: unsafe fn(*mut u8),
}

/// What can be done with a message that is decoded when it is first read.
#[derive(Debug)]
pub struct LazyOption {
    /// How the message lies in memory.
    pub value: Storage,
    /// The message, or null.
    pub get: unsafe fn(*const u8) -> *const u8,
    /// The message; an empty one is made where there is none. Null where none can be made.
    pub insert: unsafe fn(*mut u8) -> *mut u8,
    /// What need not decode it.
    pub lazy: LazyFunctions,
}

/// What can be done with a list.
#[derive(Debug)]
pub struct ListFunctions {
    /// How an element lies in memory.
    pub element: Storage,
    /// Bytes from one element to the next.
    pub stride: usize,
    /// How elements are aligned.
    pub align: usize,
    /// Writes so many empty elements to an address, and counts them, up to one that cannot be made.
    pub fill: unsafe fn(*mut u8, usize, &mut usize),
    /// Drops so many elements from an address on; none for elements that need no drop.
    pub drop: Option<unsafe fn(*mut u8, usize)>,
    /// For messages that are decoded when one of them is first read. All other lists are a `Vec`.
    pub lazy: Option<&'static LazyListFunctions>,
}

/// What can be done with a map.
#[derive(Debug)]
pub struct MapFunctions {
    /// How a key lies in memory.
    pub key: Storage,
    /// How a value lies in memory.
    pub value: Storage,
    /// Bytes that an entry takes.
    pub entry_size: usize,
    /// Does what needs no entry, for which a number may be given, and gives a number.
    pub whole: unsafe fn(MapTask, *mut u8, usize) -> usize,
    /// Makes an empty key and value, has them filled and inserts them; an entry of the same key is replaced. Gives the
    /// address of the value in the map; null where `fill` says no, or the types have no empty value.
    pub insert: unsafe fn(*mut u8, FillEntry<'_>) -> *mut u8,
    /// Visits all entries.
    pub visit: unsafe fn(*const u8, VisitEntry<'_>),
    /// The value of a key, or null.
    pub get: unsafe fn(*const u8, KeyRef<'_>) -> *const u8,
    /// The value of a key to be changed, or null.
    pub get_mut: unsafe fn(*mut u8, KeyRef<'_>) -> *mut u8,
    /// Removes an entry; false where there is none.
    pub remove: unsafe fn(*mut u8, KeyRef<'_>) -> bool,
    /// Visits all entries; values may be changed in place. None where no value is a message.
    pub visit_mut: Option<unsafe fn(*mut u8, VisitEntryMut<'_>)>,
}

/// A task for the function of a map that needs no entry. Where nothing is said of a number, it is zero.
///
/// It is one function, as that of options.
#[derive(Clone, Copy, Debug)]
pub enum MapTask {
    /// How many entries there are. The map is only read.
    Len,
    /// How many entries there is room for. The map is only read.
    Capacity,
    /// To make room for so many more entries.
    Reserve,
    /// To drop all entries.
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
    /// All names: first that of the Rust type.
    names: &'static str,
    pub(crate) schema: Schema<MessageDescriptor>,
    pub(crate) members: &'static [MemberShape],
    pub(crate) size: u32,
    cells: InStatic<MessageCells>,
    /// Finds the members that are set; none for a message without members.
    pub(crate) presence: Option<PresenceFn>,
    /// Writes the members that are leaves; none for a message whose field numbers only its descriptor says.
    pub(crate) leaves: Option<LeavesFn>,
    extras: Option<&'static [Extra]>,
    unusual: Option<&'static Unusual>,
    /// The stated schema says that messages may have extensions.
    pub(crate) extendable: bool,
    /// Where the member lies that keeps the proto values of others.
    pub(crate) protos: Option<u32>,
}

/// What is said of few message structs, or only of those that are written by hand.
#[derive(Debug)]
pub struct Unusual {
    serde_name: Option<&'static str>,
    reset_skipped: Option<unsafe fn(*mut u8)>,
    build: Option<BuildTable>,
    json_ignore_unknown: bool,
}

impl Unusual {
    /// Nothing.
    pub const NONE: Unusual =
        Unusual { serde_name: None, reset_skipped: None, build: None, json_ignore_unknown: false };

    /// Sets the name under which serde sees the type, where it is not that of the type.
    #[must_use]
    pub const fn serde_name(mut self, name: &'static str) -> Self {
        self.serde_name = Some(name);
        self
    }

    /// Sets how members that are skipped get their defaults again.
    ///
    /// # Safety
    /// The function takes the address of a message of the type.
    #[must_use]
    pub const fn reset_skipped(mut self, reset: unsafe fn(*mut u8)) -> Self {
        self.reset_skipped = Some(reset);
        self
    }

    /// Says that members of JSON are skipped that the schema does not have, where serde reads the type.
    #[must_use]
    pub const fn json_ignore_unknown(mut self) -> Self {
        self.json_ignore_unknown = true;
        self
    }

    /// Sets what builds the table of the type by its descriptor.
    #[must_use]
    pub const fn built_by(mut self, build: BuildTable) -> Self {
        self.build = Some(build);
        self
    }
}

/// Gives the shape of a message struct.
pub(crate) type ShapeFn = fn() -> &'static MessageShape;

/// Finds the members of a message that are set: takes the address of one and a mask for each of its members, and gives the union
/// of the masks of those for which [`Member::is_set`](super::Member::is_set) says so.
pub(crate) type PresenceFn = unsafe fn(*const u8, &[u64]) -> u64;

/// Builds the table of a type: a program whose types all state their schemas contains nothing of that.
pub(crate) type BuildTable = fn(&'static MessageShape) -> Result<&'static (dyn Any + Send + Sync)>;

/// One member of a message struct, in the order in which serde sees them.
///
/// There are many of them in a program: they refer to nothing but functions of their types.
#[derive(Clone, Copy, Debug)]
pub struct MemberShape {
    /// Where the member lies: bytes from the start of the struct.
    pub(crate) offset: u32,
    /// The field number; zero where the field is looked up by name, and for what is no field.
    pub(crate) number: u32,
    /// The proto name of the field or oneof, in the names of the struct.
    pub(crate) name: Name,
    /// What the member stands for.
    pub(crate) role: Role,
}

/// What a member of a message struct stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Role {
    /// A field of a type that lies in memory like this.
    Field(Storage),
    /// A oneof, as an option of an enum.
    Oneof(fn() -> &'static OneofShape),
    /// The fields that the struct does not name.
    Unknown,
}

impl MemberShape {
    /// How the values lie in memory that the member may have: of a oneof those of all its variants.
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

/// One variant of the enum of a oneof, in the order in which serde sees them.
#[derive(Clone, Copy, Debug)]
pub struct VariantShape {
    /// The field number; zero where the field is looked up by name.
    pub(crate) number: u32,
    /// The proto name of the field, in the names of the enum.
    pub(crate) name: Name,
    /// The name under which serde sees the variant.
    pub(crate) serde_name: Name,
    /// How a value lies in memory.
    pub(crate) storage: Storage,
}

/// A field as a member or as a oneof variant describes it, with all that is said of it elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldShape {
    /// The proto name.
    pub(crate) name: &'static str,
    /// The field number; without one the field is looked up by name.
    pub(crate) number: Option<u32>,
    /// How a value of its Rust type lies in memory.
    pub(crate) storage: Storage,
    /// What the Rust type does not say.
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
    /// All names: first that of the Rust enum.
    names: &'static str,
    pub(crate) variants: &'static [VariantShape],
    /// What can be done with the member that holds it, an `Option` of the enum.
    pub(crate) functions: OneofFunctions,
    serde_name: Option<&'static str>,
    extras: Option<&'static [Extra]>,
    cells: InStatic<OneofCells>,
}

impl OneofShape {
    /// The shape of an enum.
    pub const fn new(
        names: &'static str,
        variants: &'static [VariantShape],
        functions: OneofFunctions,
        cells: &'static OneofCells,
    ) -> Self {
        let cells = InStatic::new(cells);
        OneofShape { names, variants, functions, serde_name: None, extras: None, cells }
    }

    /// Sets the name under which serde sees the enum, where it is not that of the type.
    #[must_use]
    pub const fn serde_name(mut self, name: &'static str) -> Self {
        self.serde_name = Some(name);
        self
    }

    /// Sets what else is said of variants, in their order.
    #[must_use]
    pub const fn extras(mut self, extras: &'static [Extra]) -> Self {
        self.extras = Some(extras);
        self
    }

    /// The name of the Rust enum.
    pub(crate) fn rust_name(&self) -> &'static str {
        Name::FIRST.of(self.names)
    }

    /// The name under which serde sees the enum.
    pub(crate) fn named(&self) -> &'static str {
        self.serde_name.unwrap_or_else(|| self.rust_name())
    }

    /// The field that the variant of an index stands for.
    ///
    /// # Panics
    /// There is none.
    pub(crate) fn field(&self, index: usize) -> FieldShape {
        let variant = &self.variants[index];
        let name = variant.name.of(self.names);
        let extra = self.extras.and_then(|extras| Extra::of(extras, index));
        FieldShape::new(variant.number, name, variant.storage, extra)
    }

    /// The fields that the variants stand for, in order.
    pub(crate) fn fields(&self) -> impl Iterator<Item = FieldShape> {
        (0..self.variants.len()).map(|index| self.field(index))
    }

    /// The index of the variant for the field of this number, or of this proto name where the variant has no number.
    pub(crate) fn variant_for(&self, number: u32, name: &str) -> Option<usize> {
        self.variants.iter().position(|variant| match variant.number {
            0 => variant.name.is(self.names, name),
            own => own == number,
        })
    }

    /// The names under which serde sees the variants, in order.
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
    /// The shape of a struct.
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

    /// Sets where the member lies that keeps the proto values of others, as [`protos_at`](super::protos_at) finds it. A shape that
    /// anyone makes is inert: only the `STORAGE` of an `unsafe impl` leads to it.
    #[must_use]
    pub const fn protos(mut self, offset: u32) -> Self {
        self.protos = Some(offset);
        self
    }

    /// Sets what is said of few types.
    #[must_use]
    pub const fn unusual(mut self, unusual: &'static Unusual) -> Self {
        self.unusual = Some(unusual);
        self
    }

    /// What builds the table by the descriptor, which only an upper layer can; none where the type states its schema.
    pub(crate) fn build(&self) -> Option<BuildTable> {
        self.unusual?.build
    }

    /// What gives the members that are skipped their defaults again.
    pub(crate) fn reset_skipped(&self) -> Option<unsafe fn(*mut u8)> {
        self.unusual?.reset_skipped
    }

    /// True for a type of which serde skips members of JSON that the schema does not have.
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

    /// What is found out about the type; the same for all copies of its shape.
    #[inline]
    pub(crate) fn cells(&self) -> &'static MessageCells {
        self.cells.get()
    }

    /// Sets what the compiler knows of the type of the struct: by its size the memory budget counts.
    ///
    /// # Panics
    /// The type takes more than the offset of a member can say.
    #[must_use]
    pub const fn of<T>(mut self) -> Self {
        assert!(size_of::<T>() <= u32::MAX as usize, "a message struct is smaller than 4 GiB");
        self.size = size_of::<T>() as u32;
        self
    }

    /// Sets what else is said of members, in their order.
    #[must_use]
    pub const fn extras(mut self, extras: &'static [Extra]) -> Self {
        self.extras = Some(extras);
        self
    }

    /// The name of the Rust type.
    pub(crate) fn rust_name(&self) -> &'static str {
        Name::FIRST.of(self.names)
    }

    /// The name under which serde sees the type.
    pub(crate) fn named(&self) -> &'static str {
        self.unusual.and_then(|unusual| unusual.serde_name).unwrap_or_else(|| self.rust_name())
    }

    /// The full name of the message, where the type states its schema.
    pub(crate) fn stated_name(&self) -> Option<&'static str> {
        match self.schema {
            Schema::Stated(_, name) => Some(name.of(self.names)),
            _ => None,
        }
    }

    /// The proto name of a member; that of the fields that the struct does not name is always the same.
    pub(crate) fn proto_name(&self, member: &MemberShape) -> &'static str {
        match member.role {
            Role::Unknown => "unknown_fields",
            Role::Field(_) | Role::Oneof(_) => member.name.of(self.names),
        }
    }

    /// The field that the member of an index is, if it is one.
    pub(crate) fn field(&self, index: usize) -> Option<FieldShape> {
        let member = self.members.get(index)?;
        let Role::Field(storage) = member.role else { return None };
        Some(FieldShape::new(member.number, self.proto_name(member), storage, self.extra(index)))
    }

    /// The enum of the oneof with this proto name, where the struct has a member for it.
    pub(crate) fn oneof(&self, name: &str) -> Option<&'static OneofShape> {
        self.members.iter().find_map(|member| match member.role {
            Role::Oneof(shape) if member.name.is(self.names, name) => Some(shape()),
            _ => None,
        })
    }

    /// The names under which serde sees the members, in order.
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

    /// Sets what finds the members that are set.
    ///
    /// # Safety
    /// The function takes the address of a message of the type.
    #[must_use]
    pub const fn presence(mut self, presence: PresenceFn) -> Self {
        self.presence = Some(presence);
        self
    }

    /// Sets what writes the members that are leaves, in the order of the field numbers.
    ///
    /// # Safety
    /// The function takes the address of a message of the type.
    #[must_use]
    pub const fn leaves(mut self, leaves: LeavesFn) -> Self {
        self.leaves = Some(leaves);
        self
    }
}

// Storages are copied into rows and steps, and there are many of them.
const _: () = assert!(size_of::<Storage>() == 2 * size_of::<usize>());

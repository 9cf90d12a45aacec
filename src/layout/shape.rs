//! Rust types as data: the members of a struct, where each lies and what it stands for in a message.
//!
//! The derive macros write one [`MessageShape`] per type into a `static`; a table is built from it and from the
//! descriptor it names.

use super::cells::{InStatic, MessageCells, OneofCells};
use super::kind::WireKind;
use super::presence::PresenceBit;
use super::straight::StraightFn;
use crate::descriptor::{EnumDescriptor, FileSlot, MessageDescriptor, Registered};
use crate::error::{Error, Result};
use crate::member::JsonBytes;
use bytes::Bytes;
use once_cell::sync::OnceCell;
use std::any::Any;
use std::fmt;

/// What a member's Rust type looks like, as far as it makes a difference to a schema.
#[derive(Clone, Copy, Debug)]
pub enum TypeShape {
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
    /// `String` and other string types
    Str,
    /// `Vec<u8>` and other types of bytes
    Bytes,
    /// A type that derives `Enumeration`
    Enum(fn() -> &'static EnumShape),
    /// A type that derives `Message`
    Message(fn() -> &'static MessageShape),
    /// `Option<T>`
    Option(&'static TypeShape),
    /// `Vec<T>` and other lists
    List(&'static TypeShape),
    /// `HashMap<K, V>` and other maps
    Map(&'static TypeShape, &'static TypeShape),
}

impl TypeShape {
    /// The type of one value: of the list's elements, of the map's values, of what the option holds.
    pub(crate) fn leaf(self) -> TypeShape {
        match self {
            TypeShape::Option(inner) | TypeShape::List(inner) | TypeShape::Map(_, inner) => inner.leaf(),
            leaf => leaf,
        }
    }

    /// The message type of one value.
    pub(crate) fn message(self) -> Option<&'static MessageShape> {
        match self.leaf() {
            TypeShape::Message(shape) => Some(shape()),
            _ => None,
        }
    }

    /// The enum type of one value.
    pub(crate) fn enumeration(self) -> Option<&'static EnumShape> {
        match self.leaf() {
            TypeShape::Enum(shape) => Some(shape()),
            _ => None,
        }
    }
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
    /// `bytes::Bytes`, which shares the input where that is shared
    Bytes,
    /// Strings and byte strings of other types
    Text(&'static TextFunctions),
    /// An `Enumeration` that is a newtype over `i32`: an `i32` in memory
    OpenEnum(fn() -> &'static EnumShape),
    /// An `Enumeration` that is a Rust enum
    ClosedEnum(&'static EnumFunctions),
    /// A message struct
    Message(fn() -> &'static MessageShape),
    /// `Box<T>`: the address of the value
    Box(&'static Storage),
    /// `Option<T>`, or a `T` with a presence bit
    Option(&'static OptionFunctions),
    /// `Vec<T>` of anything but `u8`
    List(&'static ListFunctions),
    /// `HashMap<K, V>` and other maps
    Map(&'static MapFunctions),
}

impl Storage {
    /// The storage of one value in boxes, options and lists.
    pub(crate) fn leaf(self) -> Storage {
        match self {
            Storage::Box(value) => value.leaf(),
            Storage::Option(functions) => functions.value.leaf(),
            Storage::List(functions) => functions.element.leaf(),
            other => other,
        }
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
            Storage::Option(functions) => functions.lazy(),
            Storage::List(functions) => functions.lazy,
            _ => None,
        }
    }

    /// The conversion of one value, for a type that has one.
    pub(crate) fn conversion(self) -> Option<&'static Conversion> {
        match self.leaf() {
            Storage::Text(functions) => functions.conversion.as_ref(),
            _ => None,
        }
    }

    /// True for what [`put`](super::Member::put) writes: numbers, text and messages.
    #[must_use]
    pub const fn is_straight(&self) -> bool {
        match self {
            Storage::Box(inner) => matches!(inner, Storage::Message(_)),
            Storage::Option(_) | Storage::List(_) | Storage::Map(_) | Storage::ClosedEnum(_) => false,
            _ => true,
        }
    }
}

/// A string or byte string to be stored.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The bytes; valid UTF-8 where the target is a string.
    pub bytes: &'a [u8],
    /// The bytes are a part of the input, which outlives the message: a type that borrows may refer to them.
    pub borrowed: bool,
    /// The input, where it is shared.
    pub input: Option<&'a bytes::Bytes>,
}

/// What can be done with a string of a type without a fast path.
#[derive(Debug)]
pub struct TextFunctions {
    /// The type is UTF-8 in Rust.
    pub is_string: bool,
    /// The bytes: where they start, and how many.
    pub get: unsafe fn(*const u8) -> (*const u8, usize),
    /// Replaces the value; false where the type can only borrow and the text is not borrowed, or where there is no value
    /// for the text.
    pub set: unsafe fn(*mut u8, Text<'_>) -> bool,
    /// The conversion by which the functions go, for a type that is no text itself.
    pub conversion: Option<Conversion>,
}

/// A conversion as data, for what a codec asks of it beside the functions of its text.
#[derive(Debug)]
pub struct Conversion {
    /// What a value must be.
    pub expected: &'static str,
    /// How JSON shows bytes.
    pub json: Option<&'static JsonBytes>,
    /// Whether the default of the type is lent as an empty value.
    pub default_is_empty: fn() -> bool,
    /// Whether there is a value for a text.
    pub takes: fn(&[u8]) -> bool,
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

/// What can be done with an optional value.
#[derive(Debug)]
pub struct OptionFunctions {
    /// How the value lies in memory.
    pub value: Storage,
    /// What says whether there is a value.
    pub presence: OptionPresence,
    /// Makes it `None`; a value with a presence bit is made empty, and the bit stays.
    pub clear_value: unsafe fn(*mut u8),
}

/// What says whether an optional value is there.
#[derive(Clone, Copy, Debug)]
pub enum OptionPresence {
    /// An `Option<T>` or a `Lazy<T>` itself.
    Inside {
        /// The value, or null.
        get: unsafe fn(*const u8) -> *const u8,
        /// The value; an empty one is made where there is none. Null where none can be made.
        insert: unsafe fn(*mut u8) -> *mut u8,
        /// For a message that is decoded when it is first read.
        lazy: Option<&'static LazyFunctions>,
    },
    /// A bit of the struct that the value is a member of.
    Bit(PresenceBit),
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
    pub put: unsafe fn(*mut u8, Bytes, u32) -> bool,
    /// Removes what is there without decoding it.
    pub clear: unsafe fn(*mut u8),
}

/// What can be done with a list.
#[derive(Debug)]
pub struct ListFunctions {
    /// How an element lies in memory.
    pub element: Storage,
    /// Bytes from one element to the next.
    pub stride: usize,
    /// The first element and how many there are.
    pub elements: unsafe fn(*const u8) -> (*const u8, usize),
    /// How many elements there is room for.
    pub capacity: unsafe fn(*const u8) -> usize,
    /// The first element, to be changed.
    pub first_mut: unsafe fn(*mut u8) -> *mut u8,
    /// Makes room for more elements; gives the address where the first of them goes, and how many are before it. A new
    /// list has no more room than that where it is said to be all.
    pub reserve: unsafe fn(*mut u8, usize, bool) -> (*mut u8, usize),
    /// Says how many elements there are: some were written to the reserved room, or are not to be seen any more.
    pub set_len: unsafe fn(*mut u8, usize),
    /// Writes so many empty elements to an address; false where none can be made.
    pub fill: unsafe fn(*mut u8, usize) -> bool,
    /// Drops so many elements from an address on. None for elements that need no drop.
    pub drop: Option<unsafe fn(*mut u8, usize)>,
    /// For messages that are decoded when one of them is first read.
    pub lazy: Option<&'static LazyFunctions>,
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

/// What can be done with a map.
#[derive(Debug)]
pub struct MapFunctions {
    /// How a key lies in memory.
    pub key: Storage,
    /// How a value lies in memory.
    pub value: Storage,
    /// Bytes that an entry takes.
    pub entry_size: usize,
    /// How many entries there are.
    pub len: unsafe fn(*const u8) -> usize,
    /// How many entries there is room for.
    pub capacity: unsafe fn(*const u8) -> usize,
    /// Makes room for more entries.
    pub reserve: unsafe fn(*mut u8, usize),
    /// Makes an empty key and value, has them filled and inserts them; an entry of the same key is replaced. Gives the
    /// address of the value in the map; null where `fill` says no, or the types have no empty value.
    pub insert: unsafe fn(*mut u8, FillEntry<'_>) -> *mut u8,
    /// The value of a key, or null.
    pub get: unsafe fn(*const u8, KeyRef<'_>) -> *const u8,
    /// The value of a key to be changed, or null.
    pub get_mut: unsafe fn(*mut u8, KeyRef<'_>) -> *mut u8,
    /// Removes an entry; false where there is none.
    pub remove: unsafe fn(*mut u8, KeyRef<'_>) -> bool,
    /// Visits all entries.
    pub visit: unsafe fn(*const u8, VisitEntry<'_>),
    /// Visits all entries; values may be changed in place. None where no value is a message.
    pub visit_mut: Option<unsafe fn(*mut u8, VisitEntryMut<'_>)>,
    /// Drops all entries.
    pub clear: unsafe fn(*mut u8),
}

/// What can be done with the member that holds a oneof: an `Option` of its enum.
#[derive(Clone, Copy, Debug)]
pub struct OneofFunctions {
    /// The index of the variant that is set and the address of its value; `None` where none is.
    pub get: unsafe fn(*const u8) -> Option<(usize, *const u8)>,
    /// The value of a variant: the one that is there, or an empty one that replaces another variant. Null where none
    /// can be made.
    pub insert: unsafe fn(*mut u8, usize) -> *mut u8,
    /// Makes it `None`.
    pub clear: unsafe fn(*mut u8),
    /// The name of the variant that is set where it is one that is skipped: `get` says nothing of it. None for a type
    /// that skips no variant.
    pub skipped: Option<unsafe fn(*const u8) -> Option<&'static str>>,
}

impl OneofFunctions {
    /// Says so where the variant that is set is one that is skipped, which no format can write.
    ///
    /// # Safety
    /// As for the functions.
    #[inline]
    pub(crate) unsafe fn refuse_skipped(&self, at: *const u8) -> Result<()> {
        // SAFETY: as above.
        match self.skipped.and_then(|skipped| unsafe { skipped(at) }) {
            Some(name) => Err(Error::ty(format!("the variant `{name}` is skipped and cannot be serialized"))),
            None => Ok(()),
        }
    }
}

/// Something that a type is bound to: has descriptors by name.
pub trait Binds<D>: Sync {
    /// The descriptor of this name.
    ///
    /// # Errors
    /// There is none.
    fn find(&'static self, full_name: &str) -> Result<D>;
}

impl<D> fmt::Debug for dyn Binds<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Binds")
    }
}

/// A descriptor of a kind of types.
pub trait Described: Sized + 'static {
    /// The shape of such a type.
    type Shape: fmt::Debug + 'static;

    /// The descriptor of this name in a file.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "nobody else implements it")]
    fn of_file(file: &'static dyn Registered, full_name: &str) -> Option<Self>;
}

impl Described for MessageDescriptor {
    type Shape = MessageShape;

    #[expect(private_interfaces, reason = "as above")]
    fn of_file(file: &'static dyn Registered, full_name: &str) -> Option<Self> {
        file.find_message(full_name)
    }
}

impl Described for EnumDescriptor {
    type Shape = EnumShape;

    #[expect(private_interfaces, reason = "as above")]
    fn of_file(file: &'static dyn Registered, full_name: &str) -> Option<Self> {
        file.find_enum(full_name)
    }
}

/// Where the descriptor of a type comes from.
#[derive(Clone, Copy, Debug)]
pub enum Schema<D: Described> {
    /// The type is bound to the descriptor of this name in a static.
    Bound(&'static dyn Binds<D>, &'static str),
    /// The type is bound to a descriptor that an expression gives.
    Given(fn() -> Result<D>),
    /// The type declares its own.
    Declared(&'static Declaration<D>),
    /// The type states all that its descriptor says, so that most of what is done with it needs none. The slot is that of
    /// its file, the name that of its descriptor.
    Stated(InStatic<FileSlot>, &'static str),
}

/// How a type declares its descriptor.
#[derive(Clone, Copy, Debug)]
pub struct Declaration<D: Described> {
    /// The proto package; may be empty.
    pub package: &'static str,
    /// The name within the package.
    pub name: &'static str,
    /// Declares the type. A program in which no type declares a schema contains none of that.
    pub declare: fn(&'static D::Shape) -> Result<D>,
}

impl<D: Described> Schema<D> {
    /// The descriptor of a type, looked up or declared.
    ///
    /// # Errors
    /// There is no such descriptor, or the declarations of the type are not valid.
    pub(crate) fn descriptor(&self, shape: &'static D::Shape) -> Result<D> {
        match self {
            Schema::Bound(source, full_name) => source.find(full_name),
            Schema::Given(descriptor) => descriptor(),
            Schema::Declared(declaration) => (declaration.declare)(shape),
            Schema::Stated(slot, full_name) => {
                let found = slot.get().file().and_then(|file| D::of_file(file, full_name));
                found.ok_or_else(|| Error::schema(format!("the file of {full_name} is not registered")))
            }
        }
    }
}

/// A message struct as its derive describes it.
#[derive(Debug)]
pub struct MessageShape {
    pub(crate) rust_name: &'static str,
    pub(crate) schema: Schema<MessageDescriptor>,
    pub(crate) members: &'static [MemberShape],
    pub(crate) size: u32,
    cells: InStatic<MessageCells>,
    /// Writes the fields in straight-line code.
    pub(crate) straight: Option<StraightFn>,
    /// Gives the members that are skipped their defaults again.
    pub(crate) reset_skipped: Option<unsafe fn(*mut u8)>,
    /// The name under which serde sees the type, and those of its members.
    pub(crate) serde_name: &'static str,
    /// Builds the table by the descriptor, which only an upper layer can; none where the type states its schema.
    pub(crate) build: Option<BuildTable>,
    /// The stated schema says that messages may have extensions.
    pub(crate) extendable: bool,
}

/// Builds the table of a type: a program whose types all state their schemas contains nothing of that.
pub(crate) type BuildTable = fn(&'static MessageShape) -> Result<&'static (dyn Any + Send + Sync)>;

/// One member of a message struct, in the order in which serde sees them.
#[derive(Clone, Copy, Debug)]
pub struct MemberShape {
    /// The name under which serde sees the member, where it is not that of its role.
    pub renamed: Option<&'static &'static str>,
    /// Where the member lies: bytes from the start of the struct.
    pub offset: usize,
    /// What the member stands for.
    pub role: Role,
}

impl MemberShape {
    /// The name of the fields that the struct does not name.
    pub(crate) const UNKNOWN: &'static str = "unknown_fields";

    /// The same member with another name for serde.
    #[must_use]
    pub const fn renamed(mut self, name: &'static &'static str) -> Self {
        self.renamed = Some(name);
        self
    }

    /// The name under which serde sees the member.
    pub(crate) fn name(&self) -> &'static str {
        match (self.renamed, &self.role) {
            (Some(name), _) => name,
            (None, Role::Field(field)) => field.name,
            (None, Role::Oneof(name, _)) => name,
            (None, Role::Unknown) => Self::UNKNOWN,
        }
    }
}

/// What a member of a message struct stands for.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// A field.
    Field(FieldShape),
    /// A oneof, as an option of an enum: the name of the oneof and the enum's shape.
    Oneof(&'static str, fn() -> &'static OneofShape),
    /// The fields that the struct does not name.
    Unknown,
}

/// A field as a member or as a oneof variant describes it.
#[derive(Clone, Copy, Debug)]
pub struct FieldShape {
    /// The proto name.
    pub name: &'static str,
    /// The field number; without one the field is looked up by name.
    pub number: Option<u32>,
    /// What there is to know of its Rust type.
    pub value: &'static ValueShape,
    /// What the Rust type does not say.
    pub attributes: Option<&'static Attributes>,
}

/// What there is to know of the Rust type of a field: one constant for all fields of the type.
#[derive(Clone, Copy, Debug)]
pub struct ValueShape {
    /// What the type looks like to a schema.
    pub ty: TypeShape,
    /// How a value of the type lies in memory.
    pub storage: Storage,
}

impl FieldShape {
    /// What the Rust type does not say.
    pub(crate) fn attributes(&self) -> Attributes {
        self.attributes.copied().unwrap_or(Attributes::NONE)
    }
}

/// What a field's attributes say; only schemas that are declared or stated are made of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes {
    /// The wire kind of the value, list element or map value, where the Rust type leaves a choice.
    pub kind: Option<WireKind>,
    /// The wire kind of the map key.
    pub key: Option<WireKind>,
    /// The JSON name, where it is not the usual one.
    pub json_name: Option<&'static str>,
    /// Packed or not, where it is not the usual.
    pub packed: Option<bool>,
    /// The default value, in the notation of descriptors.
    pub default: Option<&'static str>,
    /// The field must have a value.
    pub required: bool,
    /// The message is written as a group.
    pub delimited: bool,
    /// The group is one as proto2 declares it; only stated schemas know.
    pub group: bool,
    /// Text for people does not show the value.
    pub redact: bool,
    /// Strings need not be UTF-8 by the schema; only stated schemas know.
    pub loose: bool,
    /// Registers the file of the member's type, if it has one; only schemas that are declared ask for that.
    pub register: Option<fn()>,
}

impl Attributes {
    /// Nothing but what the Rust type says.
    pub const NONE: Attributes = Attributes {
        kind: None,
        key: None,
        json_name: None,
        packed: None,
        default: None,
        required: false,
        delimited: false,
        group: false,
        redact: false,
        loose: false,
        register: None,
    };
}

/// The enum of a oneof: one newtype variant per member field.
#[derive(Debug)]
pub struct OneofShape {
    /// The name of the Rust enum.
    pub rust_name: &'static str,
    /// The names under which serde sees the variants, and their fields, in order.
    pub variants: &'static [(&'static str, FieldShape)],
    /// What can be done with the member that holds it, an `Option` of the enum.
    pub functions: OneofFunctions,
    /// The name under which serde sees the enum, and those of its variants.
    pub(crate) serde_name: &'static str,
    cells: InStatic<OneofCells>,
}

impl OneofShape {
    /// The shape of an enum.
    pub const fn new(
        rust_name: &'static str,
        variants: &'static [(&'static str, FieldShape)],
        functions: OneofFunctions,
        cells: &'static OneofCells,
    ) -> Self {
        let cells = InStatic::new(cells);
        OneofShape { rust_name, variants, functions, serde_name: rust_name, cells }
    }

    /// Sets the name under which serde sees the enum, where it is not that of the type.
    #[must_use]
    pub const fn serde_name(mut self, name: &'static str) -> Self {
        self.serde_name = name;
        self
    }

    /// The names under which serde sees the variants, in order.
    pub(crate) fn names(&self) -> &'static [&'static str] {
        self.cells.get().names.get_or_init(|| self.variants.iter().map(|(name, _)| *name).collect())
    }
}

/// An enumeration as its derive describes it.
#[derive(Debug)]
pub struct EnumShape {
    pub(crate) rust_name: &'static str,
    pub(crate) schema: Schema<EnumDescriptor>,
    /// Serde's variant name, proto name and number of each value, in order.
    pub(crate) values: &'static [(&'static str, &'static str, i32)],
    /// Numbers and names of the values that have names of their own in JSON.
    pub(crate) json_names: &'static [(i32, &'static str)],
    /// True for a Rust enum, which has no room for a number that it does not name.
    pub(crate) closed: bool,
    /// The numbers of a closed enum, in the order of their declaration, where the type states its schema.
    pub(crate) numbers: Option<&'static [i32]>,
    pub(crate) descriptor: OnceCell<EnumDescriptor>,
    /// What an upper layer computed for the type.
    pub(crate) cache: OnceCell<Box<dyn Any + Send + Sync>>,
}

impl MessageShape {
    /// The shape of a struct.
    pub const fn new(
        rust_name: &'static str,
        schema: Schema<MessageDescriptor>,
        members: &'static [MemberShape],
        cells: &'static MessageCells,
    ) -> Self {
        MessageShape {
            rust_name,
            schema,
            members,
            size: 64,
            cells: InStatic::new(cells),
            straight: None,
            reset_skipped: None,
            serde_name: rust_name,
            build: None,
            extendable: false,
        }
    }

    /// Sets what builds the table of the type by its descriptor.
    #[must_use]
    pub const fn built_by(mut self, build: BuildTable) -> Self {
        self.build = Some(build);
        self
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

    /// Sets the size in bytes of a value of the type; the memory budget counts by it.
    #[must_use]
    pub const fn size(mut self, bytes: usize) -> Self {
        self.size = if bytes > u32::MAX as usize { u32::MAX } else { bytes as u32 };
        self
    }

    /// Sets the name under which serde sees the type, where it is not that of the type.
    #[must_use]
    pub const fn serde_name(mut self, name: &'static str) -> Self {
        self.serde_name = name;
        self
    }

    /// The names under which serde sees the members, in order.
    pub(crate) fn names(&self) -> &'static [&'static str] {
        self.cells.get().names.get_or_init(|| self.members.iter().map(MemberShape::name).collect())
    }

    /// Sets what writes the fields in straight-line code: those of the struct, in the order of their numbers.
    ///
    /// # Safety
    /// The function takes the address of a message of the type.
    #[must_use]
    pub const fn straight(mut self, straight: StraightFn) -> Self {
        self.straight = Some(straight);
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
}

impl EnumShape {
    /// The shape of an enumeration.
    pub const fn new(
        rust_name: &'static str,
        schema: Schema<EnumDescriptor>,
        values: &'static [(&'static str, &'static str, i32)],
        closed: bool,
    ) -> Self {
        EnumShape {
            rust_name,
            schema,
            values,
            json_names: &[],
            closed,
            numbers: None,
            descriptor: OnceCell::new(),
            cache: OnceCell::new(),
        }
    }

    /// States that the enum is closed, and its numbers in the order of their declaration.
    #[must_use]
    pub const fn numbers(mut self, numbers: &'static [i32]) -> Self {
        self.numbers = Some(numbers);
        self
    }

    /// The same with names of their own in JSON for some values.
    #[must_use]
    pub const fn json_names(mut self, names: &'static [(i32, &'static str)]) -> Self {
        self.json_names = names;
        self
    }
}

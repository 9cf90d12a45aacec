//! What a Rust type looks like: the members of a struct and how each is meant to stand in a message.
//!
//! The derive macros write one [`MessageShape`] per type into a `static`; a plan is compiled from it and from the
//! descriptor it names. Layer 2: names `descriptor`; knows nothing of serde or of a format.

use crate::descriptor::{EnumDescriptor, MessageDescriptor};
use crate::error::Result;
use once_cell::sync::OnceCell;

/// A type that can be a member of a message struct, or an element of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a member of a message",
    note = "derive `tobu::Message` or `tobu::Enumeration` on it; of numbers, protobuf has those of 32 and 64 bits"
)]
pub trait Member {
    /// What the type looks like.
    const TYPE: TypeShape;
}

/// What a member's Rust type looks like, as far as a schema can tell types apart.
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
    /// `String` and its kin
    Str,
    /// `Vec<u8>` and its kin
    Bytes,
    /// A type that derives `Enumeration`
    Enum(fn() -> &'static EnumShape),
    /// A type that derives `Message`
    Message(fn() -> &'static MessageShape),
    /// `Option<T>`
    Option(&'static TypeShape),
    /// `Vec<T>` and its kin
    List(&'static TypeShape),
    /// `HashMap<K, V>` and its kin
    Map(&'static TypeShape, &'static TypeShape),
}

/// Where the descriptor of a type comes from.
#[derive(Clone, Copy, Debug)]
pub enum Schema<D: 'static> {
    /// The type is bound to a descriptor that exists elsewhere.
    Bound(fn() -> Result<D>),
    /// The type declares its own: in this package, under this name.
    Declared {
        /// The proto package; may be empty.
        package: &'static str,
        /// The name within the package.
        name: &'static str,
    },
}

/// A message struct as its derive tells it, and what is compiled from it on first use.
#[derive(Debug)]
pub struct MessageShape {
    pub(crate) rust_name: &'static str,
    pub(crate) schema: Schema<MessageDescriptor>,
    pub(crate) members: &'static [MemberShape],
    pub(crate) size: u32,
    pub(crate) visits: &'static [u16],
    pub(crate) descriptor: OnceCell<MessageDescriptor>,
    pub(crate) plans: OnceCell<Result<crate::plan::PlanSet, Box<str>>>,
}

/// One member of a message struct, in the order in which serde sees them.
#[derive(Clone, Copy, Debug)]
pub struct MemberShape {
    /// The name under which serde sees the member.
    pub name: &'static str,
    /// What the member stands for.
    pub role: Role,
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

/// A field as a member or as a oneof variant tells it.
#[derive(Clone, Copy, Debug)]
pub struct FieldShape {
    /// The proto name.
    pub name: &'static str,
    /// The field number; without one the field is looked up by name.
    pub number: Option<u32>,
    /// What its Rust type looks like.
    pub ty: TypeShape,
    /// What the Rust type does not say.
    pub attributes: Attributes,
}

/// What a field's attributes say; only a declared schema reads them.
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
    };
}

/// A wire kind that the Rust type alone does not choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireKind {
    /// ZigZag varint of an `i32`.
    SInt32,
    /// ZigZag varint of an `i64`.
    SInt64,
    /// Four bytes of a `u32`.
    Fixed32,
    /// Eight bytes of a `u64`.
    Fixed64,
    /// Four bytes of an `i32`.
    SFixed32,
    /// Eight bytes of an `i64`.
    SFixed64,
}

/// The enum of a oneof: one newtype variant per member field.
#[derive(Debug)]
pub struct OneofShape {
    /// The name of the Rust enum.
    pub rust_name: &'static str,
    /// The names under which serde sees the variants, and their fields, in order.
    pub variants: &'static [(&'static str, FieldShape)],
}

/// An enumeration as its derive tells it.
#[derive(Debug)]
pub struct EnumShape {
    pub(crate) rust_name: &'static str,
    pub(crate) schema: Schema<EnumDescriptor>,
    /// Serde's variant name, proto name and number of each value, in order.
    pub(crate) values: &'static [(&'static str, &'static str, i32)],
    /// True for a Rust enum, which has no room for a number that it does not name.
    pub(crate) closed: bool,
    pub(crate) descriptor: OnceCell<EnumDescriptor>,
}

impl MessageShape {
    /// The shape of a struct.
    pub const fn new(
        rust_name: &'static str,
        schema: Schema<MessageDescriptor>,
        members: &'static [MemberShape],
    ) -> Self {
        MessageShape {
            rust_name,
            schema,
            members,
            size: 64,
            visits: &[],
            descriptor: OnceCell::new(),
            plans: OnceCell::new(),
        }
    }
}

impl MessageShape {
    /// Tells the size in bytes of a value of the type; the memory budget counts by it.
    #[must_use]
    pub const fn size(mut self, bytes: usize) -> Self {
        self.size = if bytes > u32::MAX as usize { u32::MAX } else { bytes as u32 };
        self
    }

    /// Tells the order in which `Members::visit_members` hands out the members, where it is not theirs.
    #[must_use]
    pub const fn visits(mut self, members: &'static [u16]) -> Self {
        self.visits = members;
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
        EnumShape { rust_name, schema, values, closed, descriptor: OnceCell::new() }
    }
}

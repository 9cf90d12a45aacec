//! Rust types as data: where the members of a struct lie, how their values lie in memory, and by which functions
//! containers are reached.
//!
//! [`Member`] says it per Rust type, the derives say it per struct, oneof and enum. Layer 1: names `descriptor`; knows
//! no serde and no format. With `object` it is the only place where an address becomes a reference.
//!
//! # Soundness
//!
//! All of it rests on one statement: *an address travels with the [`Storage`] of what lies there*. Who promises what, and who
//! relies on it:
//!
//! | what is promised | by | relied on by |
//! | --- | --- | --- |
//! | [`Member::STORAGE`] is how a value of the type lies in memory | `unsafe impl Member`: the library for the types of Rust, the derives for structs and enums | `table/check.rs`, which lets no field meet a storage that it does not fit, be the field of a descriptor or stated, and so all codecs |
//! | the offsets of a [`MessageShape`] are those of its struct, its functions (`presence`, `leaves`, and what gives skipped members their defaults) take a value of it | the derive: the addresses of members, from which the compiler finds offset and type (`members.rs`), and functions beside the shape. A shape that anyone makes is inert: only the `STORAGE` of an `unsafe impl` leads to it | `object/typed`, `codec/wire` |
//! | the compiler sees the struct that the derive has seen, not a union or other members that an attribute macro put in its place | the derive: `empty` has a pattern of all members, without `..` and outside of `unsafe`, which binds references to them | all of the above: what a union holds need not be valid, and members of a packed struct have no references |
//! | a shape, its copies and its cells are of one type | the derive: one static per type, named by the constant | `table/`, which finds tables in the cells without asking again |
//! | functions of containers take the address of a live value of exactly the type | `list.rs`, `map.rs`, `option.rs`, `oneof.rs`, compiled for the type and reachable by its `STORAGE` alone | `object/access`, `codec/wire` |
//! | a `Vec` is three words, and which of them is what | the compiler, asked for each type of elements by `vec.rs` before there is a `STORAGE` of the list | `list.rs`, `codec/wire/decode` and `object/typed/release.rs` for lists of numbers |
//! | a presence bit and its member lie in one struct, and the words have such a bit. An address at which an option with a bit lies may reach the whole struct | the derive: both offsets are those of its struct, `PresenceBit::of` counts the bits; such an option is a member and never an element | `option.rs`, `codec/wire`, `object/typed` |
//! | `value` of an [`OneofLayout`] and the order of its variants are those of its shape | `unsafe impl`, by the derive | `object/typed`, `codec/wire/decode` |
//! | what a conversion lends is part of the value or outlives it, what it makes borrows nothing, a string is one | the signatures of `member::Convert`, which is safe to write: `T: 'static`, and its text is `str` or `[u8]` | `convert.rs` |
//! | a proto value that a conversion makes is of the type that `MadeFunctions` say, and is given back once; what [`Protos`] keeps stays where it is while the message is shared | the functions, compiled for member and conversion (`convert.rs`); `Opened`, which owns it while it is filled; `Protos`, which is safe code | `object/typed/made.rs`, `codec/wire/decode/made.rs` |
//!
//! *What lies at an address is a valid value at all times.* Functions make an empty value before they hand out where to fill it.
//! A list has an element only after that was written, and has it no more before it is dropped. An entry is put into its map
//! when key and value are valid. An option or a oneof whose value is dropped is `None` after that, also where `drop` panics.
//! So an error, or a panic in code of a user (`Default` of members that are skipped, `Drop`, hashers, visitors), leaves values
//! that can be used and dropped. Elements that cannot be made whole are dropped. Where `drop` itself panics, what comes after
//! it in its list or map may be leaked, as in those of the standard library. `tests/panics/` holds this at every call.
//!
//! *An allocator is no code that can panic here*: a [`GlobalAlloc`](std::alloc::GlobalAlloc) may not unwind, which is part of its
//! contract, and where it has no memory the program ends. So between the writes that belong together there may be an allocation.
//!
//! *Text is UTF-8 where the Rust type is a string*: a caller of `set` of [`TextFunctions`] has checked it; the functions of such
//! types say [`is_string`](TextFunctions::is_string), so that nobody need know the type.
//!
//! *What borrows lives as long as its input.* It is stored only where [`Text::borrowed`] says that the input lives long enough. The
//! decoders set it for types that they return under the lifetime of the input, which outlives what the type borrows: the
//! derives ask for [`FilledFrom`] of each member, by [`filled_from`] or by [`MemberShape::owned`], and of each variant.
//!
//! *References do not overlap.* While a decoder holds the address of a message, nobody else has a reference to it: the verbs
//! take `&mut`, and a frame that is entered is not touched by the frame around it until it is left. Tables are shared and
//! change in cells only; a row may lead to its neighbours by an offset, which is within the rows of one table.
//!
//! *What the derives name is what it is called.* They reach the standard library as `::core`, and tobu as `::tobu` or as
//! `#[tobu(crate = ...)]` says. A crate that puts another one there writes for itself what the derives promise.
//!
//! The model of memory that is held is that of Tree Borrows, with strict provenance: `tests/sound/` runs under Miri by it. Stacked
//! Borrows is stricter: there the neighbour of a row cannot be reached from a reference to the row (`codec/wire/decode/run.rs`).

#![allow(unsafe_code)]

pub mod member;

mod attributes;
mod cells;
mod convert;
mod enum_shape;
mod enumeration;
mod functions;
mod instance;
mod kind;
mod leaf;
mod lifetime;
mod list;
mod map;
mod members;
mod message;
mod name;
mod of;
mod oneof;
mod opened;
mod option;
mod presence;
mod protos;
mod scalar;
mod schema;
mod shape;
pub(crate) mod text;
pub(crate) mod type_id;
mod unknown;
pub(crate) mod vec;

pub(crate) use attributes::ShowText;
pub use attributes::{Attributes, Extra};
pub use cells::{InStatic, MessageCells, OneofCells};
pub(crate) use convert::Single;
pub use convert::{DebugOf, MemberWith, NoDebug};
pub use enum_shape::{EnumShape, ValueShape};
pub(crate) use enumeration::EnumNumbers;
pub use enumeration::{closed_enum_functions, open_enum_fits};
pub(crate) use functions::{
    Absent, Conversion, LazyFunctions, LazyListFunctions, OneofFunctions, Refused, Text, TextFunctions,
    VariantValue, VisitEntry,
};
pub use functions::{KeyRef, in_option};
pub use instance::DefaultSlot;
pub use kind::WireKind;
pub use leaf::LeafField;
pub(crate) use leaf::{LEAF_ROOM, LeavesFn};
pub use lifetime::FilledFrom;
pub(crate) use list::list_functions;
pub use map::KeyMember;
pub use members::{filled_from, is_leaf, protos_at, variant_filled_from};
pub use message::{Defaulted, Undefaulted};
pub use name::Name;
pub use oneof::{OneofLayout, OneofMember, oneof_functions};
pub(crate) use opened::Opened;
pub(crate) use presence::PresenceBit;
pub use presence::{Presence, PresenceWords};
pub use protos::Protos;
pub use schema::{Binding, Declaration, Schema};
pub(crate) use schema::{Binds, Described};
pub(crate) use shape::PresenceFn;
pub use shape::*;
pub use unknown::UnknownFields;

/// A type that can be a member of a message struct, or an element of one.
///
/// # Safety
/// `STORAGE` is how a value of the type lies in memory; `cells` are those of its shape.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a member of a message",
    note = "derive `tobu::Message` or `tobu::Enumeration` on it; of numbers, protobuf has those of 32 and 64 bits"
)]
pub unsafe trait Member: Sized {
    /// How a value lies in memory.
    const STORAGE: Storage;

    /// The verbs go past serde's traits, which are tobu's own for the type: so its derive says.
    ///
    /// Part of the contract: `Deserialize` is tobu's own, as [`fills_itself`](crate::__private::fills_itself) demands; it asks that the
    /// input outlives what the type borrows.
    const DIRECT: bool = false;

    /// Where a value lies in an `Option` of the type that is `Some`: bytes from its start. `None` where no constant says it.
    const IN_OPTION: Option<u32> = None;

    /// What is found out about a message type: the cells of the shape that `STORAGE` gives.
    #[inline]
    fn cells() -> Option<&'static MessageCells> {
        None
    }

    /// Registers the file of a type that states its schema: after that its descriptor is found.
    #[inline]
    fn register() {}

    /// An empty value: zero, no text, nothing in it. `None` for a struct with a skipped member that has no default.
    fn empty() -> Option<Self>;

    /// False for a member that its message is encoded without, where its field has no presence of its own: a number that is zero,
    /// an empty text, list or map, and `None`.
    #[inline]
    fn is_set(&self) -> bool {
        true
    }

    /// True for numbers, enums and texts, by themselves or in an option, and for lists of strings: [`write`](Self::write) is there for
    /// them alone.
    const IS_LEAF: bool = false;

    /// Writes a leaf as a field of the wire format; nothing for `None`. Gives the cursor behind it, null where a text is too long
    /// or there is no room for it.
    ///
    /// # Safety
    /// The cursor is not behind the limit, behind which there is room for the numbers and enums among this leaf and all
    /// after it, and for 16 bytes more.
    #[inline]
    unsafe fn write(&self, _field: LeafField, at: *mut u8, _limit: usize) -> *mut u8 {
        at
    }
}

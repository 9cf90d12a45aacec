//! Describes Rust types as data: the offsets of the members of a struct, how their values lie in memory, and the functions
//! that reach into containers.
//!
//! The *storage* of a type ([`Storage`]) says how a value of the type lies in memory. A *shape* ([`MessageShape`],
//! [`OneofShape`], [`EnumShape`]) is what a derive writes about a type. The *cells* of a shape are slots for values that
//! are made at run time. A type *states its schema* if its attributes say everything that its descriptor says.
//!
//! [`Member`] describes a Rust type; the derives describe each struct, oneof and enum. This folder is in layer 1 (see
//! DESIGN.md): it uses `descriptor`, and neither serde nor a format. Only this module, `object` and `codec::wire` make
//! references from the addresses of members.
//!
//! # Soundness
//!
//! Soundness rests on one rule: *an address travels with the [`Storage`] of the value that lies there*. This table
//! says who promises what, and which code relies on it:
//!
//! | promise | who gives it | code that relies on it |
//! | --- | --- | --- |
//! | [`Member::STORAGE`] says how a value of the type lies in memory | `unsafe impl Member`: by the library for the types of Rust, by the derives for structs and enums | `table/check.rs`, which refuses a field whose kind does not fit the storage, and so all codecs |
//! | the offsets of a [`MessageShape`] are the offsets in its struct, and its functions (`presence`, `leaves`, and the function that resets skipped members) take the address of a value of this struct | the derive: it passes the addresses of members, from which the compiler finds offset and type (`members.rs`), and writes the functions beside the shape. A shape that a user makes has no effect: only the `STORAGE` of an `unsafe impl` leads to a shape | `object/typed`, `codec/wire` |
//! | the compiler sees the struct that the derive saw; no attribute macro changed its members or replaced it by a union | the derive: in `empty` it writes a pattern with all members, without `..` and outside of `unsafe`; the pattern binds references to the members | the code in all rows above: the bytes of a union need not be a valid value, and members of a packed struct cannot be borrowed |
//! | a shape, its copies and its cells belong to one type | the derive: it writes one static per type, which the constant names | `table/`, which takes tables from the cells without a further check |
//! | the functions of a container take the address of a live value of exactly its type | `list.rs`, `map.rs`, `option.rs`, `oneof.rs`: the functions are compiled for the type, and only its `STORAGE` leads to them | `object/access`, `codec/wire` |
//! | a `Vec` is three words, in the order that `vec.rs` found | the compiler: `vec.rs` checks the order for each type of elements, before the list has a `STORAGE` | `list.rs`, `codec/wire/decode` and `object/typed/release.rs` for lists of numbers |
//! | a presence bit and its member lie in one struct, and the presence words have this bit. The address of an option with a presence bit may be used to reach the whole struct | the derive: both offsets are in its struct, `PresenceBit::of` checks the number of bits, and such an option is always a member, never an element | `option.rs`, `codec/wire`, `object/typed` |
//! | the functions of an [`OneofLayout`] number the variants in the order of its shape | the `unsafe impl` that the derive writes | `object/typed`, `codec/wire/decode` |
//! | the bytes that a conversion lends are part of the value or outlive it, a value that the conversion makes borrows nothing, and a string that it lends is UTF-8 | the signatures of `member::Convert`, which is safe to implement: `T: 'static`, and a text is a `str` or a `[u8]` | `convert.rs` |
//! | a proto value that a conversion makes has the type that its `MadeFunctions` name, and is given back once; a value that [`Protos`] keeps does not move while the message is shared | the functions, which are compiled for the member and the conversion (`convert.rs`); `Opened`, which owns the proto value while it is filled; `Protos`, which is safe code | `object/typed/made.rs`, `codec/wire/decode/made.rs` |
//!
//! *A value at an address is valid at all times.* Functions make an empty value before they return an address to
//! fill. A list counts an element only after the element was written, and stops counting it before the element is dropped. An
//! entry is inserted into its map only after its key and value are valid. An option or a oneof whose value is dropped is
//! `None` afterwards, even if `drop` panics. So after an error, or a panic in code of a user (`Default` of skipped members,
//! `Drop`, hashers, visitors), all values can be used and dropped. Elements that cannot be completed are dropped. If `drop`
//! itself panics, later elements of the list or map may leak, as they do in the standard library. `tests/panics/` tests a
//! panic at every call of user code.
//!
//! *An allocator does not panic*: by its contract, a [`GlobalAlloc`](std::alloc::GlobalAlloc) must not unwind, and the
//! program ends if an allocation fails. So an allocation may come between writes that belong together.
//!
//! *Text is UTF-8 if the Rust type is a string*: the caller of `set` in [`TextFunctions`] has checked the text.
//! [`is_string`](TextFunctions::is_string) says whether the caller must check the text, so the caller need not know the
//! type.
//!
//! *A borrowed value does not outlive its input.* A borrowed value is stored only if [`Text::borrowed`] says that the input
//! lives long enough. A decoder sets `borrowed` only if the type that it returns is bound to the lifetime of the input.
//! This lifetime outlives everything that the type borrows, because the derives require [`FilledFrom`] for each member, by
//! [`Fill`] or by [`MemberShape::owned`], and for each variant.
//!
//! *References do not overlap.* While a decoder holds the address of a message, no other code has a reference to the
//! message. The reasons are that the public functions such as `decode` take `&mut`, and that a frame (an outer message that
//! waits for one of its fields) does not touch the message of an inner frame until the inner frame is finished. Tables are
//! shared, and only their cells change. The decoder may go from a row (the entry of the table for one field) to the next
//! row by an offset, which stays within the rows of one table.
//!
//! *Names in derived code mean what the derives assume.* Derived code names the standard library `::core`, and tobu
//! `::tobu` or the path in `#[tobu(crate = ...)]`. If a crate puts something else there, that crate must keep the promises of
//! the derives.
//!
//! The code follows the memory model of Tree Borrows, with strict provenance: `tests/sound/` runs under Miri with it.
//! Stacked Borrows is stricter: with it, the neighbor of a row cannot be reached from a reference to the row
//! (`codec/wire/decode/run.rs`).

#![allow(unsafe_code)]

pub mod member;

mod attributes;
mod cells;
mod convert;
mod enum_shape;
mod enumeration;
mod fact;
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
pub(crate) use fact::{FactOf, StoredAs};
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
pub use members::{Fill, Unfilled, protos_at};
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

/// A type that can be a member of a message struct, or an element of such a member.
///
/// # Safety
/// `STORAGE` describes how a value of the type lies in memory; `cells` returns the cells of its shape.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a member of a message",
    note = "derive `tobu::Message` or `tobu::Enumeration` on it, or name a conversion for the member: `#[tobu(1, with = ...)]`"
)]
pub unsafe trait Member: Sized {
    /// How a value lies in memory.
    const STORAGE: Storage;

    /// The storage together with its type, so that the storage cannot be used for another type by mistake.
    const STORED: StoredAs<Self> = FactOf::new(Self::STORAGE);

    /// The storage of a value with a presence bit, together with its type.
    const WITH_BIT: FactOf<Self, BitStorage> =
        FactOf::new(BitStorage { value: Self::STORAGE, clear_value: Self::clear_at });

    /// True if encoding and decoding may bypass serde's traits. The derive promises that tobu's own derives implement these
    /// traits for the type.
    ///
    /// Part of the contract: `Deserialize` must come from tobu's derive; [`fills_itself`](crate::__private::fills_itself)
    /// checks this. Such a `Deserialize` requires that the input outlives everything that the type borrows.
    const DIRECT: bool = false;

    /// The offset of the value in an `Option<Self>` that is `Some`. `None` if this offset is not known at compile time.
    const IN_OPTION: Option<u32> = None;

    /// Returns the run-time cells of a message type, which belong to the shape in `STORAGE`. Returns `None` for all other
    /// types.
    #[inline]
    fn cells() -> Option<&'static MessageCells> {
        None
    }

    /// Registers the schema file of a type that states its schema, so that the descriptor of the type can be found
    /// afterwards.
    #[inline]
    fn register() {}

    /// Creates an empty value: zero, or an empty text or container. `None` for a struct with a skipped member that has
    /// no default.
    fn empty() -> Option<Self>;

    /// Makes a value with a presence bit empty.
    ///
    /// # Safety
    /// `at` is the address of a value of the type, and nothing else refers to it.
    unsafe fn clear_at(at: *mut u8) {
        if let Some(empty) = Self::empty() {
            // SAFETY: the caller promises that `at` is the address of a live value, so the assignment drops a valid
            // value and writes to an address that is aligned for it.
            unsafe { *at.cast::<Self>() = empty };
        }
    }

    /// False if the encoder omits this value when the field has no presence. These values are zero, an empty text, list or
    /// map, and `None`.
    #[inline]
    fn is_set(&self) -> bool {
        true
    }

    /// True for numbers, enums, strings and byte strings, by themselves or in an option, and for lists of strings or byte
    /// strings. Only these types implement [`write`](Self::write).
    const IS_LEAF: bool = false;

    /// Returns [`IS_LEAF`](Self::IS_LEAF) for the type of a value.
    #[inline]
    fn is_leaf(&self) -> bool {
        Self::IS_LEAF
    }

    /// Writes a leaf as a field of the wire format, or nothing for `None`. Returns the address after the field, or null if a
    /// string is too long or there is too little space for it.
    ///
    /// # Safety
    /// `at` is not after `limit`. After `limit` there is space for this leaf and all later leaves, not counting their strings,
    /// and for 16 bytes more.
    #[inline]
    unsafe fn write(&self, _field: LeafField, at: *mut u8, _limit: usize) -> *mut u8 {
        at
    }
}

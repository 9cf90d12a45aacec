//! Rust types as data: where the members of a struct lie, how their values lie in memory, and by which functions
//! containers are reached.
//!
//! [`Member`] says it per Rust type, the derives say it per struct, oneof and enum. Layer 2: names `descriptor`; knows
//! no serde and no format. With `object` it is the only place where an address becomes a reference.
//!
//! # Soundness
//!
//! An address travels with the [`Storage`] of what lies there. `Storage` comes from [`Member::STORAGE`] alone, an unsafe
//! trait whose contract is that the two belong together, and `offset_of!` gives the addresses of members. So
//!
//! * a scalar, string or byte string is read and written as the very type that its `Storage` names;
//! * containers, options, enums and oneofs, whose layout Rust does not promise, are reached by functions that were
//!   compiled for the very type (`list.rs`, `map.rs`, `option.rs`, `oneof.rs`);
//! * whatever lies at such an address is a valid value at all times: functions make empty values before they hand out
//!   where to fill them, so that an error or a panic in between leaves nothing that must not be dropped;
//! * text is checked to be UTF-8 before it is stored where the Rust type is a string;
//! * what borrows from the input is stored only where [`Text::borrowed`] says that the input lives long enough: the
//!   decoders set it for types that they return under the lifetime of the input, which outlives what the type borrows: the
//!   derives ask for [`FilledFrom`] of each member.

#![allow(unsafe_code)]

mod cells;
mod enumeration;
mod instance;
mod kind;
mod lifetime;
mod list;
mod map;
mod message;
mod oneof;
mod option;
mod scalar;
mod shape;
mod straight;
pub(crate) mod text;
pub(crate) mod type_id;
mod unknown;

pub use cells::{MessageCells, OneofCells};
pub(crate) use enumeration::EnumNumbers;
pub use enumeration::{closed_enum_functions, open_enum_fits};
pub use instance::DefaultSlot;
pub use kind::WireKind;
pub use lifetime::{FilledFrom, filled_from};
pub use map::KeyMember;
pub use message::{Defaulted, Undefaulted, empty, empty_member};
pub use oneof::{OneofLayout, OneofMember, oneof_functions};
pub use shape::*;
pub use straight::{Field, Straight};
pub(crate) use straight::{RECORD, RECORD_ROOM, Record, Rest, SLACK, StraightFn, put_record};
pub use unknown::UnknownFields;

use std::mem::MaybeUninit;

/// A type that can be a member of a message struct, or an element of one.
///
/// # Safety
/// `STORAGE` is how a value of the type lies in memory, and `TYPE` says the same to a schema; `cells` are those of its
/// shape. `EMPTY`, where there is one, is a valid value, and its bytes may be copied to make another.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a member of a message",
    note = "derive `tobu::Message` or `tobu::Enumeration` on it; of numbers, protobuf has those of 32 and 64 bits"
)]
pub unsafe trait Member: Sized {
    /// What the type looks like to a schema.
    const TYPE: TypeShape;
    /// How a value lies in memory.
    const STORAGE: Storage;
    /// An empty value, for types that have one as a constant.
    const EMPTY: Option<MaybeUninit<Self>> = None;

    /// The verbs go past serde's traits, which are tobu's own for the type: so its derive says.
    ///
    /// Part of the contract: `Deserialize` is tobu's own, as [`fills_itself`](crate::__private::fills_itself) demands; it asks that the
    /// input outlives what the type borrows.
    const DIRECT: bool = false;

    /// What is found out about a message type: the cells of the shape that `STORAGE` gives.
    #[inline]
    fn cells() -> Option<&'static MessageCells> {
        None
    }

    /// An empty value: zero, no text, nothing in it. `None` for a struct with a skipped member that has no default.
    fn empty() -> Option<Self>;

    /// Writes the member of a message, in straight-line code; nothing where it has no value.
    ///
    /// # Safety
    /// The field is that of the member, and the cursor is the last that `out` has given.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn write(&self, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
        // SAFETY: as above.
        unsafe { out.field(field, at) }
    }

    /// Writes a value that is there, be it a default; only for [`Storage::is_straight`].
    ///
    /// # Safety
    /// As for [`write`](Member::write).
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn put(&self, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
        // SAFETY: as above; of those types messages have no function of their own.
        unsafe { out.message(field, std::ptr::from_ref(self).cast(), at) }
    }
}

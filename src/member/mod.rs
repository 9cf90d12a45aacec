//! What a member of a message struct can do: tell its shape, be written, be merged into.
//!
//! Serde's own traits serve any type; these three serve the members of structs with tobu's derives, where protobuf
//! needs more than serde says: bytes that are not lists, and merging in place.

mod bytes;
mod enumeration;
mod list;
mod map;
mod oneof;
mod packed;
mod scalar;
mod sequence;
mod text;
mod unknown;
mod wrap;

use serde::de::{DeserializeSeed, Deserializer};
use serde::ser::{Serialize, Serializer};

pub(crate) use self::bytes::sharing;
pub use self::enumeration::{deserialize_enumeration, emit_enumeration};
pub use self::oneof::OneofMember;
pub(crate) use self::packed::Element;
pub use self::packed::{merge_enumerations, refill_enumerations};
pub use self::sequence::InOrder;
pub use self::unknown::UnknownFields;
use crate::plan::{self, Name};
pub use crate::plan::{Held, OTHER_NAME, UNKNOWN_NAME, marked, text as name_text};
pub use crate::shape::Member;
use crate::shape::WireKind;

/// The name by which tobu's derives call a struct, or the enum of a oneof, in binary formats: none of those looks at
/// it, and tobu's own tells by it that members come in order and may be merged into.
pub const MESSAGE: &str = "$tobu::Message";

/// A member that can be written through any serde `Serializer`.
///
/// It differs from `Serialize` where serde's own choice does not fit: byte strings are bytes, not lists of numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as a member of a message",
    note = "derive `tobu::Serialize` on it"
)]
pub trait Emit {
    /// What a value of the type is, as far as the type tells; an option is what it is an option of.
    #[doc(hidden)]
    const HELD: Held = Held::Other;
    /// There may be none.
    #[doc(hidden)]
    const OPTIONAL: bool = false;

    /// Writes the member.
    fn emit<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// A member that can be merged into through any serde `Deserializer`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read as a member of a message",
    note = "derive `tobu::Deserialize` on it"
)]
pub trait Merge<'de>: Sized {
    /// A new member with nothing in it.
    fn empty() -> Self;

    /// Reads a value and merges it in: scalars are replaced, messages are merged, lists and maps grow.
    fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error>;

    /// Empties the member; allocations are kept where that helps the next value.
    fn clear(&mut self);

    /// Reads a value in the place of what was there before, keeping allocations; merges it in when `count` says that
    /// one came already. [`finish`](Self::finish) follows the last.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn refill<D: Deserializer<'de>>(&mut self, count: &mut u32, deserializer: D) -> Result<(), D::Error> {
        if *count == 0 {
            self.clear();
        }
        *count = 1;
        self.merge(deserializer)
    }

    /// Drops what no refill took the place of.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(&mut self, count: u32) {
        if count == 0 {
            self.clear();
        }
    }

    /// As [`refill`](Self::refill), of a list of such members; `count` is of the elements.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn refill_list<D: Deserializer<'de>>(
        list: &mut Vec<Self>,
        count: &mut u32,
        deserializer: D,
    ) -> Result<(), D::Error>
    where
        Self: Member,
    {
        deserializer.deserialize_seq(list::Refill(list, count))
    }

    /// Reads a list of such members and adds them to another.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge_list<D: Deserializer<'de>>(list: &mut Vec<Self>, deserializer: D) -> Result<(), D::Error>
    where
        Self: Member,
    {
        deserializer.deserialize_seq(list::Extend(list))
    }
}

/// True for a type whose values are better made where they stay: on the way there they would take room on the stack
/// once or twice for each level that messages nest, and a hundred levels of a large one are more than a thread has.
const fn is_large<T>() -> bool {
    size_of::<T>() > 256
}

/// The enum of a oneof, merged into where it stands as an option.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read as a oneof",
    note = "derive `tobu::Deserialize` on it"
)]
pub trait MergeOneof<'de>: Sized {
    /// Reads a variant: a message of the variant that is set is merged into, anything else is replaced.
    fn merge_oneof<D: Deserializer<'de>>(slot: &mut Option<Self>, deserializer: D) -> Result<(), D::Error>;
}

/// A member as serde's `Serialize`.
pub struct Emitted<'a, T: ?Sized>(pub &'a T);

impl<T: Emit + ?Sized> Serialize for Emitted<'_, T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.emit(serializer)
    }
}

/// [`Emitted`] out of line, for a message of many members.
pub struct EmittedApart<'a, T: ?Sized>(pub &'a T);

impl<T: Emit + ?Sized> Serialize for EmittedApart<'_, T> {
    #[inline(never)]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.emit(serializer)
    }
}

/// A member with what is known of it, as serde's `Serialize`.
pub struct Told<'a, T: ?Sized>(pub &'a T, pub &'static str);

impl<T: Emit + ?Sized> Serialize for Told<'_, T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(self.1, &Emitted(self.0))
    }
}

/// What tells of a member that stands for a field.
pub const fn field_name<T: Emit>(number: u32, kind: Option<WireKind>, required: bool) -> Name {
    plan::name(number, T::HELD, T::OPTIONAL, kind, required)
}

/// The same of a variant of a oneof: one that is there is written, whatever it holds.
pub const fn variant_name<T: Emit>(number: u32, kind: Option<WireKind>) -> Name {
    plan::name(number, T::HELD, true, kind, false)
}

/// Whether what is read joins what is there, or takes its place.
pub trait Mode {
    /// How often a member came.
    type Count: Copy + Default;
    /// True where what did not come is to be dropped.
    const REFILLS: bool;

    /// Reads a value into a member.
    fn read<'de, T: Merge<'de>, D: Deserializer<'de>>(
        member: &mut T,
        count: &mut Self::Count,
        deserializer: D,
    ) -> Result<(), D::Error>;

    /// Reads a variant into a oneof.
    fn read_oneof<'de, T: MergeOneof<'de>, D: Deserializer<'de>>(
        slot: &mut Option<T>,
        count: &mut Self::Count,
        deserializer: D,
    ) -> Result<(), D::Error>;

    /// Drops what no value took the place of.
    fn finish<'de, T: Merge<'de>>(member: &mut T, count: Self::Count);

    /// Drops a oneof of which no variant came.
    fn finish_oneof<T>(slot: &mut Option<T>, count: Self::Count);
}

/// Values join what is there.
pub struct Merging;

impl Mode for Merging {
    type Count = ();
    const REFILLS: bool = false;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<'de, T: Merge<'de>, D: Deserializer<'de>>(
        member: &mut T,
        (): &mut (),
        deserializer: D,
    ) -> Result<(), D::Error> {
        member.merge(deserializer)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read_oneof<'de, T: MergeOneof<'de>, D: Deserializer<'de>>(
        slot: &mut Option<T>,
        (): &mut (),
        deserializer: D,
    ) -> Result<(), D::Error> {
        T::merge_oneof(slot, deserializer)
    }

    fn finish<'de, T: Merge<'de>>(_: &mut T, (): ()) {}

    fn finish_oneof<T>(_: &mut Option<T>, (): ()) {}
}

/// Values take the place of what is there, and keep its allocations.
pub struct Refilling;

impl Mode for Refilling {
    type Count = u32;
    const REFILLS: bool = true;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<'de, T: Merge<'de>, D: Deserializer<'de>>(
        member: &mut T,
        count: &mut u32,
        deserializer: D,
    ) -> Result<(), D::Error> {
        member.refill(count, deserializer)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read_oneof<'de, T: MergeOneof<'de>, D: Deserializer<'de>>(
        slot: &mut Option<T>,
        count: &mut u32,
        deserializer: D,
    ) -> Result<(), D::Error> {
        if *count == 0 {
            *slot = None;
        }
        *count = 1;
        T::merge_oneof(slot, deserializer)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish<'de, T: Merge<'de>>(member: &mut T, count: u32) {
        member.finish(count);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish_oneof<T>(slot: &mut Option<T>, count: u32) {
        if count == 0 {
            *slot = None;
        }
    }
}

/// A member to be read into, as serde's `DeserializeSeed`.
pub struct Into<'a, T, M: Mode>(pub &'a mut T, pub &'a mut M::Count);

impl<'de, T: Merge<'de>, M: Mode> DeserializeSeed<'de> for Into<'_, T, M> {
    type Value = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        M::read(self.0, self.1, deserializer)
    }
}

/// The same out of line, for a message of many members: its code would have a copy of the reading of each.
pub struct IntoApart<'a, T, M: Mode>(pub &'a mut T, pub &'a mut M::Count);

impl<'de, T: Merge<'de>, M: Mode> DeserializeSeed<'de> for IntoApart<'_, T, M> {
    type Value = ();

    #[inline(never)]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        M::read(self.0, self.1, deserializer)
    }
}

/// A oneof to be read into, as serde's `DeserializeSeed`.
pub struct IntoOneof<'a, T, M: Mode>(pub &'a mut Option<T>, pub &'a mut M::Count);

impl<'de, T: MergeOneof<'de>, M: Mode> DeserializeSeed<'de> for IntoOneof<'_, T, M> {
    type Value = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        M::read_oneof(self.0, self.1, deserializer)
    }
}

/// A member to be merged into, as serde's `DeserializeSeed`.
pub struct MergeInto<'a, T>(pub &'a mut T);

impl<'de, T: Merge<'de>> DeserializeSeed<'de> for MergeInto<'_, T> {
    type Value = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.merge(deserializer)
    }
}

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
mod through;
mod unknown;
mod wrap;

use serde::de::value::{
    BorrowedBytesDeserializer, BorrowedStrDeserializer, MapAccessDeserializer, SeqAccessDeserializer,
};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::ser::{Serialize, Serializer};
use std::fmt;

pub(crate) use self::bytes::sharing;
pub use self::enumeration::{deserialize_enumeration, emit_enumeration};
pub use self::oneof::OneofMember;
pub(crate) use self::packed::Element;
pub use self::packed::{merge_enumerations, refill_enumerations};
pub use self::sequence::InOrder;
use self::through::Through;
pub use self::unknown::UnknownFields;
pub(crate) use crate::plan::Many;
use crate::plan::{self, Name};
pub use crate::plan::{Held, OTHER_NAME, UNKNOWN_NAME, lead_name, marked, marked_first, text as name_text};
pub use crate::shape::Member;
use crate::shape::WireKind;

/// The name by which tobu's derives call a struct, or the enum of a oneof, in binary formats, where they tell nothing of
/// its members: none of those looks at it, and tobu's own tells by it that members come in order and may be merged into.
pub const MESSAGE: &str = "$tobu::Message";

/// A member that can be written through any serde `Serializer`.
///
/// It differs from `Serialize` where serde's own choice does not fit: byte strings are bytes, not lists of numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as a member of a message",
    note = "derive `tobu::Serialize` on it"
)]
pub trait Emit {
    /// What a value of the type is, as far as the type tells; of an option or a list, what is in it.
    #[doc(hidden)]
    const HELD: Held = Held::Other;
    /// How many there are.
    #[doc(hidden)]
    const MANY: Many = Many::One;

    /// Writes the member.
    fn emit<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// A member that can be merged into through any serde `Deserializer`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read as a member of a message",
    note = "derive `tobu::Deserialize` on it"
)]
pub trait Merge<'de>: Sized {
    /// What a value of the type is, as [`Emit`] says it.
    #[doc(hidden)]
    const HELD: Held = Held::Other;
    /// How many there are.
    #[doc(hidden)]
    const MANY: Many = Many::One;
    /// What was there before may have memory that is worth keeping when another value takes its place.
    #[doc(hidden)]
    const KEEPS: bool = true;

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
        if Self::KEEPS {
            return deserializer.deserialize_seq(list::Refill(list, count));
        }
        packed::refill!(list, count, Self::merge_list(list, deserializer))
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

/// In the visitor of a message of a few numbers, which is read in the place of the caller: it takes hardly more code to
/// read them than to ask for it.
///
/// The visitor is aligned as this is. That is the one thing that a deserializer can ask of its type before any of its code
/// is made: what depends on a value, be it known, is made for all types, to be dropped for most of them.
#[repr(align(16))]
pub struct Few;

/// True for such a visitor.
pub(crate) const fn is_few<V>() -> bool {
    align_of::<V>() >= align_of::<Few>()
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

/// A message whose members can be written one after the other.
pub trait EmitMembers {
    /// The name that marks what is told of them.
    const NAME: &'static str;

    /// Writes the members as a struct.
    fn emit_members<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// Writes a message in a binary format: as a newtype struct by the name that marks what is told, with the members in it.
/// Formats look through it. Tobu's own compares the mark, once for all members.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn emit_message<T: EmitMembers, S: Serializer>(message: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_struct(T::NAME, &MembersOf(message))
}

/// The members of a message as serde's `Serialize`.
struct MembersOf<'a, T>(&'a T);

impl<T: EmitMembers> Serialize for MembersOf<'_, T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.emit_members(serializer)
    }
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
    plan::name(number, T::HELD, T::MANY, kind, required)
}

/// The same of a variant of a oneof: one that is there is written, whatever it holds.
pub const fn variant_name<T: Emit>(number: u32, kind: Option<WireKind>) -> Name {
    let held = if matches!(T::MANY, Many::List) { Held::Other } else { T::HELD };
    plan::name(number, held, Many::Option, kind, false)
}

/// As [`field_name`], to read.
pub const fn merge_name<'de, T: Merge<'de>>(number: u32, kind: Option<WireKind>, required: bool) -> Name {
    plan::name(number, T::HELD, T::MANY, kind, required)
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

/// A member to be read into, with what is known of it, as serde's `DeserializeSeed`. It tells whether the next member
/// comes right after it: one that was not asked for by its key may be read then.
///
/// It asks for a newtype struct by the name that tells what is known. Formats look through it. Tobu's own, where it
/// knows more, gives an enum instead: the variant is the value, and its content says what comes next.
pub struct Into<'a, T, M: Mode>(pub &'a mut T, pub &'a mut M::Count, pub &'static str);

/// The same read out of line, for a message of many members: its code would have a copy of the reading of each.
pub struct IntoApart<'a, T, M: Mode>(pub &'a mut T, pub &'a mut M::Count, pub &'static str);

/// The same of a oneof.
pub struct IntoOneof<'a, T, M: Mode>(pub &'a mut Option<T>, pub &'a mut M::Count, pub &'static str);

/// The value of a member by itself.
struct Inside<T>(T);

impl<'de, T: Merge<'de>, M: Mode> DeserializeSeed<'de> for Inside<Into<'_, T, M>> {
    type Value = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        M::read(self.0.0, self.0.1, deserializer)
    }
}

impl<'de, T: Merge<'de>, M: Mode> DeserializeSeed<'de> for Inside<IntoApart<'_, T, M>> {
    type Value = ();

    #[inline(never)]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        M::read(self.0.0, self.0.1, deserializer)
    }
}

impl<'de, T: MergeOneof<'de>, M: Mode> DeserializeSeed<'de> for Inside<IntoOneof<'_, T, M>> {
    type Value = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        M::read_oneof(self.0.0, self.0.1, deserializer)
    }
}

/// A seed and visitor of a member.
macro_rules! into_member {
    ($into:ident: $bound:path) => {
        impl<'de, T: $bound, M: Mode> DeserializeSeed<'de> for $into<'_, T, M> {
            type Value = bool;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
                deserializer.deserialize_newtype_struct(self.2, self)
            }
        }

        impl<'de, T: $bound, M: Mode> Visitor<'de> for $into<'_, T, M> {
            type Value = bool;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a member")
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<bool, A::Error> {
                let ((), next) = access.variant_seed(Inside(self))?;
                next.newtype_variant_seed(Follows)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
                Inside(self).deserialize(deserializer).map(|()| false)
            }

            fn visit_unit<E: Error>(self) -> Result<bool, E> {
                self.visit_newtype_struct(().into_deserializer())
            }

            fn visit_none<E: Error>(self) -> Result<bool, E> {
                self.visit_unit()
            }

            fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
                self.visit_newtype_struct(Through::some(deserializer))
            }

            fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<bool, E> {
                self.visit_newtype_struct(Through::value(BorrowedStrDeserializer::new(value)))
            }

            fn visit_borrowed_bytes<E: Error>(self, value: &'de [u8]) -> Result<bool, E> {
                self.visit_newtype_struct(Through::value(BorrowedBytesDeserializer::new(value)))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<bool, A::Error> {
                self.visit_newtype_struct(Through::value(SeqAccessDeserializer::new(seq)))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<bool, A::Error> {
                self.visit_newtype_struct(Through::value(MapAccessDeserializer::new(map)))
            }

            into_member! {
                visit_bool bool, visit_i64 i64, visit_i128 i128, visit_u64 u64, visit_u128 u128, visit_f32 f32,
                visit_f64 f64, visit_str &str, visit_string String, visit_bytes &[u8]
            }
        }
    };
    ($($visit:ident $ty:ty),*) => {
        $(
            fn $visit<E: Error>(self, value: $ty) -> Result<bool, E> {
                self.visit_newtype_struct(Through::value(value.into_deserializer()))
            }
        )*
    };
}

into_member!(Into: Merge<'de>);
into_member!(IntoApart: Merge<'de>);
into_member!(IntoOneof: MergeOneof<'de>);

/// Whether the next member comes.
struct Follows;

impl<'de> DeserializeSeed<'de> for Follows {
    type Value = bool;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_bool(self)
    }
}

impl Visitor<'_> for Follows {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a bool")
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_bool<E: Error>(self, follows: bool) -> Result<bool, E> {
        Ok(follows)
    }
}

/// A value that nobody wants, as serde's `DeserializeSeed`: serde's own is a function that would be given the address of
/// the deserializer.
pub struct Ignored;

impl<'de> DeserializeSeed<'de> for Ignored {
    type Value = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_ignored_any(IgnoredAny).map(drop)
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

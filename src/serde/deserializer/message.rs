//! Deserializes a message as a struct, or as a map from names to values.

use super::absent::{Absent, AbsentOneof};
use super::identifier::Identifier;
use super::value::{ElementDeserializer, ValueDeserializer};
use super::{Budget, CapacityCharge, NestingLimits};
use crate::error::{Error, Result};
use crate::layout::{MessageShape, Role, Storage};
use crate::message::dynamic::HeldMessage;
use crate::object::arena::text::HeldText;
use crate::table::{LastName, Row, Table, Target};
use serde::de::value::{BorrowedBytesDeserializer, BytesDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

#[derive(Clone, Copy)]
pub(crate) struct MessageDeserializer<'a, 'de, 'b> {
    pub(crate) message: HeldMessage<'a, 'de>,
    /// The Rust type that is bound to the message. The names of its members are used.
    pub(crate) shape: Option<&'static MessageShape>,
    pub(crate) budget: &'b Budget,
    pub(crate) left: NestingLimits,
    /// True if the memory of the result was already counted for a list or a map.
    pub(crate) counted: bool,
}

impl<'de> Deserializer<'de> for MessageDeserializer<'_, 'de, '_> {
    type Error = Error;

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit seq tuple tuple_struct map enum
        identifier ignored_any
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.read(Members::Fields, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.read(Members::Named(members), visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        IgnoredAny::deserialize(self)?;
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl<'a, 'de, 'b> MessageDeserializer<'a, 'de, 'b> {
    #[inline(never)]
    fn read<V: Visitor<'de>>(mut self, members: Members, visitor: V) -> Result<V::Value> {
        self.left = self.enter(members)?;
        let (names, values) = (CapacityCharge::default(), CapacityCharge::default());
        let (last, stage, at) = (self.message.table().names().start(), Stage::Start, NextValue::Nothing);
        visitor.visit_map(Fields {
            message: self,
            members,
            next: 0,
            last,
            stage,
            at,
            count: 0,
            names,
            values,
        })
    }

    /// Returns the limits for messages inside this message, and charges memory for this message.
    #[inline]
    fn enter(&self, members: Members) -> Result<NestingLimits> {
        let struct_size = match (members, self.shape) {
            (Members::Fields, _) => 0,
            (Members::Named(_), Some(shape)) => shape.size,
            (Members::Named(names), None) => 24 * names.len() as u32,
        };
        let left = self.left.inside(struct_size, self.budget)?;
        if !self.counted {
            self.budget.take(self.message.table().size as usize)?;
        }
        Ok(left)
    }
}

/// Reads a struct that is absent from the input, but required by the type. The members of the struct get their
/// defaults.
pub(super) fn read_absent<'de, V: Visitor<'de>>(
    absent: Absent<'_, '_>,
    _: &'static str,
    members: &'static [&'static str],
    visitor: V,
) -> Result<V::Value> {
    let Absent { row, budget, left, bound, .. } = absent;
    let shape = bound.and_then(Storage::message);
    let message = HeldMessage::empty(row.message()?);
    let read = MessageDeserializer { message, shape, budget, left, counted: false };
    read.read(Members::Named(members), visitor)
}

#[derive(Clone, Copy)]
pub(super) enum Members {
    /// All members of a struct by their names, in the order of the struct.
    Named(&'static [&'static str]),
    /// The fields that were received, by their names.
    Fields,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Start,
    End,
}

enum NextValue<'a, 'de> {
    Nothing,
    /// A field of a message to which no Rust type is bound.
    Field(&'a Row),
    Row(usize, Option<Storage>),
    /// A oneof by its index, and the row of its field that is set.
    Oneof(usize, Option<usize>),
    Unknown(HeldText<'a, 'de>),
}

struct Fields<'a, 'de, 'b> {
    message: MessageDeserializer<'a, 'de, 'b>,
    members: Members,
    /// The index of the next member or row.
    next: usize,
    last: LastName,
    stage: Stage,
    at: NextValue<'a, 'de>,
    /// How many fields were read into a map so far. `names` and `values` are the capacity of this map that was charged.
    count: usize,
    names: CapacityCharge,
    values: CapacityCharge,
}

/// The field or oneof of a struct member.
enum Member {
    Row(usize, Option<Storage>),
    Oneof(usize),
    Unknown,
    /// The schema does not have the member. Serde's derive uses the default of the member, or reports it as missing.
    None,
}

#[inline]
fn member(
    table: &Table,
    shape: Option<&'static MessageShape>,
    name: &'static str,
    last: &mut LastName,
) -> Member {
    let Some(shape) = shape else {
        return match table.find_static(name, last) {
            Some(Target::Field(index)) => Member::Row(usize::from(index), None),
            Some(Target::Oneof(index)) => Member::Oneof(usize::from(index)),
            None => Member::None,
        };
    };
    let Some(index) = shape.names().iter().position(|member| *member == name) else { return Member::None };
    let member = &shape.members[index];
    match member.role {
        Role::Field(storage) => {
            let row = table.row_called_by(member.number, || shape.proto_name(member));
            row.map_or(Member::None, |row| Member::Row(usize::from(row.index), Some(storage)))
        }
        Role::Oneof(_) => {
            let name = shape.proto_name(member);
            table.oneofs.iter().position(|oneof| *oneof.name == *name).map_or(Member::None, Member::Oneof)
        }
        Role::Unknown => Member::Unknown,
    }
}

impl<'a, 'de> Fields<'a, 'de, '_> {
    /// Advances to the next member, if it is a field of a message to which no Rust type is bound. Returns `None` if
    /// [`advance`](Self::advance) must be called instead.
    #[inline]
    fn next_field(&mut self) -> Option<&'static str> {
        let (Members::Named(names), None) = (self.members, self.message.shape) else { return None };
        let (name, mut last) = (*names.get(self.next)?, self.last);
        self.at = NextValue::Field(self.message.message.table().next_field(name, &mut last)?);
        (self.next, self.last) = (self.next + 1, last);
        Some(name)
    }

    /// Advances to the next member, and returns its name. `at` then says which value comes next.
    #[inline(never)]
    fn advance(&mut self) -> Option<&'a str> {
        let held = self.message.message;
        let table = held.table();
        match self.members {
            Members::Fields => {
                let (index, _) = held.next_set(self.next)?;
                self.next = index + 1;
                self.at = NextValue::Row(index, None);
                Some(&table.rows[index].name)
            }
            Members::Named(names) => loop {
                let name = *names.get(self.next)?;
                self.next += 1;
                self.at = match member(table, self.message.shape, name, &mut self.last) {
                    Member::Row(index, bound) => NextValue::Row(index, bound),
                    Member::Oneof(index) => {
                        let rows = table.oneofs[index].rows.iter().map(|&row| usize::from(row));
                        NextValue::Oneof(
                            index,
                            rows.into_iter().find(|&row| held.get(&table.rows[row]).is_some()),
                        )
                    }
                    Member::Unknown => NextValue::Unknown(held.unknown()),
                    Member::None => continue,
                };
                return Some(name);
            },
        }
    }
}

impl<'de> MapAccess<'de> for Fields<'_, 'de, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if let Some(name) = self.next_field() {
            return seed.deserialize(Identifier::Name(name)).map(Some);
        }
        if self.stage == Stage::End {
            return Ok(None);
        }
        match self.advance() {
            Some(name) => {
                if let Members::Fields = self.members {
                    let budget = self.message.budget;
                    // For each entry, a map stores a hash and an index, too.
                    self.names.take(budget, self.count, size_of::<K::Value>() + 16)?;
                    budget.take(name.len())?;
                }
                seed.deserialize(Identifier::Name(name)).map(Some)
            }
            None => {
                self.stage = Stage::End;
                Ok(None)
            }
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        if let Members::Fields = self.members {
            self.values.take(self.message.budget, self.count, size_of::<T::Value>())?;
            self.count += 1;
        }
        if let NextValue::Field(row) = self.at {
            self.at = NextValue::Nothing;
            let base = &self.message;
            let held = base.message.get(row).unwrap_or(base.message.absent(row));
            let read = seed.deserialize(ElementDeserializer { base, given: held });
            return match read {
                Ok(value) => Ok(value),
                Err(error) => Err(error.in_field(&row.name)),
            };
        }
        self.bound_value(seed)
    }
}

impl<'a, 'de> Fields<'a, 'de, '_> {
    /// Deserializes the value of a oneof, of a member of a bound Rust type, or of a field under its name in the schema.
    #[inline(never)]
    fn bound_value<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let MessageDeserializer { message, shape, budget, left, .. } = self.message;
        let table = message.table();
        let value =
            |held, oneof, bound| ValueDeserializer { held, oneof, bound, budget, left, inside: false };
        match std::mem::replace(&mut self.at, NextValue::Nothing) {
            NextValue::Row(index, bound) => {
                let row = &table.rows[index];
                let read = match message.get(row) {
                    Some(held) => seed.deserialize(value(held, None, bound)),
                    None => seed.deserialize(Absent { row, budget, left, optional: true, bound }),
                };
                read.map_err(|error| error.in_field(&row.name))
            }
            NextValue::Oneof(oneof, Some(index)) => {
                let row = &table.rows[index];
                let Some(held) = message.get(row) else {
                    return seed.deserialize(AbsentOneof(&table.oneofs[oneof].name));
                };
                let bound = shape.and_then(|shape| shape.oneof(&table.oneofs[oneof].name));
                seed.deserialize(value(held, Some(bound), None)).map_err(|error| error.in_field(&row.name))
            }
            NextValue::Oneof(oneof, None) => seed.deserialize(AbsentOneof(&table.oneofs[oneof].name)),
            NextValue::Unknown(HeldText::Borrowed(fields)) => {
                seed.deserialize(BorrowedBytesDeserializer::new(fields))
            }
            NextValue::Unknown(HeldText::Owned(fields)) => seed.deserialize(BytesDeserializer::new(fields)),
            NextValue::Nothing | NextValue::Field(_) => {
                Err(Error::ty("a value was requested before its key"))
            }
        }
    }
}

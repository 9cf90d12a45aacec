//! A struct, or a map with names as keys, as a message.

use super::oneof::OneofSerializer;
use super::refuse::refuse;
use super::unknown::UnknownSerializer;
use super::value::{Position, ValueSerializer};
use super::{UNKNOWN, Walk, key};
use crate::dynamic::{Building, MessageFill};
use crate::error::{Error, Result};
use crate::layout::{MessageShape, Role, TypeShape};
use crate::object::ObjectMut;
use crate::serde::Schema;
use crate::table::{Presence, Row, Target};
use serde::ser::{Serialize, SerializeMap, SerializeStruct, SerializeStructVariant, Serializer};

/// Fills a message.
pub(crate) struct MessageSerializer<'a, 't> {
    building: &'a mut Building,
    schema: Schema<'t>,
    walk: Walk,
}

impl<'a, 't> MessageSerializer<'a, 't> {
    /// A serializer that begins the message with its first member.
    pub(crate) fn lazy(building: &'a mut Building, schema: Schema<'t>, walk: Walk) -> Self {
        MessageSerializer { building, schema, walk }
    }

    #[cold]
    fn refuse(&self, what: &str) -> Error {
        Error::ty(format!("a message is a struct or a map, not {what}"))
    }

    fn members(self) -> Result<Members<'a, 't>> {
        let message = self.building.start(self.schema.table()?);
        Members::begin(message, self.walk, self.schema.shape())
    }
}

impl<'a, 't> Serializer for MessageSerializer<'a, 't> {
    type Ok = ();
    type Error = Error;
    type SerializeStruct = Members<'a, 't>;
    type SerializeMap = Members<'a, 't>;

    refuse!(bool numbers str bytes none unit unit_variant newtype_variant seq tuple tuple_variant struct_variant);
    refuse!(transparent binary);

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members<'a, 't>> {
        self.members()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'a, 't>> {
        self.members()
    }
}

/// The members of a message, on their way.
pub(crate) struct Members<'a, 't> {
    message: MessageFill<'a, 't>,
    walk: Walk,
    shape: Option<&'static MessageShape>,
    /// The index of the field or member expected next.
    next: usize,
    /// The name of the member whose value is next, if names are keys.
    key: String,
}

/// The field or oneof of a member.
enum Member<'t> {
    Field(&'t Row, Option<TypeShape>),
    Oneof(usize),
    Unknown,
}

impl<'a, 't> Members<'a, 't> {
    pub(crate) fn begin(
        message: MessageFill<'a, 't>,
        walk: Walk,
        shape: Option<&'static MessageShape>,
    ) -> Result<Self> {
        Ok(Members { message, walk: walk.enter()?, shape, next: 0, key: String::new() })
    }

    fn find(&mut self, name: &str) -> Result<Member<'t>> {
        let table = self.message.table();
        if let Some(shape) = self.shape {
            return self.bound(shape, name);
        }
        match table.find(name, self.next) {
            Some(Target::Field(index)) => {
                self.next = usize::from(index) + 1;
                Ok(Member::Field(&table.rows[usize::from(index)], None))
            }
            Some(Target::Oneof(index)) => Ok(Member::Oneof(usize::from(index))),
            None if name == UNKNOWN => Ok(Member::Unknown),
            None => Err(self.no_such_member(name)),
        }
    }

    fn bound(&mut self, shape: &'static MessageShape, name: &str) -> Result<Member<'t>> {
        let table = self.message.table();
        let index = match shape.members.get(self.next) {
            Some(member) if member.name() == name => self.next,
            _ => match shape.members.iter().position(|member| member.name() == name) {
                Some(index) => index,
                None => return Err(self.no_such_member(name)),
            },
        };
        self.next = index + 1;
        let found = match &shape.members[index].role {
            Role::Field(field) => {
                let row = table.row_of(field);
                row.map(|row| Member::Field(row, Some(field.value.ty)))
            }
            Role::Oneof(name, _) => {
                table.oneofs.iter().position(|oneof| *oneof.name == **name).map(Member::Oneof)
            }
            Role::Unknown => Some(Member::Unknown),
        };
        found.ok_or_else(|| self.no_such_member(name))
    }

    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        let walk = self.walk;
        match self.find(name)? {
            Member::Field(row, bound) => {
                let position = match row.presence {
                    Presence::Required => Position::Required,
                    _ => Position::Member,
                };
                let before = self.other_member(row);
                let cell = self.message.cell(row);
                value
                    .serialize(ValueSerializer { cell, walk, position, bound })
                    .map_err(|error| error.in_field(&row.name))?;
                match before {
                    Some(oneof) if self.message.is_present(row) => {
                        Err(Error::ty(format!("the oneof {oneof} has more than one value")))
                    }
                    _ => Ok(()),
                }
            }
            Member::Oneof(index) => {
                let message = self.message.reborrow();
                value.serialize(OneofSerializer { message, walk, index, shape: self.shape })
            }
            Member::Unknown => value.serialize(UnknownSerializer { message: self.message.reborrow() }),
        }
    }

    /// The name of the field's oneof, where another field of it has a value.
    fn other_member(&self, row: &Row) -> Option<&'t str> {
        let table = self.message.table();
        let oneof = &table.oneofs[usize::from(row.oneof?)];
        let set =
            |&index: &u16| index != row.index && self.message.is_present(&table.rows[usize::from(index)]);
        oneof.rows.iter().any(set).then_some(&*oneof.name)
    }

    #[cold]
    fn no_such_member(&self, name: &str) -> Error {
        let full_name = &self.message.table().full_name;
        Error::ty(format!("{full_name} has no field or oneof named {name:?}"))
    }

    /// The message, of which nothing is missing.
    pub(crate) fn finish(self) -> Result<MessageFill<'a, 't>> {
        let table = self.message.table();
        let missing = table
            .required
            .iter()
            .map(|&index| &table.rows[usize::from(index)])
            .find(|row| !self.message.is_present(row));
        match missing {
            Some(row) if !self.walk.partial => Err(Error::required(&row.name)),
            _ => Ok(self.message),
        }
    }
}

impl SerializeStruct for Members<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.member(name, value)
    }

    fn end(self) -> Result<()> {
        self.finish().map(drop)
    }
}

impl SerializeStructVariant for Members<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.member(name, value)
    }

    fn end(self) -> Result<()> {
        self.finish().map(drop)
    }
}

impl SerializeMap for Members<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key = key.serialize(key::NameSerializer)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let name = std::mem::take(&mut self.key);
        self.member(&name, value)
    }

    fn end(self) -> Result<()> {
        self.finish().map(drop)
    }
}

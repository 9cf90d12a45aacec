//! Serializes a struct, or a map with names as keys, as a message.

use super::oneof::OneofSerializer;
use super::refuse::refuse;
use super::unknown::UnknownSerializer;
use super::value::{Context, Position, ValueSerializer};
use super::{UNKNOWN, key};
use crate::codec::wire;
use crate::error::{Error, LimitError, Result};
use crate::layout::{MessageShape, Role, Storage};
use crate::message::dynamic::{ValueWriter as Destination, Written};
use crate::object::{Object, Typed};
use crate::serde::schema::{Schema, other_message};
use crate::table::{LastName, Names, Row, Table, Target};
use serde::ser::{Serialize, SerializeMap, SerializeStruct, SerializeStructVariant, Serializer};

/// Fills a message.
pub(crate) struct MessageSerializer<'a, 't> {
    written: &'a mut Written,
    schema: Schema<'t>,
}

impl<'a, 't> MessageSerializer<'a, 't> {
    /// Creates a serializer that begins the message when the serialized value begins a struct or a map.
    pub(crate) fn lazy(written: &'a mut Written, schema: Schema<'t>) -> Self {
        MessageSerializer { written, schema }
    }

    /// Writes a message of a type that is bound to this schema in another pool. Both schemas have the same field
    /// numbers, so the encoded bytes of the message are used.
    ///
    /// # Errors
    /// The type is another message, or the message cannot be encoded.
    #[cold]
    pub(crate) fn bytes_of(self, message: Typed<'_>) -> Result<()> {
        let (table, own) = (self.schema.table()?, Object::table(message));
        if table.full_name != own.full_name {
            return Err(other_message(own));
        }
        let mut bytes = Vec::new();
        wire::encode(message, self.written.options().settings(), &mut bytes)?;
        self.written.replace(bytes);
        Ok(())
    }

    #[cold]
    fn refuse(&self, what: &str) -> Error {
        Error::ty(format!("a message is a struct or a map, not {what}"))
    }

    #[inline]
    fn members(self) -> Result<Members<'a, 't>> {
        Members::root(self.written.start(self.schema.table()?), self.schema.shape())
    }
}

impl<'a, 't> Serializer for MessageSerializer<'a, 't> {
    type Ok = ();
    type Error = Error;
    type SerializeStruct = Members<'a, 't>;
    type SerializeMap = KeyedMembers<'a, 't>;

    refuse!(bool numbers str bytes none unit unit_variant newtype_variant seq tuple tuple_variant struct_variant);
    refuse!(transparent binary);

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members<'a, 't>> {
        self.members()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<KeyedMembers<'a, 't>> {
        self.members().map(KeyedMembers::new)
    }
}

pub(crate) struct Members<'a, 't> {
    context: Context<'a, 't>,
    by: By<'t>,
    last: LastName,
}

/// Which names the members have.
#[derive(Clone, Copy)]
enum By<'t> {
    /// The names of fields and oneofs in the schema.
    Names(&'t Names),
    /// The members of a bound Rust type, and the index of the member that is expected next.
    Shape(&'static MessageShape, u32),
}

/// The field or oneof of a member.
enum Member<'t> {
    /// A field. If another field of its oneof already has a value, also the name of the oneof.
    Field(&'t Row, Option<&'t str>),
    Oneof(usize),
    Unknown,
}

impl<'a, 't> Members<'a, 't> {
    /// Returns the members of the outermost message.
    #[inline]
    pub(crate) fn root(target: Destination<'a, 't>, shape: Option<&'static MessageShape>) -> Result<Self> {
        let depth = target.options().parts().0.max_depth();
        Self::begin(target, depth, shape)
    }

    /// Begins a message, and returns its members. Fails if the depth is 0.
    #[inline]
    pub(super) fn begin(
        target: Destination<'a, 't>,
        depth: u32,
        shape: Option<&'static MessageShape>,
    ) -> Result<Self> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(too_deep(&target));
        };
        let (by, last) = match shape {
            None => {
                let names = target.table().names();
                (By::Names(names), names.start())
            }
            Some(shape) => (By::Shape(shape, 0), LastName::default()),
        };
        let context = Context { target, depth, position: Position::Member, bound: None };
        Ok(Members { context, by, last })
    }

    fn find(&mut self, name: &str) -> Result<Member<'t>> {
        let table = self.context.target.table();
        let names = match self.by {
            By::Names(names) => names,
            By::Shape(shape, next) => return self.bound(shape, next, name),
        };
        match names.next(name, &mut self.last) {
            Some(Target::Field(index)) => Ok(self.field(&table.rows[usize::from(index)], None)),
            Some(Target::Oneof(index)) => Ok(Member::Oneof(usize::from(index))),
            None if name == UNKNOWN => Ok(Member::Unknown),
            None => Err(self.no_such_member(name)),
        }
    }

    fn bound(&mut self, shape: &'static MessageShape, next: u32, name: &str) -> Result<Member<'t>> {
        let table = self.context.target.table();
        let names = shape.names();
        let index = match names.get(next as usize) {
            Some(next_name) if *next_name == name => next as usize,
            _ => match names.iter().position(|member| *member == name) {
                Some(index) => index,
                None => return Err(self.no_such_member(name)),
            },
        };
        self.by = By::Shape(shape, index as u32 + 1);
        let member = &shape.members[index];
        let found = match member.role {
            Role::Field(storage) => {
                let row = table.row_called_by(member.number, || shape.proto_name(member));
                row.map(|row| self.field(row, Some(storage)))
            }
            Role::Oneof(_) => {
                let name = shape.proto_name(member);
                table.oneofs.iter().position(|oneof| *oneof.name == *name).map(Member::Oneof)
            }
            Role::Unknown => Some(Member::Unknown),
        };
        found.ok_or_else(|| self.no_such_member(name))
    }

    /// Serializes a member with a `'static` name. There is a fast path for fields outside of oneofs, because most
    /// members are such fields.
    #[inline]
    fn named<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        if let By::Names(names) = self.by
            && let Some((index, last)) = names.next_static(name, self.last)
            && let Some(row) = self.context.target.table().rows.get(usize::from(index))
        {
            self.last = last;
            self.context.target.set_row(row);
            let start = self.context.target.position();
            return match value.serialize(ValueSerializer(&mut self.context)) {
                Ok(()) => Ok(()),
                Err(error) => {
                    self.context.target.back_to(start);
                    Err(error.in_field(&row.name))
                }
            };
        }
        self.new_name(name);
        self.member(name, value)
    }

    /// Remembers that this name follows the last name, and the address of this name.
    #[inline(never)]
    fn new_name(&self, name: &'static str) {
        let mut last = self.last;
        if let By::Names(names) = self.by {
            names.learn_static(name, &mut last);
        }
    }

    #[inline(never)]
    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        let member = self.find(name)?;
        let start = self.context.target.position();
        let done = match member {
            Member::Field(row, before) => {
                let done = value.serialize(ValueSerializer(&mut self.context));
                self.conclude(row, done, before)
            }
            Member::Oneof(index) => {
                let shape = match self.by {
                    By::Names(_) => None,
                    By::Shape(shape, _) => Some(shape),
                };
                value.serialize(OneofSerializer { context: &mut self.context, index, shape })
            }
            Member::Unknown => value.serialize(UnknownSerializer { target: &mut self.context.target }),
        };
        if done.is_err() {
            self.context.target.back_to(start);
        }
        done
    }

    /// Makes a field the target of the next value.
    fn field(&mut self, row: &'t Row, bound: Option<Storage>) -> Member<'t> {
        self.context.target.set_row(row);
        (self.context.bound, self.context.position) = (bound, Position::Member);
        let before = match row.oneof {
            Some(_) => self.other_member(row),
            None => None,
        };
        Member::Field(row, before)
    }

    /// Adds the name of the field to an error. Fails if the field and another field of its oneof are set.
    #[inline(never)]
    fn conclude(&self, row: &Row, done: Result<()>, before: Option<&str>) -> Result<()> {
        match before {
            _ if done.is_err() => done.map_err(|error| error.in_field(&row.name)),
            Some(oneof) if self.context.target.is_present(row) => {
                Err(Error::ty(format!("the oneof {oneof} has more than one value")))
            }
            _ => Ok(()),
        }
    }

    /// Returns the name of the field's oneof if another field of the oneof has a value, otherwise `None`.
    fn other_member(&self, row: &Row) -> Option<&'t str> {
        let table = self.context.target.table();
        let oneof = &table.oneofs[usize::from(row.oneof?)];
        let set = |&index: &u16| {
            index != row.index && self.context.target.is_present(&table.rows[usize::from(index)])
        };
        oneof.rows.iter().any(set).then_some(&*oneof.name)
    }

    #[cold]
    fn no_such_member(&self, name: &str) -> Error {
        let full_name = &self.context.target.table().full_name;
        Error::ty(format!("{full_name} has no field or oneof named {name:?}"))
    }

    /// Checks that all required fields are set, and ends the message.
    fn close(&mut self) -> Result<()> {
        let table = self.context.target.table();
        if !table.required.is_empty() && !self.context.target.options().parts().2 {
            self.check_required(table)?;
        }
        self.context.target.end()
    }

    #[inline(never)]
    fn check_required(&self, table: &Table) -> Result<()> {
        let mut rows = table.required.iter().map(|&index| &table.rows[usize::from(index)]);
        match rows.find(|row| !self.context.target.is_present(row)) {
            Some(row) => Err(Error::required(&row.name)),
            None => Ok(()),
        }
    }
}

#[cold]
fn too_deep(target: &Destination<'_, '_>) -> Error {
    Error::limit(LimitError::Depth(target.options().parts().0.max_depth()))
}

impl SerializeStruct for Members<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.named(name, value)
    }

    #[inline]
    fn end(mut self) -> Result<()> {
        self.close()
    }
}

impl SerializeStructVariant for Members<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.named(name, value)
    }

    #[inline]
    fn end(mut self) -> Result<()> {
        self.close()
    }
}

/// The members of a message that comes as a map. The keys of the map are the names of the members.
pub(crate) struct KeyedMembers<'a, 't> {
    pub(crate) members: Members<'a, 't>,
    /// The name of the member whose value comes next.
    key: String,
}

impl<'a, 't> KeyedMembers<'a, 't> {
    pub(crate) fn new(members: Members<'a, 't>) -> Self {
        KeyedMembers { members, key: String::new() }
    }

    /// Ends the message.
    ///
    /// # Errors
    /// A required field is missing.
    pub(crate) fn finish(mut self) -> Result<&'a mut Written> {
        self.members.close()?;
        Ok(self.members.context.target.into_written())
    }
}

impl SerializeMap for KeyedMembers<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key = key.serialize(key::NameSerializer)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let name = std::mem::take(&mut self.key);
        self.members.member(&name, value)
    }

    fn end(mut self) -> Result<()> {
        self.members.close()
    }
}

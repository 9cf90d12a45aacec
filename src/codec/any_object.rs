//! A message in either storage, a struct or an arena, for the formats that people read: JSON and the text format are
//! compiled once for both, and a match finds the storage at each access.

use crate::dynamic::{EntryFill, ListAt, MapAt, MessageAt, MessageFill};
use crate::error::Result;
use crate::layout::{KeyRef, Text};
use crate::object::{
    Field, Fill, Object, ObjectList, ObjectMap, ObjectMut, Run, Typed, TypedEntry, TypedList, TypedMap,
    TypedMut, Visit,
};
use crate::table::{Row, Table};

/// Calls a method of what is stored.
macro_rules! either {
    ($any:ident, $value:expr, $stored:ident => $call:expr) => {
        match $value {
            $any::Typed($stored) => $call,
            $any::Arena($stored) => $call,
        }
    };
}

/// A message to be read.
#[derive(Clone, Copy)]
pub(crate) enum AnyObject<'a> {
    Typed(Typed<'a>),
    Arena(MessageAt<'a>),
}

/// A list to be read.
#[derive(Clone, Copy)]
pub(crate) enum AnyList<'a> {
    Typed(TypedList<'a>),
    Arena(ListAt<'a>),
}

/// A map to be read.
#[derive(Clone, Copy)]
pub(crate) enum AnyMap<'a> {
    Typed(TypedMap<'a>),
    Arena(MapAt<'a>),
}

/// A message to be filled.
pub(crate) enum AnyObjectMut<'a, 't> {
    Typed(TypedMut<'a, 't>),
    Arena(MessageFill<'a, 't>),
}

/// An entry on its way into a map.
pub(crate) enum AnyEntry {
    Typed(TypedEntry),
    Arena(EntryFill),
}

impl<'a> From<Typed<'a>> for AnyObject<'a> {
    #[inline]
    fn from(message: Typed<'a>) -> Self {
        AnyObject::Typed(message)
    }
}

impl<'a> From<MessageAt<'a>> for AnyObject<'a> {
    #[inline]
    fn from(message: MessageAt<'a>) -> Self {
        AnyObject::Arena(message)
    }
}

impl<'a, 't> From<TypedMut<'a, 't>> for AnyObjectMut<'a, 't> {
    #[inline]
    fn from(message: TypedMut<'a, 't>) -> Self {
        AnyObjectMut::Typed(message)
    }
}

impl<'a, 't> From<MessageFill<'a, 't>> for AnyObjectMut<'a, 't> {
    #[inline]
    fn from(message: MessageFill<'a, 't>) -> Self {
        AnyObjectMut::Arena(message)
    }
}

/// A value of a struct as one of either storage.
#[inline]
fn typed<'a>(value: Field<'a, Typed<'a>>) -> Field<'a, AnyObject<'a>> {
    match value {
        Field::Scalar(bits) => Field::Scalar(bits),
        Field::Text(text) => Field::Text(text),
        Field::Message(message) => Field::Message(AnyObject::Typed(message)),
        Field::List(list) => Field::List(AnyList::Typed(list)),
        Field::Map(map) => Field::Map(AnyMap::Typed(map)),
    }
}

/// A value of an arena as one of either storage.
#[inline]
fn arena<'a>(value: Field<'a, MessageAt<'a>>) -> Field<'a, AnyObject<'a>> {
    match value {
        Field::Scalar(bits) => Field::Scalar(bits),
        Field::Text(text) => Field::Text(text),
        Field::Message(message) => Field::Message(AnyObject::Arena(message)),
        Field::List(list) => Field::List(AnyList::Arena(list)),
        Field::Map(map) => Field::Map(AnyMap::Arena(map)),
    }
}

/// Passes the fields of a struct to a visitor of either storage.
struct VisitTyped<'v, V>(&'v mut V);

impl<'a, V: Visit<'a, AnyObject<'a>>> Visit<'a, Typed<'a>> for VisitTyped<'_, V> {
    #[inline]
    fn field(&mut self, row: &'a Row, value: Option<Field<'a, Typed<'a>>>) -> Result<()> {
        self.0.field(row, value.map(typed))
    }

    #[inline]
    fn scalar_field(&mut self, row: &'a Row, bits: u64) {
        self.0.scalar_field(row, bits);
    }

    #[inline]
    fn text_field(&mut self, row: &'a Row, text: &'a [u8]) -> Result<()> {
        self.0.text_field(row, text)
    }
}

/// Passes the fields of an arena to a visitor of either storage.
struct VisitArena<'v, V>(&'v mut V);

impl<'a, V: Visit<'a, AnyObject<'a>>> Visit<'a, MessageAt<'a>> for VisitArena<'_, V> {
    #[inline]
    fn field(&mut self, row: &'a Row, value: Option<Field<'a, MessageAt<'a>>>) -> Result<()> {
        self.0.field(row, value.map(arena))
    }

    #[inline]
    fn scalar_field(&mut self, row: &'a Row, bits: u64) {
        self.0.scalar_field(row, bits);
    }

    #[inline]
    fn text_field(&mut self, row: &'a Row, text: &'a [u8]) -> Result<()> {
        self.0.text_field(row, text)
    }
}

impl<'a> Object<'a> for AnyObject<'a> {
    type List = AnyList<'a>;
    type Map = AnyMap<'a>;

    #[inline]
    fn table(self) -> &'a Table {
        either!(AnyObject, self, message => message.table())
    }

    fn get(self, row: &'a Row) -> Result<Option<Field<'a, Self>>> {
        match self {
            AnyObject::Typed(message) => Ok(message.get(row)?.map(typed)),
            AnyObject::Arena(message) => Ok(message.get(row)?.map(arena)),
        }
    }

    fn get_decoded(self, row: &'a Row) -> Result<Option<Field<'a, Self>>> {
        match self {
            AnyObject::Typed(message) => Ok(message.get_decoded(row)?.map(typed)),
            AnyObject::Arena(message) => Ok(message.get_decoded(row)?.map(arena)),
        }
    }

    #[inline]
    fn visit(self, visitor: &mut impl Visit<'a, Self>) -> Result<()> {
        match self {
            AnyObject::Typed(message) => Object::visit(message, &mut VisitTyped(visitor)),
            AnyObject::Arena(message) => Object::visit(message, &mut VisitArena(visitor)),
        }
    }

    fn unknown(self) -> &'a [u8] {
        either!(AnyObject, self, message => message.unknown())
    }
}

impl<'a> ObjectList<'a> for AnyList<'a> {
    type Message = AnyObject<'a>;

    #[inline]
    fn len(self) -> usize {
        either!(AnyList, self, list => list.len())
    }

    #[inline]
    fn get(self, index: usize) -> Field<'a, AnyObject<'a>> {
        match self {
            AnyList::Typed(list) => typed(list.get(index)),
            AnyList::Arena(list) => arena(list.get(index)),
        }
    }

    fn run(self) -> Option<Run<'a>> {
        either!(AnyList, self, list => list.run())
    }
}

impl<'a> ObjectMap<'a> for AnyMap<'a> {
    type Message = AnyObject<'a>;

    #[inline]
    fn len(self) -> usize {
        either!(AnyMap, self, map => map.len())
    }

    fn visit(self, visit: &mut dyn FnMut(KeyRef<'a>, Field<'a, Self::Message>) -> Result<()>) -> Result<()> {
        match self {
            AnyMap::Typed(map) => map.visit(&mut |key, value| visit(key, typed(value))),
            AnyMap::Arena(map) => map.visit(&mut |key, value| visit(key, arena(value))),
        }
    }
}

impl<'t> Fill<'t> for AnyObjectMut<'_, 't> {
    type Child<'b>
        = AnyObjectMut<'b, 't>
    where
        Self: 'b;

    #[inline]
    fn set_scalar(&mut self, row: &'t Row, bits: u64) -> Result<()> {
        either!(AnyObjectMut, self, message => message.set_scalar(row, bits))
    }

    fn set_text(&mut self, row: &'t Row, text: Text<'_>) -> Result<()> {
        either!(AnyObjectMut, self, message => message.set_text(row, text))
    }

    #[inline]
    fn set_str(&mut self, row: &'t Row, text: &str, borrowed: bool) -> Result<()> {
        either!(AnyObjectMut, self, message => message.set_str(row, text, borrowed))
    }

    fn message(&mut self, row: &'t Row) -> Result<AnyObjectMut<'_, 't>> {
        either!(AnyObjectMut, self, message => Ok(message.message(row)?.into()))
    }
}

impl<'t> ObjectMut<'t> for AnyObjectMut<'_, 't> {
    type Entry = AnyEntry;

    #[inline]
    fn table(&self) -> &'t Table {
        either!(AnyObjectMut, self, message => message.table())
    }

    fn push_scalar(&mut self, row: &'t Row, bits: u64) -> Result<()> {
        either!(AnyObjectMut, self, message => message.push_scalar(row, bits))
    }

    fn push_scalars(&mut self, row: &'t Row, bits: &[u64]) -> Result<()> {
        either!(AnyObjectMut, self, message => message.push_scalars(row, bits))
    }

    fn reserve(&mut self, row: &'t Row, more: usize) {
        either!(AnyObjectMut, self, message => message.reserve(row, more));
    }

    fn push_str(&mut self, row: &'t Row, text: &str, borrowed: bool) -> Result<()> {
        either!(AnyObjectMut, self, message => message.push_str(row, text, borrowed))
    }

    fn push_text(&mut self, row: &'t Row, text: Text<'_>) -> Result<()> {
        either!(AnyObjectMut, self, message => message.push_text(row, text))
    }

    fn push_message(&mut self, row: &'t Row) -> Result<AnyObjectMut<'_, 't>> {
        either!(AnyObjectMut, self, message => Ok(message.push_message(row)?.into()))
    }

    fn insert(&mut self, row: &'t Row, fill: &mut dyn FnMut(&mut AnyEntry) -> Result<bool>) -> Result<bool> {
        match self {
            AnyObjectMut::Typed(message) => {
                message.insert(row, &mut |entry| fill(&mut AnyEntry::Typed(*entry)))
            }
            AnyObjectMut::Arena(message) => message.insert(row, &mut |entry| {
                let mut any = AnyEntry::Arena(std::mem::take(entry));
                let done = fill(&mut any);
                if let AnyEntry::Arena(filled) = any {
                    *entry = filled;
                }
                done
            }),
        }
    }

    fn clear(&mut self, row: &'t Row) {
        either!(AnyObjectMut, self, message => message.clear(row));
    }

    fn add_unknown(&mut self, fields: &[u8]) {
        either!(AnyObjectMut, self, message => message.add_unknown(fields));
    }
}

impl<'t> Fill<'t> for AnyEntry {
    type Child<'b>
        = AnyObjectMut<'b, 't>
    where
        Self: 'b;

    fn set_scalar(&mut self, row: &'t Row, bits: u64) -> Result<()> {
        either!(AnyEntry, self, entry => entry.set_scalar(row, bits))
    }

    fn set_text(&mut self, row: &'t Row, text: Text<'_>) -> Result<()> {
        either!(AnyEntry, self, entry => entry.set_text(row, text))
    }

    fn set_str(&mut self, row: &'t Row, text: &str, borrowed: bool) -> Result<()> {
        either!(AnyEntry, self, entry => entry.set_str(row, text, borrowed))
    }

    fn message(&mut self, row: &'t Row) -> Result<AnyObjectMut<'_, 't>> {
        either!(AnyEntry, self, entry => Ok(entry.message(row)?.into()))
    }
}

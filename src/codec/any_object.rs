//! A message in any storage, for the formats that people read: JSON and the text format are compiled once for all, and a
//! match finds the storage at each access.

use crate::dynamic::{ArenaList, EntryFill, ListAt, MapAt, MessageAt, MessageFill};
use crate::error::Result;
use crate::layout::{KeyRef, Text};
use crate::object::wire::sink::{EntrySink, ListSink, WireSink};
use crate::object::{
    Field, Fill, ListFill, ListMut, Object, ObjectList, ObjectMap, ObjectMut, Run, Typed, TypedEntry,
    TypedList, TypedMap, TypedMut, Visit, mismatch,
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

/// Calls a method of what is filled.
macro_rules! any {
    ($any:ident, $value:expr, $stored:ident => $call:expr) => {
        match $value {
            $any::Typed($stored) => $call,
            $any::Arena($stored) => $call,
            $any::Wire($stored) => $call,
        }
    };
}

/// A message to be filled.
pub(crate) enum AnyObjectMut<'a, 't> {
    Typed(TypedMut<'a, 't>),
    Arena(MessageFill<'a, 't>),
    Wire(WireSink<'a, 't>),
}

/// A list to be filled.
pub(crate) enum AnyListMut<'a, 't> {
    Typed(ListFill<'a, 't>),
    Arena(ArenaList<'a, 't>),
    Wire(ListSink<'a, 't>),
}

/// An entry on its way into a map.
pub(crate) enum AnyEntry<'a, 't> {
    Typed(TypedEntry),
    Arena(EntryFill<'a>),
    Wire(EntrySink<'a, 't>),
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

impl<'a, 't> From<WireSink<'a, 't>> for AnyObjectMut<'a, 't> {
    #[inline]
    fn from(message: WireSink<'a, 't>) -> Self {
        AnyObjectMut::Wire(message)
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
        any!(AnyObjectMut, self, stored => stored.set_scalar(row, bits))
    }

    #[inline]
    fn set_text(&mut self, row: &'t Row, text: Text<'_>) -> Result<()> {
        any!(AnyObjectMut, self, stored => stored.set_text(row, text))
    }

    #[inline]
    fn set_str(&mut self, row: &'t Row, text: &str, borrowed: bool) -> Result<()> {
        any!(AnyObjectMut, self, stored => stored.set_str(row, text, borrowed))
    }

    #[inline]
    fn message(&mut self, row: &'t Row) -> Result<AnyObjectMut<'_, 't>> {
        any!(AnyObjectMut, self, stored => Ok(stored.message(row)?.into()))
    }
}

impl<'t> ObjectMut<'t> for AnyObjectMut<'_, 't> {
    type Entry<'b>
        = AnyEntry<'b, 't>
    where
        Self: 'b;
    type List<'b>
        = AnyListMut<'b, 't>
    where
        Self: 'b;

    #[inline]
    fn table(&self) -> &'t Table {
        any!(AnyObjectMut, self, message => message.table())
    }

    #[inline]
    fn list(&mut self, row: &'t Row, hint: impl FnOnce() -> usize) -> Result<AnyListMut<'_, 't>> {
        Ok(match self {
            AnyObjectMut::Typed(message) => AnyListMut::Typed(message.list(row, hint)?),
            AnyObjectMut::Arena(message) => AnyListMut::Arena(message.list(row, hint)?),
            AnyObjectMut::Wire(message) => AnyListMut::Wire(message.list(row, hint)?),
        })
    }

    fn insert<'s>(
        &'s mut self,
        row: &'t Row,
        fill: &mut dyn FnMut(&mut AnyEntry<'s, 't>) -> Result<bool>,
    ) -> Result<bool> {
        let mut entry = match self {
            AnyObjectMut::Typed(message) => {
                return message.insert(row, &mut |entry| fill(&mut AnyEntry::Typed(*entry)));
            }
            AnyObjectMut::Arena(message) => AnyEntry::Arena(message.entry(row)?),
            AnyObjectMut::Wire(message) => AnyEntry::Wire(message.entry(row)),
        };
        let filled = fill(&mut entry);
        match entry {
            AnyEntry::Arena(entry) => entry.end(filled),
            AnyEntry::Wire(entry) => entry.end(filled),
            AnyEntry::Typed(_) => Err(mismatch()),
        }
    }

    fn add_unknown(&mut self, fields: &[u8]) {
        any!(AnyObjectMut, self, message => message.add_unknown(fields));
    }

    #[inline]
    fn end(self) {
        any!(AnyObjectMut, self, message => message.end());
    }
}

impl<'t> ListMut<'t> for AnyListMut<'_, 't> {
    type Child<'b>
        = AnyObjectMut<'b, 't>
    where
        Self: 'b;

    #[inline]
    fn push_scalars(&mut self, bits: &[u64]) -> Result<()> {
        any!(AnyListMut, self, list => list.push_scalars(bits))
    }

    #[inline]
    fn push_str(&mut self, text: &str, borrowed: bool) -> Result<()> {
        any!(AnyListMut, self, list => list.push_str(text, borrowed))
    }

    fn push_text(&mut self, text: Text<'_>) -> Result<()> {
        any!(AnyListMut, self, list => list.push_text(text))
    }

    #[inline]
    fn push_message(&mut self) -> Result<AnyObjectMut<'_, 't>> {
        any!(AnyListMut, self, list => Ok(list.push_message()?.into()))
    }

    #[inline]
    fn end(self) {
        any!(AnyListMut, self, list => list.end());
    }
}

impl<'t> Fill<'t> for AnyEntry<'_, 't> {
    type Child<'b>
        = AnyObjectMut<'b, 't>
    where
        Self: 'b;

    #[inline]
    fn set_scalar(&mut self, row: &'t Row, bits: u64) -> Result<()> {
        any!(AnyEntry, self, stored => stored.set_scalar(row, bits))
    }

    #[inline]
    fn set_text(&mut self, row: &'t Row, text: Text<'_>) -> Result<()> {
        any!(AnyEntry, self, stored => stored.set_text(row, text))
    }

    #[inline]
    fn set_str(&mut self, row: &'t Row, text: &str, borrowed: bool) -> Result<()> {
        any!(AnyEntry, self, stored => stored.set_str(row, text, borrowed))
    }

    #[inline]
    fn message(&mut self, row: &'t Row) -> Result<AnyObjectMut<'_, 't>> {
        any!(AnyEntry, self, stored => Ok(stored.message(row)?.into()))
    }
}

//! Sequences and maps: lists, byte strings serialized byte by byte, map fields, and messages serialized as
//! maps.

use super::message::Members;
use super::value::{Position, ValueSerializer};
use super::{Walk, failed, number};
use crate::dynamic::{Cell, ListFill, MapFill};
use crate::error::{Error, Result};
use crate::layout::TypeShape;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, SerializeTuple, SerializeTupleStruct, Serializer};

/// The elements of a list, or the bytes of a byte string.
pub(crate) struct Sequence<'a, 't> {
    walk: Walk,
    bound: Option<TypeShape>,
    state: State<'a, 't>,
}

enum State<'a, 't> {
    /// A list without an element so far.
    Empty(Cell<'a, 't>),
    List(ListFill<'a, 't>, usize),
    Bytes(ValueSerializer<'a, 't>, Vec<u8>),
    Failed,
}

impl<'a, 't> Sequence<'a, 't> {
    pub(super) fn list(value: ValueSerializer<'a, 't>) -> Self {
        Sequence { walk: value.walk, bound: value.bound, state: State::Empty(value.cell) }
    }

    #[cold]
    pub(super) fn bytes(value: ValueSerializer<'a, 't>, len: Option<usize>) -> Self {
        let bytes = Vec::with_capacity(len.unwrap_or(0).min(4096));
        Sequence { walk: value.walk, bound: None, state: State::Bytes(value, bytes) }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let (walk, bound) = (self.walk, self.bound);
        if let State::Empty(_) = self.state
            && let State::Empty(cell) = std::mem::replace(&mut self.state, State::Failed)
        {
            self.state = State::List(cell.into_list(), 0);
        }
        let done = match &mut self.state {
            State::List(list, index) => {
                let at = *index;
                *index += 1;
                let put = |cell| {
                    value.serialize(ValueSerializer { cell, walk, position: Position::Element, bound })
                };
                list.element().and_then(put).map_err(|error| error.in_index(at))
            }
            State::Bytes(_, bytes) => value.serialize(number::ByteSerializer).map(|byte| bytes.push(byte)),
            State::Empty(_) | State::Failed => return Err(failed()),
        };
        if done.is_err() {
            self.state = State::Failed;
        }
        done
    }

    fn finish(self) -> Result<()> {
        match self.state {
            State::Empty(_) | State::List(..) => Ok(()),
            State::Bytes(value, bytes) => value.serialize_bytes(&bytes),
            State::Failed => Err(failed()),
        }
    }
}

/// Implements the traits of sequences, which differ in names only.
macro_rules! sequences {
    ($($ty:ident $method:ident),*) => {
        $(
            impl $ty for Sequence<'_, '_> {
                type Ok = ();
                type Error = Error;

                fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                    self.element(value)
                }

                fn end(self) -> Result<()> {
                    self.finish()
                }
            }
        )*
    };
}

sequences!(SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field);

/// A map field, or a message serialized as a map.
pub(crate) enum MapOrMessage<'a, 't> {
    Map(Box<Entries<'a, 't>>),
    Message(Box<Members<'a, 't>>),
}

/// The entries of a map field.
pub(crate) struct Entries<'a, 't> {
    walk: Walk,
    bound: Option<TypeShape>,
    /// The map; its cell as long as there is no entry.
    map: Result<MapFill<'a, 't>, Option<Cell<'a, 't>>>,
    /// The entry whose key was given.
    open: Option<u32>,
    failed: bool,
}

impl<'a, 't> MapOrMessage<'a, 't> {
    pub(super) fn map(value: ValueSerializer<'a, 't>) -> Self {
        let (walk, bound) = (value.walk, value.bound);
        let entries = Entries { walk, bound, map: Err(Some(value.cell)), open: None, failed: false };
        MapOrMessage::Map(Box::new(entries))
    }

    pub(super) fn message(members: Members<'a, 't>) -> Self {
        MapOrMessage::Message(Box::new(members))
    }
}

impl Entries<'_, '_> {
    fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        if self.failed {
            return Err(failed());
        }
        if self.open.is_some() {
            return Err(Error::ty("a map key came without its value"));
        }
        if let Err(cell) = &mut self.map
            && let Some(cell) = cell.take()
        {
            self.map = Ok(cell.into_map());
        }
        let Ok(map) = &mut self.map else { return Err(failed()) };
        let entry = map.begin()?;
        let value =
            ValueSerializer { cell: map.key(entry), walk: self.walk, position: Position::Key, bound: None };
        // Unless the key is complete, serialization cannot continue.
        self.failed = true;
        key.serialize(value)?;
        self.failed = false;
        self.open = Some(entry);
        Ok(())
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        if self.failed {
            return Err(failed());
        }
        let (Some(entry), Ok(map)) = (self.open.take(), &mut self.map) else {
            return Err(Error::ty("a map value came without its key"));
        };
        let (cell, walk, bound) = (map.value(entry), self.walk, self.bound);
        let to = ValueSerializer { cell, walk, position: Position::Value, bound };
        self.failed = true;
        value.serialize(to).map_err(|error| error.in_key(map.key_text(entry)))?;
        self.failed = false;
        map.end(entry)
    }

    fn finish(self) -> Result<()> {
        match (self.failed, self.open) {
            (true, _) => Err(failed()),
            (false, Some(_)) => Err(Error::ty("a map key came without its value")),
            (false, None) => Ok(()),
        }
    }
}

impl SerializeMap for MapOrMessage<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        match self {
            MapOrMessage::Message(message) => message.serialize_key(key),
            MapOrMessage::Map(map) => map.key(key),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self {
            MapOrMessage::Message(message) => message.serialize_value(value),
            MapOrMessage::Map(map) => map.value(value),
        }
    }

    fn end(self) -> Result<()> {
        match self {
            MapOrMessage::Message(message) => SerializeMap::end(*message),
            MapOrMessage::Map(map) => map.finish(),
        }
    }
}

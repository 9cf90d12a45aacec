//! Serializes sequences and maps: lists, byte strings that come byte by byte, map fields, and messages that come as
//! maps.

use super::message::{KeyedMembers, Members};
use super::value::{Context, Position, ValueSerializer};
use super::{failed, number};
use crate::error::{Error, Result};
use crate::message::dynamic::{EntryWriter, ListWriter};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, SerializeTuple, SerializeTupleStruct, Serializer};

/// The elements of a list, or the bytes of a byte string.
pub(crate) struct Sequence<'a, 'd, 't>(State<'a, 'd, 't>);

enum State<'a, 'd, 't> {
    /// A list that has no element yet.
    Empty(&'a mut Context<'d, 't>),
    List(List<'a, 't>),
    Bytes(ValueSerializer<'a, 'd, 't>, Vec<u8>),
    Failed,
}

struct List<'a, 't> {
    context: Context<'a, 't>,
    list: ListWriter,
    len: usize,
}

impl<'a, 't> List<'a, 't> {
    /// Opens the list in a field for its first element.
    fn begin(context: &'a mut Context<'_, 't>) -> Result<Self> {
        let (depth, bound) = (context.depth, context.bound);
        let (list, target) = context.target.list()?;
        Ok(List { context: Context { target, depth, position: Position::Element, bound }, list, len: 0 })
    }

    #[inline]
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(ValueSerializer(&mut self.context))?;
        self.len += 1;
        Ok(())
    }

    fn end(mut self) {
        self.context.target.end_list(self.list);
    }
}

pub(super) fn elements<T: Serialize>(
    context: &mut Context<'_, '_>,
    mut elements: impl Iterator<Item = T>,
) -> Result<()> {
    let Some(first) = elements.next() else { return Ok(()) };
    let mut list = List::begin(context)?;
    let mut done = list.element(&first);
    while done.is_ok()
        && let Some(element) = elements.next()
    {
        done = list.element(&element);
    }
    match done {
        Ok(()) => {
            list.end();
            Ok(())
        }
        Err(error) => Err(error.in_index(list.len)),
    }
}

impl<'a, 'd, 't> Sequence<'a, 'd, 't> {
    pub(super) fn list(value: ValueSerializer<'a, 'd, 't>) -> Self {
        Sequence(State::Empty(value.0))
    }

    #[cold]
    pub(super) fn bytes(value: ValueSerializer<'a, 'd, 't>, len: Option<usize>) -> Self {
        Sequence(State::Bytes(value, Vec::with_capacity(len.unwrap_or(0).min(4096))))
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        if let State::Empty(_) = self.0 {
            self.begin()?;
        }
        match &mut self.0 {
            State::List(list) => match list.element(value) {
                Ok(()) => Ok(()),
                Err(error) => Err(self.fail(error)),
            },
            State::Bytes(_, bytes) => match value.serialize(number::ByteSerializer) {
                Ok(byte) => {
                    bytes.push(byte);
                    Ok(())
                }
                Err(error) => Err(self.fail(error)),
            },
            State::Empty(_) | State::Failed => Err(failed()),
        }
    }

    /// Begins the list before its first element.
    #[inline(never)]
    fn begin(&mut self) -> Result<()> {
        if let State::Empty(context) = std::mem::replace(&mut self.0, State::Failed) {
            self.0 = State::List(List::begin(context)?);
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn fail(&mut self, error: Error) -> Error {
        match std::mem::replace(&mut self.0, State::Failed) {
            State::List(list) => error.in_index(list.len),
            _ => error,
        }
    }

    fn finish(self) -> Result<()> {
        match self.0 {
            State::Empty(_) => Ok(()),
            State::List(list) => {
                list.end();
                Ok(())
            }
            State::Bytes(value, bytes) => value.serialize_bytes(&bytes),
            State::Failed => Err(failed()),
        }
    }
}

/// Implements the traits of sequences, which differ only in names.
macro_rules! sequences {
    ($($ty:ident $method:ident),*) => {
        $(
            impl $ty for Sequence<'_, '_, '_> {
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
pub(crate) enum MapOrMessage<'a, 'd, 't> {
    /// A map that has no entry yet.
    Empty(Option<&'a mut Context<'d, 't>>),
    Map(Entries<'a, 'd, 't>),
    Message(Box<KeyedMembers<'a, 't>>),
}

pub(crate) struct Entries<'a, 'd, 't> {
    context: &'a mut Context<'d, 't>,
    /// The entry whose key was written, but not its value.
    open: Option<EntryWriter>,
    failed: bool,
}

impl<'a, 'd, 't> MapOrMessage<'a, 'd, 't> {
    pub(super) fn map(value: ValueSerializer<'a, 'd, 't>) -> Self {
        MapOrMessage::Empty(Some(value.0))
    }

    /// Opens the map for its first entry.
    #[inline(never)]
    fn begin(context: &mut Option<&'a mut Context<'d, 't>>) -> Result<Self> {
        let context = context.take().ok_or_else(failed)?;
        context.target.map()?;
        Ok(MapOrMessage::Map(Entries { context, open: None, failed: false }))
    }

    pub(super) fn message(members: Members<'a, 't>) -> Self {
        MapOrMessage::Message(Box::new(KeyedMembers::new(members)))
    }
}

impl Entries<'_, '_, '_> {
    fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        if self.failed {
            return Err(failed());
        }
        if self.open.is_some() {
            return Err(Error::ty("a map key came without its value"));
        }
        let Context { target, depth, .. } = &mut *self.context;
        let entry = target.begin_entry();
        let (target, position) = (target.key(), Position::Key);
        let mut context = Context { target, depth: *depth, position, bound: None };
        // If the key is not complete, serialization cannot continue.
        self.failed = true;
        key.serialize(ValueSerializer(&mut context))?;
        self.failed = false;
        self.open = Some(entry);
        Ok(())
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        if self.failed {
            return Err(failed());
        }
        let Some(entry) = self.open.take() else { return Err(value_without_key()) };
        let Context { target, depth, bound, .. } = &mut *self.context;
        let position = Position::Value;
        // The entry is also a level of nesting.
        let depth = depth.saturating_sub(1);
        let mut context = Context { target: target.value(), depth, position, bound: *bound };
        self.failed = true;
        let done = value.serialize(ValueSerializer(&mut context));
        done.map_err(|error| error.in_key(target.key_text(&entry)))?;
        self.failed = false;
        target.end_entry(entry);
        Ok(())
    }

    fn finish(self) -> Result<()> {
        match (self.failed, self.open) {
            (true, _) => Err(failed()),
            (false, Some(_)) => Err(Error::ty("a map key came without its value")),
            (false, None) => Ok(()),
        }
    }
}

#[cold]
fn value_without_key() -> Error {
    Error::ty("a map value came without its key")
}

impl SerializeMap for MapOrMessage<'_, '_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        if let MapOrMessage::Empty(value) = self {
            *self = Self::begin(value)?;
        }
        match self {
            MapOrMessage::Empty(_) => Err(failed()),
            MapOrMessage::Message(message) => message.serialize_key(key),
            MapOrMessage::Map(map) => map.key(key),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self {
            MapOrMessage::Empty(_) => Err(value_without_key()),
            MapOrMessage::Message(message) => message.serialize_value(value),
            MapOrMessage::Map(map) => map.value(value),
        }
    }

    fn end(self) -> Result<()> {
        match self {
            MapOrMessage::Empty(Some(_)) => Ok(()),
            MapOrMessage::Empty(None) => Err(failed()),
            MapOrMessage::Message(message) => SerializeMap::end(*message),
            MapOrMessage::Map(map) => map.finish(),
        }
    }
}

//! A message in any storage, for JSON and text. A storage is a way to store messages: a Rust struct, the arena of a dynamic
//! message, or wire bytes. The parsers of both formats are compiled once for all storages, and match on the storage at each
//! access. The printers are compiled for each storage, and match once.

use crate::error::Result;
use crate::layout::{Opened, Text};
use crate::object::arena::object::{ArenaList, EntryFill, MessageFill};
use crate::object::arena::view::MessageAt;
use crate::object::wire::sink::{EntrySink, ListSink, WireSink};
use crate::object::{Fill, ListFill, ListMut, ObjectMut, Typed, TypedEntry, TypedMut, mismatch};
use crate::table::{Row, Table};

/// A message that a printer reads.
#[derive(Clone, Copy)]
pub(crate) enum AnyObject<'a> {
    Typed(Typed<'a>),
    Arena(MessageAt<'a>),
}

/// Calls a method of a message, list or entry in any storage.
macro_rules! any {
    ($any:ident, $value:expr, $stored:ident => $call:expr) => {
        match $value {
            $any::Typed($stored) => $call,
            $any::Arena($stored) => $call,
            $any::Wire($stored) => $call,
        }
    };
}

/// A message that a parser fills.
pub(crate) enum AnyObjectMut<'a, 't> {
    Typed(TypedMut<'a, 't>),
    Arena(MessageFill<'a, 't>),
    Wire(WireSink<'a, 't>),
}

/// A list that a parser fills.
pub(crate) enum AnyListMut<'a, 't> {
    Typed(ListFill<'a, 't>),
    Arena(ArenaList<'a, 't>),
    Wire(ListSink<'a, 't>),
}

/// A map entry that a parser fills before it inserts the entry.
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
    fn list(&mut self, row: &'t Row, hint: &dyn Fn() -> usize) -> Result<AnyListMut<'_, 't>> {
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

    fn open(&mut self, row: &'t Row) -> Result<Opened> {
        any!(AnyObjectMut, self, message => message.open(row))
    }

    fn opened<'b>(
        &'b mut self,
        row: &'t Row,
        opened: &'b mut Opened,
    ) -> Result<(AnyObjectMut<'b, 't>, &'t Row)> {
        any!(AnyObjectMut, self, message => message.opened(row, opened).map(|(message, row)| (message.into(), row)))
    }

    fn close(&mut self, row: &'t Row, opened: Opened) -> Result<()> {
        any!(AnyObjectMut, self, message => message.close(row, opened))
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

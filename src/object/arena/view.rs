//! Views for reading messages, lists and maps of an arena.

use crate::descriptor::MessageDescriptor;
use crate::layout::KeyRef;
use crate::object::arena::cells::Elements;
use crate::object::arena::words::{Arena, Offsets, list_range};
use crate::object::{Field, key_of};
use crate::table::{Kind, MapRows, Row, Table};

/// A message in an arena, or an empty message.
#[derive(Clone, Copy)]
pub(crate) struct MessageAt<'a> {
    pub(crate) table: &'a Table,
    /// The arena and the position of the message. `None` for an empty message; then the table may be that of a Rust type.
    pub(crate) offsets: Option<(&'a Arena, Offsets)>,
}

impl<'a> MessageAt<'a> {
    /// Creates an empty message. The table may be that of a Rust type.
    pub(crate) fn empty(table: &'a Table) -> Self {
        MessageAt { table, offsets: None }
    }

    pub(crate) fn new(arena: &'a Arena, table: &'a Table, at: u32) -> Self {
        MessageAt { table, offsets: Some((arena, Offsets::new(at))) }
    }

    pub(crate) fn handle(self) -> MessageDescriptor {
        self.table.handle()
    }

    /// Returns the unknown fields. They live as long as the arena.
    pub(crate) fn unknown_at(self) -> &'a [u8] {
        self.offsets.map_or(&[], |(arena, offsets)| arena.unknown(offsets.at))
    }
}

/// A list in an arena, or an empty list.
#[derive(Clone, Copy)]
pub(crate) struct ListAt<'a>(pub(crate) Option<ListHeld<'a>>);

#[derive(Clone, Copy)]
pub(crate) struct ListHeld<'a> {
    pub(crate) arena: &'a Arena,
    pub(crate) field: &'a Row,
    pub(crate) word: u64,
}

impl<'a> ListHeld<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn elements(&self) -> Elements<'a> {
        self.arena.elements(self.field, self.word)
    }
}

impl<'a> ListAt<'a> {
    pub(crate) const EMPTY: ListAt<'static> = ListAt(None);

    pub(crate) fn new(arena: &'a Arena, field: &'a Row, word: u64) -> Self {
        ListAt(Some(ListHeld { arena, field, word }))
    }

    /// Returns an element in the form that codecs read.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn field_at(&self, index: usize) -> Option<Field<'a, MessageAt<'a>>> {
        let list = self.0.as_ref()?;
        Some(field(list.arena, list.field, list.elements().get(index)?))
    }

    pub(crate) fn elements(&self) -> Elements<'a> {
        self.0.map_or(Elements::EMPTY, |list| list.elements())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn len_at(&self) -> usize {
        self.0.as_ref().map_or(0, |list| list_range(list.word).1)
    }
}

/// A map in an arena, or an empty map.
#[derive(Clone, Copy)]
pub(crate) struct MapAt<'a>(pub(crate) Option<MapHeld<'a>>);

#[derive(Clone, Copy)]
pub(crate) struct MapHeld<'a> {
    pub(crate) arena: &'a Arena,
    pub(crate) rows: &'a MapRows,
    pub(crate) word: u64,
}

impl<'a> MapAt<'a> {
    pub(crate) const EMPTY: MapAt<'static> = MapAt(None);

    pub(crate) fn new(arena: &'a Arena, rows: &'a MapRows, word: u64) -> Self {
        MapAt(Some(MapHeld { arena, rows, word }))
    }

    pub(crate) fn len_at(&self) -> usize {
        self.0.map_or(0, |map| map.arena.map_len(map.word))
    }

    /// Visits the words of the entries, until the visitor returns false.
    pub(crate) fn visit_words(self, mut visit: impl FnMut(&'a Arena, &'a MapRows, u64, u64) -> bool) {
        let Some(map) = self.0 else { return };
        for (key, value) in map.arena.entries(map.word) {
            if !visit(map.arena, map.rows, key, value) {
                return;
            }
        }
    }
}

/// Returns the value in a word.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn field<'a>(arena: &'a Arena, row: &'a Row, word: u64) -> Field<'a, MessageAt<'a>> {
    match row.kind {
        Kind::String | Kind::Bytes => Field::Text(arena.bytes(word)),
        Kind::Message | Kind::Group => Field::Message(match word as u32 {
            0 => MessageAt::empty(row.sub_table()),
            at => MessageAt::new(arena, row.sub_table(), at),
        }),
        _ => Field::Scalar(word),
    }
}

/// Returns the key in a word. If the schema does not require UTF-8, a key may be invalid; this function returns such a key
/// as an empty string.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn key_at<'a>(arena: &'a Arena, field: &Row, word: u64) -> KeyRef<'a> {
    try_key_at(arena, field, word).unwrap_or(KeyRef::Str(""))
}

/// Returns the key in a word; `None` if it is not UTF-8.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn try_key_at<'a>(arena: &'a Arena, field: &Row, word: u64) -> Option<KeyRef<'a>> {
    Some(match field.kind {
        Kind::String => KeyRef::Str(arena.text(word)?),
        kind => key_of(kind, word),
    })
}

impl Arena {
    /// Returns the text in the word of a string field; `None` if the bytes are not UTF-8.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn text(&self, word: u64) -> Option<&str> {
        crate::wire::utf8(self.bytes(word)).ok()
    }
}

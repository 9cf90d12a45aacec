//! Messages, lists and maps of an arena, for reading.

use crate::descriptor::MessageDescriptor;
use crate::layout::KeyRef;
use crate::object::arena::cells::Elements;
use crate::object::arena::words::{Arena, Offsets, list_range};
use crate::object::{Field, key_of};
use crate::table::{Kind, MapRows, Row, Table};

/// A message in an arena, or one with nothing in it.
#[derive(Clone, Copy)]
pub(crate) struct MessageAt<'a> {
    pub(crate) table: &'a Table,
    /// Its position; `None` for an empty message, whose table may be that of a Rust type.
    pub(crate) offsets: Option<(&'a Arena, Offsets)>,
}

impl<'a> MessageAt<'a> {
    /// A message with nothing in it, by its table, which may be that of a Rust type.
    pub(crate) fn empty(table: &'a Table) -> Self {
        MessageAt { table, offsets: None }
    }

    pub(crate) fn new(arena: &'a Arena, table: &'a Table, at: u32) -> Self {
        MessageAt { table, offsets: Some((arena, Offsets::new(at))) }
    }

    /// The descriptor of the message.
    pub(crate) fn handle(self) -> MessageDescriptor {
        self.table.handle()
    }

    /// The unknown fields, for as long as the arena lives.
    pub(crate) fn unknown_at(self) -> &'a [u8] {
        self.offsets.map_or(&[], |(arena, offsets)| arena.unknown(offsets.at))
    }
}

/// A list in an arena, or an empty one.
#[derive(Clone, Copy)]
pub(crate) struct ListAt<'a>(pub(crate) Option<ListHeld<'a>>);

#[derive(Clone, Copy)]
pub(crate) struct ListHeld<'a> {
    pub(crate) arena: &'a Arena,
    pub(crate) field: &'a Row,
    pub(crate) word: u64,
}

impl<'a> ListHeld<'a> {
    /// Its elements.
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

    /// An element as codecs see it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn field_at(&self, index: usize) -> Option<Field<'a, MessageAt<'a>>> {
        let list = self.0.as_ref()?;
        Some(field(list.arena, list.field, list.elements().get(index)?))
    }

    /// Its elements.
    pub(crate) fn elements(&self) -> Elements<'a> {
        self.0.map_or(Elements::EMPTY, |list| list.elements())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn len_at(&self) -> usize {
        self.0.as_ref().map_or(0, |list| list_range(list.word).1)
    }
}

/// A map in an arena, or an empty one.
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

    /// How many entries it has.
    pub(crate) fn len_at(&self) -> usize {
        self.0.map_or(0, |map| map.arena.map_len(map.word))
    }

    /// Visits the entries as words.
    pub(crate) fn visit_words(self, mut visit: impl FnMut(&'a Arena, &'a MapRows, u64, u64) -> bool) {
        let Some(map) = self.0 else { return };
        for (key, value) in map.arena.entries(map.word) {
            if !visit(map.arena, map.rows, key, value) {
                return;
            }
        }
    }
}

/// The value in a word.
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

/// The key in a word. One that is not UTF-8 can be in a map whose schema does not require UTF-8; it is empty
/// here.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn key_at<'a>(arena: &'a Arena, field: &Row, word: u64) -> KeyRef<'a> {
    try_key_at(arena, field, word).unwrap_or(KeyRef::Str(""))
}

/// The key in a word; `None` for one that is not UTF-8.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn try_key_at<'a>(arena: &'a Arena, field: &Row, word: u64) -> Option<KeyRef<'a>> {
    Some(match field.kind {
        Kind::String => KeyRef::Str(arena.text(word)?),
        kind => key_of(kind, word),
    })
}

impl Arena {
    /// The text in a word of a string field; `None` for bytes that are not UTF-8.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn text(&self, word: u64) -> Option<&str> {
        crate::wire::utf8(self.bytes(word)).ok()
    }
}

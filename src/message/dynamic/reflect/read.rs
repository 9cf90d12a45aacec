//! Reads the fields of dynamic messages, and their lists and maps, as values. A word is 64 bits of the arena with a value
//! or its position.

use crate::descriptor::{FieldDescriptor, MessageDescriptor, OneofDescriptor};
use crate::error::Result;
use crate::message::reflect::read_only::{read_only_list, read_only_map, read_only_message};
use crate::message::reflect::{
    FieldRef, ListRef, MapKeyRef, MapRef, MessageRef, MessageRepr, Number, Reflect, ReflectList, ReflectMap,
    Repr, ValueRef, check,
};
use crate::object::arena::cells::for_each_width;
use crate::object::arena::map::Probe;
use crate::object::arena::presence::set_rows;
use crate::object::arena::view::{ListAt, ListHeld, MapAt, MessageAt, key_at};
use crate::object::arena::words::{Arena, Offsets};
use crate::table::{Kind, Presence, Row, Shape, Table};

impl<'a> MessageAt<'a> {
    /// Does what `Reflect::get` does, with a value that lives as long as the arena.
    pub(crate) fn get_at(self, field: &FieldDescriptor) -> Result<ValueRef<'a>> {
        let field = find(self.table, field)?;
        Ok(self.value(field))
    }

    /// Returns the value of a field, or the default value of the field if it is not set.
    pub(super) fn value(self, field: &'a Row) -> ValueRef<'a> {
        match self.offsets {
            Some((arena, offsets)) if arena.is_set(offsets, field) => self.held(arena, offsets, field),
            _ => check::default_of(field),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn held(self, arena: &'a Arena, offsets: Offsets, field: &'a Row) -> ValueRef<'a> {
        let word = arena.word(offsets, field);
        match field.shape {
            Shape::Singular => single(arena, field, word),
            Shape::List => list(arena, field, word),
            Shape::Map => map(arena, field, word),
        }
    }

    /// Returns the set field with the lowest number above `number`, with the arena and the offsets of the message.
    #[inline]
    fn field_above(self, number: u32) -> Option<(&'a Row, &'a Arena, Offsets)> {
        let (arena, offsets) = self.offsets?;
        let fields = &self.table.rows;
        let from = fields.len() - self.table.rows_above(number).len();
        let field = set_from(arena, offsets, fields, from)?;
        Some((field, arena, offsets))
    }

    /// Returns the first set field, from the row with the index `index` on, and its value.
    #[inline]
    pub(crate) fn field_from(self, index: usize) -> Option<(&'a Row, ValueRef<'a>)> {
        let (arena, offsets) = self.offsets?;
        let field = set_from(arena, offsets, &self.table.rows, index)?;
        Some((field, self.held(arena, offsets, field)))
    }

    /// Does what `Reflect::visit_fields` does, with values that live as long as the arena.
    #[inline]
    pub(crate) fn visit_at(self, mut visit: impl FnMut(FieldRef<'_>, ValueRef<'a>) -> bool) {
        let Some((arena, offsets)) = self.offsets else { return };
        for field in set_rows(arena, offsets, &self.table.rows, 0) {
            if !self.visit_field(arena, field, arena.word(offsets, field), &mut visit) {
                return;
            }
        }
    }

    /// Visits a field that is marked as set, unless it is empty. Returns false if the visitor returns false.
    // Each kind calls the visitor in its own branch, because a value that is merged from the branches would go through
    // memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_field(
        self,
        arena: &'a Arena,
        field: &'a Row,
        word: u64,
        visit: &mut impl FnMut(FieldRef<'_>, ValueRef<'a>) -> bool,
    ) -> bool {
        let named = FieldRef::new(self.table, field);
        let is_none = |empty: bool| empty && field.presence == Presence::Implicit;
        if let Some(number) = Number::of(field.value) {
            return is_none(word == 0) || visit(named, number.value(word));
        }
        match field.shape {
            Shape::List => return word >> 32 == 0 || visit(named, list(arena, field, word)),
            Shape::Map => return arena.map_len(word) == 0 || visit(named, map(arena, field, word)),
            Shape::Singular => {}
        }
        match field.kind {
            // The word of an empty string may have any position.
            Kind::String | Kind::Bytes if is_none(word >> 32 == 0) => true,
            Kind::String => visit(named, value_of(arena, field, Kind::String, word)),
            Kind::Bytes => visit(named, value_of(arena, field, Kind::Bytes, word)),
            Kind::Bool => is_none(word == 0) || visit(named, value_of(arena, field, Kind::Bool, word)),
            _ => visit(named, value_of(arena, field, Kind::Message, word)),
        }
    }

    /// Does what `Reflect::next_field` does, with a value that lives as long as the arena.
    pub(crate) fn next_field_at(self, number: u32) -> Option<(FieldDescriptor, ValueRef<'a>)> {
        let (field, arena, offsets) = self.field_above(number)?;
        Some((self.table.field(field), self.held(arena, offsets, field)))
    }
}

/// Returns the list in the word of a field that is set.
#[inline]
fn list<'a>(arena: &'a Arena, field: &'a Row, word: u64) -> ValueRef<'a> {
    ValueRef::List(ListRef(Repr::Arena(ListAt::new(arena, field, word))))
}

/// Returns the map in the word of a field that is set.
#[inline]
fn map<'a>(arena: &'a Arena, field: &'a Row, word: u64) -> ValueRef<'a> {
    ValueRef::Map(MapRef(Repr::Arena(MapAt::new(arena, field.map(), word))))
}

/// Returns the first set field, from the row with the index `from` on.
#[inline]
fn set_from<'a>(arena: &Arena, offsets: Offsets, fields: &'a [Row], from: usize) -> Option<&'a Row> {
    set_rows(arena, offsets, fields, from).find(|field| arena.is_filled(offsets, field))
}

/// Returns the row of a field of a message.
///
/// # Errors
/// The field belongs to another message, or the Rust type omits it.
pub(super) fn find<'a>(table: &'a Table, field: &FieldDescriptor) -> Result<&'a Row> {
    if !table.has_field(field) {
        return Err(check::foreign_field(&table.full_name, field));
    }
    match table.numbers.get(field.number()) {
        Some(index) => Ok(&table.rows[index]),
        None => Err(check::no_member().in_field(field.name()).in_message(field.message().full_name())),
    }
}

/// Returns the value in a word. The word belongs to a field, a list element or the value of a map entry.
#[cfg_attr(not(debug_assertions), inline(always))]
fn single<'a>(arena: &'a Arena, field: &'a Row, word: u64) -> ValueRef<'a> {
    value_of(arena, field, field.kind, word)
}

/// Returns the value in a word. This function is inlined, so that callers with a constant kind keep only one branch.
#[cfg_attr(not(debug_assertions), inline(always))]
fn value_of<'a>(arena: &'a Arena, field: &'a Row, kind: Kind, word: u64) -> ValueRef<'a> {
    match kind {
        Kind::Bool => ValueRef::Bool(word != 0),
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => ValueRef::I32(word as i32),
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => ValueRef::I64(word as i64),
        Kind::UInt32 | Kind::Fixed32 => ValueRef::U32(word as u32),
        Kind::UInt64 | Kind::Fixed64 => ValueRef::U64(word),
        Kind::Float => ValueRef::F32(f32::from_bits(word as u32)),
        Kind::Double => ValueRef::F64(f64::from_bits(word)),
        Kind::String => match arena.text(word) {
            Some(text) => ValueRef::Str(text),
            None => ValueRef::Bytes(arena.bytes(word)),
        },
        Kind::Bytes => ValueRef::Bytes(arena.bytes(word)),
        Kind::Enum => ValueRef::Enum(word as i32),
        Kind::Message | Kind::Group => {
            let message = match word as u32 {
                0 => MessageAt::empty(field.sub_table()),
                at => MessageAt::new(arena, field.sub_table(), at),
            };
            ValueRef::Message(MessageRef(MessageRepr::Arena(message)))
        }
    }
}

impl<'a> ListAt<'a> {
    /// Does what `ReflectList::get` does, with a value that lives as long as the arena.
    #[inline]
    pub(crate) fn get_at(&self, index: usize) -> Option<ValueRef<'a>> {
        let list = self.0.as_ref()?;
        let word = list.elements().get(index)?;
        Some(single(list.arena, list.field, word))
    }

    /// Does what `ReflectList::visit` does, with values that live as long as the arena. Matches on the kind only once for
    /// all elements.
    #[inline]
    pub(crate) fn visit_at(&self, visit: impl FnMut(ValueRef<'a>) -> bool) {
        let Some(list) = self.0 else { return };
        match list.field.kind {
            Kind::Bool => list.each(Kind::Bool, visit),
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => list.each(Kind::Int32, visit),
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => list.each(Kind::Int64, visit),
            Kind::UInt32 | Kind::Fixed32 => list.each(Kind::UInt32, visit),
            Kind::UInt64 | Kind::Fixed64 => list.each(Kind::UInt64, visit),
            Kind::Float => list.each(Kind::Float, visit),
            Kind::Double => list.each(Kind::Double, visit),
            Kind::Enum => list.each(Kind::Enum, visit),
            Kind::String => list.each(Kind::String, visit),
            Kind::Bytes => list.each(Kind::Bytes, visit),
            Kind::Message | Kind::Group => list.each(Kind::Message, visit),
        }
    }
}

impl<'a> ListHeld<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each(self, kind: Kind, mut visit: impl FnMut(ValueRef<'a>) -> bool) {
        for_each_width!(self.elements(), words => {
            for word in words {
                if !visit(value_of(self.arena, self.field, kind, word)) {
                    return;
                }
            }
        });
    }
}

impl<'a> MapAt<'a> {
    /// Does what `ReflectMap::get` does, with a value that lives as long as the arena.
    pub(crate) fn get_at(self, key: MapKeyRef<'_>) -> Option<ValueRef<'a>> {
        let map = self.0?;
        let entry = map.arena.find_entry(map.word, probe(&map.rows.key, key)?);
        if entry == 0 {
            return None;
        }
        Some(single(map.arena, &map.rows.value, map.arena.entry(entry).1))
    }

    // This function is not inlined, so that functions that visit fields stay small. The visitor is inlined here.
    #[inline(never)]
    pub(crate) fn visit_at(self, mut visit: impl FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool) {
        let Some(map) = self.0 else { return };
        for (key, value) in map.arena.entries(map.word) {
            let value = single(map.arena, &map.rows.value, value);
            if !visit(key_at(map.arena, &map.rows.key, key), value) {
                return;
            }
        }
    }
}

/// Converts a key to the form that maps look up; `None` if the key has another kind.
pub(super) fn probe<'a>(field: &Row, key: MapKeyRef<'a>) -> Option<Probe<'a>> {
    check::key(field.kind, &key).ok()?;
    Some(key.into())
}

impl MessageAt<'_> {
    fn oneof(&self, oneof: &OneofDescriptor) -> Result<Option<FieldDescriptor>> {
        if !self.table.is_of(&oneof.message()) {
            return Err(check::foreign_oneof(&self.table.full_name, oneof));
        }
        for field in oneof.fields() {
            if self.has(&field)? {
                return Ok(Some(field));
            }
        }
        Ok(None)
    }
}

impl Reflect for MessageAt<'_> {
    fn message_descriptor(&self) -> MessageDescriptor {
        self.table.handle()
    }

    fn has(&self, field: &FieldDescriptor) -> Result<bool> {
        let field = find(self.table, field)?;
        Ok(self.offsets.is_some_and(|(arena, offsets)| arena.is_set(offsets, field)))
    }

    fn get(&self, field: &FieldDescriptor) -> Result<ValueRef<'_>> {
        self.get_at(field)
    }

    fn which_oneof(&self, oneof: &OneofDescriptor) -> Result<Option<FieldDescriptor>> {
        self.oneof(oneof)
    }

    fn next_field(&self, number: u32) -> Option<(FieldDescriptor, ValueRef<'_>)> {
        self.next_field_at(number)
    }

    fn visit_fields<'a>(&'a self, visit: &mut dyn FnMut(FieldRef<'_>, ValueRef<'a>) -> bool) {
        self.visit_at(visit);
    }

    fn as_view(&self) -> Option<MessageRef<'_>> {
        Some(MessageRef(MessageRepr::Arena(*self)))
    }

    fn unknown_fields(&self) -> &[u8] {
        self.unknown_at()
    }

    read_only_message!();
}

impl ReflectList for ListAt<'_> {
    fn len(&self) -> usize {
        self.len_at()
    }

    fn get(&self, index: usize) -> Option<ValueRef<'_>> {
        self.get_at(index)
    }

    fn visit<'a>(&'a self, visit: &mut dyn FnMut(ValueRef<'a>) -> bool) {
        self.visit_at(visit);
    }

    read_only_list!();
}

impl ReflectMap for MapAt<'_> {
    fn len(&self) -> usize {
        self.len_at()
    }

    fn get(&self, key: MapKeyRef<'_>) -> Option<ValueRef<'_>> {
        self.get_at(key)
    }

    fn visit<'a>(&'a self, visit: &mut dyn FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool) {
        self.visit_at(visit);
    }

    read_only_map!();
}

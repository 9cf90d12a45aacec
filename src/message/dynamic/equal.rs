//! Compares dynamic messages.

use crate::message::dynamic::DynamicMessage;
use crate::object::ObjectAt;
use crate::object::arena::view::MessageAt;
use crate::object::arena::words::{Arena, Offsets, ROOT};
use crate::table::{Kind, Presence, Row, Shape, Table};

/// Messages are equal if they have the same descriptor and equal fields. Maps are compared by their keys, unknown fields by
/// their bytes, and floats by `==`, so a message with a NaN is not equal to itself.
impl PartialEq for DynamicMessage {
    fn eq(&self, other: &Self) -> bool {
        let mut pair = Pair { a: &self.arena, b: &other.arena, left: vec![(ROOT, ROOT, self.table())] };
        self.descriptor == other.descriptor && pair.equal()
    }
}

pub(crate) fn equal(a: MessageAt<'_>, b: MessageAt<'_>) -> bool {
    let is_empty = |message: MessageAt<'_>| {
        message.unknown_at().is_empty()
            && message.table.rows.iter().all(|row| matches!(message.get(row), Ok(None)))
    };
    a.table.is_same_message(b.table)
        && match (a.offsets, b.offsets) {
            (Some((own, at)), Some((other, to))) => {
                Pair { a: own, b: other, left: vec![(at.at, to.at, a.table)] }.equal()
            }
            _ => is_empty(a) && is_empty(b),
        }
}

struct Pair<'a> {
    a: &'a Arena,
    b: &'a Arena,
    /// Pairs of messages that are still to be compared. This list replaces recursion.
    left: Vec<(u32, u32, &'a Table)>,
}

impl<'a> Pair<'a> {
    fn equal(&mut self) -> bool {
        while let Some((a, b, table)) = self.left.pop() {
            let (at_a, at_b) = (Offsets::new(a), Offsets::new(b));
            if self.a.unknown(a) != self.b.unknown(b)
                || !table.rows.iter().all(|field| self.field(field, at_a, at_b))
            {
                return false;
            }
        }
        true
    }

    fn field(&mut self, field: &'a Row, a: Offsets, b: Offsets) -> bool {
        let (word_a, word_b) = (self.a.word(a, field), self.b.word(b, field));
        match (self.a.is_set(a, field), self.b.is_set(b, field)) {
            (false, false) => return true,
            (true, true) => {}
            // An unset field without presence is zero, which equals negative zero.
            (set, _) => {
                let implicit = field.shape == Shape::Singular && field.presence == Presence::Implicit;
                let word = if set { word_a } else { word_b };
                return implicit
                    && matches!(field.kind, Kind::Float | Kind::Double)
                    && self.single(field, word, 0);
            }
        }
        match field.shape {
            Shape::Singular => self.single(field, word_a, word_b),
            Shape::List => {
                let (a, b) = (self.a.elements(field, word_a), self.b.elements(field, word_b));
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| self.single(field, a, b))
            }
            Shape::Map => self.maps(field, word_a, word_b),
        }
    }

    fn maps(&mut self, field: &'a Row, a: u64, b: u64) -> bool {
        let rows = field.map();
        if self.a.map_len(a) != self.b.map_len(b) {
            return false;
        }
        self.a.entries(a).all(|(key, value)| {
            let other = self.b.find_entry(b, self.a.probe(None, key, rows.key.kind == Kind::String));
            other != 0 && self.single(&rows.value, value, self.b.entry(other).1)
        })
    }

    fn single(&mut self, field: &'a Row, a: u64, b: u64) -> bool {
        match field.kind {
            Kind::Float => f32::from_bits(a as u32) == f32::from_bits(b as u32),
            Kind::Double => f64::from_bits(a) == f64::from_bits(b),
            Kind::String | Kind::Bytes => self.a.bytes(a) == self.b.bytes(b),
            Kind::Message | Kind::Group if a == 0 || b == 0 => a == b,
            Kind::Message | Kind::Group => {
                self.left.push((a as u32, b as u32, field.sub_table()));
                true
            }
            Kind::Bool | Kind::Int64 | Kind::SInt64 | Kind::SFixed64 | Kind::UInt64 | Kind::Fixed64 => a == b,
            // For numbers of 32 bits, only the lower half counts.
            _ => a as u32 == b as u32,
        }
    }
}

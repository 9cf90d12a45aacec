//! Values of JSON: numbers, bools, strings, bytes and enum values.

use super::to_wire::ToWire;
use crate::codec::Float;
use crate::json::lex::{from_base64, signed_of, unsigned_of};
use crate::table::EnumTable;
use std::borrow::Cow;

impl<'t> ToWire<'_, '_, 't> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn integer<T>(&self, at: usize, of: impl Fn(bool, u64) -> Option<T>) -> Option<(T, usize)> {
        let mut cursor = self.cursor(at);
        let (negative, magnitude) = cursor.short_integer()?;
        Some((of(negative, magnitude)?, cursor.position()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn int32(&self, at: usize) -> Option<(i32, usize)> {
        let of = |negative, magnitude| signed_of(negative, magnitude, i32::MAX as u64);
        self.integer(at, |negative, magnitude| Some(of(negative, magnitude)? as i32))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn int64(&self, at: usize) -> Option<(i64, usize)> {
        self.integer(at, |negative, magnitude| signed_of(negative, magnitude, i64::MAX as u64))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn uint32(&self, at: usize) -> Option<(u32, usize)> {
        let of = |negative, magnitude| unsigned_of(negative, magnitude, u64::from(u32::MAX));
        self.integer(at, |negative, magnitude| Some(of(negative, magnitude)? as u32))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn uint64(&self, at: usize) -> Option<(u64, usize)> {
        self.integer(at, |negative, magnitude| unsigned_of(negative, magnitude, u64::MAX))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn float<T: Float>(&self, at: usize) -> Option<(T, usize)> {
        let mut cursor = self.cursor(at);
        match cursor.short_float().and_then(T::of_double) {
            Some(value) => Some((value, cursor.position())),
            None => self.other_float(at),
        }
    }

    /// A number with an exponent, or with more digits than the fast path takes.
    #[inline(never)]
    fn other_float<T: Float>(&self, at: usize) -> Option<(T, usize)> {
        let mut cursor = self.cursor(at);
        let value: T = cursor.number().ok()?.raw.parse().ok()?;
        (!value.is_infinite()).then(|| (value, cursor.position()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn boolean(&self, at: usize) -> Option<(bool, usize)> {
        let mut cursor = self.cursor(at);
        let value = cursor.literal("true");
        (value || cursor.literal("false")).then(|| (value, cursor.position()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn string(&self, at: usize) -> Option<(Cow<'t, str>, usize)> {
        if self.byte(at) != Some(b'"') {
            return None;
        }
        match self.cursor(at).plain_string() {
            Some(text) => Some((Cow::Borrowed(text), at + text.len() + 2)),
            None => self.escaped_string(at),
        }
    }

    #[inline(never)]
    fn escaped_string(&self, at: usize) -> Option<(Cow<'t, str>, usize)> {
        let mut cursor = self.cursor(at);
        let text = cursor.string().ok()?;
        Some((text, cursor.position()))
    }

    #[inline(never)]
    pub(super) fn base64(&self, at: usize) -> Option<(Vec<u8>, usize)> {
        let (text, after) = self.string(at)?;
        Some((from_base64(text.as_bytes())?, after))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn enumeration(&self, at: usize, table: &EnumTable) -> Option<(i32, usize)> {
        match self.byte(at) {
            Some(b'"') => {}
            Some(b'n') if table.null => return Some((0, self.null(at)?)),
            _ => return self.int32(at),
        }
        let mut cursor = self.cursor(at);
        match table.json_names(cursor.rest()).find_map(|(name, number)| cursor.eat(name).then_some(number)) {
            Some(number) => Some((number, cursor.position())),
            None => self.other_enumeration(at, table),
        }
    }

    /// A value of an enum with many values.
    #[inline(never)]
    fn other_enumeration(&self, at: usize, table: &EnumTable) -> Option<(i32, usize)> {
        let (name, after) = self.string(at)?;
        Some((table.json_number(&name)?, after))
    }
}

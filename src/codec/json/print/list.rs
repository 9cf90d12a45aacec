//! Prints lists.

use super::Json;
use super::value::not_finite;
use crate::codec::scalar::PrintScalar;
use crate::error::Result;
use crate::object::{Numbers, ObjectList, by_bits};
use crate::syntax::json::print::Numbers as Printed;
use crate::table::{Kind, Row};

impl Json<'_> {
    // This function is not inlined, so that the functions that iterate over fields stay small. Only the code for each element
    // is inlined.
    #[inline(never)]
    pub(super) fn list<'a, L: ObjectList<'a>>(&mut self, row: &'a Row, list: L) -> Result<()> {
        let start = self.out.open();
        match row.kind {
            Kind::Message | Kind::Group => list.messages(|index, message| {
                self.out.element();
                self.message(message).map_err(|error| error.in_index(index))
            })?,
            Kind::String | Kind::Bytes => list.texts(|index, text| {
                self.out.element();
                self.text_value(row, text).map_err(|error| error.in_index(index))
            })?,
            _ => list.numbers(&mut NumberList { json: self, row })?,
        }
        self.out.close(start, *b"[]");
        Ok(())
    }
}

/// A printer for the numbers of a list.
struct NumberList<'j, 'o> {
    json: &'j mut Json<'o>,
    row: &'j Row,
}

impl NumberList<'_, '_> {
    /// Prints each number with `write`, with only a comma between two numbers.
    #[inline]
    fn each<T>(
        &mut self,
        values: impl Iterator<Item = T>,
        write: impl for<'b> Fn(Printed<'b>, T) -> Printed<'b>,
    ) -> Result<()> {
        self.json.out.numbers(|mut numbers| {
            for value in values {
                numbers = write(numbers.element(), value);
            }
            numbers
        });
        Ok(())
    }

    #[inline]
    fn is_one_line(&self) -> bool {
        self.json.out.is_one_line()
    }
}

impl Numbers for NumberList<'_, '_> {
    #[inline]
    fn bits(&mut self, values: impl Iterator<Item = u64>) -> Result<()> {
        // These are local variables, so that the loop can keep them in registers.
        let (json, row, kind) = (&mut *self.json, self.row, self.row.kind);
        for bits in values {
            json.out.element();
            PrintScalar::scalar(json, row, kind, bits);
        }
        Ok(())
    }

    #[inline]
    fn i32s(&mut self, values: impl Iterator<Item = i32>) -> Result<()> {
        match self.is_one_line() && self.row.kind != Kind::Enum {
            true => self.each(values, |numbers, value| numbers.signed(value.into())),
            false => by_bits(self, values, |value| u64::from(value as u32)),
        }
    }

    #[inline]
    fn u32s(&mut self, values: impl Iterator<Item = u32>) -> Result<()> {
        match self.is_one_line() {
            true => self.each(values, |numbers, value| numbers.unsigned(value.into())),
            false => by_bits(self, values, u64::from),
        }
    }

    #[inline]
    fn i64s(&mut self, values: impl Iterator<Item = i64>) -> Result<()> {
        match (self.is_one_line(), self.json.quote64) {
            (true, true) => self.each(values, |numbers, value| numbers.quoted_signed(value)),
            _ => by_bits(self, values, |value| value as u64),
        }
    }

    #[inline]
    fn u64s(&mut self, values: impl Iterator<Item = u64>) -> Result<()> {
        match (self.is_one_line(), self.json.quote64) {
            (true, true) => self.each(values, |numbers, value| numbers.quoted_unsigned(value)),
            _ => by_bits(self, values, |value| value),
        }
    }

    #[inline]
    fn f32s(&mut self, values: impl Iterator<Item = f32>) -> Result<()> {
        match self.is_one_line() {
            true => self.each(values, |numbers, value| match value.is_finite() {
                true => numbers.float(value),
                false => numbers.text(not_finite(value.into())),
            }),
            false => by_bits(self, values, |value| u64::from(value.to_bits())),
        }
    }

    #[inline]
    fn f64s(&mut self, values: impl Iterator<Item = f64>) -> Result<()> {
        match self.is_one_line() {
            true => self.each(values, |numbers, value| match value.is_finite() {
                true => numbers.float(value),
                false => numbers.text(not_finite(value)),
            }),
            false => by_bits(self, values, f64::to_bits),
        }
    }
}

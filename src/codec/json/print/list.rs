//! Lists.

use super::Json;
use super::value::not_finite;
use crate::codec::scalar::PrintScalar;
use crate::error::Result;
use crate::json::print::Numbers;
use crate::object::{ObjectList, Run};
use crate::table::{Kind, Row};

impl Json<'_> {
    // Out of line, with the per-element code inlined: so functions that iterate fields stay small.
    #[inline(never)]
    pub(super) fn list<'a, L: ObjectList<'a>>(&mut self, row: &'a Row, list: L) -> Result<()> {
        let start = self.out.open();
        match list.run() {
            Some(run) => self.run(row, run),
            None => list.visit(|index, value| {
                self.out.element();
                self.value(row, value).map_err(|error| error.in_index(index))
            })?,
        }
        self.out.close(start, *b"[]");
        Ok(())
    }

    /// Numbers: by one loop per kind.
    fn run(&mut self, row: &Row, run: Run<'_>) {
        let quote64 = self.quote64;
        match run {
            Run::Bool(values) => self.each(values, |numbers, value| numbers.bool(value)),
            Run::I32(values) if row.kind == Kind::Enum => {
                let table = row.enumeration();
                for &value in values {
                    self.out.element();
                    self.enum_value(table, value);
                }
            }
            Run::I32(values) => self.each(values, |numbers, value| numbers.signed(value.into())),
            Run::U32(values) => self.each(values, |numbers, value| numbers.unsigned(value.into())),
            Run::I64(values) if quote64 => self.each(values, |numbers, value| numbers.quoted_signed(value)),
            Run::I64(values) => self.each(values, |numbers, value| numbers.signed(value)),
            Run::U64(values) if quote64 => self.each(values, |numbers, value| numbers.quoted_unsigned(value)),
            Run::U64(values) => self.each(values, |numbers, value| numbers.unsigned(value)),
            Run::F32(values) => self.each(values, |numbers, value| match value.is_finite() {
                true => numbers.float(value),
                false => numbers.text(not_finite(value.into())),
            }),
            Run::F64(values) => self.each(values, |numbers, value| match value.is_finite() {
                true => numbers.float(value),
                false => numbers.text(not_finite(value)),
            }),
            Run::Bits(values) => {
                for &bits in values {
                    self.out.element();
                    self.scalar(row, bits);
                }
            }
        }
    }

    #[inline]
    fn each<T: Copy>(&mut self, values: &[T], write: impl for<'b> Fn(Numbers<'b>, T) -> Numbers<'b>) {
        if self.out.is_one_line() {
            return self.out.numbers(|mut numbers| {
                for &value in values {
                    numbers = write(numbers.element(), value);
                }
                numbers
            });
        }
        for &value in values {
            self.out.element();
            self.out.numbers(|numbers| write(numbers, value));
        }
    }
}

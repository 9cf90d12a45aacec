//! Enum values that are not delivered: unknown names where these are ignored, and numbers that a closed enum does not
//! have, which are unknown fields.

use super::Json;
use super::map::Key;
use crate::de::source::Context;
use crate::error::Result;
use crate::json::lex::Whole;
use crate::plan::{FieldPlan, MapPlan};
use crate::wire::{Tag, WireType, Writer};

/// What to do with an enum value.
pub(super) enum Look {
    Deliver,
    Drop,
    /// The number goes to the unknown fields.
    Keep(i32),
}

impl Json<'_> {
    /// Looks at the enum value at hand, and passes over it where it is not to be delivered.
    #[cold]
    pub(super) fn look(&mut self, cx: Context<'_>, field: &FieldPlan) -> Result<Look> {
        let plan = &cx.set.enums[field.sub as usize];
        let mut ahead = self.cursor;
        match ahead.peek() {
            Some(b'"') if self.settings.ignore_unknown => {
                if plan.by_name.contains_key(&*ahead.string()?) {
                    return Ok(Look::Deliver);
                }
                self.cursor = ahead;
                Ok(Look::Drop)
            }
            Some(b'-' | b'0'..=b'9') if field.closed => {
                let number = ahead.number()?;
                let magnitude = match number.whole() {
                    Whole::Is(magnitude) => i64::try_from(magnitude).unwrap_or(i64::MAX),
                    Whole::Fraction | Whole::Large => return Ok(Look::Deliver),
                };
                let value = if number.is_negative() { -magnitude } else { magnitude };
                match i32::try_from(value) {
                    Ok(value) if !plan.contains(value) => {
                        self.cursor = ahead;
                        Ok(Look::Keep(value))
                    }
                    // What is no number of 32 bits is refused when it is read.
                    _ => Ok(Look::Deliver),
                }
            }
            _ => Ok(Look::Deliver),
        }
    }

    /// Notes a number as an unknown field.
    #[cold]
    pub(super) fn keep_number(&mut self, field: &FieldPlan, number: i32) -> Result<()> {
        let mut writer = Writer::append_to(std::mem::take(&mut self.unknown));
        put_number(&mut writer, field, number);
        self.unknown = writer.finish()?;
        Ok(())
    }

    /// Notes a map entry as an unknown field.
    #[cold]
    pub(super) fn keep_entry(
        &mut self,
        field: &FieldPlan,
        plan: &MapPlan,
        key: &Key<'_>,
        number: i32,
    ) -> Result<()> {
        let mut entry = Writer::new();
        key.write(&mut entry, &plan.key);
        put_number(&mut entry, &plan.value, number);
        let mut writer = Writer::append_to(std::mem::take(&mut self.unknown));
        writer.tag(Tag::new(field.number, WireType::Len));
        writer.len_prefixed(&entry.finish()?);
        self.unknown = writer.finish()?;
        Ok(())
    }
}

fn put_number(writer: &mut Writer, field: &FieldPlan, number: i32) {
    writer.tag(Tag::new(field.number, WireType::Varint));
    writer.varint(i64::from(number) as u64);
}

//! Messages that have a form of their own.

use super::{Json, Message, Opens, Put};
use crate::de::source::{Context, Next};
use crate::error::{Error, Result};
use crate::known::{mask_text, text};
use crate::plan::{MessagePlan, WellKnown};
use std::borrow::Cow;

/// A message taken apart into fields that have no place in the input.
pub(crate) struct Parts<'de> {
    start: usize,
    /// Where reading goes on after the message.
    end: usize,
    left: Left<'de>,
}

/// What was not delivered yet.
enum Left<'de> {
    Time(i64, i32),
    Paths(Vec<String>),
    Any(Box<(Cow<'de, str>, Vec<u8>)>),
}

impl<'de> Json<'de> {
    /// Opens a message that may have a form of its own, or what is to be read as one.
    #[inline(never)]
    pub(super) fn open_known(&mut self, cx: Context<'_>, plan: &MessagePlan) -> Result<Message<'de>> {
        match self.opens {
            Opens::Value => {}
            Opens::Content => return self.open_content(plan).map(Message::Object),
            Opens::Field(index) => {
                self.opens = Opens::Value;
                return Ok(Message::One(Some(index)));
            }
        }
        let start = self.start;
        let left = match plan.known {
            WellKnown::No => return self.open_object(plan).map(Message::Object),
            WellKnown::Struct | WellKnown::ListValue | WellKnown::Wrapper => return self.one(cx, plan, 1),
            WellKnown::Value => {
                let number = match self.cursor.peek() {
                    Some(b'n') => 1,
                    Some(b'-' | b'0'..=b'9') => 2,
                    Some(b'"') => 3,
                    Some(b't' | b'f') => 4,
                    Some(b'{') => 5,
                    Some(b'[') => 6,
                    _ => return Err(self.cursor.unexpected("a value")),
                };
                return self.one(cx, plan, number);
            }
            WellKnown::Timestamp => {
                let (seconds, nanos) = self.string_of(plan, text::parse_timestamp)?;
                Left::Time(seconds, nanos)
            }
            WellKnown::Duration => {
                let (seconds, nanos) = self.string_of(plan, text::parse_duration)?;
                Left::Time(seconds, nanos)
            }
            WellKnown::FieldMask => Left::Paths(self.string_of(plan, mask_text::from_json)?),
            WellKnown::Any => Left::Any(Box::new(self.any(cx, plan)?)),
        };
        Ok(Message::Parts(Parts { start, end: self.cursor.position(), left }))
    }

    /// A message of one field, which is written as the value of that field.
    fn one(&mut self, cx: Context<'_>, plan: &MessagePlan, number: u32) -> Result<Message<'de>> {
        let index = plan.numbers.get(number);
        if index.is_none() {
            // The Rust type leaves the field out.
            self.skip(cx)?;
        }
        Ok(Message::One(index.map(|index| index as u16)))
    }

    /// What the string at the cursor says.
    fn string_of<T>(&mut self, plan: &MessagePlan, read: fn(&str) -> Result<T>) -> Result<T> {
        if self.cursor.peek() != Some(b'"') {
            return Err(self.mismatch(&format!("a string for {}", plan.full_name)));
        }
        let text = self.cursor.string()?;
        read(&text).map_err(|error| self.malformed(error))
    }

    #[cold]
    fn malformed(&self, error: Error) -> Error {
        self.error(error.message())
    }

    /// The next field of a message that was taken apart.
    #[inline(never)]
    pub(super) fn next_part(&mut self, parts: &mut Parts<'de>, plan: &MessagePlan) -> Next {
        loop {
            let (number, value) = match &mut parts.left {
                Left::Time(seconds, _) if *seconds != 0 => (1, Put::Int(std::mem::take(seconds))),
                Left::Time(_, nanos) if *nanos != 0 => (2, Put::Int(std::mem::take(nanos).into())),
                Left::Paths(paths) if !paths.is_empty() => (1, Put::List(std::mem::take(paths).into_iter())),
                Left::Any(any) if !any.0.is_empty() => (1, Put::Str(std::mem::take(&mut any.0))),
                Left::Any(any) if !any.1.is_empty() => (2, Put::Bytes(std::mem::take(&mut any.1))),
                _ => {
                    self.put = Put::Nothing;
                    self.cursor.seek(parts.end);
                    return Next::End;
                }
            };
            // A field that the Rust type leaves out is dropped.
            if let Some(index) = plan.numbers.get(number) {
                self.start = parts.start;
                self.put(value);
                return Next::Field(index);
            }
        }
    }
}

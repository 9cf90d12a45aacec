//! Messages of `google.protobuf` that have a form of their own.

use super::{Json, Message};
use crate::error::{Error, Result};
use crate::known::{mask_text, text};
use crate::plan::{Kind, MessagePlan, WellKnown};
use std::str::FromStr;

/// Where strings and bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capture {
    /// Into the output.
    No,
    /// They are the parts of an `Any`.
    Any,
    /// They are the paths of a `FieldMask`.
    Mask,
}

impl Json<'_> {
    #[inline(never)]
    pub(super) fn begin_known(&mut self, known: WellKnown) -> Message {
        if let Some(captured) = &mut self.captured {
            captured.clear();
        }
        self.capture = match known {
            WellKnown::Any => Capture::Any,
            WellKnown::FieldMask => Capture::Mask,
            _ => Capture::No,
        };
        let before = std::mem::replace(&mut self.in_place, self.out.len());
        Message { start: self.out.here(), in_place: before }
    }

    #[inline(never)]
    pub(super) fn end_known(&mut self, plan: &MessagePlan, message: Message) -> Result<()> {
        let start = message.start.position();
        self.capture = Capture::No;
        self.in_place = message.in_place;
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let is_empty = self.out.len() == start;
        match plan.known {
            WellKnown::Timestamp => {
                let (seconds, nanos) = self.take_parts(start);
                text::check_timestamp(seconds, nanos)?;
                self.out.text(|out| text::write_timestamp(out, seconds, nanos));
            }
            WellKnown::Duration => {
                let (seconds, nanos) = self.take_parts(start);
                text::check_duration(seconds, nanos)?;
                self.out.text(|out| text::write_duration(out, seconds, nanos));
            }
            WellKnown::FieldMask => {
                // Only the brackets and commas of the list are there.
                self.out.truncate(start);
                let text = mask_text::to_json(&self.captured().paths)?;
                self.out.string(&text);
            }
            WellKnown::Any => return self.any(),
            WellKnown::Struct if is_empty => self.out.raw(b"{}"),
            WellKnown::ListValue if is_empty => self.out.raw(b"[]"),
            WellKnown::Value if is_empty => {
                return Err(Error::ty("a google.protobuf.Value without a kind has no form in JSON"));
            }
            WellKnown::Value if self.not_finite == start => {
                let text = String::from_utf8_lossy(self.out.since(start)).replace('"', "");
                return Err(Error::ty(format!("the {text} of a google.protobuf.Value has no form in JSON")));
            }
            WellKnown::Wrapper if is_empty => self.zero_of(plan),
            _ => {}
        }
        Ok(())
    }

    /// A key that is not that of a member.
    #[cold]
    pub(super) fn known_key(&mut self, key: &[u8]) {
        if key.is_empty() && self.out.len() != self.in_place {
            self.error.get_or_insert_with(|| Error::ty("the message has more than one value"));
        }
        self.out.raw(key);
    }

    /// The value of a wrapper whose field was not written.
    #[cold]
    fn zero_of(&mut self, wrapper: &MessagePlan) {
        let zero: &[u8] = match wrapper.fields.first().map(|field| field.kind) {
            Some(Kind::Bool) => b"false",
            Some(Kind::String | Kind::Bytes) => b"\"\"",
            Some(Kind::Int64 | Kind::UInt64) if self.quote64 => b"\"0\"",
            _ => b"0",
        };
        self.out.raw(zero);
    }

    /// Takes seconds and nanoseconds from the output, where they stand as `s"1"n5`.
    fn take_parts(&mut self, start: usize) -> (i64, i32) {
        let text = std::str::from_utf8(self.out.since(start)).unwrap_or_default();
        let parts = (part(text, 's'), part(text, 'n'));
        self.out.truncate(start);
        parts
    }
}

/// The number after a letter; 0 where there is none.
fn part<T: FromStr + Default>(text: &str, letter: char) -> T {
    let rest = text.rsplit_once(letter).map_or("", |(_, rest)| rest);
    let end = rest.find(['s', 'n']).unwrap_or(rest.len());
    rest[..end].trim_matches('"').parse().unwrap_or_default()
}

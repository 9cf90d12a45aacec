//! Lists.

use super::closed::Look;
use super::{Json, Put};
use crate::de::source::Context;
use crate::error::Result;
use crate::plan::{FieldPlan, Kind};
use std::marker::PhantomData;

/// A list that is being read.
pub(crate) struct List<'de> {
    at: At,
    input: PhantomData<&'de str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    First,
    Later,
    /// The list has no place in the input.
    Put,
}

impl<'de> Json<'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn list(&mut self, _: &FieldPlan) -> Result<List<'de>> {
        let at = match self.cursor.peek() {
            Some(b'[') => {
                self.cursor.bump();
                At::First
            }
            None if matches!(self.put, Put::List(_)) => At::Put,
            _ => return Err(self.mismatch("a list")),
        };
        Ok(List { at, input: PhantomData })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn element(
        &mut self,
        cx: Context<'_>,
        list: &mut List<'de>,
        field: &FieldPlan,
    ) -> Result<bool> {
        loop {
            let byte = match (list.at, self.at_value()) {
                (At::First | At::Later, Some(b']')) => {
                    self.cursor.bump();
                    return Ok(false);
                }
                (At::First, byte) => byte,
                (At::Later, Some(b',')) => {
                    self.cursor.bump();
                    match self.at_value() {
                        Some(b']') => return Err(self.cursor.unexpected("a value")),
                        byte => byte,
                    }
                }
                (At::Later, _) => return Err(self.cursor.unexpected("`,` or `]`")),
                (At::Put, _) => return Ok(self.has_put()),
            };
            list.at = At::Later;
            if byte == Some(b'n') && !Self::takes_null(cx, field) {
                return Err(self.mismatch("an element"));
            }
            if !self.looks_at(field) {
                return Ok(true);
            }
            match self.look(cx, field)? {
                Look::Deliver => return Ok(true),
                Look::Drop => {}
                Look::Keep(number) => self.keep_number(field, number)?,
            }
        }
    }

    /// True when the list that was put has more elements.
    #[cold]
    fn has_put(&mut self) -> bool {
        match &self.put {
            Put::List(texts) if texts.len() > 0 => true,
            _ => {
                self.put = Put::Nothing;
                false
            }
        }
    }

    /// Commas up to the end of a list of numbers: how many elements are left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn hint(&self, _: &List<'de>, field: &FieldPlan) -> Option<usize> {
        match field.kind {
            Kind::String | Kind::Bytes | Kind::Enum | Kind::Message | Kind::Group => None,
            _ => Some(self.cursor.count_elements()),
        }
    }
}

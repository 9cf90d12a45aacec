//! Visits the fields of a struct by following the steps of its table. A step describes how one field is encoded.

use super::message::{field, is_set};
use super::{Typed, TypedList};
use crate::error::Result;
use crate::layout::{Storage, text};
use crate::object::{Field, Visit, access};
use crate::table::{Inner, Op, Row, Step};

impl<'a> Typed<'a> {
    /// Visits the fields that are set, and with `None` the required fields that are not set. Does not visit unknown fields. For
    /// each step, one jump leads to the code for its operation, which reads the value.
    #[inline]
    pub(super) fn walk(self, visitor: &mut impl Visit<'a, Self>) -> Result<()> {
        let table = self.table;
        for part in table.steps().parts {
            // SAFETY: the table fits the live struct, by the contract of `new`.
            let needed = unsafe { part.needed(self.at) };
            let mut visited = needed | part.required;
            'fields: while visited != 0 {
                let index = visited.trailing_zeros();
                let mut step = &part.steps[index as usize];
                visited &= visited - 1;
                if needed >> index & 1 == 0 {
                    visitor.field(self.row(step), None)?;
                    continue;
                }
                // SAFETY: the table has the offsets of the members of the live struct.
                let mut at = unsafe { self.at.add(step.offset as usize) };
                if step.op == Op::Variant {
                    match self.member(step, at) {
                        Ok(Some(member)) => (step, at) = member,
                        Ok(None) => continue,
                        Err(error) => return Err(error.in_field(&self.row(step).name)),
                    }
                }
                let bits = 'scalar: {
                    let text = 'text: {
                        // SAFETY: the bit of `step` is in `needed`, so `at` is the address of a value of the type that
                        // `step.op` names.
                        let value = unsafe {
                            match step.op {
                                Op::Int32 | Op::UInt32 | Op::SInt32 | Op::Fixed32 => {
                                    break 'scalar u64::from(*at.cast::<u32>());
                                }
                                Op::Int64 | Op::SInt64 | Op::Fixed64 => {
                                    break 'scalar *at.cast::<u64>();
                                }
                                Op::Bool => break 'scalar u64::from(*at.cast::<bool>()),
                                Op::Enum => match access::scalar(step.storage, at) {
                                    Some(bits) => break 'scalar bits,
                                    None => Ok(None),
                                },
                                Op::String => break 'text (*at.cast::<String>()).as_bytes(),
                                Op::Vec => break 'text (*at.cast::<Vec<u8>>()).as_slice(),
                                Op::Str => break 'text (*at.cast::<&str>()).as_bytes(),
                                Op::Slice => break 'text *at.cast::<&[u8]>(),
                                Op::Text => break 'text text::get(step.storage, at).unwrap_or_default(),
                                Op::Other if matches!(step.storage, Storage::Made(_)) => {
                                    self.visit_made(self.row(step), at, visitor)?;
                                    continue 'fields;
                                }
                                _ => self.compound(step, at),
                            }
                        };
                        match value {
                            Ok(None) => {}
                            Ok(value) => visitor.field(self.row(step), value)?,
                            Err(error) => return Err(error.in_field(&self.row(step).name)),
                        }
                        continue 'fields;
                    };
                    visitor.text(self.row(step), text)?;
                    continue 'fields;
                };
                let row = self.row(step);
                visitor.scalar(row, row.kind, bits);
            }
        }
        Ok(())
    }

    #[inline]
    fn row(self, step: &Step) -> &'a Row {
        &self.table.rows[usize::from(step.row)]
    }

    /// Returns the step and the address of the field that is set in a oneof. Returns `None` if no field is set, or if `step`
    /// does not have this field.
    #[inline]
    fn member(self, step: &'a Step, at: *const u8) -> Result<Option<(&'a Step, *const u8)>> {
        let Inner::Oneof(members) = &step.inner else { return Ok(None) };
        // SAFETY: `at` is the address of the oneof of `step`.
        unsafe {
            match members.functions.get(at) {
                Some((variant, at)) => Ok(members.get(variant).map(|step| (step, at))),
                None => members.functions.refuse_skipped(at).map(|()| None),
            }
        }
    }

    /// Returns the value of `step`, or `None` if the value is not set. The value is a message, a list or a map, or its type has
    /// functions that read it.
    ///
    /// # Safety
    /// `at` is the address of the value of `step`.
    #[inline]
    unsafe fn compound(self, step: &'a Step, at: *const u8) -> Result<Option<Field<'a, Self>>> {
        let row = self.row(step);
        // SAFETY: the caller promises that `at` is the address of the value of `step`, so the operation and the storage
        // of the step name its type. `row.message()` is the table of a message in this value.
        unsafe {
            let message = match (step.op, step.storage) {
                (Op::Message, _) => at,
                (Op::BoxMessage, _) => access::unboxed(at),
                (Op::List | Op::Messages, Storage::List(functions)) => match functions.elements(at) {
                    (_, 0) => return Ok(None),
                    elements => return TypedList::new(row, functions, elements).map(Field::List).map(Some),
                },
                _ => return self.by_storage(step, row, at),
            };
            Ok(Some(Field::Message(Typed::new(message, row.message()?))))
        }
    }

    /// Returns the value of `step` by its storage, or `None` if the value is not set.
    ///
    /// # Safety
    /// `at` is the address of the value of `step`.
    #[inline(never)]
    unsafe fn by_storage(
        self,
        step: &'a Step,
        row: &'a Row,
        at: *const u8,
    ) -> Result<Option<Field<'a, Self>>> {
        // SAFETY: the caller promises that `at` is the address of the value of `step`: a live value with the storage of
        // the step. The value is not changed for `'a`.
        unsafe {
            let Some((storage, at)) = access::present(step.storage, at) else { return Ok(None) };
            let value = field(row, storage, at)?;
            Ok(is_set(row, &value).then(|| value.into()))
        }
    }
}

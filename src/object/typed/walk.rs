//! The fields of a struct one after the other, by the steps of its table.

use super::message::{field, is_set};
use super::{Typed, TypedList};
use crate::error::Result;
use crate::layout::{Storage, text};
use crate::object::{Field, Visit, access};
use crate::table::{Action, Inner, Row, Step};

impl<'a> Typed<'a> {
    /// Visits all but the unknown fields. One jump by the action finds a value and whether it is set.
    #[inline(always)]
    pub(super) fn walk(self, visitor: &mut impl Visit<'a, Self>) -> Result<()> {
        let table = self.table;
        let steps = table.steps();
        let mut part = steps.list;
        for set in steps.sets {
            // SAFETY: the table is that of the struct.
            let mut set = unsafe { set.of(self.at) };
            'fields: while set != 0 {
                let mut step = &part[set.trailing_zeros() as usize];
                set &= set - 1;
                // SAFETY: offsets of the table are those of the struct.
                let mut at = unsafe { self.at.add(step.offset as usize) };
                if step.action == Action::Oneof {
                    match self.member(step, at) {
                        Ok(Some(member)) => (step, at) = member,
                        Ok(None) => continue,
                        Err(error) => return Err(error.in_field(&self.row(step).name)),
                    }
                }
                let bits = 'scalar: {
                    let text = 'text: {
                        // SAFETY: the value that the step was made for lies there; an option that an action names by
                        // the type in it is an option of just that type.
                        let value = unsafe {
                            match step.action {
                                Action::Int32 | Action::UInt32 | Action::SInt32 | Action::Fixed32 => {
                                    break 'scalar u64::from(*at.cast::<u32>());
                                }
                                Action::Int64 | Action::SInt64 | Action::Fixed64 => {
                                    break 'scalar *at.cast::<u64>();
                                }
                                Action::Bool => break 'scalar u64::from(*at.cast::<bool>()),
                                Action::OptionI32 | Action::OptionSInt32 | Action::OptionFixedI32 => {
                                    match *at.cast::<Option<i32>>() {
                                        Some(value) => break 'scalar u64::from(value as u32),
                                        None => Ok(None),
                                    }
                                }
                                Action::OptionU32 | Action::OptionFixedU32 => match *at.cast::<Option<u32>>()
                                {
                                    Some(value) => break 'scalar u64::from(value),
                                    None => Ok(None),
                                },
                                Action::OptionI64 | Action::OptionSInt64 | Action::OptionFixedI64 => {
                                    match *at.cast::<Option<i64>>() {
                                        Some(value) => break 'scalar value as u64,
                                        None => Ok(None),
                                    }
                                }
                                Action::OptionU64 | Action::OptionFixedU64 => match *at.cast::<Option<u64>>()
                                {
                                    Some(value) => break 'scalar value,
                                    None => Ok(None),
                                },
                                Action::OptionF32 => match *at.cast::<Option<f32>>() {
                                    Some(value) => break 'scalar u64::from(value.to_bits()),
                                    None => Ok(None),
                                },
                                Action::OptionF64 => match *at.cast::<Option<f64>>() {
                                    Some(value) => break 'scalar value.to_bits(),
                                    None => Ok(None),
                                },
                                Action::OptionBool => match *at.cast::<Option<bool>>() {
                                    Some(value) => break 'scalar u64::from(value),
                                    None => Ok(None),
                                },
                                Action::Enum => match access::scalar(step.storage, at) {
                                    Some(bits) => break 'scalar bits,
                                    None => Ok(None),
                                },
                                Action::OptionEnum => match access::option_scalar(step.storage, at) {
                                    Some(bits) => break 'scalar bits,
                                    None => Ok(None),
                                },
                                Action::String => break 'text (*at.cast::<String>()).as_bytes(),
                                Action::Vec => break 'text (*at.cast::<Vec<u8>>()).as_slice(),
                                Action::Str => break 'text (*at.cast::<&str>()).as_bytes(),
                                Action::Slice => break 'text *at.cast::<&[u8]>(),
                                Action::Text => break 'text text::get(step.storage, at).unwrap_or_default(),
                                Action::OptionString => match &*at.cast::<Option<String>>() {
                                    Some(value) => break 'text value.as_bytes(),
                                    None => Ok(None),
                                },
                                Action::OptionVec => match &*at.cast::<Option<Vec<u8>>>() {
                                    Some(value) => break 'text value.as_slice(),
                                    None => Ok(None),
                                },
                                Action::OptionText => match access::option_text(step.storage, at) {
                                    Some(text) => break 'text text,
                                    None => Ok(None),
                                },
                                _ => self.compound(step, at),
                            }
                        };
                        match value {
                            Ok(None) if !step.required => {}
                            Ok(value) => visitor.field(self.row(step), value)?,
                            Err(error) => return Err(error.in_field(&self.row(step).name)),
                        }
                        continue 'fields;
                    };
                    if !text.is_empty() || step.always {
                        visitor.text(self.row(step), text)?;
                    }
                    continue 'fields;
                };
                if bits != 0 || step.always {
                    let row = self.row(step);
                    visitor.scalar(row, row.kind, bits);
                }
            }
            match part.get(64..) {
                Some(rest) => part = rest,
                None => break,
            }
        }
        Ok(())
    }

    #[inline]
    fn row(self, step: &Step) -> &'a Row {
        &self.table.rows[usize::from(step.row)]
    }

    /// The member of a oneof that is set, where it is among those of a step.
    #[inline]
    fn member(self, step: &'a Step, at: *const u8) -> Result<Option<(&'a Step, *const u8)>> {
        let Inner::Oneof(members) = &step.inner else { return Ok(None) };
        // SAFETY: the oneof that the step is about lies there.
        unsafe {
            match members.functions.get(at) {
                Some((variant, at)) => Ok(members.get(variant).map(|step| (step, at))),
                None => members.functions.refuse_skipped(at).map(|()| None),
            }
        }
    }

    /// The value that a step is about, if it is set: more than a scalar or a string, or one that is reached by functions.
    ///
    /// # Safety
    /// The value that the step was made for lies there.
    #[inline(always)]
    unsafe fn compound(self, step: &'a Step, at: *const u8) -> Result<Option<Field<'a, Self>>> {
        let row = self.row(step);
        // SAFETY: as above.
        unsafe {
            let message = match (step.action, step.storage) {
                (Action::Message, _) => at,
                (Action::BoxMessage, _) => access::unboxed(at),
                (Action::OptionMessage, Storage::Option(option)) => match option.get(at) {
                    message if message.is_null() => return Ok(None),
                    message => message,
                },
                // An option of a box is the address, or null.
                (Action::OptionBoxMessage, _) => match access::unboxed(at) {
                    message if message.is_null() => return Ok(None),
                    message => message,
                },
                (Action::List, Storage::List(functions)) => match functions.elements(at) {
                    (_, 0) => return Ok(None),
                    elements => return TypedList::new(row, functions, elements).map(Field::List).map(Some),
                },
                _ => return self.by_storage(step, row, at),
            };
            Ok(Some(Field::Message(Typed::new(message, row.message()?))))
        }
    }

    /// The same by the storage.
    ///
    /// # Safety
    /// As for [`compound`](Self::compound).
    #[inline(never)]
    unsafe fn by_storage(
        self,
        step: &'a Step,
        row: &'a Row,
        at: *const u8,
    ) -> Result<Option<Field<'a, Self>>> {
        // SAFETY: as above.
        unsafe {
            let Some((storage, at)) = access::present(step.storage, at) else { return Ok(None) };
            let value = field(row, storage, at)?;
            Ok(is_set(row, &value).then(|| value.into()))
        }
    }
}

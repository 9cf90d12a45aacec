//! Messages by the straight-line code of their types.

use super::output::{Output, Region, TagBytes, Tail};
use super::plain::Plain;
use super::walk::{Type, Walk};
use crate::layout::{Nested, Place, PlannedType, Rest, Storage, Straight as Code, Tip};
use crate::table::{Action, Inner, Step, Straight, Table};
use std::ptr;

impl Walk<Tail<'_>> {
    /// The fields of a message.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) unsafe fn straight(
        &mut self,
        straight: &Straight,
        table: &Table,
        base: *const u8,
        tip: Tip,
    ) -> Option<*mut u8> {
        let place = Place::new(&straight.plan, table, base, self.depth);
        // SAFETY: see the module; the table is that of the type, whose code it is.
        unsafe { Code::new(tip, place, self, oneof).fields(tip.at) }
    }

    /// A list of messages, which are no records and no groups. A level must be left.
    pub(super) unsafe fn straight_messages(
        &mut self,
        step: &Step,
        straight: &Straight,
        table: &Table,
        messages: impl Iterator<Item = *const u8>,
        at: *mut u8,
    ) -> Option<*mut u8> {
        let depth = self.depth;
        let place = Place::new(&straight.plan, table, ptr::null(), depth - 1);
        let mut code = Code::new(self.tip(at), place, self, oneof);
        // SAFETY: see the module; the table is that of the type, whose code it is.
        let end = unsafe { code.elements(step.tag, usize::from(step.tag_len), messages, at) };
        // What was left to the walk went further down.
        self.depth = depth;
        match end {
            Ok(at) => Some(at),
            Err(index) => self.locate(|error| error.in_index(index)),
        }
    }

    /// Where the output has come to.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tip(&self, at: *mut u8) -> Tip {
        Tip { failed: self.error.is_some(), ..self.out.tip(at) }
    }

    /// The same after a field.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn after(&mut self, table: &Table, step: &Step, at: Option<*mut u8>) -> Tip {
        match at {
            Some(at) => self.tip(at),
            None => self.in_step(table, step),
        }
    }

    /// Says of an error in which field it is; what is written from now on is discarded, but needs valid memory.
    #[cold]
    #[inline(never)]
    fn in_step(&mut self, table: &Table, step: &Step) -> Tip {
        self.failed::<()>(table, step);
        self.tip(self.out.first())
    }
}

/// The type of messages in a field, if it has straight-line code.
fn planned(ty: Type<'_>) -> Option<PlannedType> {
    // SAFETY: a table of messages lives as long as that of what they are in.
    ty.steps.straight.as_ref().map(|straight| unsafe { PlannedType::new(&straight.plan, ty.table) })
}

/// The type of a message, with the step of a field.
///
/// # Safety
/// As for the methods of `Rest`.
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn step<'t>(place: &Place<'t>, index: u16) -> (Type<'t>, &'t Straight, &'t Step) {
    // SAFETY: all tables in plans and places are of this type.
    let ty = Type::of(unsafe { place.table::<Table>() });
    let straight = ty.steps.straight.as_ref().expect("the type has a plan");
    (ty, straight, straight.step(ty.steps.list, index))
}

/// Writes the member of a oneof that is set, if it is a number or a text; null for others.
///
/// # Safety
/// As for the methods of `Straight`; the index is that of a step of the message.
unsafe fn oneof(index: u16, code: &mut Code<'_>, at: *mut u8) -> *mut u8 {
    let place = code.place();
    // SAFETY: as above; all tables in plans and places are of this type.
    unsafe {
        let step = &place.table::<Table>().steps().list[usize::from(index)];
        let Inner::Oneof(members) = &step.inner else { return ptr::null_mut() };
        let Some((variant, value)) = members.functions.get(place.base().add(step.offset as usize)) else {
            // It may be one that is skipped.
            return if members.functions.skipped.is_none() { at } else { ptr::null_mut() };
        };
        let Some(member) = members.get(variant) else { return at };
        let field = Code::field_of(member.tag, member.tag_len);
        match Plain::at(member, value) {
            Some(Plain::Varint(value)) => code.varint(field, value, at),
            Some(Plain::Fixed32(value)) => code.four(field, value, at),
            Some(Plain::Fixed64(value)) => code.eight(field, value, at),
            Some(Plain::Text(text)) => code.text(field, text, at),
            None => ptr::null_mut(),
        }
    }
}

// In all of these: SAFETY: see the module; the step is that of the field.
impl Rest for Walk<Tail<'_>> {
    unsafe fn grow(&mut self, at: *mut u8, bytes: usize) -> Tip {
        let at = self.out.room(at, bytes);
        self.tip(at)
    }

    unsafe fn field(&mut self, place: &Place<'_>, index: u16, at: *mut u8) -> Tip {
        self.depth = place.depth();
        // SAFETY: see above.
        unsafe {
            let (Type { table, .. }, _, step) = step(place, index);
            let value = place.base().add(step.offset as usize);
            let at = match (step.action, &step.inner) {
                (Action::List, Inner::Value(element)) => {
                    self.list(step, element, &table.rows[usize::from(step.row)], value, at)
                }
                _ => self.compound(table, step, value, at),
            };
            self.after(table, step, at)
        }
    }

    unsafe fn message(&mut self, place: &Place<'_>, index: u16, message: *const u8, at: *mut u8) -> Tip {
        self.depth = place.depth();
        // SAFETY: see above.
        unsafe {
            let (Type { table, .. }, straight, step) = step(place, index);
            let row = &table.rows[usize::from(step.row)];
            straight.plan.fields[usize::from(index)].get_or_init(|| {
                // The rest finds the error again.
                let ty = row.message().ok().map(Type::of).filter(|_| !step.is_group());
                match ty.map(|ty| (&ty.steps.record, planned(ty))) {
                    Some((Some(record), _)) => Nested::Record(record),
                    Some((None, Some(planned))) => Nested::Straight(planned),
                    _ => Nested::Other,
                }
            });
            let at = self.message(step, row, message, at);
            self.after(table, step, at)
        }
    }

    unsafe fn messages(&mut self, place: &Place<'_>, index: u16, at: *mut u8) -> Tip {
        // SAFETY: see above.
        unsafe {
            let (Type { table, .. }, straight, step) = step(place, index);
            straight.plan.fields[usize::from(index)].get_or_init(|| {
                let list = match (step.action, &step.inner, &step.storage) {
                    (Action::List, Inner::Value(element), Storage::List(list))
                        if element.action == Action::Message && !step.is_group() =>
                    {
                        list
                    }
                    _ => return Nested::Other,
                };
                // The rest finds the error again.
                let ty = table.rows[usize::from(step.row)].message().ok().map(Type::of);
                match ty.filter(|ty| ty.steps.record.is_none()).and_then(planned) {
                    Some(planned) => Nested::List(planned, list.stride),
                    None => Nested::Other,
                }
            });
            self.field(place, index, at)
        }
    }

    unsafe fn oneofs(&mut self, place: &Place<'_>, index: u16, at: *mut u8) -> Tip {
        self.depth = place.depth();
        // SAFETY: all tables in plans and places are of this type.
        let Type { table, steps } = Type::of(unsafe { place.table() });
        let straight = steps.straight.as_ref().expect("the type has a plan");
        let mut at = at;
        for (step, members) in straight.oneofs(steps.list, index) {
            // SAFETY: see above.
            match unsafe { self.oneof(table, members, place.base().add(step.offset as usize), at) } {
                Some(next) => at = next,
                None => return self.in_step(table, step),
            }
        }
        self.tip(at)
    }

    unsafe fn text(&mut self, (word, len): (u64, u8), bytes: &[u8], at: *mut u8) -> Tip {
        // SAFETY: see above.
        let at = unsafe { self.text(TagBytes { word, len }, bytes, at) };
        self.tip(at)
    }

    unsafe fn raw(&mut self, bytes: &[u8], at: *mut u8) -> Tip {
        // SAFETY: see above.
        let at = unsafe { self.out.raw(at, bytes) };
        self.tip(at)
    }

    unsafe fn close(&mut self, position: usize, reserved: usize, at: *mut u8) -> (Tip, usize) {
        // SAFETY: see above; the region is the innermost one that is open.
        let (at, took) = unsafe { self.out.close(at, Region { at: position, width: reserved }) };
        (self.tip(at), took)
    }

    unsafe fn fail(&mut self, place: &Place<'_>, index: u16, element: Option<usize>) -> Tip {
        if let Some(element) = element {
            self.locate::<()>(|error| error.in_index(element));
        }
        // SAFETY: see above.
        let (Type { table, .. }, _, step) = unsafe { step(place, index) };
        self.in_step(table, step)
    }
}

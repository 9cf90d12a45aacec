//! Messages by the straight-line code of their types.

use super::output::{Output, Tail};
use super::walk::{Type, Walk};
use crate::layout::{Rest, SLACK, Straight as Code};
use crate::table::{Action, Inner, Step, Steps, Straight, Table};

/// The fields of one message that straight-line code leaves to the walk.
struct Fields<'a, 'b> {
    walk: &'a mut Walk<Tail<'b>>,
    table: &'a Table,
    steps: &'a Steps,
    straight: &'a Straight,
    base: *const u8,
    /// There was an error; later writes are discarded, but need valid memory.
    failed: bool,
}

impl<'b> Walk<Tail<'b>> {
    /// The fields of a message.
    pub(super) unsafe fn straight(
        &mut self,
        straight: &Straight,
        Type { table, steps }: Type<'_>,
        base: *const u8,
        at: *mut u8,
    ) -> Option<*mut u8> {
        let mut fields = Fields { walk: self, table, steps, straight, base, failed: false };
        // SAFETY: see the module; the table is that of the type, whose code it is.
        unsafe {
            let at = fields.walk.out.room(at, SLACK);
            let limit = fields.walk.out.limit(SLACK);
            // A message that would be a level too deep is found by its step.
            let records = if fields.walk.depth > 0 { &*straight.records } else { &[] };
            let mut code = Code::new(limit, straight.oneofs, records, &mut fields);
            let at = (straight.function)(base, &mut code, at);
            (!fields.failed).then_some(at)
        }
    }
}

impl Fields<'_, '_> {
    /// A field that is no list: a call of its own, so that lists take less.
    #[inline(never)]
    unsafe fn compound(&mut self, step: &Step, value: *const u8, at: *mut u8) -> Option<*mut u8> {
        // SAFETY: see the module; the step is that of the field.
        unsafe { self.walk.compound(self.table, step, value, at) }
    }

    /// The cursor after a field, with room behind it.
    #[inline]
    unsafe fn after(&mut self, step: &Step, at: Option<*mut u8>) -> (*mut u8, usize) {
        let at = at.unwrap_or_else(|| self.fail(step));
        // SAFETY: see the module.
        unsafe { self.grow(at, SLACK) }
    }

    /// Notes that there was an error, and goes back to the start.
    #[cold]
    #[inline(never)]
    fn fail(&mut self, step: &Step) -> *mut u8 {
        self.failed = true;
        self.walk.failed::<()>(self.table, step);
        self.walk.out.first()
    }
}

// In all of these: SAFETY: see the module; the step is that of the field.
impl Rest for Fields<'_, '_> {
    #[inline]
    unsafe fn grow(&mut self, at: *mut u8, bytes: usize) -> (*mut u8, usize) {
        let at = self.walk.out.room(at, bytes);
        (at, self.walk.out.limit(SLACK))
    }

    unsafe fn field(&mut self, index: u16, at: *mut u8) -> (*mut u8, usize) {
        let step = self.straight.step(&self.steps.list, index);
        // SAFETY: see above.
        unsafe {
            if self.failed {
                return self.grow(at, SLACK);
            }
            let value = self.base.add(step.offset as usize);
            let at = match (step.action, &step.inner) {
                (Action::List, Inner::Value(element)) => {
                    let row = &self.table.rows[usize::from(step.row)];
                    self.walk.list(step, element, row, value, at)
                }
                _ => self.compound(step, value, at),
            };
            self.after(step, at)
        }
    }

    unsafe fn message(&mut self, index: u16, message: *const u8, at: *mut u8) -> (*mut u8, usize) {
        let step = self.straight.step(&self.steps.list, index);
        // SAFETY: see above.
        unsafe {
            if self.failed {
                return self.grow(at, SLACK);
            }
            let row = &self.table.rows[usize::from(step.row)];
            let at = match self.walk.message_type(row) {
                Some(ty) => {
                    let record = || ty.steps.record.clone().filter(|_| !step.is_group());
                    self.straight.records[usize::from(index)].get_or_init(record);
                    self.walk.message(step, ty, message, at, 1).map(|(at, _)| at)
                }
                None => None,
            };
            self.after(step, at)
        }
    }

    unsafe fn text(&mut self, index: u16, bytes: &[u8], at: *mut u8) -> (*mut u8, usize) {
        let step = self.straight.step(&self.steps.list, index);
        // SAFETY: see above.
        unsafe {
            let at = self.walk.out.slice(at, step.tag_bytes(), bytes);
            self.grow(at, SLACK)
        }
    }

    unsafe fn oneofs(&mut self, index: u16, at: *mut u8) -> (*mut u8, usize) {
        let mut at = at;
        // SAFETY: see above.
        unsafe {
            for (step, members) in self.straight.oneofs(&self.steps.list, index) {
                if self.failed {
                    break;
                }
                let value = self.base.add(step.offset as usize);
                at = match self.walk.oneof(self.table, members, value, at) {
                    Some(at) => at,
                    None => self.fail(step),
                };
            }
            self.grow(at, SLACK)
        }
    }
}

//! Reads members whose conversion makes a proto value: a value of a type that the library knows. A proto value is read
//! as if it were the only member of a struct.

use super::{Typed, TypedField, mismatch};
use crate::error::Result;
use crate::layout::{MadeFunctions, Protos};
use crate::object::{Field, ObjectAt, Visit};
use crate::table::{Location, Row, Table};

impl<'a> Typed<'a> {
    /// Converts the member at `at` to the proto value of the field. Returns the proto value, or `None` if it is not set. The
    /// `Protos` of the message keeps the proto value as long as the message is borrowed.
    ///
    /// # Errors
    /// The struct has no member of type `Protos`, or the table of a message cannot be built.
    ///
    /// # Safety
    /// `at` is the address of a live member of the type that the functions are for. The member is not changed for `'a`.
    /// The functions and the table come from `row`.
    #[inline(never)]
    pub(super) unsafe fn kept(
        self,
        row: &'a Row,
        (functions, table): (&'static MadeFunctions, &'a Table),
        at: *const u8,
    ) -> Result<Option<TypedField<'a>>> {
        let Some(offset) = self.table.shape.and_then(|shape| shape.protos) else { return Err(mismatch()) };
        // SAFETY: the shape has the offset of a member of type `Protos` in the struct, which is borrowed for `'a`. The
        // caller promises that `at` is the address of a live member. The proto value that `Protos` keeps does not move
        // while the struct is borrowed, and `table` is the table of its type.
        unsafe {
            let protos = &*self.at.add(offset as usize).cast::<Protos>();
            Typed::new((functions.keep)(at, protos, row.number), table).value(&table.rows[0])
        }
    }

    /// Implements [`ObjectAt::read`].
    pub(super) fn read_made<R>(
        self,
        row: &'a Row,
        (functions, table): (&'static MadeFunctions, &'a Table),
        read: impl FnOnce(Result<Option<Field<'a, Self>>>) -> R,
    ) -> R {
        let Some(at) = self.member_at(row) else { return read(Ok(None)) };
        // SAFETY: `member_at` returned the address of the member of `row` in the live struct. The functions and the
        // table come from `row`.
        unsafe { read_at((functions, table), at, read) }
    }

    /// Calls the visitor with the proto value of a member, if the proto value is set.
    ///
    /// # Errors
    /// The member has no conversion to a proto value, the visitor fails, or the table of a message cannot be built.
    ///
    /// # Safety
    /// `at` is the address of the value of `row` in the live struct.
    #[inline(never)]
    pub(super) unsafe fn visit_made(
        self,
        row: &'a Row,
        at: *const u8,
        visitor: &mut impl Visit<'a, Self>,
    ) -> Result<()> {
        let Some(made) = row.made() else { return Err(mismatch()) };
        // SAFETY: the caller promises that `at` is the address of the value of `row`. The functions and the table come
        // from `row`.
        unsafe {
            read_at(made, at, |value| match value {
                Ok(None) => Ok(()),
                Ok(value) => visitor.field(row, value),
                Err(error) => Err(error.in_field(&row.name)),
            })
        }
    }

    /// True if `row` is not a variant of the enum of a oneof, or is the variant that is set.
    pub(crate) fn is_chosen(self, row: &Row) -> bool {
        self.member_at(row).is_some()
    }

    /// True if the member of the field `row` is set.
    pub(crate) fn has_member(self, row: &Row) -> bool {
        let (Some(shape), Some(presence)) = (self.table.shape, self.table.presence) else { return false };
        let mut masks = vec![0; shape.members.len()];
        masks[usize::from(row.member)] = 1;
        // SAFETY: `presence` is the function for the type of the struct, which is live.
        let set = unsafe { presence(self.at, &masks) } != 0;
        set && (matches!(row.location, Location::Member { .. }) || self.is_chosen(row))
    }

    /// Returns the address of the member of a field. Returns `None` if the field is a variant of the enum of a oneof,
    /// and this variant is not set.
    fn member_at(self, row: &Row) -> Option<*const u8> {
        self.locate(row).map(|(_, at)| at)
    }
}

/// Calls `read` with the proto value of a member. The proto value is dropped when `read` returns.
///
/// # Safety
/// `at` is the address of a live member of the type that the functions are for, which is not changed meanwhile. `table`
/// is the table of the proto values of this member.
unsafe fn read_at<'a, R>(
    (functions, table): (&'static MadeFunctions, &'a Table),
    at: *const u8,
    read: impl FnOnce(Result<Option<Field<'a, Typed<'a>>>>) -> R,
) -> R {
    let (mut read, mut done) = (Some(read), None);
    // SAFETY: the caller promises that `at` is the address of a live member. The proto value is live while the closure
    // runs, and `read` does not keep the proto value, because `ObjectAt::read` and `Object::visit` forbid this. So the
    // lifetime of the proto value can be extended to `'a`.
    unsafe {
        (functions.read)(at, &mut |proto| {
            if let Some(read) = read.take() {
                done = Some(read(Typed::new(proto, table).get(&table.rows[0])));
            }
        });
    }
    done.expect("the functions call what they are given")
}

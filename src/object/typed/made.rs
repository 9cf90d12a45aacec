//! Members for which a conversion makes proto values, to be read: a proto value is seen as a struct with it as the only member.

use super::{Typed, TypedField, mismatch};
use crate::error::Result;
use crate::layout::{MadeFunctions, Protos};
use crate::object::{Field, ObjectAt, Visit};
use crate::table::{Location, Row, Table};

impl<'a> Typed<'a> {
    /// The value of a field, made from the member at the address and kept for as long as the message is borrowed.
    ///
    /// # Errors
    /// As [`ObjectAt::get`].
    ///
    /// # Safety
    /// A live member of the type that the functions are for is at the address, and is not changed for `'a`; functions and table
    /// are those of the row.
    #[inline(never)]
    pub(super) unsafe fn kept(
        self,
        row: &'a Row,
        (functions, table): (&'static MadeFunctions, &'a Table),
        at: *const u8,
    ) -> Result<Option<TypedField<'a>>> {
        let Some(offset) = self.table.shape.and_then(|shape| shape.protos) else { return Err(mismatch()) };
        // SAFETY: the shape says that a `Protos` lies at this offset of the struct, which is borrowed for `'a`, and the
        // caller promises what is at the address. The value that it keeps stays where it is as long as the struct is
        // borrowed, and the table is that of the proto value.
        unsafe {
            let protos = &*self.at.add(offset as usize).cast::<Protos>();
            Typed::new((functions.keep)(at, protos, row.number), table).value(&table.rows[0])
        }
    }

    /// As [`ObjectAt::read`].
    pub(super) fn read_made<R>(
        self,
        row: &'a Row,
        (functions, table): (&'static MadeFunctions, &'a Table),
        read: impl FnOnce(Result<Option<Field<'a, Self>>>) -> R,
    ) -> R {
        let Some(at) = self.member_at(row) else { return read(Ok(None)) };
        // SAFETY: `member_at` gives the address of the row's member in the live struct, and functions and table are
        // those of the row.
        unsafe { read_at((functions, table), at, read) }
    }

    /// Visits the value of a member, if it is set.
    ///
    /// # Errors
    /// Those of the visitor, or of the table of a message.
    ///
    /// # Safety
    /// The value of the row in the live struct is at the address.
    #[inline(never)]
    pub(super) unsafe fn visit_made(
        self,
        row: &'a Row,
        at: *const u8,
        visitor: &mut impl Visit<'a, Self>,
    ) -> Result<()> {
        let Some(made) = row.made() else { return Err(mismatch()) };
        // SAFETY: the caller promises that the value of the row is at the address, and functions and table are those of
        // the row.
        unsafe {
            read_at(made, at, |value| match value {
                Ok(None) => Ok(()),
                Ok(value) => visitor.field(row, value),
                Err(error) => Err(error.in_field(&row.name)),
            })
        }
    }

    /// True for a field whose member of a oneof is the one that is set.
    pub(crate) fn is_chosen(self, row: &Row) -> bool {
        self.member_at(row).is_some()
    }

    /// True for a field whose member is set.
    pub(crate) fn has_member(self, row: &Row) -> bool {
        let (Some(shape), Some(presence)) = (self.table.shape, self.table.presence) else { return false };
        let mut masks = vec![0; shape.members.len()];
        masks[usize::from(row.member)] = 1;
        // SAFETY: the function is that of the type of the struct, which is live.
        let set = unsafe { presence(self.at, &masks) } != 0;
        set && (matches!(row.location, Location::Member { .. }) || self.is_chosen(row))
    }

    /// Where the member of a field lies; `None` where another member of its oneof is set.
    fn member_at(self, row: &Row) -> Option<*const u8> {
        self.locate(row).map(|(_, at)| at)
    }
}

/// Calls a function with the proto value of a member, which is gone when that returns.
///
/// # Safety
/// A live member of the type that the functions are for is at the address, and is not changed meanwhile; the table is that of its
/// proto values.
unsafe fn read_at<'a, R>(
    (functions, table): (&'static MadeFunctions, &'a Table),
    at: *const u8,
    read: impl FnOnce(Result<Option<Field<'a, Typed<'a>>>>) -> R,
) -> R {
    let (mut read, mut done) = (Some(read), None);
    // SAFETY: the caller promises what is at the address. The proto value is live while the closure runs, and whoever is
    // called here keeps nothing of it, as `ObjectAt::read` and `Object::visit` demand: so its lifetime may be said to be
    // that of the table.
    unsafe {
        (functions.read)(at, &mut |proto| {
            if let Some(read) = read.take() {
                done = Some(read(Typed::new(proto, table).get(&table.rows[0])));
            }
        });
    }
    done.expect("the functions call what they are given")
}

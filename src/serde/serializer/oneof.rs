//! Serializes an enum as a oneof.

use super::message::Members;
use super::refuse::refuse;
use super::value::{Context, Position, ValueSerializer};
use crate::error::{Error, Result};
use crate::layout::{MessageShape, Storage};
use crate::table::Row;
use serde::ser::{Serialize, Serializer};

/// Sets the field that belongs to the variant of the value.
pub(super) struct OneofSerializer<'a, 'd, 't> {
    pub(super) context: &'a mut Context<'d, 't>,
    /// The index of the oneof in the table.
    pub(super) index: usize,
    pub(super) shape: Option<&'static MessageShape>,
}

impl<'t> OneofSerializer<'_, '_, 't> {
    fn name(&self) -> &'t str {
        &self.context.target.table().oneofs[self.index].name
    }

    #[cold]
    fn refuse(&self, what: &str) -> Error {
        Error::ty(format!("a oneof is an enum with a value in each variant, not {what}"))
            .in_field(self.name())
    }

    fn row(&self, variant: &str) -> Result<(&'t Row, Option<Storage>)> {
        let table = self.context.target.table();
        let oneof = &table.oneofs[self.index];
        let bound = self.shape.and_then(|shape| shape.oneof(&oneof.name));
        if let Some(shape) = bound
            && let Some(index) = shape.names().iter().position(|name| *name == variant)
        {
            let field = shape.field(index);
            return match table.row_of(&field) {
                Some(row) => Ok((row, Some(field.storage))),
                None => Err(self.no_such_variant(variant)),
            };
        }
        match oneof.variant(table, variant) {
            Some(position) => Ok((&table.rows[usize::from(oneof.rows[position])], None)),
            None => Err(self.no_such_variant(variant)),
        }
    }

    /// Makes the field of a variant the target of the next value.
    fn begin(&mut self, variant: &str) -> Result<&'t Row> {
        let (row, bound) = self.row(variant)?;
        self.context.target.set_row(row);
        (self.context.position, self.context.bound) = (Position::Member, bound);
        Ok(row)
    }

    #[cold]
    fn no_such_variant(&self, variant: &str) -> Error {
        Error::ty(format!("the oneof has no field for the variant {variant:?}")).in_field(self.name())
    }
}

impl<'a, 't> Serializer for OneofSerializer<'a, '_, 't> {
    type Ok = ();
    type Error = Error;
    type SerializeStructVariant = Members<'a, 't>;

    refuse!(bool numbers str bytes unit_variant seq tuple tuple_variant map struct_ transparent binary);

    fn serialize_none(self) -> Result<()> {
        Ok(())
    }

    fn serialize_unit(self) -> Result<()> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        Err(self.refuse("a unit struct"))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        let row = self.begin(variant)?;
        value.serialize(ValueSerializer(self.context)).map_err(|error| error.in_field(&row.name))
    }

    fn serialize_struct_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Members<'a, 't>> {
        self.begin(variant)?;
        ValueSerializer(self.context).message()
    }
}

//! The view of a message that is not set.

use crate::descriptor::{FieldDescriptor, MessageDescriptor, OneofDescriptor};
use crate::error::Result;
use crate::message::reflect::read_only::read_only_message;
use crate::message::reflect::typed::find;
use crate::message::reflect::view::Empty;
use crate::message::reflect::{FieldRef, Reflect, ValueRef, check};

impl<'a> Empty<'a> {
    /// Does what [`Reflect::get`] does, with a value that lives as long as the field.
    pub(crate) fn get_at(self, field: &FieldDescriptor) -> Result<ValueRef<'a>> {
        let table = self.0.message()?.whole()?;
        match find(table, field)? {
            Some(row) => Ok(check::default_of(row)),
            None => Err(check::foreign_field(&table.full_name, field)),
        }
    }
}

impl Reflect for Empty<'_> {
    fn message_descriptor(&self) -> MessageDescriptor {
        self.0.message_descriptor()
    }

    fn has(&self, field: &FieldDescriptor) -> Result<bool> {
        self.get_at(field).map(|_| false)
    }

    fn get(&self, field: &FieldDescriptor) -> Result<ValueRef<'_>> {
        self.get_at(field)
    }

    fn which_oneof(&self, oneof: &OneofDescriptor) -> Result<Option<FieldDescriptor>> {
        let message = self.message_descriptor();
        match oneof.message() == message {
            true => Ok(None),
            false => Err(check::foreign_oneof(message.full_name(), oneof)),
        }
    }

    fn next_field(&self, _: u32) -> Option<(FieldDescriptor, ValueRef<'_>)> {
        None
    }

    fn visit_fields<'a>(&'a self, _: &mut dyn FnMut(FieldRef<'_>, ValueRef<'a>) -> bool) {}

    fn unknown_fields(&self) -> &[u8] {
        &[]
    }

    read_only_message!();
}

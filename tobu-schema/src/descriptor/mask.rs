//! The paths of a field mask, as a tree over field numbers.

use super::{FieldDescriptor, MessageDescriptor};
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// The fields of a message that the paths of a mask name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mask {
    /// All of it, or of a field.
    Whole,
    /// These fields, or the fields named inside them.
    Fields(BTreeMap<u32, Mask>),
}

/// The purpose of a mask, which decides the paths it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paths {
    /// To change fields: a path leads through single messages, by their names in the schema.
    Update,
    /// To read fields: a path leads through the elements of lists and the values of maps, too, and may have JSON
    /// names.
    Read,
}

/// The most fields that a path leads through: no message can be read that is deeper by default.
const MOST_STEPS: usize = 100;

impl Default for Mask {
    fn default() -> Self {
        Mask::Fields(BTreeMap::new())
    }
}

impl Mask {
    /// # Errors
    /// A path names no field, leads through one without fields, or through too many.
    #[doc(hidden)]
    pub fn new<P: AsRef<str>>(descriptor: &MessageDescriptor, paths: &[P], purpose: Paths) -> Result<Self> {
        let mut mask = Mask::default();
        for path in paths {
            mask.add(descriptor, path.as_ref(), purpose)
                .map_err(|error| error.within_message(descriptor.full_name()))?;
        }
        Ok(mask)
    }

    fn add(&mut self, descriptor: &MessageDescriptor, path: &str, purpose: Paths) -> Result<()> {
        if path.split('.').nth(MOST_STEPS).is_some() {
            return Err(Error::schema(format!(
                "a path of a field mask goes through more than {MOST_STEPS} fields"
            )));
        }
        let mut node = self;
        let mut walk = Walk::new(descriptor, path, purpose);
        let mut names = path.split('.').peekable();
        while let Some(name) = names.next() {
            // All elements of a list, or all fields of a message where a path ends.
            let is_all = name == "*"
                && purpose == Paths::Read
                && (walk.is_in_repeated() || walk.message.is_some() && names.peek().is_none());
            if is_all {
                continue;
            }
            let number = walk.next(name)?.number();
            // Fields of a message that is selected as a whole are in the mask already.
            if let Mask::Fields(fields) = node {
                node = fields.entry(number).or_default();
            }
        }
        *node = Mask::Whole;
        Ok(())
    }
}

/// The fields that a path leads through, from the outside in.
pub struct Walk<'p> {
    path: &'p str,
    purpose: Paths,
    /// Where the next name is looked for.
    message: Option<MessageDescriptor>,
    before: Option<FieldDescriptor>,
}

impl<'p> Walk<'p> {
    #[doc(hidden)]
    pub fn new(descriptor: &MessageDescriptor, path: &'p str, purpose: Paths) -> Self {
        Walk { path, purpose, message: Some(descriptor.clone()), before: None }
    }

    fn is_in_repeated(&self) -> bool {
        self.before.as_ref().is_some_and(|field| field.is_list() || field.is_map())
    }

    /// The field of the next name.
    ///
    /// # Errors
    /// The name is not a field, or the field before it has none; nothing of use may follow.
    #[doc(hidden)]
    pub fn next(&mut self, name: &str) -> Result<&FieldDescriptor> {
        let (path, for_reading) = (self.path, self.purpose == Paths::Read);
        let Some(within) = self.message.take() else {
            let field = self.before.as_ref().map_or("", FieldDescriptor::full_name);
            let what = if for_reading { "holds no messages" } else { "is no single message" };
            return Err(Error::schema(format!("the path {path:?} goes into {field}, which {what}")));
        };
        let by_json_name = || within.field_by_json_name(name).filter(|_| for_reading);
        let Some(field) = within.field_by_name(name).or_else(by_json_name) else {
            let within = within.full_name();
            return Err(Error::schema(format!("the path {path:?}: {within} has no field {name:?}")));
        };
        self.message = match field.is_list() || field.is_map() {
            true if !for_reading => None,
            _ => field.map_value().as_ref().unwrap_or(&field).message_type(),
        };
        Ok(self.before.insert(field))
    }
}

//! The paths of a field mask, as a tree over field numbers.

use super::{FieldDescriptor, MessageDescriptor};
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// Which part of a message the paths of a mask name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mask {
    /// All of it, or of a field.
    Whole,
    /// These fields, or what is named inside them.
    Fields(BTreeMap<u32, Mask>),
}

/// What a mask is for, which decides where its paths may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paths {
    /// To change fields: a path goes through single messages, by their names in the schema.
    Update,
    /// To read fields: a path goes through the elements of lists and the values of maps, too, and may have JSON names.
    Read,
}

/// The most fields that a path goes through: no message can be read that is deeper by default.
const MOST_STEPS: usize = 100;

impl Default for Mask {
    fn default() -> Self {
        Mask::Fields(BTreeMap::new())
    }
}

impl Mask {
    /// # Errors
    /// A path names no field, goes through one that has no fields, or through too many.
    pub(crate) fn new<P: AsRef<str>>(
        descriptor: &MessageDescriptor,
        paths: &[P],
        purpose: Paths,
    ) -> Result<Self> {
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
        let mut message = Some(descriptor.clone());
        let mut before: Option<FieldDescriptor> = None;
        let mut names = path.split('.').peekable();
        while let Some(name) = names.next() {
            let is_repeated = before.as_ref().is_some_and(|field| field.is_list() || field.is_map());
            // All elements of a list, or all fields of a message where a path ends.
            let is_all = name == "*" && (is_repeated || message.is_some() && names.peek().is_none());
            if is_all && purpose == Paths::Read {
                continue;
            }
            let Some(within) = message else {
                let field = before.as_ref().map_or("", FieldDescriptor::full_name);
                let what =
                    if purpose == Paths::Update { "is no single message" } else { "holds no messages" };
                return Err(Error::schema(format!("the path {path:?} goes into {field}, which {what}")));
            };
            let by_json_name = || within.field_by_json_name(name).filter(|_| purpose == Paths::Read);
            let Some(field) = within.field_by_name(name).or_else(by_json_name) else {
                return Err(Error::schema(format!(
                    "the path {path:?}: {} has no field {name:?}",
                    within.full_name()
                )));
            };
            message = match purpose {
                Paths::Update if field.is_list() || field.is_map() => None,
                _ => field.map_value().as_ref().unwrap_or(&field).message_type(),
            };
            // What is inside of a whole is in the mask already.
            if let Mask::Fields(fields) = node {
                node = fields.entry(field.number()).or_default();
            }
            before = Some(field);
        }
        *node = Mask::Whole;
        Ok(())
    }
}

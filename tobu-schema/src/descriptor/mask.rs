//! Represents the paths of a field mask as a tree of field numbers.

use super::names::written;
use super::{FieldDescriptor, MessageDescriptor};
use crate::error::{Error, Result};
use crate::sort::{sort_by, sort_by_key};

/// The fields that a mask selects in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mask {
    /// All fields of a message, or a whole field.
    Whole,
    /// Some fields, in the order of their numbers. Each field has a mask that selects a part of the field or the whole field.
    Fields(Vec<(u32, Mask)>),
}

/// The purpose of a mask. It decides which paths are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paths {
    /// The mask says which fields to change. A path can only pass through single messages, and consists of names
    /// from the schema.
    Update,
    /// The mask says which fields to read. A path can also pass through the elements of lists and the values of
    /// maps, and can contain JSON names.
    Read,
}

/// The maximum number of fields in a path. By default, messages cannot be nested deeper than this.
const MOST_STEPS: usize = 100;

impl Mask {
    /// Creates a mask with these paths.
    ///
    /// # Errors
    /// A name in a path does not name a field, a path continues after a field that has no fields inside, or a path has
    /// more than 100 names.
    #[doc(hidden)]
    pub fn new<P: AsRef<str>>(descriptor: &MessageDescriptor, paths: &[P], purpose: Paths) -> Result<Self> {
        let mut all = Vec::with_capacity(paths.len());
        for path in paths {
            all.push(numbers(descriptor, path.as_ref(), purpose)?);
        }
        Ok(Self::of(all))
    }

    /// Builds the tree of these paths. The paths are sorted first, so that paths with the same start are adjacent,
    /// and the shortest of them comes first.
    fn of(mut paths: Vec<Vec<u32>>) -> Self {
        sort_by(&mut paths, |a, b| a.cmp(b));
        let mut mask = Mask::Fields(Vec::new());
        for path in paths {
            let mut node = &mut mask;
            for number in path {
                // If the mask already selects a message as a whole, it also contains the fields of this message.
                if let Mask::Fields(fields) = node {
                    if fields.last().is_none_or(|(last, _)| *last != number) {
                        fields.push((number, Mask::Fields(Vec::new())));
                    }
                    let last = fields.len() - 1;
                    node = &mut fields[last].1;
                }
            }
            *node = Mask::Whole;
        }
        mask
    }

    /// Returns the mask for the inside of the field with a number; `None` if the mask does not select the field.
    #[doc(hidden)]
    pub fn find(fields: &[(u32, Mask)], number: u32) -> Option<&Mask> {
        let at = fields.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        Some(&fields[at].1)
    }

    /// Returns a mask with those `numbers`, in any order, that this mask selects. Each field keeps its part of this mask.
    #[doc(hidden)]
    pub fn within(&self, numbers: &[u32]) -> Self {
        let mut fields = Vec::new();
        for &number in numbers {
            match self {
                Mask::Whole => fields.push((number, Mask::Whole)),
                Mask::Fields(own) => {
                    if let Some(mask) = Mask::find(own, number) {
                        fields.push((number, mask.clone()));
                    }
                }
            }
        }
        sort_by_key(&mut fields, |(number, _)| *number);
        fields.dedup_by(|next, field| next.0 == field.0);
        Mask::Fields(fields)
    }
}

/// Returns the numbers of the fields in a path.
fn numbers(descriptor: &MessageDescriptor, path: &str, purpose: Paths) -> Result<Vec<u32>> {
    let within = |error: Error| error.within_message(descriptor.full_name());
    if path.split('.').nth(MOST_STEPS).is_some() {
        let text = written(format_args!("a path of a field mask goes through more than {MOST_STEPS} fields"));
        return Err(within(Error::schema(text)));
    }
    let mut numbers = Vec::new();
    let mut walk = Walk::new(descriptor, path, purpose);
    let mut names = path.split('.').peekable();
    while let Some(name) = names.next() {
        // The name `*` selects all elements of a list or map or, at the end of a path, all fields of a message.
        let is_all = name == "*"
            && purpose == Paths::Read
            && (walk.is_in_repeated() || walk.message.is_some() && names.peek().is_none());
        if !is_all {
            numbers.push(walk.next(name).map_err(within)?.number());
        }
    }
    Ok(numbers)
}

/// Looks up the fields of a path, from the outermost to the innermost.
pub struct Walk<'p> {
    path: &'p str,
    purpose: Paths,
    /// The message in which the next name is looked up.
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

    /// Returns the field with the next name of the path.
    ///
    /// # Errors
    /// No field has the name, or the field before it has no fields inside. After an error, do not continue with
    /// this path.
    #[doc(hidden)]
    pub fn next(&mut self, name: &str) -> Result<&FieldDescriptor> {
        let (path, for_reading) = (self.path, self.purpose == Paths::Read);
        let Some(within) = self.message.take() else {
            let field = self.before.as_ref().map_or("", FieldDescriptor::full_name);
            let what = if for_reading { "holds no messages" } else { "is not a single message" };
            return Err(Error::schema(written(format_args!(
                "the path {path:?} goes into {field}, which {what}"
            ))));
        };
        let by_json_name = || within.field_by_json_name(name).filter(|_| for_reading);
        let Some(field) = within.field_by_name(name).or_else(by_json_name) else {
            let within = within.full_name();
            return Err(Error::schema(written(format_args!(
                "the path {path:?}: {within} has no field {name:?}"
            ))));
        };
        self.message = match field.is_list() || field.is_map() {
            true if !for_reading => None,
            _ => field.map_value().as_ref().unwrap_or(&field).message_type(),
        };
        Ok(self.before.insert(field))
    }
}

//! Reads the paths of a field mask into a tree of the fields that they select.

use tobu::{Error, FieldDescriptor, MessageDescriptor, Pool, Result};

/// What the paths select of a field or of a message.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    Whole,
    /// The selected fields, each with its number and with what is selected inside the field. An extension also has its
    /// descriptor.
    Fields(Vec<(u32, Option<FieldDescriptor>, Wanted)>),
}

/// Returns the name that paths use for a field: the proto name, or `[full.name]` for an extension.
pub(crate) fn step(field: &FieldDescriptor) -> String {
    match field.is_extension() {
        true => format!("[{}]", field.full_name()),
        false => field.name().to_owned(),
    }
}

impl Wanted {
    /// Reads the paths of a field mask.
    ///
    /// # Errors
    /// A path does not name a field, or leads through a field that does not contain messages.
    pub(crate) fn new(message: &MessageDescriptor, paths: &[String], pool: &Pool) -> Result<Wanted> {
        let mut all = Wanted::Fields(Vec::new());
        for path in paths {
            all.add(message, path, pool).map_err(|error| error.in_message(message.full_name()))?;
        }
        Ok(all)
    }

    fn add(&mut self, message: &MessageDescriptor, path: &str, pool: &Pool) -> Result<()> {
        let (mut wanted, mut within, mut rest) = (self, Some(message.clone()), path);
        loop {
            let (name, is_extension, after) =
                match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
                    Some((name, after)) => (name, true, after),
                    None => {
                        let end = rest.find('.').unwrap_or(rest.len());
                        (&rest[..end], false, &rest[end..])
                    }
                };
            let Some(message) = within else {
                return Err(Error::schema(format!(
                    "the path {path:?} goes into a field that holds no messages"
                )));
            };
            let found = match is_extension {
                true => pool
                    .extension(name)
                    .filter(|found| found.extendee() == message)
                    .map(|found| found.field().clone()),
                false => message.field_by_name(name).or_else(|| message.field_by_json_name(name)),
            };
            let Some(field) = found else {
                let (what, within) = (if is_extension { "extension" } else { "field" }, message.full_name());
                return Err(Error::schema(format!("the path {path:?}: {within} has no {what} {name:?}")));
            };
            let Wanted::Fields(fields) = wanted else {
                // An earlier path already selects the whole message.
                return Ok(());
            };
            let at = match fields.iter().position(|(number, ..)| *number == field.number()) {
                Some(at) => at,
                None => {
                    let extension = is_extension.then(|| field.clone());
                    fields.push((field.number(), extension, Wanted::Fields(Vec::new())));
                    fields.len() - 1
                }
            };
            wanted = &mut fields[at].2;
            within = match field.map_value() {
                Some(value) => value.message_type(),
                None => field.message_type(),
            };
            rest = match after.strip_prefix('.') {
                Some(after) => after,
                None if after.is_empty() => break,
                None => {
                    return Err(Error::schema(format!("the path {path:?} has no dot between two fields")));
                }
            };
        }
        *wanted = Wanted::Whole;
        Ok(())
    }

    /// Returns what the paths select in some fields of the message: those for which `is_wanted` returns true.
    pub(crate) fn only(
        &self,
        message: &MessageDescriptor,
        is_wanted: impl Fn(&FieldDescriptor) -> bool,
    ) -> Wanted {
        let mut fields = Vec::new();
        for field in message.fields().filter(&is_wanted) {
            if let Some(wanted) = self.find(field.number()) {
                fields.push((field.number(), None, wanted.clone()));
            }
        }
        for (extension, wanted) in self.extensions() {
            if is_wanted(&extension) {
                fields.push((extension.number(), Some(extension), wanted.clone()));
            }
        }
        Wanted::Fields(fields)
    }

    /// Returns what the paths select of the field with this number, or `None` if they do not select the field. The field is not
    /// an extension.
    pub(crate) fn find(&self, number: u32) -> Option<&Wanted> {
        match self {
            Wanted::Whole => Some(&Wanted::Whole),
            Wanted::Fields(fields) => {
                fields.iter().find(|(found, ..)| *found == number).map(|(.., inside)| inside)
            }
        }
    }

    /// Returns the selected extensions, each with what is selected inside.
    pub(crate) fn extensions(&self) -> Vec<(FieldDescriptor, &Wanted)> {
        match self {
            Wanted::Whole => Vec::new(),
            Wanted::Fields(fields) => fields
                .iter()
                .filter_map(|(_, extension, inside)| Some((extension.clone()?, inside)))
                .collect(),
        }
    }
}

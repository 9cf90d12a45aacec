//! Parses paths to fields, such as `resource_spans[].scope_spans[].spans[].name`.

use crate::descriptor::{ExtensionDescriptor, FieldDescriptor, MessageDescriptor, Pool};
use crate::error::{Error, Result};

/// The largest number of fields in a path, because by default no deeper message can be read.
const MOST_STEPS: usize = 100;

/// One step of a path: a field by its name, or an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step<'p> {
    pub(super) name: &'p str,
    pub(super) is_extension: bool,
    /// True if the step is written with `[]`: the path goes on in each element or entry.
    pub(super) is_repeated: bool,
}

/// Returns the steps of a path. The path of the message itself is empty and has no steps.
///
/// # Errors
/// The text is not a path.
pub(super) fn steps(path: &str) -> Result<Vec<Step<'_>>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let (name, is_extension, after) = match rest.strip_prefix('[') {
            Some(inside) => match inside.split_once(']') {
                Some((name, after)) => (name, true, after),
                None => return Err(bad(path, "has a bracket that is not closed")),
            },
            None => {
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                (&rest[..end], false, &rest[end..])
            }
        };
        if name.is_empty() {
            return Err(bad(path, "has a step without a name"));
        }
        let (is_repeated, after) = match after.strip_prefix("[]") {
            Some(after) => (true, after),
            None => (false, after),
        };
        steps.push(Step { name, is_extension, is_repeated });
        if steps.len() > MOST_STEPS {
            return Err(bad(path, "goes through more than 100 fields"));
        }
        rest = match after.strip_prefix('.') {
            Some("") => return Err(bad(path, "has a step without a name")),
            Some(after) => after,
            None if after.is_empty() => "",
            None => return Err(bad(path, "has no dot between two steps")),
        };
    }
    Ok(steps)
}

#[cold]
fn bad(path: &str, what: &str) -> Error {
    Error::schema(format!("the path {path:?} {what}"))
}

/// A field on a path.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) field: FieldDescriptor,
    pub(super) extension: Option<ExtensionDescriptor>,
}

/// Returns the fields that a path leads through.
///
/// # Errors
/// The text is not a path, or names no fields of the message, or a repeated field is written without `[]`, or a
/// singular field with `[]`.
pub(super) fn fields(message: &MessageDescriptor, path: &str, pool: &Pool) -> Result<Vec<Found>> {
    let mut found: Vec<Found> = Vec::new();
    let mut within = Some(message.clone());
    for step in steps(path)? {
        let Some(message) = within else {
            let field = found.last().map_or("", |found| found.field.full_name());
            return Err(bad(path, &format!("goes into {field}, which holds no messages")));
        };
        let (field, extension) = match step.is_extension {
            false => {
                let by_name =
                    message.field_by_name(step.name).or_else(|| message.field_by_json_name(step.name));
                (by_name, None)
            }
            true => {
                let extension = pool.extension(step.name).filter(|found| found.extendee() == message);
                (extension.as_ref().map(|found| found.field().clone()), extension)
            }
        };
        let Some(field) = field else {
            let (what, within) = (if step.is_extension { "extension" } else { "field" }, message.full_name());
            return Err(Error::schema(format!("the path {path:?}: {within} has no {what} {:?}", step.name)));
        };
        if step.is_repeated != (field.is_list() || field.is_map()) {
            let (name, is) = (field.full_name(), if step.is_repeated { "not " } else { "" });
            let write = if step.is_repeated { "without" } else { "with" };
            let message =
                format!("the path {path:?}: {name} is {is}repeated, and must be written {write} \"[]\"");
            return Err(Error::schema(message));
        }
        within = field.message_type();
        found.push(Found { field, extension });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_what_is_none() {
        let step = |name: &'static str, is_extension, is_repeated| Step { name, is_extension, is_repeated };
        assert_eq!(steps("").unwrap(), []);
        assert_eq!(steps("a").unwrap(), [step("a", false, false)]);
        let three = [step("a", false, true), step("p.x", true, true), step("b", false, false)];
        assert_eq!(steps("a[].[p.x][].b").unwrap(), three);
        let rows = [
            (".", "has a step without a name"),
            ("a.", "has a step without a name"),
            ("a..b", "has a step without a name"),
            ("[].a", "has a step without a name"),
            ("[a", "has a bracket that is not closed"),
            ("a[0]", "has no dot between two steps"),
            ("a[]b", "has no dot between two steps"),
            ("[a]b", "has no dot between two steps"),
            (&"a.".repeat(101), "goes through more than 100 fields"),
        ];
        for (path, what) in rows {
            assert_eq!(steps(path).unwrap_err().to_string(), format!("the path {path:?} {what}"));
        }
    }
}

//! Finds breaking changes between two versions of a schema, by the rules that buf publishes.
//!
//! [`compare`](super::compare) describes what happens to messages between one writer and one reader. This module
//! judges changes of `.proto` files for a team that has promised its users a stable schema. There are separate rules
//! for generated code, JSON and the wire format.
//!
//! Specification: <https://buf.build/docs/breaking/rules>.

mod members;
mod schema;
mod types;

use std::fmt;

use super::FileDescriptor;
use schema::Schema;

/// The use of a schema that a change must not break, from the strictest rules to the most lenient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compatibility {
    /// Code that was generated from each file. Therefore a type must not move to another file.
    File,
    /// Code that was generated from each package. Therefore a type may move to another file of its package.
    Package,
    /// Messages in the wire format and in JSON.
    WireJson,
    /// Messages in the wire format.
    Wire,
}

/// A change that breaks users of the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakingChange {
    rule: &'static str,
    file: String,
    path: String,
    message: String,
}

impl BreakingChange {
    /// Returns the name of the rule in buf's spelling: `FIELD_SAME_TYPE`.
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    /// Returns the name of the file. If a file or an element of a package was deleted, this is a file of the previous version.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the full name of the element that changed or was deleted; for a value of an enum, the name of the enum. The name
    /// is empty for a file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Describes the change.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for BreakingChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.path.is_empty() { &self.file } else { &self.path };
        write!(f, "{name}: {} ({})", self.message, self.rule)
    }
}

/// Finds the changes from the `previous` to the `current` files that break users of the schema.
///
/// Pass the files that you promised to keep stable, without files that they only import. The changes are sorted by
/// the name of the file, then of the element, then of the rule. Apart from the sorting, the time is linear in the
/// size of the files.
///
/// ```
/// use tobu_schema::descriptor::{Compatibility, breaking_changes};
/// use tobu_schema::source::Compiler;
///
/// let version = |fields: &str| {
///     let source = format!("syntax = \"proto3\"; package library.v1; message Book {{ {fields} }}");
///     let compiled = Compiler::new().source("book.proto", source).compile(&["book.proto"])?;
///     Ok::<_, tobu_schema::source::Diagnostics>(compiled.pool().files().collect::<Vec<_>>())
/// };
/// let previous = version("string title = 1; int32 pages = 2;")?;
/// let current = version("string name = 1; reserved 2;")?;
///
/// let changes = breaking_changes(&previous, &current, Compatibility::Wire);
/// assert!(changes.is_empty(), "the number of the deleted field is reserved");
///
/// let changes = breaking_changes(&previous, &current, Compatibility::WireJson);
/// let texts: Vec<_> = changes.iter().map(|change| change.to_string()).collect();
/// assert_eq!(texts, [
///     "library.v1.Book.name: was named title (FIELD_SAME_NAME)",
///     "library.v1.Book.name: its JSON name was title, and is name now (FIELD_SAME_JSON_NAME)",
///     "library.v1.Book.pages: was deleted, and its name is not reserved (FIELD_NO_DELETE_UNLESS_NAME_RESERVED)",
/// ]);
/// # Ok::<(), tobu_schema::source::Diagnostics>(())
/// ```
pub fn breaking_changes(
    previous: &[FileDescriptor],
    current: &[FileDescriptor],
    compatibility: Compatibility,
) -> Vec<BreakingChange> {
    let mut check = Check {
        level: compatibility,
        previous: Schema::new(previous),
        current: Schema::new(current),
        found: Vec::new(),
    };
    check.declarations();
    check.members();
    let mut found = check.found;
    found.sort_by(|a, b| (&a.file, &a.path).cmp(&(&b.file, &b.path)));
    found
}

/// A rule: its name, and the uses of a schema that it protects, as a set of bits.
#[derive(Clone, Copy)]
struct Rule(&'static str, u8);

const FILE: u8 = 1;
const PACKAGE: u8 = 2;
const WIRE_JSON: u8 = 4;
const WIRE: u8 = 8;
const CODE: u8 = FILE | PACKAGE;
const NAMES: u8 = CODE | WIRE_JSON;
const ALL: u8 = NAMES | WIRE;
const FORMATS: u8 = WIRE_JSON | WIRE;

/// Two versions of a schema under comparison.
struct Check {
    level: Compatibility,
    previous: Schema,
    current: Schema,
    found: Vec<BreakingChange>,
}

impl Check {
    fn is_on(&self, rule: Rule) -> bool {
        let bit = match self.level {
            Compatibility::File => FILE,
            Compatibility::Package => PACKAGE,
            Compatibility::WireJson => WIRE_JSON,
            Compatibility::Wire => WIRE,
        };
        rule.1 & bit != 0
    }

    /// Records a change, if its rule protects the chosen use of the schema.
    fn add(&mut self, rule: Rule, file: &FileDescriptor, path: &str, message: fmt::Arguments<'_>) {
        if self.is_on(rule) {
            self.found.push(BreakingChange {
                rule: rule.0,
                file: file.name().to_owned(),
                path: path.to_owned(),
                message: message.to_string(),
            });
        }
    }

    /// Records a change of a property, if its values differ.
    fn changed<T: PartialEq + fmt::Display>(
        &mut self,
        rule: Rule,
        (file, path): (&FileDescriptor, &str),
        property: &str,
        (before, now): (T, T),
    ) {
        if before != now {
            self.add(rule, file, path, format_args!("its {property} was {before}, and is {now} now"));
        }
    }
}

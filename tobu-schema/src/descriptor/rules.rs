//! Checks the rules for sources: those that a schema selects by its features (names, limits and visibility), and those for
//! options and extension declarations.
//!
//! Linking does not check these rules, because they apply only to source files. `protoc` removes the features from descriptors
//! that are embedded in code, so such a descriptor no longer shows that a file turned a rule off.

mod declarations;
mod elements;
mod naming;
mod options;

use std::fmt;

use super::handle::numbered;
use super::link::error_at;
use super::names::printable;
use super::tables::{FileTables, Item, Span};
use super::{EnforceNamingStyle, EnforceProtoLimits, FileDescriptor, Pool};
use crate::error::Error;

/// The limits of `PROTO_LIMITS2026`.
const FIELDS_OF_A_MESSAGE: usize = 1_500;
const ONEOFS_OF_A_MESSAGE: usize = 1_000;
const FIELDS_OF_A_ONEOF: usize = 1_200;
const VALUES_OF_AN_ENUM: usize = 1_700;

/// The errors and warnings that a compiler would report about a file in which all names are resolved.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Findings {
    /// The rules that the file breaks. A compiler rejects the file because of them.
    pub errors: Vec<Error>,
    /// Problems that a compiler reports as warnings.
    pub warnings: Vec<Error>,
}

impl FileDescriptor {
    /// Returns the rules that the file breaks. These are the rules that the file selects by its features or edition
    /// (naming style, visibility of messages and enums, number of members), and the rules for its options, as far as
    /// the file alone shows them. Each error names the file, the element and the rule.
    ///
    /// Use this for descriptors that were just compiled from source. Descriptors that `protoc` has embedded into code
    /// lack the features, so this function would also report rules that the file turned off.
    ///
    /// ```
    /// // edition = "2024"; message pair {}
    /// let mut pool = tobu::Pool::new();
    /// let file = pool.add_file(b"\x0a\x07a.proto\x22\x06\x0a\x04pair\x62\x08editions\x70\xe9\x07")?;
    /// assert_eq!(
    ///     file.broken_rules()[0].to_string(),
    ///     "a.proto: pair: a message name should begin with a capital letter \
    ///      (features.enforce_naming_style = STYLE_LEGACY opts out of this rule)"
    /// );
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn broken_rules(&self) -> Vec<Error> {
        self.findings(&Pool::new(), &Pool::new()).errors
    }

    /// Returns the [broken rules](Self::broken_rules), and the warnings of a compiler. `pool` contains the file. The
    /// options messages come from `google/protobuf/descriptor.proto` in `pool` or, if it is not there, from `base`.
    ///
    /// ```
    /// // syntax = "proto3"; message M { reserved "a b"; }
    /// let mut pool = tobu::Pool::new();
    /// let file = pool.add_file(b"\x0a\x07a.proto\x22\x08\x0a\x01M\x52\x03a b\x62\x06proto3")?;
    /// let findings = file.findings(&pool, &tobu::Pool::new());
    /// assert!(findings.errors.is_empty());
    /// assert_eq!(findings.warnings[0].to_string(), "a.proto: M: reserved name \"a b\" is not an identifier");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn findings(&self, pool: &Pool, base: &Pool) -> Findings {
        let mut broken = Broken { tables: self.tables(), pool, base, findings: Findings::default() };
        broken.imports();
        broken.fields();
        broken.features();
        broken.enums();
        broken.json_names();
        broken.reserved_names();
        broken.declarations();
        broken.options();
        broken.naming();
        broken.limits();
        broken.visibility();
        broken.findings
    }
}

/// The errors and warnings that were found in a file so far.
struct Broken<'f> {
    tables: &'f FileTables,
    pool: &'f Pool,
    /// A pool with `descriptor.proto`, for the case that `pool` does not contain this file.
    base: &'f Pool,
    findings: Findings,
}

impl Broken<'_> {
    fn add(&mut self, item: Item, text: impl fmt::Display) {
        self.findings.errors.push(error_at(self.tables.name(), Some(self.tables.full_name(item)), text));
    }

    fn warn(&mut self, item: Item, text: impl fmt::Display) {
        self.findings.warnings.push(error_at(self.tables.name(), Some(self.tables.full_name(item)), text));
    }

    /// Reports an error about the file as a whole.
    fn add_to_file(&mut self, text: impl fmt::Display) {
        self.findings.errors.push(error_at(self.tables.name(), None, text));
    }

    /// Returns the item for a field or an extension of the file.
    fn field_item(&self, i: u32) -> Item {
        if self.tables.fields[i as usize].is_extension { Item::Extension(i) } else { Item::Field(i) }
    }

    fn limits(&mut self) {
        let tables = self.tables;
        let is_limited = |limits| limits == EnforceProtoLimits::ProtoLimits2026;
        for (message, i) in numbered(&tables.messages) {
            if is_limited(message.features.enforce_proto_limits) {
                self.limit(
                    Item::Message(i),
                    "a message",
                    "fields",
                    message.fields.len(),
                    FIELDS_OF_A_MESSAGE,
                );
                let oneofs = message.real_oneofs as usize;
                self.limit(Item::Message(i), "a message", "oneofs", oneofs, ONEOFS_OF_A_MESSAGE);
            }
        }
        for (oneof, i) in numbered(&tables.oneofs) {
            if is_limited(oneof.features.enforce_proto_limits) {
                self.limit(Item::Oneof(i), "a oneof", "fields", oneof.fields.len(), FIELDS_OF_A_ONEOF);
            }
        }
        for (enumeration, i) in numbered(&tables.enums) {
            if is_limited(enumeration.features.enforce_proto_limits) {
                self.limit(Item::Enum(i), "an enum", "values", enumeration.values.len(), VALUES_OF_AN_ENUM);
            }
        }
    }

    fn limit(&mut self, item: Item, what: &str, members: &str, count: usize, most: usize) {
        if count > most {
            self.add(
                item,
                format_args!(
                    "{what} should have no more than {most} {members}, and this one has {count} \
                     (features.enforce_proto_limits = LEGACY_NO_EXPLICIT_LIMITS opts out of this rule)"
                ),
            );
        }
    }
}

//! Options for writing and reading messages in the text format.

use crate::descriptor::Pool;
use crate::limits::Limits;
use crate::syntax::text::print::Layout;

/// Options for writing and reading messages in the text format.
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) limits: Limits,
    pub(crate) partial: bool,
    pub(crate) one_line: bool,
    pub(crate) indent: usize,
    pub(crate) expand_any: bool,
    pub(crate) unknown_fields: bool,
    pub(crate) enums_as_integers: bool,
    pub(crate) ignore_unknown: bool,
    pub(crate) redact: bool,
    /// True if messages beyond the depth limit are omitted instead of reported as an error.
    pub(crate) cuts: bool,
    pub(crate) pool: Option<Pool>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            limits: Limits::default(),
            partial: false,
            one_line: false,
            indent: 2,
            expand_any: true,
            unknown_fields: false,
            enums_as_integers: false,
            ignore_unknown: false,
            redact: false,
            cuts: false,
            pool: None,
        }
    }
}

impl Options {
    /// Returns the default settings: one field per line, indented by two spaces, [`Limits::default`], no unknown fields
    /// in the output, and an error for unknown fields in the input.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes all fields on one line.
    #[must_use]
    pub fn one_line(mut self, yes: bool) -> Self {
        self.one_line = yes;
        self
    }

    /// Sets by how many spaces the fields of a message are indented. The default is 2.
    #[must_use]
    pub fn indent(mut self, spaces: usize) -> Self {
        self.indent = spaces;
        self
    }

    /// Writes an `Any` as `[url] { ... }`, with the fields of the message in the `Any`, if the pool knows the type of
    /// this message. This is on by default. Readers accept both forms.
    #[must_use]
    pub fn expand_any(mut self, yes: bool) -> Self {
        self.expand_any = yes;
        self
    }

    /// Writes unknown fields under their numbers. When reading, accepts a number as the name of a field: if the schema
    /// has a field with this number, sets this field, and otherwise adds an unknown field.
    ///
    /// The text does not distinguish a message from a group, nor from a string that looks like a message, so parsing the text
    /// may not restore the fields.
    #[must_use]
    pub fn unknown_fields(mut self, yes: bool) -> Self {
        self.unknown_fields = yes;
        self
    }

    /// Writes enum values as numbers instead of names. Readers accept both forms.
    #[must_use]
    pub fn enums_as_integers(mut self, yes: bool) -> Self {
        self.enums_as_integers = yes;
        self
    }

    /// Skips fields and extensions that the schema does not have, and enum values with unknown names.
    #[must_use]
    pub fn ignore_unknown(mut self, yes: bool) -> Self {
        self.ignore_unknown = yes;
        self
    }

    /// Writes `[REDACTED]` instead of each value whose field has the option `debug_redact`. Such text is for people,
    /// and cannot be parsed.
    #[must_use]
    pub fn redact(mut self, yes: bool) -> Self {
        self.redact = yes;
        self
    }

    /// Allows required fields to be missing.
    #[must_use]
    pub fn partial(mut self, yes: bool) -> Self {
        self.partial = yes;
        self
    }

    /// Sets the pool in which the types of `Any` and extensions are looked up. The default is [`Pool::global`].
    #[must_use]
    pub fn pool(mut self, pool: &Pool) -> Self {
        self.pool = Some(pool.clone());
        self
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    pub(crate) fn layout(&self) -> Layout {
        match self.one_line {
            true => Layout::OneLine,
            false => Layout::Lines { indent: self.indent },
        }
    }
}

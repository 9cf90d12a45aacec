//! Options for writing and reading messages as JSON.

use crate::descriptor::Pool;
use crate::limits::Limits;

/// Options for writing and reading messages as JSON. The default is canonical ProtoJSON.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub(crate) limits: Limits,
    pub(crate) partial: bool,
    pub(crate) deterministic: bool,
    pub(crate) emit_defaults: bool,
    pub(crate) emit_nulls: bool,
    pub(crate) proto_field_names: bool,
    pub(crate) enums_as_integers: bool,
    pub(crate) int64_as_numbers: bool,
    pub(crate) ignore_unknown: bool,
    pub(crate) pretty: bool,
    pub(crate) pool: Option<Pool>,
}

impl Options {
    /// Returns the default settings: canonical ProtoJSON on one line, [`Limits::default`], and an error for unknown
    /// members.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes fields without presence even if they have their default value: zero, or an empty string, list or map.
    #[must_use]
    pub fn emit_defaults(mut self, yes: bool) -> Self {
        self.emit_defaults = yes;
        self
    }

    /// Also writes `null` for unset messages outside of oneofs, if [`emit_defaults`](Self::emit_defaults) is on. The
    /// option `EmitUnpopulated` of Go turns on both.
    #[must_use]
    pub fn emit_nulls(mut self, yes: bool) -> Self {
        self.emit_nulls = yes;
        self
    }

    /// Writes fields under their names in the schema, `like_this` instead of `likeThis`. Readers accept both names.
    #[must_use]
    pub fn proto_field_names(mut self, yes: bool) -> Self {
        self.proto_field_names = yes;
        self
    }

    /// Writes enum values as numbers instead of names. Readers accept both forms.
    #[must_use]
    pub fn enums_as_integers(mut self, yes: bool) -> Self {
        self.enums_as_integers = yes;
        self
    }

    /// Writes integers of 64 bits as numbers instead of strings. A reader that stores numbers as doubles rounds large
    /// numbers.
    #[must_use]
    pub fn int64_as_numbers(mut self, yes: bool) -> Self {
        self.int64_as_numbers = yes;
        self
    }

    /// Skips members that the schema does not have, and enum values with unknown names.
    #[must_use]
    pub fn ignore_unknown(mut self, yes: bool) -> Self {
        self.ignore_unknown = yes;
        self
    }

    /// Writes each member and each element on its own line, indented by two spaces.
    #[must_use]
    pub fn pretty(mut self, yes: bool) -> Self {
        self.pretty = yes;
        self
    }

    /// Writes map entries in the order of their keys, so that equal messages give equal text.
    #[must_use]
    pub fn deterministic(mut self, yes: bool) -> Self {
        self.deterministic = yes;
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
}

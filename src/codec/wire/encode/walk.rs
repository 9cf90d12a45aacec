//! The walk over a message.

use crate::error::Error;
use crate::table::{Steps, Table};

/// How a message is encoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) max_depth: u32,
    /// Map entries in the order of their keys.
    pub(crate) deterministic: bool,
    /// Required fields may be missing.
    pub(crate) partial: bool,
}

/// A message type, with how it is encoded.
#[derive(Clone, Copy)]
pub(super) struct Type<'t> {
    pub(super) table: &'t Table,
    pub(super) steps: &'t Steps,
}

impl<'t> Type<'t> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of(table: &'t Table) -> Self {
        Type { table, steps: table.steps() }
    }
}

/// The walk over a message and all in it.
pub(super) struct Walk<O> {
    pub(super) out: O,
    pub(super) settings: Settings,
    /// How many levels of messages may still be opened.
    pub(super) depth: u32,
    pub(super) error: Option<Error>,
}

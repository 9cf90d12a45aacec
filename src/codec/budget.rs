//! Counts how many levels of nesting and how much memory the parser of an input may still use.

use crate::error::{Error, LimitError, Result};
use crate::limits::Limits;
use crate::table::{Row, Table};

/// The levels of nesting and the memory that remain for the message that is being parsed.
pub(super) struct ParseBudget {
    limits: Limits,
    /// The number of further levels of messages that the parser may enter.
    depth: u32,
    /// The number of bytes of memory that the message may still take.
    memory: u64,
    max_memory: u64,
}

impl ParseBudget {
    /// Creates the budget for an input of `size` bytes.
    ///
    /// # Errors
    /// The input is longer than the limit.
    pub(super) fn new(limits: Limits, size: u64) -> Result<Self> {
        let limit = limits.max_input();
        if size > limit {
            return Err(Error::limit(LimitError::Input { size, limit }));
        }
        let memory = limits.max_memory(size);
        Ok(ParseBudget { limits, depth: limits.max_depth(), memory, max_memory: memory })
    }

    #[inline]
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    #[inline]
    pub(super) fn memory(&self) -> u64 {
        self.memory
    }

    /// Enters a message: takes one level of nesting and the memory of the message's struct.
    ///
    /// # Errors
    /// No level or not enough memory remains.
    #[inline]
    pub(super) fn enter(&mut self, table: &Table) -> Result<()> {
        if self.depth == 0 {
            return Err(self.too_deep());
        }
        self.take(u64::from(table.size))?;
        self.depth -= 1;
        Ok(())
    }

    /// Enters a message that already exists, and takes only one level of nesting.
    ///
    /// # Errors
    /// No level remains.
    pub(super) fn enter_again(&mut self) -> Result<()> {
        if self.depth == 0 {
            return Err(self.too_deep());
        }
        self.depth -= 1;
        Ok(())
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.depth += 1;
    }

    /// Enters an entry of a map whose values have the row `value`. If the values are messages, the entry takes one level of
    /// nesting. If no level remains, this does not fail, but entering the message does.
    #[inline]
    pub(super) fn enter_entry(&mut self, value: &Row) {
        self.depth = self.depth.saturating_sub(u32::from(value.is_message()));
    }

    #[inline]
    pub(super) fn leave_entry(&mut self, value: &Row) {
        self.depth += u32::from(value.is_message());
    }

    /// Takes memory for something that the input creates.
    ///
    /// # Errors
    /// Not enough memory remains.
    #[inline]
    pub(super) fn take(&mut self, bytes: u64) -> Result<()> {
        match self.memory.checked_sub(bytes) {
            Some(left) => {
                self.memory = left;
                Ok(())
            }
            None => Err(self.too_large()),
        }
    }

    #[cold]
    pub(super) fn too_deep(&self) -> Error {
        Error::limit(LimitError::Depth(self.limits.max_depth()))
    }

    #[cold]
    fn too_large(&self) -> Error {
        Error::limit(LimitError::Memory(self.max_memory))
    }
}

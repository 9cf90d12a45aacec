//! A message of an arena into any `T: Deserialize`.
//!
//! The message is decoded completely before values are passed to visitors: occurrences of a field are merged, maps
//! have each key once. So types with serde's own derive see each member once. Strings and bytes borrow from the input.

mod absent;
mod collect;
mod identifier;
mod message;
mod oneof;
mod value;

pub(crate) use message::MessageDeserializer;

use crate::error::{Error, LimitError, Result};
use crate::limits::Limits;
use std::cell::Cell;

/// Bytes that structs with serde's derive may take while messages inside them are read.
///
/// Such a struct is on the stack, member by member, until it is complete, and in several copies. A hundred levels of
/// a large one would need more than the two megabytes of a thread.
const STACK: u32 = 256 << 10;

/// What all values of an input share.
pub(crate) struct Budget {
    /// The bytes that results may still take.
    pub(crate) memory: Cell<u64>,
    pub(crate) limits: Limits,
}

impl Budget {
    /// Takes memory for a value.
    ///
    /// # Errors
    /// Not enough is left.
    #[inline]
    fn take(&self, bytes: usize) -> Result<()> {
        match self.memory.get().checked_sub(bytes as u64) {
            Some(left) => {
                self.memory.set(left);
                Ok(())
            }
            None => Err(self.exceeded()),
        }
    }

    #[cold]
    fn exceeded(&self) -> Error {
        Error::limit(LimitError::Memory(self.limits.max_memory(0)))
    }
}

/// What messages inside may take: in one word, which is copied for every value.
#[derive(Clone, Copy)]
pub(crate) struct Left(u64);

impl Left {
    /// That many levels of messages, and all of the stack.
    pub(crate) fn new(depth: u32) -> Self {
        Left(u64::from(depth) << 32 | u64::from(STACK))
    }

    /// Levels of messages that may still be opened.
    #[inline]
    fn depth(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// What is left in the entry of a map, which is a level of its own.
    #[inline]
    fn in_entry(self) -> Left {
        if self.depth() == 0 { self } else { Left(self.0 - (1 << 32)) }
    }

    /// What is left in a message whose struct has that size.
    ///
    /// # Errors
    /// There is no level left, or not enough of the stack.
    #[inline]
    fn inside(self, struct_size: u32, budget: &Budget) -> Result<Left> {
        if self.depth() == 0 {
            return Err(Error::limit(LimitError::Depth(budget.limits.max_depth())));
        }
        if (self.0 as u32) < struct_size {
            return Err(Error::limit(LimitError::Stack(STACK)));
        }
        Ok(Left(self.0 - (1 << 32 | u64::from(struct_size))))
    }
}

/// The capacity of a collection that starts with four elements, and doubles when it is full.
#[derive(Clone, Copy, Default)]
struct Room(usize);

impl Room {
    /// Takes memory for an element of `bytes` bytes, after `len` others.
    ///
    /// # Errors
    /// Not enough is left.
    #[inline]
    fn take(&mut self, budget: &Budget, len: usize, bytes: usize) -> Result<()> {
        if len < self.0 {
            return Ok(());
        }
        let more = self.0.max(4);
        self.0 += more;
        budget.take(more.saturating_mul(bytes))
    }
}

/// Forwards methods of `serde::Deserializer` to other methods of it; their arguments other than the visitor are
/// ignored.
macro_rules! forward {
    ($to:ident: $($method:ident $(($($ignored:ty),*))?)*) => {
        $(
            fn $method<V: serde::de::Visitor<'de>>(self, $($(_: $ignored,)*)? visitor: V) -> Result<V::Value> {
                self.$to(visitor)
            }
        )*
    };
}
use forward;

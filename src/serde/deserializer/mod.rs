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
use std::cell::Cell;

/// Bytes that structs with serde's derive may take while messages inside them are read.
///
/// Such a struct is on the stack, member by member, until it is complete, and in several copies. A hundred levels of
/// a large one would need more than the two megabytes of a thread.
pub(crate) const STACK: u32 = 256 << 10;

/// The remaining budget.
#[derive(Debug)]
pub(crate) struct Budget {
    /// The bytes that results may still take.
    pub(crate) memory: Cell<u64>,
    pub(crate) max_memory: u64,
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
            None => Err(Error::limit(LimitError::Memory(self.max_memory))),
        }
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

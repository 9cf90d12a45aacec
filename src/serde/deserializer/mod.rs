//! Deserializes a message of an arena into any `T: Deserialize`.
//!
//! The message is decoded completely before visitors receive values: occurrences of a field are merged, and each key
//! of a map occurs once. So types with serde's own derive see each member once. Strings and bytes borrow from the
//! input.

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

/// The largest total size, in bytes, of the structs with serde's derive that are being read, one inside another.
///
/// Serde's derive keeps a struct on the stack, in several copies, until the struct is complete. A hundred levels of a
/// large struct would need more than the two megabytes of stack that a thread has.
const STACK: u32 = 256 << 10;

/// The state that all values of an input share.
pub(crate) struct Budget {
    /// How many more bytes the results may take.
    pub(crate) memory: Cell<u64>,
    pub(crate) limits: Limits,
}

impl Budget {
    /// Charges memory for a value.
    ///
    /// # Errors
    /// Not enough memory remains.
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

/// The limits for messages inside a message: how many more levels may be opened, and how much stack remains. Both are
/// packed into 64 bits, because the limits are copied for every value.
#[derive(Clone, Copy)]
pub(crate) struct NestingLimits(u64);

impl NestingLimits {
    /// Returns the limits at the start: `depth` levels of messages, and the whole stack.
    pub(crate) fn new(depth: u32) -> Self {
        NestingLimits(u64::from(depth) << 32 | u64::from(STACK))
    }

    #[inline]
    fn depth(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Returns the limits in a map entry, which is also a level of nesting.
    #[inline]
    fn in_entry(self) -> NestingLimits {
        if self.depth() == 0 { self } else { NestingLimits(self.0 - (1 << 32)) }
    }

    /// Returns the limits in a message whose struct has this size.
    ///
    /// # Errors
    /// No level remains, or not enough stack.
    #[inline]
    fn inside(self, struct_size: u32, budget: &Budget) -> Result<NestingLimits> {
        if self.depth() == 0 {
            return Err(Error::limit(LimitError::Depth(budget.limits.max_depth())));
        }
        if (self.0 as u32) < struct_size {
            return Err(Error::limit(LimitError::Stack(STACK)));
        }
        Ok(NestingLimits(self.0 - (1 << 32 | u64::from(struct_size))))
    }
}

/// The capacity of a collection that starts with four elements, and doubles when it is full.
#[derive(Clone, Copy, Default)]
struct CapacityCharge(usize);

impl CapacityCharge {
    /// Charges memory for an element of `bytes` bytes, if `len` elements came before.
    ///
    /// # Errors
    /// Not enough memory remains.
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

/// Forwards methods of `serde::Deserializer` to other methods of this trait, with the visitor as the only argument.
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

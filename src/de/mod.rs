//! Serde's data model read from a format, guided by a plan.
//!
//! One walk for every format: which member takes a field, how lists, maps and oneofs are delivered, what is missing
//! and what is kept, is decided here; a [`source::Source`] knows bytes and syntax only. Layer 3: names `plan`; the wire source
//! is the first.

mod absent;
mod key;
mod list;
mod map;
mod message;
mod oneof;
mod source;
mod value;
mod wire;

pub(crate) use message::MessageDeserializer;
pub(crate) use wire::Wire;

use crate::error::{Error, LimitError, Result};
use crate::plan::{MessagePlan, PlanSet};
use source::Context;

/// What the walk carries along.
pub(crate) struct Decoder<'p, S> {
    pub(crate) source: S,
    pub(crate) set: &'p PlanSet,
    /// How many levels of messages may still be opened.
    pub(crate) depth: u32,
    pub(crate) max_depth: u32,
    /// How many bytes the structs of the message may still take.
    pub(crate) memory: u64,
    pub(crate) max_memory: u64,
    /// Bytes that structs whose reading is under way may still take on the stack.
    pub(crate) stack: u32,
    /// Required fields may be missing.
    pub(crate) partial: bool,
}

/// Bytes that structs with serde's derive may take while messages inside them are read.
///
/// Such a struct is on the stack, member by member, until it is whole, and several times over: a hundred levels of a
/// large one would need more than the two megabytes that a thread has.
pub(crate) const STACK: u32 = 256 << 10;

impl<'p, S> Decoder<'p, S> {
    #[inline]
    fn cx(&self) -> Context<'p> {
        Context { set: self.set, depth: self.depth }
    }

    /// Takes room on the stack for a struct of `bytes`, until `leave`.
    #[inline]
    fn push(&mut self, bytes: u32) -> Result<()> {
        match self.stack.checked_sub(bytes) {
            Some(left) => {
                self.stack = left;
                Ok(())
            }
            None => Err(Error::limit(LimitError::Stack(STACK))),
        }
    }

    /// Goes a level deeper, into a message that takes memory.
    #[inline]
    fn enter(&mut self, plan: &MessagePlan) -> Result<()> {
        if self.depth == 0 {
            return Err(Error::limit(LimitError::Depth(self.max_depth)));
        }
        match self.memory.checked_sub(u64::from(plan.size)) {
            Some(left) => self.memory = left,
            None => return Err(Error::limit(LimitError::Memory(self.max_memory))),
        }
        self.depth -= 1;
        Ok(())
    }

    #[inline]
    fn leave(&mut self, stack: u32) {
        self.depth += 1;
        self.stack += stack;
    }
}

/// Forwards methods of `serde::Deserializer` to others of the same.
macro_rules! forward {
    ($to:ident: $($method:ident)*) => {
        $(
            #[inline]
            fn $method<V: serde::de::Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
                self.$to(visitor)
            }
        )*
    };
}
use forward;

//! Serde's data model read from a format, guided by a plan.
//!
//! One walk for every format: which member takes a field, how lists, maps and oneofs are delivered, what is missing
//! and what is kept, is decided here; a [`source::Source`] knows bytes and syntax only. Layer 3: names `plan`; the wire source
//! is the first.

mod absent;
mod ask;
mod glance;
mod json;
mod key;
mod keys;
mod list;
mod map;
mod merged;
mod message;
mod oneof;
mod packed;
mod source;
mod told;
mod value;
mod wire;

pub(crate) use json::{Float as JsonFloat, Json, Settings as JsonSettings};
pub(crate) use keys::Keys;
pub(crate) use message::MessageDeserializer;
pub(crate) use wire::Wire;

use crate::error::{Error, LimitError, Result};
use crate::plan::{MessagePlan, PlanSet};
pub(crate) use source::{Context, Next, Source};

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
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cx(&self) -> Context<'p> {
        Context { set: self.set, depth: self.depth, unknown: false }
    }

    /// Takes room on the stack for a struct of `bytes`, until `pop`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push(&mut self, bytes: u32) -> Result<()> {
        if self.stack < bytes {
            return Err(Error::limit(LimitError::Stack(STACK)));
        }
        self.stack -= bytes;
        Ok(())
    }

    /// Goes a level deeper, into a message that takes memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enter(&mut self, plan: &MessagePlan) -> Result<()> {
        self.enter_sized(plan.size)
    }

    /// The same of a message that takes so many bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enter_sized(&mut self, size: u32) -> Result<()> {
        let size = u64::from(size);
        if self.depth == 0 || self.memory < size {
            return Err(self.limit());
        }
        self.memory -= size;
        self.depth -= 1;
        Ok(())
    }

    #[cold]
    fn limit(&self) -> Error {
        match self.depth {
            0 => Error::limit(LimitError::Depth(self.max_depth)),
            _ => Error::limit(LimitError::Memory(self.max_memory)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn leave(&mut self) {
        self.depth += 1;
    }

    /// Gives back what `push` took.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pop(&mut self, bytes: u32) {
        self.stack += bytes;
    }
}

/// Forwards methods of `serde::Deserializer` to others of the same.
macro_rules! forward {
    ($to:ident: $($method:ident)*) => {
        $(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method<V: serde::de::Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
                self.$to(visitor)
            }
        )*
    };
}
use forward;

//! Pools of messages and buffers that are used again. A server that decodes one message after the other then allocates
//! memory only for the first messages.
//!
//! [`MessagePool`] lends messages, and [`BufferPool`] lends buffers to encode to. Both have [bounds](Bounds) on the
//! number of items that they keep, and on the memory of these items. A [`Pooled`] item returns to its pool when it is
//! dropped.
//!
//! A [`tobu::Pool`](crate::Pool) is something different: a set of descriptors.
//!
//! There is no pool of messages whose type is known only at run time. A [`DynamicMessage`](crate::DynamicMessage)
//! consists of its input and one vector of words, however many strings and messages it has, so there is little to
//! reuse. A pool of [`Parsed`](crate::Parsed) messages keeps this vector.
//!
//! This module is in layer 8 (see DESIGN.md). It uses the public functions of the crate.

mod parsed;
mod pooled;
mod shelf;

pub use pooled::{BufferPool, MessagePool, Pooled, Reusable};
pub use shelf::Bounds;

//! Messages and buffers that are used again, so that a server that decodes one message after the other allocates
//! memory only for the first ones.
//!
//! [`MessagePool`] lends messages, and [`BufferPool`] lends buffers to encode to. Both have [bounds](Bounds) on the
//! number of items that they keep and on the memory of these. A [`Pooled`] item returns to its pool when it is
//! dropped.
//!
//! A [`tobu::Pool`](crate::Pool) is something different: a set of descriptors.
//!
//! There is no pool of messages whose type is known only at run time, because a
//! [`DynamicMessage`](crate::DynamicMessage) is one vector of words beside its input, however many strings and
//! messages it has, so there is little to reuse. A pool of [`Parsed`](crate::Parsed) messages keeps that vector.
//!
//! Layer 8: uses the verbs.

mod parsed;
mod pooled;
mod shelf;

pub use pooled::{BufferPool, MessagePool, Pooled, Reusable};
pub use shelf::Bounds;

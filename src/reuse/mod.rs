//! Messages and buffers that are used again, so that a server that decodes one message after the other allocates
//! memory only for the first ones.
//!
//! [`MessagePool`] lends messages, [`BufferPool`] buffers to encode to. Both are [bounded](Bounds) by how many items they
//! keep, and by the memory that these hold. A [`Pooled`] item goes back when it is dropped.
//!
//! A [`tobu::Pool`](crate::Pool) is something else: a set of descriptors.
//!
//! Messages whose type is known only at run time have no pool: a [`DynamicMessage`](crate::DynamicMessage) is one vector of
//! words beside its input, however many strings and messages are in it, so that there is little to reuse. A pool of
//! [`Parsed`](crate::Parsed) messages keeps that little.
//!
//! Layer 8: names the verbs.

mod parsed;
mod pooled;
mod shelf;

pub use pooled::{BufferPool, MessagePool, Pooled, Reusable};
pub use shelf::Bounds;

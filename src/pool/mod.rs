//! Messages and buffers that are used again, so that a server which decodes one message after the other allocates memory
//! for the first ones only.
//!
//! [`MessagePool`] lends messages, [`BufferPool`] buffers to encode to. Both are [bounded](Bounds) by how many items they
//! keep, and by the memory that these hold. A [`Pooled`] item goes back when it is dropped.
//!
//! These pools have nothing to do with [`tobu::Pool`](crate::Pool), which is a set of descriptors.
//!
//! Messages whose type is known only at run time have no pool: a [`DynamicMessage`](crate::DynamicMessage) is one vector of
//! words beside its input, however many strings and messages are in it, so that there is little to reuse.
//!
//! Layer 7: names the verbs.

mod bounds;
mod buffer;
mod growth;
mod message;
mod pooled;
mod shelf;

pub use self::bounds::Bounds;
pub use self::buffer::BufferPool;
pub use self::message::MessagePool;
pub use self::pooled::Pooled;

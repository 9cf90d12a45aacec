//! Protocol Buffers as a real serde data format, with first-class reflection.

mod error;
pub mod wire;

pub use error::{Category, Error, Position, Result, Segment};

//! Reads and writes streams of messages, as frames of gRPC and as JSON in HTTP bodies.
//!
//! This file is in layer 1 (see DESIGN.md). It uses only the module `error` of this crate.

mod encode;
mod frame;
mod lines;

pub use self::encode::{Framing, StreamEncoder};
#[cfg(feature = "tower")]
pub(crate) use self::frame::{Begun, Envelope};
pub use self::frame::{Frame, FrameDecoder, frame_header};
pub use self::lines::LineDecoder;

//! Framing of message streams: in gRPC's frames, and in HTTP bodies.
//!
//! This file is in layer 1 (see DESIGN.md), and of this crate uses only `error`.

mod encode;
mod frame;
mod lines;

pub use self::encode::{Framing, StreamEncoder};
#[cfg(feature = "tower")]
pub(crate) use self::frame::{Begun, Envelope};
pub use self::frame::{Frame, FrameDecoder, frame_header};
pub use self::lines::LineDecoder;

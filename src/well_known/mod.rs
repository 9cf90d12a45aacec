//! The texts of the well-known types that have one: timestamps, durations and field masks.
//!
//! Names no message, only numbers and strings, so that formats and types share one implementation. Layer 0.

mod calendar;
pub(crate) mod mask_text;
pub(crate) mod text;

//! Encodes and decodes the wire format.

mod decode;
mod encode;

pub(crate) use decode::{CHECK, Input, Mode, Validated, decode};
pub(crate) use encode::{encode, encoded_len};

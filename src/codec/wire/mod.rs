//! The wire format.

mod decode;
mod encode;

pub(crate) use decode::{CHECK, Input, Mode, Validated, decode, decode_inline};
pub(crate) use encode::{Settings, encode, encoded_len};

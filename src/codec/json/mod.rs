//! ProtoJSON.

mod parse;
mod print;

pub(crate) use parse::{Float, Keys, Settings as ParseSettings, Source, element_size, parse};
pub(crate) use print::{Json, print};

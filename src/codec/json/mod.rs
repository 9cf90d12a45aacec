//! ProtoJSON.

mod parse;
mod print;

pub(crate) use parse::{Float, Keys, Settings as ParseSettings, Source, parse};
pub(crate) use print::{Json, print};

//! Parses and prints ProtoJSON.

mod parse;
mod print;

pub(crate) use parse::{Settings as ParseSettings, parse};
pub(crate) use print::{print, print_wire};

//! Parses and prints the protobuf text format.

mod debug;
mod parse;
mod print;
mod required;

pub(crate) use debug::{debug, in_braces, text};
pub(crate) use parse::{Settings as ParseSettings, parse};
pub(crate) use print::{KNOWN, Known, print, print_wire};
pub(crate) use required::check;

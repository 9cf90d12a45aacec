//! ProtoJSON.

mod parse;
mod print;

pub(crate) use parse::{EntryKey, Keys, Settings as ParseSettings, parse};
pub(crate) use print::{Json, print};

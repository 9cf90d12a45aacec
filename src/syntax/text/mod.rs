//! The text format: what is read (`lex`) and what is written (`print`).

pub(crate) mod lex;
pub(crate) mod print;

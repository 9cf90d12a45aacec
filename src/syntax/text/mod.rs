//! The text format: `lex` reads tokens, and `print` writes them.

pub(crate) mod lex;
pub(crate) mod print;

pub(crate) mod lex;
pub(crate) mod print;

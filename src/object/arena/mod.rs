//! Stores messages in an arena: one vector of cells beside a shared input. A cell has four bytes. A position is the index
//! of a cell. A word is 64 bits that represent a value: a number, or the position of data in the arena or the input. A row
//! is what the table of a message knows about one field.

pub(crate) mod building;
pub(crate) mod cells;
pub(crate) mod change;
pub(crate) mod content;
pub(crate) mod copy;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod map;
pub(crate) mod object;
pub(crate) mod packed;
pub(crate) mod presence;
pub(crate) mod repeated;
pub(crate) mod required;
pub(crate) mod scan;
pub(crate) mod slots;
pub(crate) mod text;
pub(crate) mod view;
pub(crate) mod words;

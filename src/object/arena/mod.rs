//! Messages in an arena: one vector of words beside a shared input.

pub(crate) mod building;
pub(crate) mod change;
pub(crate) mod content;
pub(crate) mod copy;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod map;
pub(crate) mod object;
pub(crate) mod packed;
pub(crate) mod presence;
pub(crate) mod required;
pub(crate) mod slots;
pub(crate) mod text;
pub(crate) mod view;
pub(crate) mod words;

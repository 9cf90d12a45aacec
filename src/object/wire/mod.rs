//! Messages as wire bytes: the third storage.

pub(crate) mod sink;
pub(crate) mod sort;

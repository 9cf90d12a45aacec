//! Each library, as its documentation recommends for speed.

pub mod buffa;
pub mod prost;
pub mod tobu;

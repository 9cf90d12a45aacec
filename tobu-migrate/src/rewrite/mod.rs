//! Rewrites uses of members, with one file for each kind of use.

pub(super) mod access;
mod borrow;
mod call;
mod compare;
mod condition;
mod destructure;
mod literal;
mod read;
mod value;
mod write;

//! The rewrites, by the use of a member.

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

//! Reads and fills messages that are Rust structs.
//!
//! # Soundness
//! A [`Typed`] or [`TypedMut`] is made from a reference to a struct and from the table that was built from the shape of
//! its type. For a nested message, it is made from a row of such a table (a row describes one field), and from the
//! address of the member that the row describes. A storage says how a Rust type holds a value. An address and a storage
//! from one row belong together, as `access` requires. The lifetime of the view is the lifetime of the reference.

#![allow(unsafe_code)]

mod change;
mod errors;
mod fill;
mod list;
mod made;
mod map;
mod message;
mod presence;
mod release;
mod root;
mod store;
mod value;
mod visit;
mod walk;

pub(crate) use change::{TypedListMut, TypedMapMut, TypedSlot};
pub(crate) use errors::{mismatch, refused, unconverted, unmakable};
pub(crate) use fill::{ListFill, TypedEntry, TypedMut, proto_fill};
pub(crate) use list::{Elements, TypedList};
pub(crate) use map::{TypedMap, VisitEntries};
pub(crate) use message::{Typed, TypedField};
pub(crate) use root::{Root, RootMut, RootType, StructAddress};
pub(crate) use value::ValueTable;
pub(crate) use visit::VisitFields;

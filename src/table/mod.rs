//! The tables that codecs follow. The table of a message has one row per field, in the order of field numbers.
//!
//! A table is built once per message descriptor, or per Rust type that is bound to a descriptor, and then shared. The table of
//! a nested message is found on first use. The rows contain the presence, packing, oneofs, maps and names of the fields, so no
//! format has to derive them from the descriptors. This folder is in layer 2 (see DESIGN.md): it uses `layout` and
//! `descriptor`, and does not depend on serde or a format.

mod assemble;
mod build;
mod cached;
mod cells;
mod check;
mod clear;
mod compare;
mod enumeration;
mod form;
mod json_keys;
mod keys;
mod kind;
mod link;
mod message;
mod name_map;
mod names;
mod numbers;
mod op;
mod project;
mod projected;
mod row;
mod stated;
mod step;
mod tabled;
mod text_names;
mod utf8;

pub(crate) use build::{extension_fields, extension_table, pool_extension_table, typed_extension_table};
pub use cached::build_table;
pub(crate) use cells::{ENTRY_CELLS, MAP_CELLS, Width};
pub(crate) use clear::Clear;
pub(crate) use compare::stated_differences;
pub(crate) use enumeration::EnumTable;
pub(crate) use keys::Keys;
pub(crate) use kind::{Kind, ValueKind, WellKnown};
pub(crate) use link::{EnumLink, Link};
pub(crate) use message::{Origin, Table};
pub(crate) use name_map::same_name;
pub(crate) use names::{LastName, Names, Target};
pub(crate) use numbers::NumberTable;
pub(crate) use projected::{OmittedFields, Projected};
pub(crate) use row::{Form, Location, MapRows, OneofRow, Op, Presence, Row, Shape, Sub};
pub(crate) use step::{Inner, OneofMembers, Part, Step, Steps};
pub(crate) use tabled::Tabled;
pub(crate) use text_names::TextNames;

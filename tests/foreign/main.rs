//! Messages in the formats of other crates: ProtoJSON where people read it, the members themselves where not.

mod binary;
mod order;
mod plain;
mod readable;
mod unknown;

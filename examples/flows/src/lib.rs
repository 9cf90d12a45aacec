//! A flow collector: datagrams in, protobuf records out, with a schema and columns that are known at run time only; and a
//! consumer of them.

pub mod collector;
pub mod columns;
pub mod datagram;
pub mod schema;
pub mod totals;

/// What the collector is told while it runs, and for how many datagrams each holds.
pub const CONFIGURATIONS: [(&str, u32); 4] = [
    ("all", 100),
    ("all but source.address, destination.address, interfaces", 100),
    ("only bytes, packets, protocol, destination.port", 100),
    ("all but labels", 100),
];

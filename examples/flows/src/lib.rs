//! A flow collector, and a consumer of its output. The collector reads datagrams and writes protobuf records. Both the schema
//! and the columns are known only at run time.

pub mod collector;
pub mod columns;
pub mod datagram;
pub mod schema;
pub mod totals;

/// The commands that the collector gets while it runs. The number says for how many datagrams each command applies.
pub const CONFIGURATIONS: [(&str, u32); 4] = [
    ("all", 100),
    ("all but source.address, destination.address, interfaces", 100),
    ("only bytes, packets, protocol, destination.port", 100),
    ("all but labels", 100),
];

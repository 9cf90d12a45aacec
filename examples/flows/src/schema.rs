//! Builds the schema of a flow record at run time. A real collector would read the schema from its configuration.

use tobu::descriptor::{EnumBuilder, FieldBuilder, FileBuilder, MessageBuilder, Type};
use tobu::{Pool, Result};

/// The columns that are plain numbers, in the order of their field numbers.
const COUNTERS: [(&str, Type); 5] = [
    ("bytes", Type::UInt64),
    ("packets", Type::UInt64),
    ("start_ms", Type::Fixed64),
    ("duration_ms", Type::UInt32),
    ("tcp_flags", Type::UInt32),
];

/// Creates a pool with the message `flows.Record` and the types that the message uses.
///
/// # Errors
/// The schema is not valid.
pub fn pool() -> Result<Pool> {
    let mut record = MessageBuilder::new("Record");
    for (name, ty) in COUNTERS {
        record = record.field(FieldBuilder::new(name, ty));
    }
    let record = record
        .field(FieldBuilder::enumeration("protocol", "Protocol").number(10))
        .field(FieldBuilder::message("source", "Endpoint"))
        .field(FieldBuilder::message("destination", "Endpoint"))
        .field(FieldBuilder::new("interfaces", Type::UInt32).repeated())
        .field(FieldBuilder::new("labels", Type::String).keyed_by(Type::String));
    let endpoint = MessageBuilder::new("Endpoint")
        .field(FieldBuilder::new("address", Type::Bytes))
        .field(FieldBuilder::new("port", Type::UInt32));
    let protocol = EnumBuilder::new("Protocol").value("OTHER", 0).value("TCP", 6).value("UDP", 17);
    FileBuilder::new("flows.proto")
        .package("flows")
        .message(record)
        .message(endpoint)
        .enumeration(protocol)
        .build()
}

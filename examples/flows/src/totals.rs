//! What the output says, read back by reflection.

use std::collections::BTreeMap;
use tobu::wire::Reader;
use tobu::{DynamicMessage, MessageDescriptor, Result};

/// What all records come to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many records there are.
    pub records: u64,
    /// The sum of their bytes.
    pub bytes: u64,
    /// How many records have each of the columns.
    pub columns: BTreeMap<String, u64>,
}

/// Reads a stream of records, each after its length.
///
/// # Errors
/// The bytes are malformed.
pub fn read(record: &MessageDescriptor, stream: &[u8]) -> Result<Totals> {
    let mut totals = Totals::default();
    let mut reader = Reader::new(stream);
    while !reader.is_empty() {
        let message = DynamicMessage::decode(record, reader.len_prefixed()?)?;
        totals.records += 1;
        totals.bytes += message.get_by_name("bytes")?.as_u64().unwrap_or_default();
        for (field, _) in message.fields() {
            *totals.columns.entry(field.name().to_owned()).or_default() += 1;
        }
    }
    Ok(totals)
}

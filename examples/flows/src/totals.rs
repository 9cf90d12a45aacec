//! Reads the output of the collector back by reflection, and sums it up.

use std::collections::BTreeMap;
use tobu::wire::Reader;
use tobu::{DynamicMessage, MessageDescriptor, Result};

/// The totals of all records.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The number of records.
    pub records: u64,
    /// The sum of the column `bytes`.
    pub bytes: u64,
    /// For each column, the number of records that have it.
    pub columns: BTreeMap<String, u64>,
}

/// Reads a stream of length-prefixed records.
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

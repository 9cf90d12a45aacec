//! Reads the records into Arrow columns. It reads only the columns that a question needs.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use std::collections::BTreeMap;
use tobu::{MessageDescriptor, Result};
use tobu_arrow::source::{Batches, Delimited};
use tobu_arrow::{Batcher, Columns, Options};

/// The number of bytes for each pair of protocol and destination port. If a record lacks a column, it counts with the protocol
/// `OTHER`, the port 0 or zero bytes.
pub type Traffic = BTreeMap<(String, u32), u64>;

/// Creates the columns that [`traffic`] needs. The reader skips all other fields.
///
/// # Errors
/// The type does not have these fields.
pub fn columns(record: &MessageDescriptor) -> Result<Columns> {
    Options::new().fields(&["bytes", "protocol", "destination.port"]).columns(record)
}

/// Sums up a stream of length-prefixed records, in batches of a thousand.
///
/// # Errors
/// The bytes are malformed.
pub fn traffic(record: &MessageDescriptor, stream: &[u8]) -> Result<Traffic> {
    let batcher = Batcher::new(&columns(record)?).rows(1_000);
    let mut traffic = Traffic::new();
    for batch in Batches::new(batcher, Delimited::new(stream)) {
        add(&batch?, &mut traffic);
    }
    Ok(traffic)
}

fn add(batch: &RecordBatch, traffic: &mut Traffic) {
    let bytes = batch["bytes"].as_primitive::<UInt64Type>();
    let protocol = batch["protocol"].as_dictionary::<Int32Type>();
    let names = protocol.values().as_string::<i32>();
    let destination = batch["destination"].as_struct();
    let port = destination.column(0).as_primitive::<UInt32Type>();
    for row in 0..batch.num_rows() {
        let name = names.value(protocol.keys().value(row) as usize).to_owned();
        let port = if destination.is_null(row) { 0 } else { port.value(row) };
        *traffic.entry((name, port)).or_default() += bytes.value(row);
    }
}

//! Converts datagrams to records. Each record has only the columns that are switched on.

use crate::datagram::{Flow, exporter};
use tobu::dynamic::{Encoder, Field, List, Map, Nested};
use tobu::{MessageDescriptor, Result};

/// Writes the flows of datagrams as records.
#[derive(Debug)]
pub struct Collector {
    encoder: Encoder,
    columns: Columns,
}

/// The handles of the fields. The collector resolves them once, no matter which columns are on.
#[derive(Debug)]
struct Columns {
    bytes: Field<u64>,
    packets: Field<u64>,
    start_ms: Field<u64>,
    duration_ms: Field<u32>,
    tcp_flags: Field<u32>,
    protocol: Field<i32>,
    endpoints: [Field<Nested>; 2],
    address: Field<[u8]>,
    port: Field<u32>,
    interfaces: Field<List<u32>>,
    labels: Field<Map<str, str>>,
}

impl Collector {
    /// Creates a collector that writes records of the type `record`, with all columns on.
    ///
    /// # Errors
    /// The type does not have all fields that a collector writes.
    pub fn new(record: &MessageDescriptor) -> Result<Self> {
        let encoder = Encoder::new(record)?;
        let source = encoder.field::<Nested>("source")?;
        let columns = Columns {
            bytes: encoder.field("bytes")?,
            packets: encoder.field("packets")?,
            start_ms: encoder.field("start_ms")?,
            duration_ms: encoder.field("duration_ms")?,
            tcp_flags: encoder.field("tcp_flags")?,
            protocol: encoder.field("protocol")?,
            // Source and destination have the same message type, so the handles of its fields work for both.
            address: source.field("address")?,
            port: source.field("port")?,
            endpoints: [source, encoder.field("destination")?],
            interfaces: encoder.field("interfaces")?,
            labels: encoder.field("labels")?,
        };
        Ok(Collector { encoder, columns })
    }

    /// Switches columns on and off: `all`, `only a, b.c` or `all but a, b.c`.
    ///
    /// # Errors
    /// A column does not exist. Columns that this call switched before the error stay switched.
    pub fn configure(&mut self, text: &str) -> Result<()> {
        let paths = |list: &str| list.split(',').map(|path| path.trim().to_owned()).collect::<Vec<_>>();
        if let Some(list) = text.strip_prefix("only ") {
            return self.encoder.set_mask(&paths(list));
        }
        self.encoder.enable_all();
        let disabled = text.strip_prefix("all but ").map(paths).unwrap_or_default();
        disabled.iter().try_for_each(|path| self.encoder.disable(path))
    }

    /// Appends a record for each flow of a datagram, each with its length prefix. Returns the number of flows.
    ///
    /// # Errors
    /// A record cannot be encoded. The records before it stay in `out`.
    pub fn collect(&mut self, datagram: &[u8], out: &mut Vec<u8>) -> Result<usize> {
        let Collector { encoder, columns } = self;
        let site = ["Berlin", "Osaka", "Quito"][usize::from(exporter(datagram)) % 3];
        let mut count = 0;
        for flow in Flow::all(datagram) {
            let mut record = encoder.record_delimited(out);
            record.put(&columns.bytes, flow.octets());
            record.put(&columns.packets, u64::from(flow.packets()));
            record.put(&columns.start_ms, flow.start_ms());
            record.put(&columns.duration_ms, flow.duration_ms());
            record.put(&columns.tcp_flags, u32::from(flow.tcp_flags()));
            record.put(&columns.protocol, i32::from(flow.protocol()));
            for (endpoint, (address, port)) in columns.endpoints.iter().zip(flow.endpoints()) {
                record.put_message(endpoint, |endpoint| {
                    endpoint.put(&columns.address, address);
                    endpoint.put(&columns.port, u32::from(port));
                });
            }
            record.put_list(&columns.interfaces, flow.interfaces().map(u32::from));
            record.put_map(&columns.labels, [("site", site)]);
            record.finish()?;
            count += 1;
        }
        Ok(count)
    }
}

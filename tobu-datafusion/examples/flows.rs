//! Runs SQL queries over the records of the example `examples/flows`, whose collector switches columns on and off while it
//! runs.
//!
//! ```console
//! $ cargo run --release --example flows
//! $ cargo run --release --example flows -- --write flows.bin 10000     # as many datagrams, and no question
//! ```

use datafusion::prelude::SessionContext;
use example_flows::CONFIGURATIONS;
use example_flows::collector::Collector;
use example_flows::datagram::Generator;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use tobu::MessageDescriptor;
use tobu_datafusion::ProtobufTable;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let pool = example_flows::schema::pool()?;
    let record = pool.message("flows.Record").ok_or("the schema has no flows.Record")?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [write, path, datagrams] = &arguments[..]
        && write == "--write"
    {
        std::fs::write(format!("{path}.proto"), record.file().to_proto_text()?)?;
        return collect(&record, Path::new(path), datagrams.parse()?);
    }
    let directory = std::env::temp_dir().join(format!("tobu-flows-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    for file in ["monday", "tuesday"] {
        collect(&record, &directory.join(file), 1_000)?;
    }
    let context = SessionContext::new();
    context.register_table("flows", Arc::new(ProtobufTable::new(&directory, &record)?.part_size(100_000)))?;
    for sql in [
        "SELECT protocol, count(*) AS flows, sum(bytes) AS bytes FROM flows GROUP BY protocol ORDER BY protocol",
        // The destination is null in records that were written while its column was off.
        "SELECT destination['port'] AS port, sum(packets) AS packets FROM flows WHERE destination IS NOT NULL
            GROUP BY port ORDER BY packets DESC LIMIT 5",
        "SELECT interface, count(*) AS flows FROM (SELECT unnest(interfaces) AS interface FROM flows)
            GROUP BY interface ORDER BY flows DESC LIMIT 3",
    ] {
        context.sql(sql).await?.show().await?;
    }
    std::fs::remove_dir_all(&directory)?;
    Ok(())
}

/// Writes the records of `datagrams` datagrams to a file. The collector switches to other columns after each quarter of them.
fn collect(record: &MessageDescriptor, path: &Path, datagrams: u32) -> Result<(), Box<dyn Error>> {
    let mut collector = Collector::new(record)?;
    let (mut generator, mut file) = (Generator::new(7), BufWriter::new(File::create(path)?));
    let mut records = Vec::new();
    for (configuration, _) in CONFIGURATIONS {
        collector.configure(configuration)?;
        for _ in 0..datagrams.div_ceil(4) {
            records.clear();
            collector.collect(&generator.datagram(), &mut records)?;
            file.write_all(&records)?;
        }
    }
    Ok(file.flush()?)
}

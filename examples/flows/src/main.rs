//! Generates datagrams, collects them under one configuration after the other, and reads the output back.

use example_flows::CONFIGURATIONS;
use example_flows::collector::Collector;
use example_flows::datagram::Generator;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = example_flows::schema::pool()?;
    let record = pool.message("flows.Record").ok_or("the schema has no flows.Record")?;
    println!("the schema, built at run time:\n\n{}", record.file().to_proto_text()?);

    let mut collector = Collector::new(&record)?;
    let mut datagrams = Generator::new(7);
    let mut stream = Vec::new();
    for (configuration, count) in CONFIGURATIONS {
        collector.configure(configuration)?;
        let (start, before, mut records) = (Instant::now(), stream.len(), 0);
        for _ in 0..count {
            records += collector.collect(&datagrams.datagram(), &mut stream)?;
        }
        let (bytes, took) = (stream.len() - before, start.elapsed());
        println!(
            "{configuration}:\n  {records} records of {} bytes on average, in {took:.1?}",
            bytes / records
        );
    }

    let totals = example_flows::totals::read(&record, &stream)?;
    println!(
        "\nread back: {} records, {} bytes of traffic where that column was on",
        totals.records, totals.bytes
    );
    for (column, count) in totals.columns {
        println!("  {column:<12} in {count:>5} of them");
    }
    let traffic = example_flows::columns::traffic(&record, &stream)?;
    println!("\nby three of the columns:");
    for ((protocol, port), bytes) in traffic.iter().take(5) {
        println!("  {protocol:<5} to port {port:<5} {bytes:>10} bytes");
    }
    Ok(())
}

//! What the collector writes is read back: by tobu, and by Python's protobuf where it is there.

use example_flows::CONFIGURATIONS;
use example_flows::collector::Collector;
use example_flows::columns::{Traffic, traffic};
use example_flows::datagram::{Flow, Generator};
use example_flows::totals::{Totals, read};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use tobu::{MessageDescriptor, MessageReader, Pool};

fn record(pool: &Pool) -> MessageDescriptor {
    pool.message("flows.Record").expect("a record")
}

/// A stream of records under all configurations, and what is in it.
fn stream(record: &MessageDescriptor) -> (Vec<u8>, Totals) {
    let mut collector = Collector::new(record).expect("a collector");
    let (mut datagrams, mut stream, mut totals) = (Generator::new(7), Vec::new(), Totals::default());
    for (configuration, count) in CONFIGURATIONS {
        collector.configure(configuration).expect("a configuration");
        for _ in 0..count {
            let datagram = datagrams.datagram();
            let flows = Flow::all(&datagram).count();
            assert_eq!(collector.collect(&datagram, &mut stream).expect("records"), flows);
            for flow in Flow::all(&datagram) {
                totals.records += 1;
                totals.bytes += flow.octets();
                let only = configuration.starts_with("only");
                let columns = [
                    ("bytes", true),
                    ("packets", true),
                    ("start_ms", !only),
                    // A default is not written.
                    ("duration_ms", !only && flow.duration_ms() > 0),
                    ("tcp_flags", !only && flow.tcp_flags() > 0),
                    ("protocol", true),
                    ("source", !only),
                    ("destination", true),
                    ("interfaces", !only && !configuration.contains("interfaces")),
                    ("labels", !only && !configuration.contains("labels")),
                ];
                for (column, _) in columns.iter().filter(|(_, on)| *on) {
                    *totals.columns.entry((*column).to_owned()).or_default() += 1;
                }
            }
        }
    }
    (stream, totals)
}

#[test]
fn tobu_reads_what_was_collected() {
    let pool = example_flows::schema::pool().expect("a schema");
    let (stream, wanted) = stream(&record(&pool));
    assert!(wanted.records > 4000);
    assert_eq!(read(&record(&pool), &stream).expect("records"), wanted);
    // By another program, which has only the descriptor set.
    let other = Pool::from_descriptor_set(&pool.to_descriptor_set()).expect("a schema");
    assert_eq!(read(&record(&other), &stream).expect("records"), wanted);
}

#[test]
fn columns_have_what_was_collected() {
    let pool = example_flows::schema::pool().expect("a schema");
    let record = record(&pool);
    let (stream, wanted) = stream(&record);
    let mut expected = Traffic::new();
    let mut reader = MessageReader::dynamic(&stream[..], &record);
    while let Some(message) = reader.next().transpose().expect("records") {
        let tree: serde_json::Value = serde_json::from_str(&message.to_json().expect("JSON")).expect("JSON");
        let protocol = match &tree["protocol"] {
            serde_json::Value::Null => "OTHER".to_owned(),
            // One that the schema has no name for.
            serde_json::Value::Number(number) => number.to_string(),
            name => name.as_str().expect("a name").to_owned(),
        };
        let port = tree["destination"]["port"].as_u64().unwrap_or(0) as u32;
        let bytes = tree["bytes"].as_str().map_or(0, |bytes| bytes.parse().expect("a number"));
        *expected.entry((protocol, port)).or_default() += bytes;
    }
    assert_eq!(traffic(&record, &stream).expect("records"), expected);
    assert_eq!(expected.values().sum::<u64>(), wanted.bytes);
    assert_eq!(expected.len(), 9);
}

#[test]
fn what_is_no_column_is_refused() {
    let pool = example_flows::schema::pool().expect("a schema");
    let mut collector = Collector::new(&record(&pool)).expect("a collector");
    assert_eq!(
        collector.configure("all but source.name").unwrap_err().to_string(),
        r#"flows.Record: the path "source.name": flows.Endpoint has no field "name""#
    );
}

#[test]
fn python_reads_what_was_collected() {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let there = Command::new(&python).args(["-c", "import google.protobuf"]).output();
    if !there.is_ok_and(|output| output.status.success()) {
        println!("{python} has no protobuf: nothing was checked");
        return;
    }
    let pool = example_flows::schema::pool().expect("a schema");
    let (stream, wanted) = stream(&record(&pool));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (schema, records) = (scratch.join("flows.fds"), scratch.join("flows.pb"));
    std::fs::write(&schema, pool.to_descriptor_set()).expect("a file");
    std::fs::write(&records, stream).expect("a file");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/read.py");
    let output = Command::new(&python).arg(script).args([&schema, &records]).output().expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), lines(&wanted));
}

/// As `read.py` prints what it reads.
fn lines(totals: &Totals) -> String {
    let Totals { records, bytes, columns } = totals;
    let mut lines = format!("{records} records, {bytes} bytes\n");
    let sorted: BTreeMap<_, _> = columns.iter().collect();
    for (column, count) in sorted {
        writeln!(lines, "{column} {count}").expect("a string takes all");
    }
    lines
}

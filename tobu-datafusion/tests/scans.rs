//! Queries over files of messages.

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::{Int64Type, UInt64Type};
use datafusion::prelude::{SessionConfig, SessionContext};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tobu::dynamic::{Encoder, List, Nested};
use tobu::{MessageDescriptor, Pool};
use tobu_datafusion::{ProtobufTable, split};

const SOURCE: &str = r#"syntax = "proto3"; package flow;
message Record {
  uint32 src_port = 1; uint32 dst_port = 2; uint64 bytes = 3; string exporter = 4; repeated Hop hops = 5; optional bytes note = 6;
}
message Hop { string name = 1; uint32 latency = 2; }"#;

fn record() -> MessageDescriptor {
    Pool::from_sources(&[("flow.proto", SOURCE)]).unwrap().message("flow.Record").unwrap()
}

/// Delimited records, made of the numbers from `start`.
fn records(start: u64, count: u64) -> Vec<u8> {
    let mut encoder = Encoder::new(&record()).unwrap();
    let src = encoder.field::<u32>("src_port").unwrap();
    let dst = encoder.field::<u32>("dst_port").unwrap();
    let bytes = encoder.field::<u64>("bytes").unwrap();
    let exporter = encoder.field::<str>("exporter").unwrap();
    let hops = encoder.field::<List<Nested>>("hops").unwrap();
    let (name, latency) = (hops.field::<str>("name").unwrap(), hops.field::<u32>("latency").unwrap());
    let mut out = Vec::new();
    for number in start..start + count {
        let mut record = encoder.record_delimited(&mut out);
        record.put(&src, (number * 7919 % 60_000) as u32);
        record.put(&dst, [53, 80, 443][(number % 3) as usize]);
        record.put(&bytes, number * 31 % 9_000);
        // Of lengths that have one byte and two.
        let text = format!("exporter-{}", "x".repeat((number % 150) as usize));
        record.put(&exporter, text.as_str());
        record.put_messages(&hops, 0..number % 3, |hop, index| {
            hop.put(&name, "hop");
            hop.put(&latency, index as u32);
        });
        record.finish().unwrap();
    }
    out
}

fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("a"), records(0, 5_000)).unwrap();
    fs::write(directory.path().join("b"), records(5_000, 20_000)).unwrap();
    fs::write(directory.path().join("c"), b"").unwrap();
    fs::write(directory.path().join(".hidden"), b"\x05").unwrap();
    directory
}

fn context(table: ProtobufTable, threads: usize) -> SessionContext {
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(threads));
    context.register_table("flows", Arc::new(table)).unwrap();
    context
}

async fn query(context: &SessionContext, sql: &str) -> RecordBatch {
    let frame = context.sql(sql).await.unwrap();
    let schema = frame.schema().inner().clone();
    concat_batches(&schema, &frame.collect().await.unwrap()).unwrap()
}

fn table(path: &Path, part: u64) -> ProtobufTable {
    ProtobufTable::new(path, &record()).unwrap().part_size(part)
}

#[test]
fn parts_begin_and_end_between_messages() {
    let directory = directory();
    let path = directory.path().join("b");
    let (whole, record) = (fs::read(&path).unwrap(), record());
    for least in [1, 100, 4_096, 1 << 20, u64::MAX] {
        let parts = split(&path, least).unwrap();
        let mut at = 0;
        for part in &parts {
            assert_eq!(part.start, at);
            let mut bytes = &whole[part.start as usize..part.end as usize];
            assert!(bytes.len() as u64 >= least || part.end == whole.len() as u64);
            let mut reader = tobu::MessageReader::dynamic(&mut bytes, &record);
            while reader.next_bytes().unwrap().is_some() {}
            at = part.end;
        }
        assert_eq!(at, whole.len() as u64);
    }
    assert_eq!(split(&path, 1).unwrap().len(), 20_000);
    assert!(split(&directory.path().join("c"), 1).unwrap().is_empty());
    // What cannot be passed over is in the last part.
    let cut = directory.path().join("cut");
    fs::write(&cut, [&whole[..1_000], b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"].concat()).unwrap();
    let parts = split(&cut, 100).unwrap();
    assert_eq!(parts.last().unwrap().end, 1_010);
}

#[tokio::test]
async fn a_parallel_scan_gives_what_a_serial_one_gives() {
    let directory = directory();
    let queries = [
        "SELECT dst_port, count(*) AS n, sum(bytes) AS bytes FROM flows GROUP BY dst_port ORDER BY dst_port",
        "SELECT src_port, bytes, exporter FROM flows ORDER BY src_port, bytes, exporter",
        "SELECT sum(hop['latency']) FROM (SELECT unnest(hops) AS hop FROM flows)",
        "SELECT exporter, count(note) FROM flows WHERE bytes > 8000 GROUP BY exporter ORDER BY exporter",
        "SELECT count(*) FROM flows",
    ];
    for sql in queries {
        let serial = query(&context(table(directory.path(), u64::MAX), 1), sql).await;
        for threads in [2, 7] {
            let parallel = query(&context(table(directory.path(), 10_000), threads), sql).await;
            assert_eq!(parallel, serial, "{sql}");
        }
    }
    let batch = query(&context(table(directory.path(), 10_000), 4), queries[0]).await;
    assert_eq!(batch.column(1).as_primitive::<Int64Type>().values(), &[8_334, 8_333, 8_333]);
    let expected: u64 = (0..25_000).filter(|number| number % 3 == 0).map(|number| number * 31 % 9_000).sum();
    assert_eq!(batch.column(2).as_primitive::<UInt64Type>().value(0), expected);
}

#[tokio::test]
async fn projection_and_limit_are_pushed_down() {
    let directory = directory();
    let table = table(directory.path(), u64::MAX);
    let progress = table.progress();
    let context = context(table, 1);
    let batch = query(&context, "SELECT bytes, src_port FROM flows LIMIT 3").await;
    let names: Vec<_> = batch.schema().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!((names, batch.num_rows()), (vec!["bytes".to_owned(), "src_port".to_owned()], 3));
    // Some batches of three rows, and not the files.
    assert!(progress.messages() < 100, "{}", progress.messages());
    let plan = query(&context, "EXPLAIN SELECT exporter FROM flows LIMIT 5").await;
    let text = plan.column(1).as_string::<i32>().value(1);
    assert!(text.contains("StreamingTableExec: partition_sizes=1, projection=[exporter], fetch=5"), "{text}");
    // A field that no column has is not read.
    let broken = directory.path().join("broken");
    fs::write(&broken, b"\x05\x08\x05\x22\x01\xff").unwrap();
    let context = self::context(self::table(&broken, 1), 1);
    assert_eq!(query(&context, "SELECT src_port FROM flows").await.num_rows(), 1);
    let error =
        context.sql("SELECT exporter FROM flows").await.unwrap().collect().await.unwrap_err().to_string();
    let expected = format!(
        "External error: {}: flow.Record.exporter: invalid UTF-8 in a string (at byte 5)",
        broken.display()
    );
    assert_eq!(error, expected);
}

#[tokio::test]
async fn bad_messages_are_skipped_if_the_table_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a");
    fs::write(&path, [&records(0, 10)[..], b"\x02\x08\x80", &records(10, 10)[..]].concat()).unwrap();
    let good = table(&path, 50).skip_bad(true);
    let progress = good.progress();
    let batch = query(&context(good, 3), "SELECT src_port FROM flows").await;
    assert_eq!((batch.num_rows(), progress.bad(), progress.messages()), (20, 1, 21));
    assert_eq!((progress.read(), progress.total()), (fs::metadata(&path).unwrap().len(), progress.total()));
    let failed =
        context(table(&path, 50), 3).sql("SELECT src_port FROM flows").await.unwrap().collect().await;
    assert!(
        failed
            .unwrap_err()
            .to_string()
            .contains("flow.Record.src_port: input ends inside a varint (at byte ")
    );
    // A file that ends inside of a message.
    fs::write(&path, &records(0, 10)[..300]).unwrap();
    let failed = context(table(&path, 50).skip_bad(true), 3).sql("SELECT src_port FROM flows").await.unwrap();
    assert!(failed.collect().await.unwrap_err().to_string().contains(" bytes are left (at byte "));
}

#[tokio::test]
async fn parquet_is_written_and_read_again() {
    let directory = directory();
    let file = directory.path().join("flows.parquet");
    let context = context(table(&directory.path().join("b"), 10_000), 2);
    query(&context, &format!("COPY flows TO '{}' STORED AS PARQUET", file.display())).await;
    context.register_parquet("again", file.to_str().unwrap(), Default::default()).await.unwrap();
    let sql =
        |table: &str| format!("SELECT src_port, bytes, hops FROM {table} ORDER BY src_port, bytes LIMIT 500");
    let (ours, theirs) = (query(&context, &sql("flows")).await, query(&context, &sql("again")).await);
    for (ours, theirs) in ours.columns().iter().zip(theirs.columns()).take(2) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(
        query(&context, "SELECT count(*) FROM again").await.column(0).as_primitive::<Int64Type>().value(0),
        20_000
    );
}

//! Rows by a derive, next to the messages of prost.

use crate::least::{self, Run};
use crate::{MOST, SOURCE, TURNS, data, types};
use prost::Message;
use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use tobu::Pool;
use tobu::sink::RowPlan;

#[derive(tobu::Row)]
struct SpanRow {
    #[tobu(path = "resource_spans[].scope_spans[].scope.name")]
    scope: String,
    #[tobu(path = "resource_spans[].scope_spans[].spans[].trace_id")]
    trace_id: Vec<u8>,
    #[tobu(path = "resource_spans[].scope_spans[].spans[].span_id")]
    span_id: Vec<u8>,
    #[tobu(path = "resource_spans[].scope_spans[].spans[].name")]
    name: String,
    #[tobu(path = "resource_spans[].scope_spans[].spans[].kind")]
    kind: i32,
    #[tobu(path = "resource_spans[].scope_spans[].spans[].start_time_unix_nano")]
    start: u64,
    #[tobu(path = "resource_spans[].scope_spans[].spans[].end_time_unix_nano")]
    end: u64,
    #[tobu(path = "resource_spans[].scope_spans[].spans[].status.code")]
    code: i32,
}

#[derive(tobu::Row)]
struct FlowRow {
    #[tobu(path = "flows[].time_flow_start_ns")]
    start: u64,
    #[tobu(path = "flows[].bytes")]
    bytes: u64,
    #[tobu(path = "flows[].packets")]
    packets: u64,
    #[tobu(path = "flows[].src_addr")]
    src_addr: Vec<u8>,
    #[tobu(path = "flows[].dst_addr")]
    dst_addr: Vec<u8>,
    #[tobu(path = "flows[].proto")]
    proto: u32,
    #[tobu(path = "flows[].src_port")]
    src_port: u32,
    #[tobu(path = "flows[].dst_port")]
    dst_port: u32,
}

#[derive(tobu::Row)]
struct SampleRow {
    #[tobu(path = "timeseries[].labels[].name")]
    name: String,
    #[tobu(path = "timeseries[].labels[].value")]
    value: String,
}

/// What [`SampleRow`] has, without a copy.
#[derive(tobu::Row)]
struct BorrowedRow<'a> {
    #[tobu(path = "timeseries[].labels[].name")]
    name: &'a str,
    #[tobu(path = "timeseries[].labels[].value")]
    value: &'a str,
}

#[derive(tobu::Row)]
struct LogRow {
    #[tobu(path = "host")]
    host: String,
    #[tobu(path = "lines[].time")]
    time: u64,
    #[tobu(path = "lines[].severity")]
    severity: i32,
    #[tobu(path = "lines[].body")]
    body: String,
}

/// The table of all kinds of messages.
///
/// # Errors
/// The rows do not fit the schema.
pub fn table(seed: u64) -> Result<String, Box<dyn Error>> {
    let pool = Pool::from_sources(&[("columns.proto", SOURCE)])?;
    let mut table = String::from("\n| rows of | MiB | tobu rows MiB/s | prost decode MiB/s | |\n");
    table.push_str("| --- | --: | --: | --: | --: |\n");
    macro_rules! measure {
        ($name:literal, $message:literal, $row:ty, $make:expr, $prost:ty, |$first:ident| $used:expr) => {{
            let descriptor = pool.message($message).ok_or("no message")?;
            let plan = RowPlan::new::<$row>(&descriptor)?;
            let bytes: Vec<u8> = $make(seed);
            let mut runs: [Run<'_>; 2] = [
                Box::new(|| {
                    let rows: Vec<$row> = plan.rows(&bytes).collect::<tobu::Result<_>>().expect("rows");
                    let $first = &rows[0];
                    black_box(&$used);
                }),
                Box::new(|| drop(black_box(<$prost>::decode(&bytes[..]).expect("a message")))),
            ];
            let times = least::least(&mut runs, 4 * TURNS, MOST / 2);
            let mib = bytes.len() as f64 / f64::from(1 << 20);
            let (ours, theirs) = (times[0].as_secs_f64(), times[1].as_secs_f64());
            let faster = theirs / ours;
            writeln!(
                table,
                "| {} | {mib:.2} | {:.0} | {:.0} | {faster:.2} |",
                $name,
                mib / ours,
                mib / theirs
            )?;
        }};
    }
    measure!("traces", "columns.Traces", SpanRow, data::traces, types::Traces, |row| {
        (&row.scope, &row.trace_id, &row.span_id, &row.name, row.kind, row.start, row.end, row.code)
    });
    measure!("flows", "columns.Flows", FlowRow, data::flows, types::Flows, |row| {
        (
            row.start,
            row.bytes,
            row.packets,
            &row.src_addr,
            &row.dst_addr,
            row.proto,
            row.src_port,
            row.dst_port,
        )
    });
    measure!("time series", "columns.Write", SampleRow, data::write, types::Write, |row| (
        &row.name, &row.value
    ));
    measure!("time series, borrowed", "columns.Write", BorrowedRow<'_>, data::write, types::Write, |row| (
        row.name, row.value
    ));
    measure!("logs", "columns.Logs", LogRow, data::logs, types::Logs, |row| {
        (&row.host, row.time, row.severity, &row.body)
    });
    Ok(table)
}

//! One message a million times, as vtprotobuf is measured: encoded, decoded, and decoded into messages that are used
//! again. Next to tobu are prost, and where there is Go its own library and vtprotobuf, which has pools, too.
//!
//! ```console
//! $ cargo run --release --manifest-path benches/compare/Cargo.toml --bin pool
//! $ cargo run --release --manifest-path benches/compare/Cargo.toml --bin pool -- --only "tobu, decode from a pool"
//! ```
//!
//! `--write` keeps the table in `benches/RESULTS.md`.

mod go;

use cpu_time::ThreadTime;
use prost::Message as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;
use tobu::reuse::{BufferPool, MessagePool};
use tobu::{EncodeOptions, Merge};
use tobu_compare::sections;

#[allow(missing_docs)]
mod tobu_types {
    include!(concat!(env!("OUT_DIR"), "/pool.rs"));
}

#[allow(missing_docs, clippy::all)]
mod prost_types {
    include!(concat!(env!("OUT_DIR"), "/pool/bench.pool.rs"));
}

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// The ways of a library, each with the processor time that it takes for so many messages.
struct Way<'a> {
    name: &'static str,
    measure: Box<dyn FnMut(usize) -> Duration + 'a>,
}

const MILLION: f64 = 1e6;

/// Messages per turn, and turns.
const COUNT: usize = 5_000;
const TURNS: usize = 40;

/// The way that others are divided by.
const FIRST: &str = "prost, decode";

fn main() -> Outcome {
    tobu_compare::heap::keep_what_is_freed();
    let Arguments { only, write } = arguments()?;
    let program = go::Program::build();
    if let Err(error) = &program {
        println!("Go takes no part: {error}");
    }
    let program = program.ok();
    let payloads = [("Batch", batch().encode_to_vec()), ("Result", result().encode_to_vec())];
    let (mut names, mut times) = (Vec::new(), Vec::new());
    for (message, payload) in &payloads {
        let mut running = program.as_ref().map(|program| program.start(message, payload)).transpose()?;
        let running = running.as_mut();
        let mut ways = match *message {
            "Batch" => {
                ways::<tobu_types::bench::pool::Batch, prost_types::Batch>(payload, running, only.as_deref())?
            }
            _ => ways::<tobu_types::bench::pool::Result, prost_types::Result>(
                payload,
                running,
                only.as_deref(),
            )?,
        };
        let mut least = vec![Duration::MAX; ways.len()];
        for _ in 0..TURNS {
            for (way, least) in ways.iter_mut().zip(&mut least) {
                *least = (way.measure)(COUNT).min(*least);
            }
        }
        names = ways.iter().map(|way| way.name).collect();
        times.push(least);
    }
    let table = table(&names, &times)?;
    println!("{table}");
    if write {
        let sizes: Vec<_> = payloads.iter().map(|(_, payload)| payload.len().to_string()).collect();
        let about = ABOUT.replace("{sizes}", &sizes.join(" and "));
        let go = if program.is_some() { go::version() } else { "without Go".to_owned() };
        sections::write("pool", &format!("{about}\n{}, {go}.\n\n{table}", sections::machine()))?;
    }
    Ok(())
}

const ABOUT: &str = "\
## pool

One message a million times, by `cargo run --release --manifest-path benches/compare/Cargo.toml --bin pool -- --write`: log
records with many strings, and rows of a database, whose values are bytes, of {sizes} bytes. Figures are CPU seconds, and
how they compare to prost's decoding; that of Go has its garbage collector. *From a pool*: a message is borrowed,
filled and given back. *Into a used message*: it stays with the caller; prost has `clear` and `merge` for it. All are checked
to read and write the same first. A figure is 200 times the shortest of 40 turns of 5,000 messages, which all ways take in
turn.
";

fn table(names: &[&str], times: &[Vec<Duration>]) -> Outcome<String> {
    let mut table = String::from(
        "| way | records, s | to prost | rows, s | to prost |\n| --- | --: | --: | --: | --: |\n",
    );
    let first = names.iter().position(|name| *name == FIRST);
    for (index, name) in names.iter().enumerate() {
        write!(table, "| {name} |")?;
        for times in times {
            let seconds = times[index].as_secs_f64() * MILLION / COUNT as f64;
            match first {
                Some(first) => {
                    let ratio = times[index].as_secs_f64() / times[first].as_secs_f64();
                    write!(table, " {seconds:.2} | {ratio:.2} |")?;
                }
                None => write!(table, " {seconds:.2} | |")?,
            }
        }
        table.push('\n');
    }
    Ok(table)
}

/// All ways to handle one message, or the one of this name.
fn ways<'a, T, P>(
    payload: &'a [u8],
    running: Option<&'a mut go::Running>,
    only: Option<&str>,
) -> Outcome<Vec<Way<'a>>>
where
    T: tobu::Message + Serialize + DeserializeOwned + for<'de> Merge<'de> + PartialEq + 'a,
    P: prost::Message + Default + PartialEq + 'a,
{
    let tobu: T = tobu::from_slice(payload)?;
    let prost = P::decode(payload)?;
    assert!(tobu::to_vec(&tobu)? == payload && prost.encode_to_vec() == payload, "other bytes are written");
    let (messages, buffers) = (MessagePool::<T>::new(), BufferPool::new());
    for _ in 0..2 {
        assert!(*messages.decode(payload)? == tobu && *buffers.encode(&tobu)? == payload);
    }
    assert!(messages.kept() == 1 && buffers.kept() == 1);
    let mut used: T = tobu::from_slice(payload)?;
    let mut prost_used = P::decode(payload)?;
    let (mut buffer, mut prost_buffer) = (Vec::new(), Vec::new());
    // Each closure has the message that it encodes.
    let (tobu_again, tobu_once_more): (T, T) = (tobu::from_slice(payload)?, tobu::from_slice(payload)?);
    let prost_again = P::decode(payload)?;

    let mut ways = vec![
        way("tobu, decode", move || {
            black_box(tobu::from_slice::<T>(black_box(payload)).expect("a message"));
        }),
        way("tobu, decode into a used message", move || {
            tobu::from_slice_in_place(&mut used, black_box(payload)).expect("a message");
            black_box(&used);
        }),
        way("tobu, decode from a pool", move || {
            black_box(messages.decode(black_box(payload)).expect("a message"));
        }),
        way(FIRST, move || {
            black_box(P::decode(black_box(payload)).expect("a message"));
        }),
        way("prost, decode into a used message", move || {
            prost_used.clear();
            prost_used.merge(black_box(payload)).expect("a message");
            black_box(&prost_used);
        }),
        way("tobu, encode", move || {
            black_box(tobu::to_vec(black_box(&tobu)).expect("a message"));
        }),
        way("tobu, encode to a used buffer", move || {
            buffer.clear();
            EncodeOptions::new().append(black_box(&tobu_again), &mut buffer).expect("a message");
            black_box(&buffer);
        }),
        way("tobu, encode to a buffer of a pool", move || {
            black_box(buffers.encode(black_box(&tobu_once_more)).expect("a message"));
        }),
        way("prost, encode", move || {
            black_box(black_box(&prost).encode_to_vec());
        }),
        way("prost, encode to a used buffer", move || {
            prost_buffer.clear();
            black_box(&prost_again).encode(&mut prost_buffer).expect("a message");
            black_box(&prost_buffer);
        }),
    ];
    if let Some(running) = running {
        let running = std::rc::Rc::new(std::cell::RefCell::new(running));
        for (name, way) in GO {
            let running = std::rc::Rc::clone(&running);
            let measure = move |count| running.borrow_mut().measure(way, count).expect("an answer");
            ways.push(Way { name, measure: Box::new(measure) });
        }
    }
    ways.retain(|way| only.is_none_or(|only| only == way.name));
    Ok(ways)
}

/// Those of the Go program.
const GO: [(&str, &str); 6] = [
    ("Go, unmarshal", "unmarshal"),
    ("vtprotobuf, unmarshal", "unmarshal-vt"),
    ("vtprotobuf, unmarshal from a pool", "unmarshal-vt-pool"),
    ("Go, marshal", "marshal"),
    ("vtprotobuf, marshal", "marshal-vt"),
    ("vtprotobuf, marshal to a used buffer", "marshal-vt-buffer"),
];

fn way<'a>(name: &'static str, mut once: impl FnMut() + 'a) -> Way<'a> {
    let measure = move |count| {
        let start = ThreadTime::now();
        (0..count).for_each(|_| once());
        start.elapsed()
    };
    Way { name, measure: Box::new(measure) }
}

/// Log records of a service.
fn batch() -> prost_types::Batch {
    let label = |key: &str, value: &str| prost_types::Label { key: key.into(), value: value.into() };
    let record = |index: u64| prost_types::Record {
        time: 1_700_000_000_000_000_000 + index * 1_234_567,
        severity: (1 + index % 3) as i32,
        body: format!("request {index} of user {} has ended with status {}", 7 * index, 200 + index % 5),
        labels: vec![
            label("http.method", ["GET", "POST"][index as usize % 2]),
            label("http.route", "/v1/shelves/{shelf}/books/{book}"),
            label("k8s.pod.name", &format!("library-7c9d8f6b5-{index:05}")),
            label("region", "europe-west4"),
        ],
        trace_id: index.to_le_bytes().repeat(2),
        span_id: index.to_be_bytes().into(),
        source: Some(prost_types::Source {
            file: "src/service/list_books.rs".into(),
            function: "list_books".into(),
            line: 40 + index as u32,
        }),
        sizes: vec![index, 128 * index, 1 << 20],
        seconds: 0.001 * index as f64,
    };
    prost_types::Batch {
        service: "library".into(),
        host: "ip-10-0-3-17.eu-west-1.compute.internal".into(),
        records: (1..=20).map(record).collect(),
    }
}

/// Rows of five columns.
fn result() -> prost_types::Result {
    let row = |index: i64| {
        let values = [
            index.to_string(),
            format!("user{index}@example.com"),
            "active".into(),
            "2026-01-01 00:00:00".into(),
            (index * index).to_string(),
        ];
        prost_types::Row {
            lengths: values.iter().map(|value| value.len() as i64).collect(),
            values: values.concat().into(),
        }
    };
    prost_types::Result { rows_affected: 0, insert_id: 0, rows: (1..=50).map(row).collect() }
}

/// `--only NAME` and `--write`.
struct Arguments {
    only: Option<String>,
    write: bool,
}

fn arguments() -> Outcome<Arguments> {
    let mut parsed = Arguments { only: None, write: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match &*argument {
            "--only" => parsed.only = Some(arguments.next().ok_or("an option without a value")?),
            "--write" => parsed.write = true,
            other => return Err(format!("there is no option {other}").into()),
        }
    }
    Ok(parsed)
}

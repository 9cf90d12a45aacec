//! A flow record of a hundred fields, of which sixty are wanted: by `tobu::dynamic::Encoder`, which gets the values one
//! by one, and by libraries that encode an existing message.
//!
//! ```console
//! $ cargo run --release --manifest-path benches/compare/Cargo.toml --bin flows
//! $ cargo run --release --manifest-path benches/compare/Cargo.toml --bin flows -- --only "tobu Encoder, 60 of 100" --records 10000
//! ```
//!
//! `--write` keeps the table in `benches/RESULTS.md`; `benches/compare/streams` runs this program and those like it.

use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage as ProstReflect};
use quick_protobuf::{BytesReader, MessageRead as _, MessageWrite as _, Writer};
use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;
use tobu::dynamic::{Encoder, Field, Record};
use tobu::reflect::{Value, ValueRef};
use tobu::{DynamicMessage, EncodeOptions, FieldDescriptor, Kind, MessageDescriptor, Pool, Reflect};
use tobu_compare::{least, sections};

#[allow(missing_docs, clippy::all)]
mod prost_types {
    include!(concat!(env!("OUT_DIR"), "/flows/bench.flows.rs"));
}
use prost_types::Flow;

#[allow(missing_docs, clippy::all)]
mod quick_protobuf_types {
    include!(concat!(env!("OUT_DIR"), "/flows/quick_protobuf/mod.rs"));
}
use quick_protobuf_types::bench::flows::Flow as QuickFlow;

include!(concat!(env!("OUT_DIR"), "/flows/put.rs"));

static SCHEMA: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/flows/flows.fds"));

/// How many different flows there are, and in how many turns the records are encoded.
const FLOWS: usize = 16;
const TURNS: usize = 100;

type Run<'a> = Box<dyn FnMut(usize, &mut Vec<u8>) + 'a>;

fn main() -> Result<(), Box<dyn Error>> {
    tobu_compare::heap::keep_what_is_freed();
    let Arguments { only, records, write } = arguments()?;
    let descriptor = Pool::from_descriptor_set(SCHEMA)?.message("bench.flows.Flow").ok_or("no Flow")?;
    let flows: Vec<Flow> = (0..FLOWS as u64).map(|seed| flow(&descriptor, seed)).collect::<Result<_, _>>()?;
    let full: Vec<Vec<u8>> = flows.iter().map(|flow| flow.encode_to_vec()).collect();
    // Two of five are disabled.
    let disabled: Vec<u32> =
        descriptor.fields().map(|field| field.number()).filter(|n| n % 5 == 1 || n % 5 == 3).collect();

    let mut all = Encoder::new(&descriptor)?;
    let handles = handles(&all)?;
    let mut some = all.clone();
    let messages = full.iter().map(|bytes| DynamicMessage::decode(&descriptor, bytes));
    let mut messages: Vec<DynamicMessage> = messages.collect::<Result<_, _>>()?;
    for number in &disabled {
        some.disable(*number)?;
        messages.iter_mut().try_for_each(|message| message.clear_by_number(*number))?;
    }
    let part: Vec<Vec<u8>> = messages.iter().map(DynamicMessage::encode_to_vec).collect::<Result<_, _>>()?;
    let values: Vec<Vec<_>> = messages.iter().map(values).collect();
    let part_flows: Vec<Flow> = part.iter().map(|bytes| Flow::decode(&**bytes)).collect::<Result<_, _>>()?;
    let quick = full.iter().map(|bytes| QuickFlow::from_reader(&mut BytesReader::from_bytes(bytes), bytes));
    let quick: Vec<QuickFlow<'_>> = quick.collect::<Result<_, _>>()?;
    let reflected =
        DescriptorPool::decode(SCHEMA)?.get_message_by_name("bench.flows.Flow").ok_or("no Flow")?;
    let reflects = part.iter().map(|bytes| ProstReflect::decode(reflected.clone(), &**bytes));
    let reflects: Vec<ProstReflect> = reflects.collect::<Result<_, _>>()?;

    let mut contenders: Vec<(&str, &[Vec<u8>], Run<'_>)> = vec![
        (
            "tobu Encoder, 60 of 100",
            &part,
            Box::new(|at, out| {
                let mut record = some.record(out);
                put(&mut record, &handles, &flows[at]);
                record.finish().expect("a record");
            }),
        ),
        (
            "tobu Encoder, all 100",
            &full,
            Box::new(|at, out| {
                let mut record = all.record(out);
                put(&mut record, &handles, &flows[at]);
                record.finish().expect("a record");
            }),
        ),
        (
            "tobu DynamicMessage of 60, encode",
            &part,
            Box::new(|at, out| {
                messages[at].append(out, EncodeOptions::new()).expect("a message");
            }),
        ),
        (
            "tobu DynamicMessage of 60, set and encode",
            &part,
            Box::new(|at, out| {
                let mut message = DynamicMessage::new(&descriptor).expect("a message");
                for (field, value) in &values[at] {
                    message.set(field, value.clone()).expect("a value");
                }
                message.append(out, EncodeOptions::new()).expect("a message");
            }),
        ),
        (
            "prost, struct of 100, encode",
            &full,
            Box::new(|at, out| {
                flows[at].encode(out).expect("room");
            }),
        ),
        (
            "prost, struct of 100 with 60 set, encode",
            &part,
            Box::new(|at, out| {
                part_flows[at].encode(out).expect("room");
            }),
        ),
        (
            "quick-protobuf, struct of 100, write",
            &full,
            Box::new(|at, out| {
                quick[at].write_message(&mut Writer::new(out)).expect("room");
            }),
        ),
        (
            "prost-reflect DynamicMessage of 60, encode",
            &part,
            Box::new(|at, out| {
                reflects[at].encode(out).expect("room");
            }),
        ),
        (
            "prost-reflect DynamicMessage of 60, set and encode",
            &part,
            Box::new(|at, out| {
                let mut message = ProstReflect::new(reflected.clone());
                for (field, value) in reflects[at].fields() {
                    message.set_field(&field, value.clone());
                }
                message.encode(out).expect("room");
            }),
        ),
    ];
    contenders.retain(|(name, ..)| only.as_deref().is_none_or(|only| only == *name));
    let mut out = Vec::with_capacity(1 << 16);
    for (name, wanted, run) in &mut contenders {
        for (at, wanted) in wanted.iter().enumerate() {
            out.clear();
            run(at, &mut out);
            assert!(out == *wanted, "{name} writes something else");
        }
    }
    let mut runs: Vec<least::Run<'_>> = Vec::new();
    for (.., run) in &mut contenders {
        let mut out = Vec::with_capacity(1 << 16);
        runs.push(Box::new(move || {
            for at in 0..records / TURNS {
                out.clear();
                run(at % FLOWS, &mut out);
                black_box(&out);
            }
        }));
    }
    let times = least::least(&mut runs, TURNS as u32, Duration::MAX);
    drop(runs);
    let mut table =
        String::from("| encoder | ns per record | times the first | bytes |\n| --- | --: | --: | --: |\n");
    for ((name, wanted, _), time) in contenders.iter().zip(&times) {
        let nanoseconds = time.as_secs_f64() * 1e9 / (records / TURNS) as f64;
        let ratio = time.as_secs_f64() / times[0].as_secs_f64();
        let bytes = wanted.iter().map(Vec::len).sum::<usize>() / FLOWS;
        writeln!(table, "| {name} | {nanoseconds:.0} | {ratio:.2} | {bytes} |")?;
    }
    println!("{records} records each, in {TURNS} turns\n\n{table}");
    if write {
        sections::write(
            "flows",
            &format!(
                "{ABOUT}\n{}; {records} records each, in {TURNS} turns.\n\n{table}",
                sections::machine()
            ),
        )?;
    }
    Ok(())
}

const ABOUT: &str = "\
## flows

A flow record of a hundred fields, of which sixty are wanted, by
`benches/compare/streams --write`. tobu's `Encoder` and those who set fields
are given the values one by one; those who encode have a message that is there already. All bytes are compared first. A
figure is the shortest of the turns.
";

/// `--only NAME`, `--records N` and `--write`.
struct Arguments {
    only: Option<String>,
    records: usize,
    write: bool,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut parsed = Arguments { only: None, records: 1_000_000, write: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or("an option without a value");
        match &*argument {
            "--only" => parsed.only = Some(value()?),
            "--records" => parsed.records = value()?.parse::<usize>()?.max(TURNS),
            "--write" => parsed.write = true,
            other => return Err(format!("there is no option {other}").into()),
        }
    }
    Ok(parsed)
}

/// The set fields of a message with their values.
fn values(message: &DynamicMessage) -> Vec<(FieldDescriptor, Value)> {
    let message: &dyn Reflect = message;
    let owned = |value: ValueRef<'_>| match value {
        ValueRef::Bool(value) => Value::Bool(value),
        ValueRef::I32(value) => Value::I32(value),
        ValueRef::I64(value) => Value::I64(value),
        ValueRef::U32(value) => Value::U32(value),
        ValueRef::U64(value) => Value::U64(value),
        ValueRef::F32(value) => Value::F32(value),
        ValueRef::F64(value) => Value::F64(value),
        ValueRef::Str(value) => Value::String(value.to_owned()),
        ValueRef::Bytes(value) => Value::Bytes(bytes::Bytes::copy_from_slice(value)),
        _ => unreachable!("a flow has plain values only"),
    };
    message.fields().map(|(field, value)| (field, owned(value))).collect()
}

/// A flow with all fields set: numbers of all sizes, addresses and short names.
fn flow(descriptor: &MessageDescriptor, seed: u64) -> Result<Flow, Box<dyn Error>> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut message = DynamicMessage::new(descriptor)?;
    for field in descriptor.fields() {
        let random = random();
        // Mostly small, now and then of any size.
        let number = (random >> (random % 60)) | 1;
        let value = match field.kind() {
            Kind::String => Value::String(
                ["DE", "eth0", "xe-0/0/1.100", "core-router-7", "https"][random as usize % 5].into(),
            ),
            Kind::Bytes => Value::Bytes(
                random.to_le_bytes().repeat(2)[..if random % 3 == 0 { 16 } else { 4 }].to_vec().into(),
            ),
            Kind::Double => Value::F64(number as f64),
            Kind::Float => Value::F32(number as f32),
            Kind::Bool => Value::Bool(true),
            Kind::UInt32 | Kind::Fixed32 => Value::U32(number as u32 | 1),
            Kind::UInt64 | Kind::Fixed64 => Value::U64(number),
            Kind::Int32 | Kind::SInt32 => Value::I32((number as i32 >> 8) | 1),
            _ => Value::I64((number as i64 >> 16) | 1),
        };
        message.set(&field, value)?;
    }
    Ok(Flow::decode(&*message.encode_to_vec()?)?)
}

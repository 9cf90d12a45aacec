//! From bytes to columns of Arrow, and to rows: tobu next to prost and prost-reflect with builders, and to decoders that
//! are written by hand for these messages alone. All give equal batches.
//!
//! ```console
//! $ cargo run --release --manifest-path benches/compare/columns/Cargo.toml
//! ```
//!
//! `--write` keeps the tables in `benches/RESULTS.md`, `--only traces` measures one kind of message, and `--seed` makes other data.

mod by_hand;
mod by_prost;
mod by_reflect;
mod columns;
mod data;
#[path = "../../src/heap.rs"]
mod heap;
#[allow(dead_code, reason = "the other benchmarks use it")]
#[path = "../../src/least.rs"]
mod least;
mod rows;
#[allow(dead_code, reason = "the other benchmarks use it")]
#[path = "../../../common/sections.rs"]
mod sections;
mod types;

use arrow_array::RecordBatch;
use prost_reflect::DescriptorPool;
use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;
use tobu::Pool;
use tobu_arrow::{Batcher, Columns};

const SOURCE: &str = include_str!("columns.proto");

/// How many messages a batch has, how many turns there are, and how long they take.
const MESSAGES: usize = 8;
const TURNS: u32 = 200;
const MOST: Duration = Duration::from_secs(20);

/// A kind of message.
struct Set {
    name: &'static str,
    message: &'static str,
    make: fn(u64) -> Vec<u8>,
}

const SETS: [Set; 4] = [
    Set { name: "traces", message: "columns.Traces", make: data::traces },
    Set { name: "flows", message: "columns.Flows", make: data::flows },
    Set { name: "time series", message: "columns.Write", make: data::write },
    Set { name: "logs", message: "columns.Logs", make: data::logs },
];

type Batch<'a> = Box<dyn FnMut() -> RecordBatch + 'a>;

fn main() -> Result<(), Box<dyn Error>> {
    heap::keep_what_is_freed();
    let mut arguments = std::env::args().skip(1);
    let (mut write, mut only, mut seed) = (false, None, 7);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--write" => write = true,
            "--only" => only = arguments.next(),
            "--seed" => seed = arguments.next().ok_or("--seed needs a number")?.parse()?,
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    let pool = Pool::from_sources(&[("columns.proto", SOURCE)])?;
    let reflected = DescriptorPool::decode(&pool.to_descriptor_set()[..])?;
    let mut tables = String::from(ABOUT);
    writeln!(tables, "\n{}.\n", sections::machine())?;
    tables.push_str("| columns of | MiB | tobu-arrow MiB/s | prost | | prost-reflect | | by hand | |\n");
    tables.push_str("| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n");
    let mut ratios = Vec::new();
    let chosen = |set: &&Set| only.as_deref().is_none_or(|only| only == set.name);
    for set in SETS.iter().filter(chosen) {
        let messages: Vec<Vec<u8>> = (0..MESSAGES as u64).map(|at| (set.make)(seed + at)).collect();
        let descriptor = pool.message(set.message).ok_or("no message")?;
        let columns = Columns::new(&descriptor)?;
        let mut batcher = Batcher::new(&columns);
        let schema = columns.schema();
        let reflect = reflected.get_message_by_name(set.message).ok_or("no message")?;
        let mut contenders: Vec<Batch<'_>> = vec![Box::new(|| {
            for message in &messages {
                assert!(batcher.push(message).expect("a message").is_none(), "one batch");
            }
            batcher.finish().expect("a batch").expect("rows")
        })];
        macro_rules! others {
            ($columns:ident, $function:ident) => {{
                contenders.push(Box::new(|| {
                    let mut columns = columns::$columns::default();
                    messages.iter().for_each(|message| by_prost::$function(message, &mut columns));
                    columns.finish(&schema)
                }));
                contenders.push(Box::new(|| {
                    let mut columns = columns::$columns::default();
                    messages
                        .iter()
                        .for_each(|message| by_reflect::$function(&reflect, message, &mut columns));
                    columns.finish(&schema)
                }));
                contenders.push(Box::new(|| {
                    let mut columns = columns::$columns::default();
                    messages.iter().for_each(|message| by_hand::$function(message, &mut columns));
                    columns.finish(&schema)
                }));
            }};
        }
        match set.name {
            "traces" => others!(TraceColumns, traces),
            "flows" => others!(FlowColumns, flows),
            "time series" => others!(WriteColumns, write),
            _ => others!(LogColumns, logs),
        }
        let batches: Vec<RecordBatch> = contenders.iter_mut().map(|contender| contender()).collect();
        for (other, name) in batches[1..].iter().zip(["prost", "prost-reflect", "the decoder by hand"]) {
            assert!(*other == batches[0], "{name} gives another batch of {}", set.name);
        }
        let mut runs: Vec<least::Run<'_>> = contenders
            .into_iter()
            .map(|mut contender| Box::new(move || drop(black_box(contender()))) as least::Run<'_>)
            .collect();
        let times = least::least(&mut runs, TURNS, MOST);
        let mib = messages.iter().map(Vec::len).sum::<usize>() as f64 / f64::from(1 << 20);
        let rate = |time: Duration| mib / time.as_secs_f64();
        let faster = |at: usize| times[at].as_secs_f64() / times[0].as_secs_f64();
        write!(tables, "| {} | {mib:.2} | {:.0} |", set.name, rate(times[0]))?;
        for (at, time) in times.iter().enumerate().skip(1) {
            write!(tables, " {:.0} | {:.2} |", rate(*time), faster(at))?;
        }
        tables.push('\n');
        ratios.push([faster(1), faster(2), faster(3)]);
    }
    let mean = |at: usize| {
        (ratios.iter().map(|ratios: &[f64; 3]| ratios[at].ln()).sum::<f64>() / ratios.len() as f64).exp()
    };
    writeln!(tables, "| mean | | | | {:.2} | | {:.2} | | {:.2} |", mean(0), mean(1), mean(2))?;
    tables.push_str(&rows::table(seed)?);
    print!("{tables}");
    if write {
        sections::write("columns", &tables)?;
    }
    Ok(())
}

const ABOUT: &str = "\
## columns

Bytes to Arrow, by `cargo run --release --manifest-path benches/compare/columns/Cargo.toml -- --write`: eight messages, each of
hundreds of elements, become one record batch with all of their fields. tobu-arrow knows their schema at run time, and so does
prost-reflect. prost's messages, those of prost-reflect and a decoder that is written by hand for these messages alone go into
Arrow's builders. All of them give equal batches. A ratio above 1 says that tobu-arrow is faster. Below are rows by
`derive(Row)`, which own what they have unless the table says that they borrow it, next to prost's decoding alone. A figure is the
shortest of many short turns.
";

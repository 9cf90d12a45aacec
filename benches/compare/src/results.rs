//! `benches/RESULTS.md` and the charts.

use crate::chart;
use crate::contest::Outcome;
use crate::report::TaskResult;
use crate::task::{Lane, Task};
use std::fmt::Write;
use std::path::Path;
use tobu_compare::sections::{self, output, processor};

/// Writes the results of a run of all tasks, or puts those of some into the last ones; `sample` is whether the data were made by a seed.
pub fn write(results: &[TaskResult], quick: bool, sample: bool) -> Outcome<()> {
    let benches = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let charts = benches.join("charts");
    std::fs::create_dir_all(&charts)?;
    for result in results {
        std::fs::write(charts.join(format!("{}.svg", result.task.name())), chart::svg(result))?;
    }
    let file = benches.join("RESULTS.md");
    let last = std::fs::read_to_string(&file).unwrap_or_default();
    let text = match results.len() == Task::ALL.len() {
        true => markdown(results, quick, sample) + "\n" + sections::all(&last),
        false if quick || sample => return Err("single tasks take a whole run on the recorded data".into()),
        false => results.iter().try_fold(last, |text, result| replaced(&text, result))?,
    };
    std::fs::write(file, text)?;
    println!("wrote benches/RESULTS.md and benches/charts/");
    Ok(())
}

/// The text with other figures of a task, in its section and in the summary.
fn replaced(text: &str, result: &TaskResult) -> Outcome<String> {
    let name = result.task.name();
    let (before, rest) = text.split_once(&format!("\n## {name}\n")).ok_or("the task has no section")?;
    let after = &rest[rest.find("\n## ").ok_or("no section follows")?..];
    let (head, rows) = before.split_once(&format!("| {name} | ")).ok_or("the task is not in the summary")?;
    // The rows of its other lanes do not repeat the name.
    let is_other = |row: &&str| row.starts_with("|  |");
    let len = rows.split_inclusive('\n').skip(1).take_while(is_other).map(str::len).sum::<usize>();
    let tail = &rows[rows.find('\n').ok_or("the summary ends")? + 1 + len..];
    let date = output("date", &["-u", "+%Y-%m-%d"]);
    let note = format!("\n* measured again on {date}, without the other tasks\n");
    Ok(format!("{head}{}{tail}{}{note}{after}", summary(result), section(result)))
}

fn summary(result: &TaskResult) -> String {
    let mut text = String::new();
    for &(lane, label) in result.task.lanes() {
        if let Some((mean, least)) = result.summary(lane) {
            let name = if lane == Lane::First { result.task.name() } else { "" };
            let _ = writeln!(text, "| {name} | {label} | {mean:.2} | {least:.2} |");
        }
    }
    text
}

fn section(result: &TaskResult) -> String {
    let (name, about) = (result.task.name(), result.task.about());
    let mut text = format!("\n## {name}\n\n{about}\n\n![{name}](charts/{name}.svg)\n\n");
    text += &result.markdown();
    let notes = result.footnotes();
    if !notes.is_empty() {
        text.push('\n');
    }
    for note in notes {
        let _ = writeln!(text, "* {note}");
    }
    text
}

fn markdown(results: &[TaskResult], quick: bool, sample: bool) -> String {
    let mut text = "# tobu next to its peers\n\n".to_owned();
    let _ = writeln!(
        text,
        "Measured on {} with one core of {}, {}, by\n\
         `cargo run --release --manifest-path benches/compare/Cargo.toml{} -- --write`{}.\n",
        output("date", &["-u", "+%Y-%m-%d"]),
        processor(),
        output("rustc", &["--version"]),
        if cfg!(feature = "google") { " --features google" } else { "" },
        if quick { " with `--quick`: the figures are rough" } else { "" },
    );
    if sample {
        text += SAMPLE;
    }
    text += INTRODUCTION;
    let _ = writeln!(text, "Versions: {}.\n", versions().join(", "));
    text += "| task | tobu's ratio to | geometric mean | minimum |\n| --- | --- | --: | --: |\n";
    results.iter().for_each(|result| text += &summary(result));
    results.iter().for_each(|result| text += &section(result));
    text += "\n## What to know\n\n";
    for note in NOTES {
        let _ = writeln!(text, "* {note}");
    }
    text
}

const INTRODUCTION: &str = "\
MiB/s; the best in bold. All libraries run in one process with the system's allocator, in turns; a figure is the median
of the turns, by the time that the thread had a processor. The allocator keeps what is freed (`src/heap.rs`), so that a
figure does not depend on the tasks before it. Dropping a message is part of decoding it. Before a library
is timed, its result is compared with the content of the data set; who drops or skips something is said below each table.

";

const SAMPLE: &str = "\
The recorded data sets were not there: these are figures on data of the same shapes, made by a seed.

";

const NOTES: &[&str] = &[
    "Every library is used with its defaults, in a release build with one unit of code and thin LTO; each brings the \
     hash map that it generates by default.",
    "decode_borrowed: quick-protobuf's maps are hash maps, those of buffa's views are lists, those of tobu's views are \
     lists as long as they are short or their keys ascend, and hash maps then. buffa's lazy views keep \
     sub-messages as bytes and check nothing in them, not even that they are messages; tobu's views check all of it, so \
     that lazy views are shown beside and not compared. The section \"lazy\" has them beside tobu's lazy fields and projections.",
    "google is a binding to C (upb): its messages live in an arena, and their strings are in one copy of the input. It cannot \
     encode into a vector that is there already, and its allocations are not counted.",
    "serde_decode and serde_encode: tobu knows the schema of these structs from a descriptor only. They are prost's, with \
     serde's derives and `Bytes`, because serde takes a `Vec<u8>` for a list of numbers. prost reads and writes its own.",
    "json_encode and json_decode: serde_json on structs with serde's derives is shown for orientation. Its text is not \
     ProtoJSON, but the rate counts the ProtoJSON of the same messages.",
    "Libraries on top of serde_json read floating-point numbers as it does by default, not always exactly.",
    "text_encode and text_decode: prost-reflect's messages are of a schema known at run time, those of the others are \
     generated.",
    "wire_to_json and json_to_wire: tobu builds no message in between. The typed peers know the schema when they are \
     compiled.",
    "pool_load: tobu's pool is linked and checked; the tables of a codec are made when a message type is first used.",
    "The types of descriptors are those that buffa and rust-protobuf bring with them, of an older schema: what is newer \
     are unknown fields to them. quick-protobuf's generator is not asked to read that schema.",
];

/// Name and version of each library, from the lock file.
fn versions() -> Vec<String> {
    const SHOWN: &[&str] = &[
        "buffa",
        "buffa-descriptor",
        "pbjson",
        "prost",
        "prost-reflect",
        "protobuf",
        "protobuf-json-mapping",
        "quick-protobuf",
        "serde_json",
        "tobu",
    ];
    let lock = include_str!("../Cargo.lock");
    let packages = lock.split("[[package]]").filter_map(|package| {
        let field = |key: &str| Some(package.split_once(&format!("\n{key} = \""))?.1.split_once('"')?.0);
        Some((field("name")?, field("version")?))
    });
    packages
        .filter(|(name, version)| {
            SHOWN.contains(name) && (cfg!(feature = "google") || !version.ends_with("-release"))
        })
        .map(|(name, version)| format!("{name} {version}"))
        .collect()
}

//! How large messages are: their structs, and what a decoded one has on the heap.

use crate::contest::Outcome;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use tobu_compare::{go, sections};

const MOD: &str = include_str!("go.mod");

const ABOUT: &str = "\
## layout

How large a message is, by `cargo run --release --manifest-path benches/compare/Cargo.toml -- --layout --write`: the bytes of
its struct, the bytes and the allocations that a decoded one has on the heap, per message of the data set, and MiB/s of
decoding and encoding. *opaque*: private members, of which optional scalars, strings and bytes have a bit each.
";

/// A library's messages of a data set.
pub struct Size {
    pub library: String,
    pub structs: usize,
    pub heap: f64,
    pub allocations: f64,
    /// MiB/s of decoding and encoding, where they are measured.
    pub rates: [Option<f64>; 2],
}

/// Go's library, by a program that is built where there is Go.
pub struct Go(PathBuf);

impl Go {
    /// # Errors
    /// There is no Go, or no network the first time.
    pub fn build() -> Outcome<Self> {
        let sources =
            [("go.mod", MOD), ("go.sum", include_str!("go.sum")), ("main.go", include_str!("main.go"))];
        let plugins: [go::Plugin<'_>; 2] = [
            ("protoc-gen-go", include_bytes!(concat!(env!("OUT_DIR"), "/go/open")), ""),
            ("protoc-gen-go", include_bytes!(concat!(env!("OUT_DIR"), "/go/opaque")), ""),
        ];
        go::build("tobu-compare-layout", &sources, &plugins).map(Go)
    }

    /// The sizes of a data set's messages; none of one that the program does not know.
    pub fn sizes(&self, set: &str, data: &Path) -> Outcome<Vec<Size>> {
        let mut command = Command::new(self.0.join("program"));
        command.arg(set).arg(data.join(set).with_extension("pb"));
        // The same schema is there twice, once for each API.
        command.env("GOLANG_PROTOBUF_REGISTRATION_CONFLICT", "ignore");
        let output = String::from_utf8(go::run(&mut command, &[])?)?;
        output.lines().map(size).collect()
    }
}

/// A line that the program prints.
fn size(line: &str) -> Outcome<Size> {
    let (library, numbers) = line.split_once(" ; ").ok_or("no library")?;
    let numbers: Vec<f64> = numbers.split(' ').map(str::parse).collect::<Result<_, _>>()?;
    let [structs, heap, allocations] = numbers[..] else { return Err("no three numbers".into()) };
    Ok(Size { library: library.into(), structs: structs as usize, heap, allocations, rates: [None; 2] })
}

/// The table of all data sets.
pub fn table(sets: &[(&str, Vec<Size>)]) -> Outcome<String> {
    let mut table = String::from(
        "| data set | library | struct | heap | allocations | decode | encode |\n| --- | --- | --: | --: | --: | --: | --: |\n",
    );
    for (set, sizes) in sets {
        for Size { library, structs, heap, allocations, rates } in sizes {
            let [decode, encode] =
                rates.map(|rate| rate.map_or_else(|| "-".into(), |rate| format!("{rate:.0}")));
            writeln!(
                table,
                "| {set} | {library} | {structs} | {heap:.0} | {allocations:.1} | {decode} | {encode} |"
            )?;
        }
    }
    Ok(table)
}

/// Keeps the table in `benches/RESULTS.md`.
pub fn write(table: &str, has_go: bool) -> Outcome<()> {
    let go = if has_go { go::version(MOD, &["google.golang.org/protobuf"]) } else { "without Go".to_owned() };
    sections::write("layout", &format!("{ABOUT}\n{}, {go}.\n\n{table}", sections::machine()))
}

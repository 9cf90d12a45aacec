//! The command: see the library.

use std::path::PathBuf;
use tobu_compile::Outcome;
use tobu_compile::build::{Builder, Cell};
use tobu_compile::cli::Args;
use tobu_compile::contestants::{self, Contestant};
use tobu_compile::project::Project;
use tobu_compile::protos::Protos;
use tobu_compile::report::{self, Column};
use tobu_compile::row::Row;
use tobu_compile::{measure, results, schema};

fn main() {
    let args = Args::parse(std::env::args().skip(1)).unwrap_or_else(|message| {
        eprintln!("{message}");
        std::process::exit(2);
    });
    measure::end_with_this_program();
    if let Err(error) = run(&args) {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

fn run(args: &Args) -> Outcome<()> {
    let directory = directory(args.quick)?;
    let files = schema::generate(if args.quick { schema::QUICK } else { schema::FULL });
    let protos = Protos::compile(&files, &directory.join("protos"))?;
    let about = format!(
        "{} messages with {} fields in {} files; {}; {}.",
        protos.messages.len(),
        protos.fields,
        files.len(),
        results::versions(),
        results::machine(),
    );
    println!("{about}\n");
    let mut columns = Vec::new();
    for contestant in contestants::all() {
        if args.only.iter().any(|name| name == contestant.name) {
            let project = Project::write(&contestant, &protos, &directory)?;
            columns.push(column(args, &contestant, &project)?);
        }
    }
    let table = report::table(&args.rows, &columns, args.timeout);
    print!("{table}");
    if args.write {
        results::write(&format!("{HEADING}{about}\n\n{table}"))?;
    }
    Ok(())
}

fn column(args: &Args, contestant: &Contestant, project: &Project) -> Outcome<Column> {
    let mut builder = Builder::new(contestant, project, args.timeout);
    let mut cells = Vec::new();
    for &row in &args.rows {
        let cell = builder.measure(row)?;
        progress(contestant, row, &cell);
        cells.push(cell);
    }
    Ok(Column { name: contestant.name, lines: project.lines, bytes: project.bytes, cells })
}

fn progress(contestant: &Contestant, row: Row, cell: &Cell) {
    let figures = match cell {
        Cell::Done(figures) => figures
            .usage
            .map_or_else(|| "done".to_owned(), |usage| format!("{:.1} CPU s", usage.cpu.as_secs_f64())),
        Cell::TimedOut => "takes too long".to_owned(),
        Cell::Failed => "failed".to_owned(),
        Cell::None => return,
    };
    eprintln!("{}, {}: {figures}", contestant.name, row.name());
}

/// Below the target directory, in which this program is, too.
fn directory(quick: bool) -> Outcome<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program.ancestors().nth(2).ok_or("the program is in no target directory")?;
    Ok(target.join(if quick { "compile-quick" } else { "compile" }))
}

const HEADING: &str = "\
## compile

What generated code costs to compile, by `cargo run --release --manifest-path benches/compile/Cargo.toml -- --write`.
The schema is made up, after the APIs of public clouds: requests and responses, resources with up to 40 fields, nested
messages, enums, oneofs, maps, recursion, well-known types, some proto2. The code is generated before anything is
measured and compiled as it is: the library has all of it; a program decodes and encodes messages of it and is built
together with it. Other dependencies are built before, except in their own row, which has those of the build script,
too. buffa's lack a compiler of `.proto` files: it takes protoc, or what protox made, as here.

CPU seconds are of cargo and all processes that it starts, peak memory of the largest of them. Code is a stripped
program less one that does nothing. LLVM lines are of the library and the program before they are optimized. No build is
incremental. In brackets the ratio to prost, or to prost with pbjson where JSON is read and written, too.

";

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
            columns.push(column(args, &contestant, &project, &protos)?);
        }
    }
    let mut table = report::table(&args.rows, &columns, args.timeout);
    table += &report::pays(&args.rows, &columns, protos.messages.len());
    print!("{table}");
    if args.write {
        results::write(&format!("{HEADING}{about}\n\n{table}"))?;
    }
    Ok(())
}

fn column(args: &Args, contestant: &Contestant, project: &Project, protos: &Protos) -> Outcome<Column> {
    let mut builder = Builder::new(contestant, project, protos, args.timeout);
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

The rows that begin with \"clean\" are what a user waits for the first time: an empty target directory, the library, the
generator as a build script has it, all that both depend on, the generated code. \"Library and generator\" has no code at
all. \"The first program\" is that of tobu's README; prost and buffa leave out its JSON, prost+pbjson has it. The service
is a server and a client of 12 methods on tonic: by tobu-build and tobu-tonic, and by tonic-prost-build and tonic-prost.
prost-build and buffa-build run a protoc that is downloaded, which is not counted; tobu runs none.

In the other rows the code is generated, and all else is compiled, before anything is measured. The schema is made up, after
the APIs of public clouds: requests and responses, resources with up to 40 fields, nested messages, enums, oneofs, maps,
recursion, well-known types, some proto2. The library has all of it; a program decodes and encodes messages of it and
is built together with it.

CPU seconds are of cargo and all processes that it starts, peak memory of the largest of them. Code is a stripped
program less one that does nothing. LLVM lines are of the library and the program before they are optimized. No build is
incremental. In brackets the ratio to prost, or to prost with pbjson where JSON is read and written, too.

";

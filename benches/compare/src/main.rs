//! tobu next to its peers: the same bytes in one process, in turns, with medians.

mod alloc;
mod chart;
mod cli;
mod contest;
mod data;
mod layout;
mod libs;
mod report;
mod results;
mod run;
mod sets;
mod task;
mod timing;

use cli::Args;
use std::error::Error;
use std::io::IsTerminal;
use std::path::Path;

fn main() {
    tobu_compare::heap::keep_what_is_freed();
    let args = Args::parse(std::env::args().skip(1)).unwrap_or_else(|message| {
        eprintln!("{message}");
        std::process::exit(2);
    });
    if let Err(error) = run(&args) {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let data = args.data();
    let sample = data == Path::new(tobu_compare::SAMPLE);
    if sample && !args.tsv {
        println!(
            "no recorded data sets where TOBU_SHARED points: data of the same shapes, made by a seed, instead\n"
        );
    }
    let bench = run::Bench::load(args, &data)?;
    if args.layout {
        let go = layout::Go::build();
        if let Err(error) = &go {
            println!("Go takes no part: {error}\n");
        }
        let table = layout::table(&bench.layout(go.as_ref().ok(), &data)?)?;
        print!("{table}");
        return if args.write { layout::write(&table, go.is_ok()) } else { Ok(()) };
    }
    let mut results = Vec::new();
    for &task in &args.tasks {
        if args.allocs {
            print!("{}", bench.allocations(task)?);
            continue;
        }
        let Some(result) = bench.measure(task)? else { continue };
        if args.tsv {
            print!("{}", result.tsv());
        } else {
            println!("{}: {}\n", task.name(), task.about());
            print!("{}", result.text(std::io::stdout().is_terminal()));
            result.footnotes().iter().for_each(|note| println!("* {note}"));
            println!();
        }
        results.push(result);
    }
    if args.write {
        results::write(&results, args.quick, sample)?;
    }
    Ok(())
}

//! tobu next to its peers: the same bytes in one process, in turns, with medians.

mod cli;
mod contest;
mod data;
mod libs;
mod report;
mod sample;
mod sets;
mod task;
mod timing;

use cli::Args;
use contest::Contest;
use report::{Row, TaskResult};
use std::error::Error;
use std::io::IsTerminal;
use std::time::Duration;
use timing::Effort;
use tobu::Pool;

fn main() {
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
    let pool = Pool::from_descriptor_set(tobu_compare::SCHEMAS)?;
    let data = args.data();
    if data.is_none() && !args.tsv {
        println!("no data sets: a small sample instead; --data or TOBU_SHARED say where they are\n");
    }
    let names: Vec<&str> = match args.sets.is_empty() {
        true => sets::NAMES.to_vec(),
        false => args.sets.iter().map(String::as_str).collect(),
    };
    let entries = names.iter().map(|name| sets::load(&pool, name, data.as_deref()));
    let entries = entries.collect::<Result<Vec<_>, _>>()?;
    let effort = match args.quick {
        true => Effort { rounds: 3, turn: Duration::from_millis(3) },
        false => Effort { rounds: 15, turn: Duration::from_millis(20) },
    };
    for &task in &args.tasks {
        let mut result = TaskResult { task, rows: Vec::new() };
        for entry in &entries {
            let mut contest = Contest::new(task, &entry.set);
            for library in &entry.libraries {
                library.enter(&mut contest)?;
            }
            if contest.contenders.is_empty() {
                continue;
            }
            let bytes = if task.counts_json() { entry.set.json_size() } else { entry.set.size() };
            let rate = |time: Duration| bytes as f64 / time.as_secs_f64() / f64::from(1 << 20);
            let times = timing::race(&mut contest.contenders, effort);
            let cells = contest.contenders.iter().zip(times).map(|(who, time)| (who.entrant, rate(time)));
            result.rows.push(Row { set: entry.set.name, cells: cells.collect(), notes: contest.notes });
        }
        if result.rows.is_empty() {
            continue;
        }
        if args.tsv {
            print!("{}", result.tsv());
        } else {
            println!("{}: {}\n", task.name(), task.about());
            print!("{}", result.text(std::io::stdout().is_terminal()));
            for note in result.footnotes() {
                println!("* {note}");
            }
            println!();
        }
    }
    Ok(())
}

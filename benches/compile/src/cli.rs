//! The command line.

use crate::contestants;
use crate::row::Row;
use std::time::Duration;

/// The command line.
#[derive(Debug)]
pub struct Args {
    /// The names of the contestants.
    pub only: Vec<String>,
    pub rows: Vec<Row>,
    pub quick: bool,
    pub write: bool,
    pub timeout: Duration,
}

pub const HELP: &str = "\
What generated code costs to compile: tobu next to its peers

Usage: tobu-compile [OPTIONS]

  --only NAME,...     only these contestants: tobu, prost, prost+pbjson, buffa, buffa+views
  --rows ROW,...      only these rows: dependencies, check, library-debug, library-release, sample-debug,
                      sample-release, json-debug, json-release, all-debug, all-release, llvm-lines
  --quick             a schema of some 60 messages: shows that all works
  --timeout SECONDS   a build that takes longer is given up; 600 if not said
  --write             put the table into benches/RESULTS.md: of all rows, with tobu and prost at least
";

impl Args {
    /// Reads the arguments; an error says which is wrong.
    pub fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let all: Vec<_> = contestants::all().iter().map(|contestant| contestant.name.to_owned()).collect();
        let mut parsed = Args {
            only: Vec::new(),
            rows: Vec::new(),
            quick: false,
            write: false,
            timeout: Duration::from_secs(600),
        };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} takes a value"));
            match arg.as_str() {
                "--only" => {
                    for name in value()?.split(',') {
                        if !all.iter().any(|known| known == name) {
                            return Err(format!(
                                "there is no contestant {name}; there are {}",
                                all.join(", ")
                            ));
                        }
                        parsed.only.push(name.to_owned());
                    }
                }
                "--rows" => {
                    for name in value()?.split(',') {
                        parsed.rows.push(row(name)?);
                    }
                }
                "--quick" => parsed.quick = true,
                "--write" => parsed.write = true,
                "--timeout" => {
                    let seconds = value()?;
                    let seconds =
                        seconds.parse().map_err(|_| format!("{seconds} is no number of seconds"))?;
                    parsed.timeout = Duration::from_secs(seconds);
                }
                "--help" | "-h" => return Err(HELP.to_owned()),
                _ => return Err(format!("what is {arg}?\n\n{HELP}")),
            }
        }
        let lacks = |name| !parsed.only.is_empty() && !parsed.only.iter().any(|only| only == name);
        if parsed.write && (parsed.quick || !parsed.rows.is_empty() || lacks("tobu") || lacks("prost")) {
            return Err("--write takes a full run of all rows, with tobu and prost".to_owned());
        }
        if parsed.only.is_empty() {
            parsed.only = all;
        }
        // Rows are measured before those that include them.
        parsed.rows =
            Row::ALL.into_iter().filter(|row| parsed.rows.is_empty() || parsed.rows.contains(row)).collect();
        Ok(parsed)
    }
}

fn row(name: &str) -> Result<Row, String> {
    let names = || Row::ALL.map(Row::name).join(", ");
    Row::ALL
        .into_iter()
        .find(|row| row.name() == name)
        .ok_or_else(|| format!("there is no row {name}; there are {}", names()))
}

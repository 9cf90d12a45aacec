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
  --rows ROW,...      only these rows: clean, book, service and large, each with -check, -debug or -release
                      behind it, or all three without; check, library-debug, library-release, sample-debug,
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
                        parsed.rows.extend(rows(name)?);
                    }
                }
                "--quick" => parsed.quick = true,
                "--write" => parsed.write = true,
                "--timeout" => {
                    let seconds = value()?;
                    let seconds =
                        seconds.parse().map_err(|_| format!("{seconds} is not a number of seconds"))?;
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
        parsed.rows = Row::all()
            .into_iter()
            .filter(|row| parsed.rows.is_empty() || parsed.rows.contains(row))
            .collect();
        Ok(parsed)
    }
}

fn rows(name: &str) -> Result<Vec<Row>, String> {
    let rows: Vec<_> = Row::all().into_iter().filter(|row| row.is_of(name)).collect();
    if rows.is_empty() {
        let names: Vec<_> = Row::all().into_iter().map(Row::name).collect();
        return Err(format!("there is no row {name}; there are {}", names.join(", ")));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::Args;

    fn rows(names: &str) -> Result<Vec<String>, String> {
        let args = Args::parse(["--rows", names].into_iter().map(str::to_owned))?;
        Ok(args.rows.into_iter().map(|row| row.name()).collect())
    }

    #[test]
    fn rows_are_chosen_by_their_names_or_by_what_is_built() {
        assert_eq!(rows("book").unwrap(), ["book-check", "book-debug", "book-release"]);
        assert_eq!(rows("check,clean-debug").unwrap(), ["clean-debug", "check"]);
        assert!(rows("boo").unwrap_err().starts_with("there is no row boo; there are clean-check, "));
    }
}

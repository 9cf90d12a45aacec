//! Implements the command line program: its arguments, the files of a crate, and its output.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tobu_schema::Pool;

use super::{Level, Migration, Outcome, Source, script};
use crate::error::{Error, Result};
use tobu_build::Config;

const HELP: &str = "Rewrites a Rust crate from the public members of messages to their accessors.

usage: tobu-migrate --descriptors FILE [OPTIONS] PATH...
       tobu-migrate build-script --help    for build scripts that use prost-build

  PATH                  a crate, of which src, tests, examples, benches and build.rs
                        are read, or a Rust file; all paths together are one crate
  --descriptors FILE    the schema: a FileDescriptorSet with all imports, as
                        `protoc --include_imports --descriptor_set_out` writes it
  --setting NAME=VALUE  a setting by which the messages are generated, as the plugin
                        protoc-gen-tobu takes it; may be repeated
  --to hybrid|opaque    hybrid (the default): members stay public, what is left compiles;
                        opaque: members are private, what is left is an error
  --level green|yellow|red
                        rewrite what surely means the same (the default), what most
                        likely does, or also what moves or borrows in another way
  --types NAME,...      only these messages, by their full names or Rust paths
  --write               change the files; without it, a diff is printed
  --help                print this

The diff is on standard output; what is left and a summary are on standard error.
Status: 0 when it is done, 1 if a file could not be rewritten or, with --to opaque,
occurrences are left, 2 for wrong arguments.
";

/// Runs `tobu-migrate` with arguments, and returns its exit status.
///
/// # Errors
/// Output cannot be written.
pub fn run(arguments: &[String], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    if let Some(("build-script", rest)) = arguments.split_first().map(|(first, rest)| (first.as_str(), rest))
    {
        return script::run(rest, out, err);
    }
    run_command::<Arguments>(HELP, arguments, out, err)
}

/// The arguments of a command, with the functions that run it.
pub(super) trait Command: Sized {
    fn parse(given: &[String]) -> Result<Self, String>;

    fn outcomes(&self) -> Result<Vec<Outcome>>;

    /// Prints the outcomes, and returns the exit status.
    fn print(&self, outcomes: &[Outcome], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8>;
}

/// Runs a command. With `--help` or wrong arguments, prints the help or an error instead.
pub(super) fn run_command<C: Command>(
    help: &str,
    arguments: &[String],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        out.write_all(help.as_bytes())?;
        return Ok(0);
    }
    let command = match C::parse(arguments) {
        Ok(command) => command,
        Err(message) => {
            writeln!(err, "tobu-migrate: {message}\n\n{help}")?;
            return Ok(2);
        }
    };
    match command.outcomes() {
        Ok(outcomes) => command.print(&outcomes, out, err),
        Err(error) => {
            writeln!(err, "tobu-migrate: {error}")?;
            Ok(2)
        }
    }
}

/// How code can access the members of messages after the migration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Api {
    /// The members are public and have accessors, so code that was not rewritten compiles.
    #[default]
    Hybrid,
    /// Only the accessors are public, so code that was not rewritten does not compile.
    Opaque,
}

#[derive(Debug, Default)]
struct Arguments {
    descriptors: PathBuf,
    settings: Vec<String>,
    to: Api,
    level: Level,
    types: Vec<String>,
    write: bool,
    paths: Vec<PathBuf>,
}

impl Command for Arguments {
    fn parse(given: &[String]) -> Result<Self, String> {
        let mut arguments = Arguments::default();
        let mut given = given.iter();
        while let Some(name) = given.next() {
            let mut value = || given.next().ok_or(format!("{name} has no value"));
            match name.as_str() {
                "--descriptors" => arguments.descriptors = value()?.into(),
                "--setting" => arguments.settings.push(value()?.clone()),
                "--to" => {
                    arguments.to = match value()?.as_str() {
                        "hybrid" => Api::Hybrid,
                        "opaque" => Api::Opaque,
                        other => return Err(format!("--to is hybrid or opaque, and not {other:?}")),
                    }
                }
                "--level" => {
                    arguments.level = match value()?.as_str() {
                        "green" => Level::Green,
                        "yellow" => Level::Yellow,
                        "red" => Level::Red,
                        other => return Err(format!("--level is green, yellow or red, and not {other:?}")),
                    }
                }
                "--types" => arguments.types.extend(value()?.split(',').map(str::to_owned)),
                "--write" => arguments.write = true,
                option if option.starts_with('-') => return Err(format!("there is no option {option}")),
                path => arguments.paths.push(path.into()),
            }
        }
        if arguments.descriptors.as_os_str().is_empty() {
            return Err("--descriptors is missing".to_owned());
        }
        if arguments.paths.is_empty() {
            return Err("there is no crate and no file".to_owned());
        }
        Ok(arguments)
    }

    fn outcomes(&self) -> Result<Vec<Outcome>> {
        let set = fs::read(&self.descriptors).map_err(|error| Error::io(&self.descriptors, error))?;
        let mut config = Config::new();
        config.client(true);
        self.settings.iter().try_for_each(|setting| config.setting(setting).map(|_| ()))?;
        let mut migration = Migration::with_config(&Pool::from_descriptor_set_bytes(set)?, &config)?;
        migration.level(self.level).types(&self.types)?;
        let mut files = Vec::new();
        for path in &self.paths {
            rust_files(path, &mut files)?;
        }
        let sources: Vec<_> = files.iter().map(|path| read(path)).collect::<Result<_>>()?;
        let outcomes = migration.run(&sources);
        for (path, outcome) in files.iter().zip(&outcomes) {
            if self.write {
                write(path, outcome)?;
            }
        }
        Ok(outcomes)
    }

    fn print(&self, outcomes: &[Outcome], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let Totals { rewritten, remaining, failed, changed } = Totals::print(outcomes, self.write, out, err)?;
        let [green, yellow, red] = rewritten;
        let done = if self.write { "rewritten" } else { "to rewrite" };
        writeln!(
            err,
            "{} occurrences {done} in {changed} files (green: {green}, yellow: {yellow}, red: {red}), {remaining} left, \
             {failed} files failed",
            green + yellow + red
        )?;
        Ok(u8::from(failed > 0 || self.to == Api::Opaque && remaining > 0))
    }
}

/// The sum of the outcomes of all files.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) rewritten: [usize; 3],
    pub(super) remaining: usize,
    pub(super) failed: usize,
    pub(super) changed: usize,
}

impl Totals {
    /// Prints the outcome of each file. If `write` is false, also prints its diff.
    pub(super) fn print(
        outcomes: &[Outcome],
        write: bool,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> io::Result<Self> {
        let mut totals = Totals::default();
        for outcome in outcomes {
            if !write {
                out.write_all(outcome.diff().as_bytes())?;
            }
            if let Some(error) = &outcome.error {
                totals.failed += 1;
                writeln!(err, "{}:{error}", outcome.name)?;
            }
            for left in &outcome.left {
                writeln!(err, "{}:{left}", outcome.name)?;
            }
            for note in &outcome.notes {
                writeln!(err, "{}:{note}", outcome.name)?;
            }
            totals.remaining += outcome.left.len();
            totals.changed += usize::from(outcome.is_changed());
            totals.rewritten.iter_mut().zip(outcome.rewritten).for_each(|(all, count)| *all += count);
        }
        Ok(totals)
    }
}

pub(super) fn read(path: &Path) -> Result<Source> {
    let text = fs::read_to_string(path).map_err(|error| Error::io(path, error))?;
    Ok(Source::new(path.display().to_string(), text))
}

/// Writes the file if its outcome has changes.
pub(super) fn write(path: &Path, outcome: &Outcome) -> Result<()> {
    match outcome.is_changed() {
        true => fs::write(path, &outcome.text).map_err(|error| Error::io(path, error)),
        false => Ok(()),
    }
}

/// Adds a file, the Rust files in the usual directories of a crate, or the Rust files of another directory.
fn rust_files(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    if !path.join("Cargo.toml").is_file() {
        return walk(path, files);
    }
    let build = path.join("build.rs");
    if build.is_file() {
        files.push(build);
    }
    for part in ["benches", "examples", "src", "tests"] {
        let part = path.join(part);
        if part.is_dir() {
            walk(&part, files)?;
        }
    }
    Ok(())
}

/// Adds the Rust files of a directory. Skips other crates inside the directory, and build output.
fn walk(directory: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let failed = |error| Error::io(directory, error);
    let mut entries: Vec<_> = fs::read_dir(directory)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>())
        .map_err(failed)?;
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if name != "target" && !name.starts_with('.') && !path.join("Cargo.toml").is_file() {
                walk(&path, files)?;
            }
        } else if name.ends_with(".rs") {
            files.push(path);
        }
    }
    Ok(())
}

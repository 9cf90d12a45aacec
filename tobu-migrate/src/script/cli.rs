//! Implements the command `tobu-migrate build-script`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{rewrite_build_script, rewrite_manifest};
use crate::Outcome;
use crate::cli::{Command, Totals, read, run_command, write};
use crate::error::Result;

/// The text that `--help` prints.
const HELP: &str = "Rewrites a build script from prost-build and tonic-build to tobu-build.

usage: tobu-migrate build-script [--write] SCRIPT [MANIFEST]

  SCRIPT      the build script, or the directory of its crate
  MANIFEST    the Cargo.toml with its dependencies; without it, the one of the script's crate,
              where there is one
  --write     change the files; without it, a diff is printed
  --help      print this

The diff is on standard output. What is left, what a person should know, and a summary are on
standard error. What is left is for a person: most of it does not compile.
Status: 0 when it is done, 1 if a file could not be rewritten or something is left, 2 for wrong
arguments.
";

pub(crate) fn run(arguments: &[String], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    run_command::<Arguments>(HELP, arguments, out, err)
}

/// Returns the manifest of the crate with the script. It is next to a `build.rs`, or above `src` or `tests` if a program or a
/// test of the crate generates the code.
fn manifest_of(script: &Path) -> Option<PathBuf> {
    let inside = |directory: &Path| {
        directory
            .file_name()
            .is_some_and(|name| ["bin", "examples", "src", "tests"].iter().any(|known| name == *known))
    };
    let root = script.ancestors().skip(1).find(|directory| !inside(directory))?;
    Some(root.join("Cargo.toml")).filter(|manifest| manifest.is_file())
}

struct Arguments {
    script: PathBuf,
    manifest: Option<PathBuf>,
    write: bool,
}

impl Command for Arguments {
    fn parse(given: &[String]) -> Result<Self, String> {
        let (mut paths, mut write) = (Vec::new(), false);
        for argument in given {
            match argument.as_str() {
                "--write" => write = true,
                option if option.starts_with('-') => return Err(format!("there is no option {option}")),
                path => paths.push(PathBuf::from(path)),
            }
        }
        let mut paths = paths.into_iter();
        let (script, manifest) = match (paths.next(), paths.next(), paths.next()) {
            (Some(script), manifest, None) => (script, manifest),
            (None, ..) => return Err("there is no build script".to_owned()),
            _ => return Err("there is more than a build script and its Cargo.toml".to_owned()),
        };
        let script = if script.is_dir() { script.join("build.rs") } else { script };
        let manifest = manifest.or_else(|| manifest_of(&script));
        Ok(Arguments { script, manifest, write })
    }

    fn outcomes(&self) -> Result<Vec<Outcome>> {
        let manifest = self.manifest.as_deref().map(read).transpose()?;
        let mut outcomes = vec![rewrite_build_script(&read(&self.script)?)];
        // If the script does not change, its dependencies stay, too.
        if let Some(manifest) = manifest.filter(|_| outcomes[0].error.is_none()) {
            outcomes.push(rewrite_manifest(&manifest, &outcomes[0]));
        }
        if self.write {
            let paths = [Some(self.script.as_path()), self.manifest.as_deref()];
            for (path, outcome) in paths.into_iter().flatten().zip(&outcomes) {
                write(path, outcome)?;
            }
        }
        Ok(outcomes)
    }

    fn print(&self, outcomes: &[Outcome], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let Totals { remaining, failed, changed, .. } = Totals::print(outcomes, self.write, out, err)?;
        let notes: usize = outcomes.iter().map(|outcome| outcome.notes.len()).sum();
        let done = if self.write { "rewritten" } else { "to rewrite" };
        writeln!(err, "{changed} files {done}, {remaining} left, {notes} notes, {failed} files failed")?;
        Ok(u8::from(failed > 0 || remaining > 0))
    }
}

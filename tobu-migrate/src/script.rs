//! Rewrites build scripts that use prost-build or tonic-build, so that they use tobu-build.

mod chain;
mod change;
mod cli;
mod manifest;
mod names;
mod results;
mod table;
mod values;
mod walk;

use std::fmt;

pub(crate) use self::cli::run;
pub use self::manifest::rewrite_manifest;
use self::walk::Walker;
use super::report::Report;
use super::{Outcome, Source};

/// A note about a rewritten call, for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The line, counted from 1, of the call in the original script.
    pub line: usize,
    /// The column in characters, counted from 1, of the call in the original script.
    pub column: usize,
    /// The text of the note.
    pub text: String,
}

/// Prints `12:5: note: the text`.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: note: {}", self.line, self.column, self.text)
    }
}

/// Rewrites a build script that uses prost-build, tonic-build or tonic-prost-build, so that it uses tobu-build.
///
/// Calls with the same meaning in tobu-build stay unchanged. Calls that tobu-build does not need are removed, and the outcome
/// has a note about each. Other calls are replaced; if there is no replacement, the call stays, and a person must change it.
/// tonic generates clients and servers by default, so the new script turns both on.
///
/// ```
/// use tobu_migrate::{Source, rewrite_build_script};
///
/// let script = "fn main() { tonic_build::compile_protos(\"proto/library.proto\").unwrap(); }";
/// let outcome = rewrite_build_script(&Source::new("build.rs", script));
/// assert_eq!(
///     outcome.text,
///     "fn main() { tobu_build::Config::new().build_client(true).build_server(true)\
///      .compile_protos(&[\"proto/library.proto\"], &[\"proto\"]).unwrap(); }"
/// );
/// ```
pub fn rewrite_build_script(script: &Source) -> Outcome {
    let file = syn::parse_file(&script.text);
    super::rewrite(script, file.as_ref(), |file| {
        let mut walker = Walker::run(&script.text, file);
        walker.left.sort_by_key(|left| (left.line, left.column));
        walker.notes.sort_by_key(|note| (note.line, note.column));
        (walker.edits, Report { rewritten: [walker.calls, 0, 0], left: walker.left, notes: walker.notes })
    })
}

/// Returns the line and the column of a position, counted from 1.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

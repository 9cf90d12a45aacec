//! Rewrites a build script that uses prost-build or tonic-build to one that uses tobu-build.

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
    /// From 1, before it was rewritten.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// The text of the note.
    pub text: String,
}

/// `12:5: note: the text`.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: note: {}", self.line, self.column, self.text)
    }
}

/// Rewrites a build script from prost-build, tonic-build and tonic-prost-build to tobu-build.
///
/// Calls that mean the same for both are unchanged. Calls that tobu-build does not need are removed, with a note.
/// Calls without a replacement are left for a person. tonic generates clients and servers by default, so the new
/// script enables them.
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

/// Returns the line and the column of a position, from 1.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

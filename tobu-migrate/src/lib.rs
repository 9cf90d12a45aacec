//! Rewrites the code of a crate that uses the public members of messages, so that it calls accessors instead. Also
//! rewrites build scripts from prost-build to tobu-build.
//!
//! [`rewrite_build_script`] and [`rewrite_manifest`] rewrite build scripts. Everything else in this crate is about
//! members.
//!
//! Messages have public members. The crate turns code that reads and changes members into code that calls accessors.
//! Messages can have accessors in addition to public members, or instead of them:
//!
//! ```
//! use tobu_migrate::{Migration, Source};
//!
//! // A file `a.proto` with `message Book { string title = 1; }`.
//! let set = b"\x0a\x28\x0a\x07a.proto\x22\x15\x0a\x04Book\x12\x0d\x0a\x05title\x18\x01\x20\x01\x28\x09b\x06proto3";
//! let pool = tobu_schema::Pool::from_descriptor_set(set)?;
//! let migration = Migration::new(&pool)?;
//! let source = Source::new("main.rs", "fn shout(book: &mut Book) { book.title = book.title.to_uppercase(); }");
//! let outcomes = migration.run(&[source]);
//! assert_eq!(outcomes[0].text, "fn shout(book: &mut Book) { book.set_title(book.title().to_uppercase()); }");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What the crate knows
//!
//! The descriptors list the types, members and accessors. Which expressions are messages is inferred from the source of the
//! crate alone, without the compiler. The inference begins with declared types of variables, parameters, members and results,
//! with struct literals, and with functions such as `Book::default()` and `tobu::from_slice::<Book>()`. It follows loops,
//! closures, patterns, clients of services, and the usual methods of `Option`, `Result`, collections and iterators. If the type
//! of an expression cannot be inferred, the name of the member may be enough: if all messages with a member of this name have
//! the same accessors for the member, and no struct of the crate has a member of this name, the level of the rewrite is
//! [`Level::Yellow`].
//!
//! # What stays unchanged
//!
//! All other text stays unchanged, including comments and line breaks. If a file does not parse, or would not parse
//! after the changes, it stays unchanged, and its outcome has an error. A second run changes nothing. Lines may
//! become long; `cargo fmt` wraps them.

mod bind;
mod borrows;
mod cli;
mod edit;
mod error;
mod functions;
mod index;
mod infer;
mod library;
mod macros;
mod methods;
mod names;
mod report;
mod rewrite;
mod script;
mod ty;
mod walk;
mod writes;

use std::collections::HashSet;

use tobu_build::Config;
use tobu_build::catalog::Catalog;
use tobu_schema::Pool;

pub use self::cli::run;
use self::edit::Edits;
use self::error::Kind;
pub use self::error::{Error, Result};
use self::index::Index;
use self::names::Types;
use self::report::Report;
pub use self::report::{Left, Level};
pub use self::script::{Note, rewrite_build_script, rewrite_manifest};
use self::walk::{Walker, World};

/// A file of a crate.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name of the file in reports.
    pub name: String,
    /// The text of the file.
    pub text: String,
}

impl Source {
    /// Creates a file with a name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source { name: name.into(), text: text.into() }
    }
}

/// The outcome for one file.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The name of the file.
    pub name: String,
    /// The text of the file after the changes.
    pub text: String,
    /// The number of rewritten occurrences at the levels green, yellow and red. In a build script all are green.
    pub rewritten: [usize; 3],
    /// The occurrences that were not rewritten, in the order of the file.
    pub left: Vec<Left>,
    /// Notes about rewritten calls, in the order of the file; only for build scripts.
    pub notes: Vec<Note>,
    /// The reason why the file was not rewritten, with line and column.
    pub error: Option<String>,
    before: String,
    edits: Edits,
}

impl Outcome {
    /// Returns the changes as a unified diff, which is empty if there are no changes.
    pub fn diff(&self) -> String {
        edit::unified(&self.name, &self.before, &self.text, &self.edits)
    }

    /// True if the text of the file changed, so that the file must be written.
    pub fn is_changed(&self) -> bool {
        self.text != self.before
    }

    fn unchanged(source: &Source) -> Self {
        Outcome {
            name: source.name.clone(),
            text: source.text.clone(),
            rewritten: [0; 3],
            left: Vec::new(),
            notes: Vec::new(),
            error: None,
            before: source.text.clone(),
            edits: Edits::default(),
        }
    }
}

/// Rewrites the code of a crate.
#[derive(Debug)]
pub struct Migration {
    catalog: Catalog,
    types: Types,
    level: Level,
    chosen: HashSet<usize>,
}

impl Migration {
    /// Creates a migration for the messages of a pool, generated with the default settings and with clients.
    ///
    /// # Errors
    /// A name in the pool is not an identifier.
    pub fn new(pool: &Pool) -> Result<Self> {
        Migration::with_config(pool, Config::new().client(true))
    }

    /// Creates a migration for the messages of a pool, generated with these settings.
    ///
    /// # Errors
    /// A name in the pool is not an identifier, or a setting cannot be parsed.
    pub fn with_config(pool: &Pool, config: &Config) -> Result<Self> {
        let catalog = Catalog::new(config, pool)?;
        let types = Types::new(&catalog);
        Ok(Migration { catalog, types, level: Level::Green, chosen: HashSet::new() })
    }

    /// Sets the least certain level at which occurrences are rewritten; [`Level::Green`] by default.
    pub fn level(&mut self, level: Level) -> &mut Self {
        self.level = level;
        self
    }

    /// Rewrites only uses of some messages. Each name is the full name of a message in the schema, or the end of the message's
    /// Rust path.
    ///
    /// # Errors
    /// One of the names is not the name of a message.
    pub fn types<S: AsRef<str>>(&mut self, names: impl IntoIterator<Item = S>) -> Result<&mut Self> {
        for name in names {
            let name = name.as_ref();
            let path: Vec<_> = name.trim_start_matches("crate::").split("::").map(str::to_owned).collect();
            let messages = self.catalog.messages.iter().zip(0..);
            let found = messages.filter(|(message, _)| {
                message.full_name == name || message.path.ends_with(&path) || path.ends_with(&message.path)
            });
            let before = self.chosen.len();
            self.chosen.extend(found.map(|(_, index)| index));
            if self.chosen.len() == before {
                return Err(Kind::NoSuchType(name.to_owned()).into());
            }
        }
        Ok(self)
    }

    /// Rewrites the files of a crate. Pass all files, because the inference of types needs them. Generated files do
    /// not change.
    pub fn run(&self, sources: &[Source]) -> Vec<Outcome> {
        let parsed: Vec<_> = sources.iter().map(|source| syn::parse_file(&source.text)).collect();
        let files = sources.iter().zip(&parsed).filter_map(|(source, file)| {
            let file = file.as_ref().ok()?;
            Some((index::module_of(&source.name), file))
        });
        let index = Index::new(files, &self.types);
        let world = World {
            catalog: &self.catalog,
            types: &self.types,
            index: &index,
            level: self.level,
            chosen: &self.chosen,
        };
        let run = |(source, file): (&Source, &Result<_, syn::Error>)| {
            rewrite(source, file.as_ref(), |file| Walker::run(&world, source, file))
        };
        sources.iter().zip(&parsed).map(run).collect()
    }
}

fn rewrite(
    source: &Source,
    file: Result<&syn::File, &syn::Error>,
    walk: impl FnOnce(&syn::File) -> (Edits, Report),
) -> Outcome {
    let mut outcome = Outcome::unchanged(source);
    let file = match file {
        Ok(file) => file,
        Err(error) => {
            let start = error.span().start();
            outcome.error = Some(format!("{}:{}: does not parse: {error}", start.line, start.column + 1));
            return outcome;
        }
    };
    if is_generated(&source.text) {
        return outcome;
    }
    let (edits, report) = walk(file);
    let text = edits.apply(&source.text).filter(|text| syn::parse_file(text).is_ok());
    let Some(text) = text else {
        outcome.error = Some("1:1: the result would not parse, which is a bug of tobu-migrate".to_owned());
        return outcome;
    };
    let Report { rewritten, left, notes } = report;
    Outcome { text, rewritten, left, notes, edits, ..outcome }
}

/// Returns how many bytes at the start of a file the parser skips: a byte order mark and a shebang line.
fn unparsed(text: &str, file: &syn::File) -> usize {
    const MARK: char = '\u{feff}';
    let start = if text.starts_with(MARK) { MARK.len_utf8() } else { 0 };
    start + file.shebang.as_ref().map_or(0, String::len)
}

/// True if a comment at the start of a file says that the file is generated.
fn is_generated(text: &str) -> bool {
    text.lines().take(5).any(|line| line.starts_with("//") && line.contains("@generated"))
}

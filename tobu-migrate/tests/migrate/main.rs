//! `tobu-migrate`: what becomes of code that uses the members of messages.

mod cli;
mod programs;
mod rows;
mod scripts;

use std::path::{Path, PathBuf};

use tobu_migrate::{Level, Migration, Outcome, Source};

const LEVELS: [Level; 3] = [Level::Green, Level::Yellow, Level::Red];

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/migrate")
}

/// The messages of a file in `proto/`.
fn migration(proto: &str, level: Level) -> Migration {
    let proto = directory().join("proto").join(proto);
    let pool = tobu_build::load(&[&proto], &[proto.parent().unwrap()]).unwrap();
    let mut migration = Migration::new(&pool).unwrap();
    migration.level(level);
    migration
}

/// Rewrites one file.
#[track_caller]
fn rewritten(migration: &Migration, text: &str) -> Outcome {
    let outcomes = migration.run(&[Source::new("main.rs", text)]);
    outcomes.into_iter().next().unwrap()
}

/// Asserts that the text parses, and that a second run changes nothing.
#[track_caller]
fn is_stable(migration: &Migration, text: &str) {
    syn::parse_file(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let again = rewritten(migration, text);
    assert_eq!((again.error, again.text.as_str()), (None, text));
    assert_eq!(again.rewritten, [0; 3], "{text}");
}

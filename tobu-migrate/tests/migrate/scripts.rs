//! `rewrite_build_script` and `rewrite_manifest`: what becomes of build scripts that use prost-build and tonic-build.

mod cli;
mod manifests;
mod rows;

use std::fs;

use tobu_migrate::{Outcome, Source, rewrite_build_script};

use crate::directory;

/// What the scripts became: they are scripts of tobu-build.
#[allow(dead_code, unused, clippy::all)]
mod after {
    mod both {
        include!("scripts/both.after.rs");
    }
    mod prost {
        include!("scripts/prost.after.rs");
    }
    mod tonic {
        include!("scripts/tonic.after.rs");
    }
}

/// Rewrites a script, and asserts that a second run changes nothing.
#[track_caller]
fn rewritten(text: &str) -> Outcome {
    let outcome = rewrite_build_script(&Source::new("build.rs", text));
    assert_eq!(outcome.error, None, "{text}");
    let again = rewrite_build_script(&Source::new("build.rs", &outcome.text));
    assert_eq!((again.error, again.text.as_str()), (None, outcome.text.as_str()));
    outcome
}

/// Compares what becomes of `NAME.before.rs`, and what is said of it, with `NAME.after.rs`; `UPDATE_GOLDEN=1` writes it anew.
#[track_caller]
fn check(name: &str) {
    let before = fs::read_to_string(directory().join(format!("scripts/{name}.before.rs"))).unwrap();
    let outcome = rewritten(&before);
    let left = outcome.left.iter().map(|left| format!("// {left}\n"));
    let said: String = left.chain(outcome.notes.iter().map(|note| format!("// {note}\n"))).collect();
    let actual = outcome.text + "\n" + &said;
    let path = directory().join(format!("scripts/{name}.after.rs"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &actual).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), actual, "UPDATE_GOLDEN=1 writes it anew");
}

#[test]
fn prost() {
    check("prost");
}

#[test]
fn tonic() {
    check("tonic");
}

#[test]
fn both() {
    check("both");
}

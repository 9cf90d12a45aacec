//! `notes/claims.md` lists claims of the README and of the guide: the documents have them, and what shows them exists.

use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The text with a single space for each run of white space, as a claim in a table has it.
fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rows of the tables, each with the document of its section: document, claim, and what shows it.
fn claims(notes: &str) -> Vec<(String, String, String)> {
    let mut document = String::new();
    let mut claims = Vec::new();
    for line in notes.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            document = heading.to_owned();
        }
        let Some(row) = line.strip_prefix("| ").and_then(|row| row.strip_suffix(" |")) else { continue };
        let (claim, proof) = row.split_once(" | ").unwrap_or_else(|| panic!("a row without a proof: {line}"));
        if claim != "claim" && !claim.starts_with("---") {
            claims.push((document.clone(), claim.to_owned(), proof.to_owned()));
        }
    }
    claims
}

/// The parts of a text that are set as code.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn the_documents_have_the_claims() {
    let claims = claims(&read("notes/claims.md"));
    assert!(claims.len() > 100, "{} claims", claims.len());
    for (document, claim, _) in claims {
        assert!(on_one_line(&read(&document)).contains(&claim), "{document} does not say: {claim}");
    }
}

#[test]
fn the_proofs_exist() {
    for (document, claim, proof) in claims(&read("notes/claims.md")) {
        for proof in code(&proof) {
            if let Some(command) = proof.strip_prefix("cargo run ") {
                let manifest = command.split(' ').find(|word| word.ends_with("Cargo.toml")).unwrap();
                assert!(repository().join(manifest).exists(), "{document}: {manifest}");
                continue;
            }
            // Names of steps, settings and versions are no paths.
            let (path, test) = proof.split_once("::").unwrap_or((proof, ""));
            if !path.contains('/') && !path.ends_with(".toml") {
                continue;
            }
            assert!(repository().join(path).exists(), "{document}, {claim}: there is no {path}");
            if !test.is_empty() {
                let has_test = read(path).contains(&format!("fn {test}("));
                assert!(has_test, "{document}, {claim}: {path} has no test {test}");
            }
        }
    }
}

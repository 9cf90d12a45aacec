//! The rules for sources, against what protoc says: each row of `rules.txt` is compiled.
#![cfg(feature = "source")]

use std::fmt::Write;
use tobu_schema::source::Compiler;

/// What the compiler says about the files of a row, as the row writes it.
fn outcome(files: &[(&str, String)], is_short: bool) -> String {
    let mut compiler = Compiler::new();
    for (name, source) in files {
        compiler.source(*name, source.as_str());
    }
    let mut names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    let mut out = String::new();
    match compiler.compile(&names) {
        Ok(compiled) if compiled.warnings().is_empty() => out.push_str(">>> ok\n"),
        Ok(compiled) => {
            for warning in compiled.warnings() {
                writeln!(out, ">>> warning: {}", warning.message()).unwrap();
            }
        }
        Err(_) if is_short => out.push_str(">>> error\n"),
        Err(errors) => {
            for error in errors.list() {
                writeln!(out, ">>> error: {}", error.message()).unwrap();
            }
        }
    }
    out
}

#[test]
fn sources_are_judged_as_by_protoc() {
    let (mut count, mut wrong) = (0, String::new());
    for row in include_str!("rules.txt").split("\n=== ").skip(1) {
        let (name, rest) = row.split_once('\n').expect("a row has lines");
        let mut files = vec![("a.proto", String::new())];
        let mut expected = String::new();
        for line in rest.lines() {
            let (_, source) = files.last_mut().expect("there is one");
            if let Some(file) = line.strip_prefix("--- ") {
                files.push((file, String::new()));
            } else if line.starts_with(">>> ") {
                expected = expected + line + "\n";
            } else {
                *source = std::mem::take(source) + line + "\n";
            }
        }
        let found = outcome(&files, expected == ">>> error\n");
        if found != expected {
            write!(wrong, "{name}\nexpected\n{expected}found\n{found}\n").unwrap();
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert_eq!(count, 294);
}

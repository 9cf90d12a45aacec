//! Breaking changes: a pair of schemas for each rule, in `breaking.txt`.

use std::fmt::Write as _;

use tobu_schema::descriptor::{Compatibility, FileDescriptor, breaking_changes, compare};
use tobu_schema::source::Compiler;

const CASES: &str = include_str!("breaking.txt");

const LEVELS: [(char, Compatibility); 4] = [
    ('F', Compatibility::File),
    ('P', Compatibility::Package),
    ('J', Compatibility::WireJson),
    ('W', Compatibility::Wire),
];

#[test]
fn every_rule() {
    let (mut seen, mut ran) = (String::new(), 0);
    for case in CASES.split("\n= ").skip(1) {
        let (name, lines) = case.split_once('\n').unwrap();
        let side = |mark: &str| {
            let lines = lines.lines().filter_map(|line| line.strip_prefix(mark));
            files(&lines.map(str::trim).collect::<Vec<_>>())
        };
        let (previous, current) = (side("<"), side(">"));
        let expected: String = lines
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with(['<', '>']))
            .fold(String::new(), |all, line| all + line + "\n");
        let found = changes(&previous, &current);
        if std::env::var_os("PRINT").is_some() {
            println!("= {name}\n{found}");
        } else {
            assert_eq!(found, expected, "{name}");
        }
        seen += &found;
        ran += 1;
    }
    assert!(ran >= 50, "{ran}");
    let rules: std::collections::BTreeSet<_> =
        seen.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(rules.len(), 64, "{rules:#?}");
}

/// The changes with the levels that find them.
fn changes(previous: &[FileDescriptor], current: &[FileDescriptor]) -> String {
    let mut all: Vec<(String, String, String)> = Vec::new();
    for (letter, level) in LEVELS {
        for change in breaking_changes(previous, current, level) {
            let text = format!("{}: {}", name_of(&change), change.message());
            match all.iter_mut().find(|known| known.0 == change.rule() && known.2 == text) {
                Some(known) => known.1.push(letter),
                None => all.push((change.rule().to_owned(), letter.to_string(), text)),
            }
        }
    }
    all.sort_by(|a, b| (&a.2, &a.0).cmp(&(&b.2, &b.0)));
    all.iter().fold(String::new(), |mut out, (rule, levels, text)| {
        writeln!(out, "{rule} {levels} {text}").unwrap();
        out
    })
}

fn name_of(change: &tobu_schema::descriptor::BreakingChange) -> &str {
    if change.path().is_empty() { change.file() } else { change.path() }
}

fn files(lines: &[&str]) -> Vec<FileDescriptor> {
    let mut sources: Vec<(String, String)> = Vec::new();
    for line in lines {
        match (line.strip_prefix("file "), sources.last_mut()) {
            (Some(name), _) => sources.push((name.to_owned(), String::new())),
            (None, Some(last)) => last.1 += line,
            (None, None) => sources.push(("m.proto".to_owned(), (*line).to_owned())),
        }
    }
    let (mut compiler, mut names) = (Compiler::new(), Vec::new());
    for (name, source) in sources {
        let has_syntax = source.starts_with("syntax") || source.starts_with("edition");
        let head = if has_syntax { "" } else { "syntax = \"proto3\"; package p; " };
        compiler.source(&name, head.to_owned() + &source);
        names.push(name);
    }
    let compiled = compiler.compile(&names).unwrap_or_else(|error| panic!("{error}\n{lines:?}"));
    compiled.pool().files().collect()
}

/// Two rings of messages whose sizes have no divisor in common meet in each of their 4.2 million pairs.
#[test]
fn rings_are_compared_once() {
    let ring = |size: usize| {
        let mut source = String::from("syntax = \"proto3\"; package p; ");
        for index in 0..size {
            let next = (index + 1) % size;
            write!(source, "message M{index} {{ M{next} next = 1; int32 a = 2; }} ").unwrap();
        }
        let source =
            source.replace("message M7 { M8 next = 1; int32 a", "message M7 { M8 next = 1; string a");
        let pool = tobu_schema::Pool::from_sources(&[("ring.proto", source)]).unwrap();
        pool.message("p.M0").unwrap()
    };
    let differences = compare(&ring(2048), &ring(2047));
    assert!(differences.len() < 2 * 4096, "{}", differences.len());
    assert!(
        differences.iter().any(
            |found| found.to_string() == "p.M7.a: is string, but int32 for the reader: it cannot be read"
        )
    );
}

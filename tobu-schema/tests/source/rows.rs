//! `rows.txt` has sources, and what the compiler says of them; `rows.binpb` the descriptors that protoc 35.1 makes of those that
//! compile, with `--include_source_info` and `--retain_options`.
//!
//! A row is `== name`, then `-- file` and the source of each file, which ends with a backslash, then one or more lines with
//! `ok`, or errors or warnings. In sources `\\`, `\r`, `\x01` and `\ufeff` stand for characters. To add a row, write it and
//! run protoc for it: a descriptor set can be appended to another one.

use tobu_schema::source::{Compiler, Severity};

use crate::sets;

struct Row<'r> {
    name: &'r str,
    files: Vec<(&'r str, String)>,
    expected: Vec<&'r str>,
}

fn rows(text: &str) -> Vec<Row<'_>> {
    let (mut rows, mut source): (Vec<Row<'_>>, _) = (Vec::new(), None);
    for line in text.split('\n') {
        if let Some((file, lines)) = &mut source {
            let (part, is_last) = match line.strip_suffix('\\').filter(|part| !part.ends_with('\\')) {
                Some(part) => (part, true),
                None => (line, false),
            };
            let lines: &mut Vec<String> = lines;
            lines.push(unescape(part));
            if is_last {
                let file = (*file, lines.join("\n"));
                rows.last_mut().unwrap().files.push(file);
                source = None;
            }
        } else if let Some(name) = line.strip_prefix("== ") {
            rows.push(Row { name, files: Vec::new(), expected: Vec::new() });
        } else if let Some(file) = line.strip_prefix("-- ") {
            source = Some((file, Vec::new()));
        } else if let Some(expected) = line.strip_prefix("-> ") {
            rows.last_mut().unwrap().expected.push(expected);
        } else {
            assert_eq!(line, "", "a line of no kind");
        }
    }
    rows
}

fn unescape(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escapes = [("\\\\", '\\'), ("\\r", '\r'), ("\\x01", '\x01'), ("\\ufeff", '\u{feff}')];
        let (escape, c) = escapes.into_iter().find(|(escape, _)| rest[at..].starts_with(escape)).unwrap();
        out.push(c);
        rest = &rest[at + escape.len()..];
    }
    out + rest
}

/// What is wrong with files, each error or warning in a line.
fn compile(
    row: &Row<'_>,
    common: &[(&str, String)],
    descriptors: &mut Vec<(String, Vec<u8>)>,
) -> Vec<String> {
    let mut compiler = Compiler::new();
    for (name, source) in common.iter().chain(&row.files) {
        compiler.source(*name, source.as_str());
    }
    let names: Vec<_> = row.files.iter().map(|(name, _)| *name).collect();
    let line = |one: &tobu_schema::source::Diagnostic| {
        let kind = if one.severity() == Severity::Error { "error" } else { "warning" };
        format!("{kind}: {}:{}:{}: {}", one.file(), one.line(), one.column(), one.message())
    };
    match compiler.compile(&names) {
        Ok(compiled) => {
            for name in names {
                let file = compiled.pool().file(name).unwrap();
                descriptors.push((name.to_owned(), file.encoded().to_vec()));
            }
            match compiled.warnings() {
                [] => vec!["ok".to_owned()],
                warnings => warnings.iter().map(line).collect(),
            }
        }
        Err(errors) => {
            let errors = errors.list().iter().filter(|one| one.severity() == Severity::Error);
            errors.map(line).collect()
        }
    }
}

#[test]
fn sources_compile_as_by_protoc() {
    let rows = rows(include_str!("rows.txt"));
    let golden = sets::files(include_bytes!("rows.binpb"));
    let mut descriptors = Vec::new();
    let mut wrong = String::new();
    for row in &rows {
        let actual = compile(row, &rows[0].files, &mut descriptors);
        if actual != row.expected {
            wrong += &format!("== {}\n-> {}\n", row.name, actual.join("\n-> "));
        }
    }
    assert!(wrong.is_empty(), "these rows are other than expected:\n{wrong}");
    for (name, descriptor) in &descriptors {
        let expected = golden.get(name).unwrap_or_else(|| panic!("{name} is not in rows.binpb"));
        assert!(descriptor == expected, "the descriptor of {name} is not that of protoc:\n{}", {
            let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
            format!("{}\n{}", shown(descriptor), shown(expected))
        });
    }
    assert_eq!(descriptors.len(), golden.len());
}

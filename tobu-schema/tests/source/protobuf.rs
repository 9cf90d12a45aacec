//! The `.proto` files of a checkout of protobuf, where `TOBU_PROTOBUF` names one: all of its tests, of every edition.
//!
//! With the program of a protoc in `PROTOC` the descriptors are compared, too.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use tobu_schema::source::Compiler;

use crate::sets;

/// The directories below which imports are looked for.
const INCLUDES: &[&str] = &[
    "src",
    "java/core/src/main/resources",
    "java/core/src/test/proto",
    "java/kotlin/src/test/proto",
    "java/util/src/test/proto",
    "go",
    "csharp",
    "python",
    "php/tests",
    "ruby/tests",
    "objectivec/Tests",
    "",
];

/// Why files of the checkout do not compile: they import what is not there, use options of another repository, or an edition
/// that is none yet.
const REFUSED: &[&str] = &[
    "not found",
    "has no option go_api_flag",
    "has no option java_api_version",
    "edition \"UNSTABLE\" is not supported",
    // They show what may not be written, or are of an older version than what they import.
    "compatibility_tests/v3.0.0",
    "edition2023_import.proto",
    "golden/edition2024_transform",
];

fn find(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "proto") {
            found.push(path);
        }
    }
}

#[test]
fn files_of_protobuf() {
    let Some(root) = env::var_os("TOBU_PROTOBUF").map(PathBuf::from) else { return };
    let includes: Vec<_> =
        INCLUDES.iter().map(|include| root.join(include)).filter(|path| path.is_dir()).collect();
    let mut files = Vec::new();
    find(&root, &mut files);
    files.sort();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for path in &files {
        let include = includes.iter().filter(|include| path.starts_with(include));
        let include = include.max_by_key(|include| include.components().count()).unwrap();
        let name = path.strip_prefix(include).unwrap().to_str().unwrap();
        let mut compiler = Compiler::new();
        includes.iter().for_each(|include| _ = compiler.include(include));
        let outcome = compiler.compile(&[name]);
        let expected = env::var_os("PROTOC").map(|protoc| by_protoc(Path::new(&protoc), &includes, name));
        let count = match (&outcome, &expected) {
            (Ok(_), None) => "compiled",
            (Err(_), None | Some(None)) => "refused",
            (Ok(compiled), Some(Some(set))) => {
                let actual = compiled.pool().file(name).unwrap();
                match *sets::files(set)[name] == *actual.encoded() {
                    true => "equal",
                    false => "different",
                }
            }
            (Ok(_), Some(None)) => "refused by protoc only",
            (Err(_), Some(Some(_))) => "refused by tobu only",
        };
        *counts.entry(count).or_default() += 1;
        let error = outcome.err().map(|error| error.to_string()).unwrap_or_default();
        let is_known = REFUSED.iter().any(|known| error.contains(known));
        if matches!(count, "different" | "refused by protoc only") || !error.is_empty() && !is_known {
            wrong.push(format!("{name}: {count} {error}"));
        }
    }
    println!("{} files: {counts:?}", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The descriptor set of a file; `None` if protoc refuses it.
fn by_protoc(protoc: &Path, includes: &[PathBuf], name: &str) -> Option<Vec<u8>> {
    let set = Path::new(env!("CARGO_TARGET_TMPDIR")).join("protobuf.binpb");
    let mut command = Command::new(protoc);
    command.args(["--include_source_info", "--retain_options"]);
    command.arg(format!("--descriptor_set_out={}", set.display()));
    command.args(includes.iter().map(|include| format!("-I{}", include.display())));
    let output = command.arg(name).output().unwrap();
    output.status.success().then(|| fs::read(&set).unwrap())
}

//! The cases of the directory that `TOBU_SHARED` names.

use std::fs;
use std::path::Path;

use tobu_schema::source::Compiler;

#[test]
fn shared_cases() {
    let shared = std::env::var("TOBU_SHARED").unwrap_or_else(|_| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").to_string_lossy().into_owned()
    });
    let Ok(cases) = fs::read_dir(Path::new(&shared).join("cases/sources")) else { return };
    let mut wrong = Vec::new();
    for case in cases {
        let directory = case.unwrap().path();
        let expected = fs::read_to_string(directory.join("expect")).unwrap();
        let expected = expected.lines().next().unwrap().trim();
        let names =
            fs::read_dir(&directory).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.filter(|name| name.ends_with(".proto")).collect();
        names.sort();
        // The order in which files are given must not matter.
        for _ in 0..names.len() {
            names.rotate_left(1);
            let outcome = Compiler::new().include(&directory).compile(&names);
            let actual = match &outcome {
                Ok(compiled) if compiled.warnings().is_empty() => "ok",
                Ok(_) => "warning",
                Err(_) => "error",
            };
            if actual != expected {
                wrong.push(format!("{}: {actual}, not {expected}: {outcome:?}", directory.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! Crates that are built with all that they depend on, as users build them: a build script compiles the `.proto` files.

use crate::Outcome;
use crate::contestants::Contestant;
use crate::project::{LOCK, fresh, package, write};
use crate::protos::Protos;
use crate::row::Whole;
use std::path::{Path, PathBuf};

/// The schema of the README's first program.
const BOOK: &str = include_str!("../../../../examples/build_rs/proto/library/v1/book.proto");

/// The schema of the service.
pub const SERVICE: &str = include_str!("service.proto");

/// Writes a crate of a contestant, and gives its directory; none if the contestant does not take part.
pub fn project(
    contestant: &Contestant,
    whole: Whole,
    protos: &Protos,
    directory: &Path,
) -> Outcome<Option<PathBuf>> {
    let compile = |files: &[&str]| build_script(contestant.compile, files);
    let home = directory.join(format!("{}-{}", contestant.name.replace('+', "-"), whole.name()));
    let (mut needs, mut build_needs) =
        (contestant.dependencies.to_vec(), contestant.build_dependencies.to_vec());
    let (script, root, code) = match whole {
        Whole::Tools => ("fn main() {}\n".to_owned(), "lib.rs", String::new()),
        Whole::Book => (compile(&["library/v1/book.proto"]), "main.rs", contestant.book.to_owned()),
        Whole::Service => {
            let Some(service) = &contestant.service else { return Ok(None) };
            needs = [SERVER, service.dependencies].concat();
            build_needs = service.build_dependencies.to_vec();
            let script = build_script(service.compile, &["library.proto"]);
            (script, "main.rs", service.main.to_owned())
        }
        Whole::Large => {
            let files: Vec<_> = protos.files.iter().map(String::as_str).collect();
            let code = format!("#![allow(warnings)]\n{}\n", contestant.include);
            (compile(&files), "lib.rs", code)
        }
    };
    fresh(home.clone())?;
    let manifest = package(whole.name(), &needs)
        + "\n[build-dependencies]\n"
        + &build_needs.join("\n")
        + "\n\n[workspace]\n\n[profile.release]\nstrip = true\n";
    write(&home.join("Cargo.toml"), &manifest)?;
    write(&home.join("Cargo.lock"), LOCK)?;
    write(&home.join("build.rs"), &script)?;
    write(&home.join("src").join(root), &code)?;
    match whole {
        Whole::Tools => {}
        Whole::Book => write(&home.join("proto/library/v1/book.proto"), BOOK)?,
        Whole::Service => write(&home.join("proto/library.proto"), SERVICE)?,
        Whole::Large => {
            for file in &protos.files {
                write(
                    &home.join("proto").join(file),
                    &std::fs::read_to_string(protos.directory.join(file))?,
                )?;
            }
        }
    }
    Ok(Some(home))
}

/// What a server and a client need besides the library.
const SERVER: &[&str] = &[
    "tokio = { version = \"1\", features = [\"macros\", \"net\", \"rt-multi-thread\"] }",
    "tokio-stream = { version = \"0.1\", features = [\"net\"] }",
    "tonic = \"0.14\"",
];

fn build_script(compile: &str, files: &[&str]) -> String {
    let files: Vec<_> = files.iter().map(|file| format!("\"proto/{file}\"")).collect();
    format!(
        "const FILES: &[&str] = &[{}];\n\n\
         fn main() -> Result<(), Box<dyn std::error::Error>> {{\n    {compile}\n    Ok(())\n}}\n",
        files.join(", ")
    )
}

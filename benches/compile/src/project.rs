//! The cargo projects that are built: one workspace for each contestant, with its generated code as plain files.

use crate::Outcome;
use crate::contestants::{Contestant, Json};
use crate::protos::{Message, Protos};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// How many messages the small programs use.
pub const SAMPLE: usize = 20;

/// The versions of all that projects depend on.
pub(crate) const LOCK: &str = include_str!("../Cargo.lock");

/// A contestant's projects.
pub struct Project {
    pub home: PathBuf,
    /// Of the generated code.
    pub lines: usize,
    pub bytes: usize,
}

impl Project {
    /// Generates the code and writes:
    ///
    /// * `types`, a library of the generated code;
    /// * `sample`, `json`, `all`, programs that read and write messages of it;
    /// * `empty`, a program that does nothing, with the dependencies of `types`: to build it is to build those.
    pub fn write(contestant: &Contestant, protos: &Protos, directory: &Path) -> Outcome<Self> {
        let home = directory.join(contestant.name.replace('+', "-"));
        let generated = fresh(home.join("types/src/generated"))?;
        (contestant.generate)(protos, &generated)?;
        let mut project = Project { home, lines: 0, bytes: 0 };
        project.count(&generated)?;

        let members = "[workspace]\nresolver = \"3\"\nmembers = [\"all\", \"empty\", \"json\", \"sample\", \"types\"]\n\n\
                       [profile.release]\nstrip = true\n";
        write(&project.home.join("Cargo.toml"), members)?;
        write(&project.home.join("Cargo.lock"), LOCK)?;
        project.member("types", contestant.dependencies, "lib.rs", &library(contestant))?;
        project.member("empty", contestant.dependencies, "main.rs", "fn main() {}\n")?;
        let types = &["types = { path = \"../types\" }"];
        let (sample, all) = (protos.sample(SAMPLE), protos.messages.iter().collect::<Vec<_>>());
        project.member("sample", types, "main.rs", &program(contestant, &sample, None))?;
        project.member("all", types, "main.rs", &program(contestant, &all, None))?;
        let json = match &contestant.json {
            Some(json) => program(contestant, &sample, Some(json)),
            None => "fn main() {}\n".to_owned(),
        };
        project.member("json", types, "main.rs", &json)?;
        Ok(project)
    }

    fn member(&self, name: &str, dependencies: &[&str], root: &str, code: &str) -> Outcome<()> {
        write(&self.home.join(name).join("Cargo.toml"), &package(name, dependencies))?;
        write(&self.home.join(name).join("src").join(root), code)
    }

    fn count(&mut self, directory: &Path) -> Outcome<()> {
        for entry in std::fs::read_dir(directory)? {
            let path = entry?.path();
            if path.is_dir() {
                self.count(&path)?;
            } else {
                let text = std::fs::read(&path)?;
                self.lines += text.iter().filter(|byte| **byte == b'\n').count();
                self.bytes += text.len();
            }
        }
        Ok(())
    }
}

/// The manifest of a crate.
pub(crate) fn package(name: &str, dependencies: &[&str]) -> String {
    let dependencies = dependencies.join("\n");
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}\n"
    )
}

fn library(contestant: &Contestant) -> String {
    let mut code = "#![allow(warnings)]\ninclude!(\"generated/types.rs\");\n".to_owned();
    for name in contestant.reexports {
        let _ = writeln!(code, "pub use ::{name};");
    }
    code
}

/// A program that decodes a message of the standard input, encodes it, and prints the length. The first argument is the
/// index of the message; where the program knows JSON, a second one makes it read and write that.
fn program(contestant: &Contestant, messages: &[&Message], json: Option<&Json>) -> String {
    let Contestant { decode, encode, .. } = contestant;
    let mut code = "#![allow(warnings)]\nuse std::io::Read;\n\n\
                    type Outcome = Result<usize, Box<dyn std::error::Error>>;\n"
        .to_owned();
    let mut table = |name: &str, body: &str| {
        for (index, message) in messages.iter().enumerate() {
            let _ = writeln!(
                code,
                "\nfn {name}_{index}(input: &[u8]) -> Outcome {{\n    use types::{} as Message;\n    {body}\n}}",
                message.path,
            );
        }
        let functions: Vec<_> = (0..messages.len()).map(|index| format!("{name}_{index}")).collect();
        let _ = writeln!(
            code,
            "\nstatic {}: [fn(&[u8]) -> Outcome; {}] = [{}];",
            name.to_uppercase(),
            functions.len(),
            functions.join(", "),
        );
    };
    table("wire", &format!("let message = {decode}?;\n    Ok(({encode}).len())"));
    if let Some(Json { parse, print }) = json {
        let text = "let text = std::str::from_utf8(input)?;";
        table("json", &format!("{text}\n    let message = {parse}?;\n    Ok(({print}).len())"));
    }
    let choice = if json.is_some() {
        "let table: &[fn(&[u8]) -> Outcome] = if std::env::args().nth(2).is_some() { &JSON } else { &WIRE };"
    } else {
        "let table: &[fn(&[u8]) -> Outcome] = &WIRE;"
    };
    let _ = writeln!(
        code,
        "\nfn main() -> Result<(), Box<dyn std::error::Error>> {{\n    \
             {choice}\n    \
             let index: usize = std::env::args().nth(1).ok_or(\"no index\")?.parse()?;\n    \
             let mut input = Vec::new();\n    \
             std::io::stdin().read_to_end(&mut input)?;\n    \
             println!(\"{{}}\", table.get(index).ok_or(\"no such message\")?(&input)?);\n    \
             Ok(())\n}}"
    );
    code
}

/// An empty directory.
pub(crate) fn fresh(directory: PathBuf) -> Outcome<PathBuf> {
    if directory.exists() {
        std::fs::remove_dir_all(&directory)?;
    }
    std::fs::create_dir_all(&directory)?;
    Ok(directory)
}

pub(crate) fn write(path: &Path, text: &str) -> Outcome<()> {
    std::fs::create_dir_all(path.parent().ok_or("a file is in a directory")?)?;
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()).into())
}

//! Programs of Go, whose types its plugins generate.

use crate::sections;
use std::error::Error;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tobu::{Deserialize, Message};

/// A plugin of `protoc`: its name, what it is asked for, and the directory of what it generates.
pub type Plugin<'a> = (&'a str, &'a [u8], &'a str);

/// `google.protobuf.compiler.CodeGeneratorResponse`.
#[derive(Message, Deserialize)]
#[tobu(package = "plugin")]
struct Response {
    #[tobu(1)]
    error: String,
    #[tobu(15)]
    file: Vec<Generated>,
}

#[derive(Message, Deserialize)]
#[tobu(package = "plugin")]
struct Generated {
    #[tobu(1)]
    name: String,
    #[tobu(15)]
    content: String,
}

/// Generates the types of a program and builds it, as `program` in the directory returned, which is beside this program.
///
/// The sources are files by their names; `go.mod` names the plugins as tools.
///
/// # Errors
/// There is no Go, or no network the first time.
pub fn build(
    name: &str,
    sources: &[(&str, &str)],
    plugins: &[Plugin<'_>],
) -> Result<PathBuf, Box<dyn Error>> {
    let directory = std::env::current_exe()?.with_file_name(name);
    std::fs::create_dir_all(&directory)?;
    for (file, source) in sources {
        std::fs::write(directory.join(file), source)?;
    }
    let go = |args: &[&str]| run(Command::new("go").args(args).current_dir(&directory), &[]);
    go(&["build", "-o", "bin/", "tool"])?;
    for (plugin, request, target) in plugins {
        let output = run(&mut Command::new(directory.join("bin").join(plugin)), request)?;
        let response: Response = tobu::from_slice(&output)?;
        if !response.error.is_empty() {
            return Err(format!("{plugin}: {}", response.error).into());
        }
        for file in response.file {
            let path = directory.join(target).join(file.name);
            std::fs::create_dir_all(path.parent().unwrap_or(&directory))?;
            std::fs::write(path, file.content)?;
        }
    }
    go(&["build", "-o", "program", "."])?;
    Ok(directory)
}

/// The output of a program that is given an input.
///
/// # Errors
/// It cannot be started, or fails.
pub fn run(command: &mut Command, input: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    // Plugins read all before they write.
    child.stdin.take().ok_or("no input")?.write_all(input)?;
    let output = child.wait_with_output()?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).into()),
    }
}

/// Which Go, and which versions of these modules by a `go.mod`.
pub fn version(go_mod: &str, modules: &[&str]) -> String {
    let required = |module: &&str| {
        let version = go_mod.lines().find_map(|line| line.split_once(module)?.1.strip_prefix(" v"));
        let version = version.and_then(|version| version.split_whitespace().next()).unwrap_or_default();
        format!("{module} {version}")
    };
    let modules: Vec<_> = modules.iter().map(required).collect();
    format!("{}, {}", sections::output("go", &["version"]), modules.join(", "))
}

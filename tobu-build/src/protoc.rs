//! Runs protoc, if a `Config` says so.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{self, Command};

use tobu_schema::Pool;

use crate::compile::Compiled;
use crate::error::{Error, Kind, Result};

/// Compiles files with protoc. `arguments` are passed to protoc in addition to the usual arguments.
pub(crate) fn compile(
    program: &Path,
    arguments: &[OsString],
    files: &[&Path],
    includes: &[&Path],
    out_dir: &Path,
) -> Result<Compiled> {
    let output = out_dir.join(format!(".tobu-descriptor-set-{}", process::id()));
    let result = run(program, arguments, files, includes, &output);
    let set = result.and_then(|()| fs::read(&output).map_err(|error| Error::io(&output, error)));
    let _ = fs::remove_file(&output);
    let pool = Pool::from_descriptor_set_bytes(set?)?;
    let on_disk = |name: &str| includes.iter().map(|include| include.join(name)).find(|path| path.is_file());
    let mut read: Vec<_> = pool.files().filter_map(|file| on_disk(file.name())).collect();
    read.push(program.to_owned());
    let names = files.iter().map(|file| name(&pool, file, includes)).collect::<Result<_>>()?;
    Ok(Compiled { pool, files: names, read, warnings: Vec::new() })
}

fn run(
    program: &Path,
    arguments: &[OsString],
    files: &[&Path],
    includes: &[&Path],
    output: &Path,
) -> Result<()> {
    let mut command = Command::new(program);
    command.args(["--include_imports", "--include_source_info"]);
    command.arg(argument("--descriptor_set_out=", output));
    for include in includes {
        command.arg(argument("--proto_path=", include));
    }
    command.args(arguments);
    command.args(files.iter().map(|file| {
        // protoc must not read the name of a file as an option or a response file, so a name that starts like one
        // gets the prefix `./`.
        let special = file.to_string_lossy().starts_with(['-', '@']);
        if special { Path::new(".").join(file) } else { file.to_path_buf() }
    }));
    let result = command.output().map_err(|source| Kind::RunProtoc { protoc: program.to_owned(), source })?;
    if result.status.success() {
        Ok(())
    } else {
        Err(Kind::Protoc { stderr: String::from_utf8_lossy(&result.stderr).into_owned() }.into())
    }
}

fn argument(option: &str, path: &Path) -> OsString {
    let mut argument = OsString::from(option);
    argument.push(path);
    argument
}

/// Returns the name by which imports and the pool know the file at the path `file`.
fn name(pool: &Pool, file: &Path, includes: &[&Path]) -> Result<String> {
    let mut candidates = vec![file.to_path_buf()];
    for include in includes {
        candidates.extend(file.strip_prefix(include).map(Path::to_owned));
        if let (Ok(file), Ok(include)) = (file.canonicalize(), include.canonicalize()) {
            candidates.extend(file.strip_prefix(include).map(Path::to_owned));
        }
    }
    candidates
        .iter()
        .map(|path| {
            path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
        })
        .find(|name| pool.file(name).is_some())
        .ok_or_else(|| Kind::UnknownFile { file: file.display().to_string() }.into())
}

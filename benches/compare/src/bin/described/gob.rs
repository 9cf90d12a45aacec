//! encoding/gob, by a Go program whose types are made of the schema.

use crate::Figures;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tobu::{FieldDescriptor, Kind, MessageDescriptor, Pool, convert, json};

/// The program, built where there is Go.
pub struct Gob {
    directory: PathBuf,
}

impl Gob {
    /// Builds the program beside this one.
    ///
    /// # Errors
    /// There is no Go, or the program cannot be built.
    pub fn build(pool: &Pool) -> Result<Self, Box<dyn Error>> {
        let directory = std::env::current_exe()?.with_file_name("tobu-compare-gob");
        std::fs::create_dir_all(&directory)?;
        std::fs::write(directory.join("go.mod"), "module gob\n\ngo 1.22\n")?;
        std::fs::write(directory.join("main.go"), include_str!("go/main.go"))?;
        let messages = pool.messages().filter(|message| message.full_name().starts_with("gobshape."));
        let types: Vec<String> =
            messages.filter(|message| !message.is_map_entry()).map(|message| go_type(&message)).collect();
        std::fs::write(directory.join("types.go"), format!("package main\n\n{}", types.join("\n")))?;
        run(Command::new("go").args(["build", "-o", "gob", "."]).current_dir(&directory))?;
        Ok(Gob { directory })
    }

    /// Measures a stream that repeats these messages.
    pub fn measure(
        &self,
        descriptor: &MessageDescriptor,
        payloads: &[Vec<u8>],
        repeat: usize,
    ) -> Result<Figures, Box<dyn Error>> {
        let options =
            json::Options::new().proto_field_names(true).int64_as_numbers(true).enums_as_integers(true);
        let mut lines = Vec::new();
        for payload in payloads {
            convert::wire_to_json_with(descriptor, payload, &mut lines, &options)?;
            lines.push(b'\n');
        }
        let path = self.directory.join("messages.json");
        std::fs::write(&path, lines)?;
        let program = Path::new("./gob");
        let mut best = None::<Figures>;
        for _ in 0..3 {
            let mut command = Command::new(program);
            command.current_dir(&self.directory).arg(descriptor.name()).arg(&path).arg(repeat.to_string());
            let text = run(&mut command)?;
            let mut numbers = text.split_whitespace().map(str::parse::<u64>);
            let mut next =
                || numbers.next().ok_or("the program says too little")?.map_err(Box::<dyn Error>::from);
            let (bytes, wrote, read) =
                (next()?, Duration::from_nanos(next()?), Duration::from_nanos(next()?));
            let before = best.as_ref().map_or((Duration::MAX, Duration::MAX), |best| (best.write, best.read));
            best =
                Some(Figures { bytes: bytes as usize, write: wrote.min(before.0), read: read.min(before.1) });
        }
        best.ok_or_else(|| "it was not run".into())
    }
}

fn run(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.output()?;
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout)?),
        false => Err(String::from_utf8_lossy(&output.stderr).into()),
    }
}

/// A struct with the fields of a message, by their names in JSON.
fn go_type(message: &MessageDescriptor) -> String {
    let mut text = format!("type {} struct {{\n", message.name());
    for field in message.fields() {
        let (name, ty) = (field.name(), go_field(&field));
        // An upper-case letter makes it visible to gob.
        let _ = writeln!(text, "\tF_{name} {ty} `json:\"{name}\"`");
    }
    text + "}\n"
}

fn go_field(field: &FieldDescriptor) -> String {
    if let (Some(key), Some(value)) = (field.map_key(), field.map_value()) {
        return format!("map[{}]{}", go_value(&key), go_value(&value));
    }
    match field.is_list() {
        true => format!("[]{}", go_value(field).trim_start_matches('*')),
        false => go_value(field),
    }
}

fn go_value(field: &FieldDescriptor) -> String {
    match field.kind() {
        Kind::Double => "float64".into(),
        Kind::Float => "float32".into(),
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 | Kind::Enum(_) => "int32".into(),
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => "int64".into(),
        Kind::UInt32 | Kind::Fixed32 => "uint32".into(),
        Kind::UInt64 | Kind::Fixed64 => "uint64".into(),
        Kind::Bool => "bool".into(),
        Kind::String => "string".into(),
        Kind::Bytes => "[]byte".into(),
        Kind::Message(message) => format!("*{}", message.name()),
    }
}

/// Which Go it is.
pub fn version() -> String {
    match tobu_compare::sections::output("go", &["version"]) {
        text if text.is_empty() => "without Go".into(),
        text => text,
    }
}

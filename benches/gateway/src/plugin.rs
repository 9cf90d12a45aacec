//! Plugins of protoc, run without protoc: their requests are made by tobu and protox.
//!
//! Specification:
//! <https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/compiler/plugin.proto>.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use protox::Compiler;
use tobu::{Deserialize, Message, Serialize};

use crate::Error;

/// `google.protobuf.FileDescriptorSet`, with files as they are: a schema of them could lose options.
#[derive(Default, Message, Serialize, Deserialize)]
#[tobu(package = "plugin")]
struct Set {
    #[tobu(1)]
    file: Vec<Vec<u8>>,
}

/// `google.protobuf.compiler.CodeGeneratorRequest`.
#[derive(Default, Message, Serialize, Deserialize)]
#[tobu(package = "plugin")]
struct Request {
    #[tobu(1)]
    file_to_generate: Vec<String>,
    #[tobu(2)]
    parameter: String,
    #[tobu(15)]
    proto_file: Vec<Vec<u8>>,
}

/// `google.protobuf.compiler.CodeGeneratorResponse`.
#[derive(Default, Message, Serialize, Deserialize)]
#[tobu(package = "plugin")]
struct Response {
    #[tobu(1)]
    error: String,
    #[tobu(15)]
    file: Vec<Generated>,
}

#[derive(Default, Message, Serialize, Deserialize)]
#[tobu(package = "plugin")]
struct Generated {
    #[tobu(1)]
    name: String,
    #[tobu(15)]
    content: String,
}

/// Lets a plugin generate code for a file, and writes it below a directory.
///
/// # Errors
/// The file is not valid, or the plugin fails.
pub fn run(plugin: &Path, parameter: &str, file: &str, includes: &[&str], out: &Path) -> Result<(), Error> {
    let mut compiler = Compiler::new(includes)?;
    compiler.include_imports(true).include_source_info(true).open_file(file)?;
    let set: Set = tobu::from_slice(&compiler.encode_file_descriptor_set())?;
    let request = Request {
        file_to_generate: vec![file.to_owned()],
        parameter: parameter.to_owned(),
        proto_file: set.file,
    };
    let mut child = Command::new(plugin).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    // Plugins read all before they write.
    child.stdin.take().ok_or("the input was taken")?.write_all(&tobu::to_vec(&request)?)?;
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err(format!("{}: {}", plugin.display(), output.status).into());
    }
    let response: Response = tobu::from_slice(&output.stdout)?;
    if !response.error.is_empty() {
        return Err(format!("{}: {}", plugin.display(), response.error).into());
    }
    for file in response.file {
        let path = out.join(file.name);
        if let Some(directory) = path.parent() {
            std::fs::create_dir_all(directory)?;
        }
        std::fs::write(path, file.content)?;
    }
    Ok(())
}

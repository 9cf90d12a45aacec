//! The types of the benchmark of pools, and what plugins of protoc need to generate those of Go.

use crate::{Result, fresh};
use ::prost::Message as _;
use prost_types::compiler::CodeGeneratorRequest;
use std::path::Path;

const SCHEMA: &str = "pool.proto";

pub(crate) fn generate(out: &Path) -> Result {
    println!("cargo:rerun-if-changed=proto/{SCHEMA}");
    let directory = fresh(out.join("pool"))?;
    let files = protox::compile([SCHEMA], ["proto"])?;
    tobu_build::Config::new().out_file("pool.rs").compile_descriptor_set_bytes(&files.encode_to_vec())?;
    let package = format!("paths=source_relative,M{SCHEMA}=pool/messages");
    let pooled: Vec<String> = ["Batch", "Record", "Label", "Source", "Result", "Row"]
        .map(|message| format!(",pool=pool/messages.{message}"))
        .into();
    let vtproto = format!("{package},features=marshal+size+unmarshal+pool{}", pooled.concat());
    for (plugin, parameter) in [("go", package), ("go-vtproto", vtproto)] {
        let request = CodeGeneratorRequest {
            file_to_generate: vec![SCHEMA.into()],
            parameter: Some(parameter),
            proto_file: files.file.clone(),
            compiler_version: None,
        };
        std::fs::write(directory.join(plugin), request.encode_to_vec())?;
    }
    prost_build::Config::new().out_dir(&directory).compile_fds(files)?;
    Ok(())
}

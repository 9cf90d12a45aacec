//! Google's crate, by the protoc of its version.

use crate::schemas::Schemas;
use crate::{Result, fresh};
use protobuf_codegen::CodeGen;
use std::path::Path;

pub(crate) fn generate(schemas: &Schemas, out: &Path) -> Result {
    let directory = fresh(out.join("google"))?;
    CodeGen::new()
        .protoc_path(protoc_bin_vendored::protoc_bin_path()?)
        .inputs(&schemas.files)
        .include(&schemas.protos)
        .output_dir(&directory)
        .generate_and_compile()?;
    Ok(())
}

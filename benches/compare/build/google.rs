//! Google's crate, by protoc.

use crate::schemas::Schemas;
use crate::{Result, fresh};
use protobuf_codegen::CodeGen;
use std::path::Path;

pub(crate) fn generate(schemas: &Schemas, out: &Path) -> Result {
    println!("cargo:rerun-if-env-changed=PROTOC");
    if std::env::var_os("PROTOC").is_none() {
        return Err("the feature `google` takes protoc 36.2 from $PROTOC; it is on Maven Central as \
            com.google.protobuf:protoc:4.36.2"
            .into());
    }
    let directory = fresh(out.join("google"))?;
    CodeGen::new()
        .inputs(&schemas.files)
        .include(&schemas.protos)
        .output_dir(&directory)
        .generate_and_compile()?;
    Ok(())
}

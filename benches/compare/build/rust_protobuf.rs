//! rust-protobuf, which brings the types of descriptors, from `.proto` files, by its own parser.

use crate::schemas::Schemas;
use crate::{Result, edit, fresh};
use std::path::Path;

pub(crate) fn generate(schemas: &Schemas, out: &Path) -> Result {
    let directory = fresh(out.join("rust_protobuf"))?;
    rust_protobuf_codegen::Codegen::new()
        .pure()
        .out_dir(&directory)
        .include(&schemas.protos)
        .inputs(schemas.own_files().map(|file| schemas.protos.join(file)))
        .run()?;
    for entry in std::fs::read_dir(&directory)? {
        // The code expects the name that Google's crate has here.
        edit(&entry?.path(), |code| code.replace("::protobuf::", "::rust_protobuf::"))?;
    }
    Ok(())
}

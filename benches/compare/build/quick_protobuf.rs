//! quick-protobuf, from `.proto` files, by pb-rs.

use crate::schemas::Schemas;
use crate::{Result, edit, fresh};
use pb_rs::ConfigBuilder;
use pb_rs::types::FileDescriptor;
use std::path::Path;

pub(crate) fn generate(schemas: &Schemas, out: &Path) -> Result {
    let directory = fresh(out.join("quick_protobuf"))?;
    let inputs: Vec<_> = schemas.own_files().map(|file| schemas.protos.join(file)).collect();
    let configs =
        ConfigBuilder::new(&inputs, None, Some(&directory), std::slice::from_ref(&schemas.protos))?.build();
    FileDescriptor::run(&configs)?;
    join_modules(&directory)
}

/// A package that has types and packages is generated as `a.rs` and `a/mod.rs`, which Rust rejects
/// as duplicates.
fn join_modules(directory: &Path) -> Result {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        let (types, packages) = (path.with_extension("rs"), path.join("mod.rs"));
        if types.is_file() && packages.is_file() {
            let more = std::fs::read_to_string(&packages)?;
            edit(&types, |types| types + "\n" + &more)?;
            std::fs::remove_file(packages)?;
        }
    }
    Ok(())
}

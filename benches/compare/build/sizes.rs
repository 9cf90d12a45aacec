//! What each library generates by default, for `--build`.

use crate::schemas::Schemas;
use crate::{Result, fresh};
use ::prost::Message;
use prost_types::FileDescriptorSet;
use std::path::Path;

pub(crate) fn generate(schemas: &Schemas, out: &Path) -> Result {
    let out = fresh(out.join("sizes"))?;
    let own: Vec<&String> = schemas.own_files().collect();
    let mut set = FileDescriptorSet::decode(&*schemas.bytes)?;
    set.file.retain(|file| own.iter().any(|name| **name == file.name()));

    tobu_build::Config::new()
        .out_dir(fresh(out.join("tobu"))?)
        .out_file("types.rs")
        .compile_descriptor_set_bytes(&set.encode_to_vec())?;
    prost_build::Config::new()
        .out_dir(fresh(out.join("prost"))?)
        .include_file("types.rs")
        .compile_fds(set)?;
    buffa_build::Config::new()
        .descriptor_set(&schemas.path)
        .files(&own)
        .out_dir(fresh(out.join("buffa"))?)
        .include_file("types.rs")
        .compile()
}

//! buffa, which brings the types of descriptors: owned types, views, lazy views, JSON, text.

use crate::schemas::Schemas;
use crate::{Result, fresh};
use std::path::Path;

pub(crate) fn generate(schemas: &Schemas, out: &Path) -> Result {
    buffa_build::Config::new()
        .descriptor_set(&schemas.path)
        .files(&schemas.own_files().collect::<Vec<_>>())
        .out_dir(fresh(out.join("buffa"))?)
        .include_file("types.rs")
        .generate_views(true)
        .lazy_views(true)
        .generate_json(true)
        .generate_text(true)
        .generate_reflection(true)
        .compile()
}

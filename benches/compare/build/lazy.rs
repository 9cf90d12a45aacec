//! The types of `proto/lazy.proto`: tobu's with public members, views, and with a lazy body; buffa's with views of both kinds.

use crate::{Result, fresh};
use prost::Message as _;
use std::path::Path;
use tobu_build::{Config, Views};

const SCHEMA: &str = "proto/lazy.proto";

pub(crate) fn generate(out: &Path) -> Result {
    println!("cargo:rerun-if-changed={SCHEMA}");
    let directory = fresh(out.join("lazy"))?;
    let set = directory.join("lazy.fds");
    std::fs::write(&set, protox::compile([SCHEMA], ["proto"])?.encode_to_vec())?;
    Config::new().out_dir(&directory).out_file("tobu.rs").views(Views::Both).compile_descriptor_set(&set)?;
    Config::new()
        .out_dir(&directory)
        .out_file("tobu_lazy.rs")
        .api(tobu_build::Api::Opaque)
        .lazy(".bench.lazy.Request.body", true)
        .compile_descriptor_set(&set)?;
    buffa_build::Config::new()
        .descriptor_set(&set)
        .files(&["lazy.proto"])
        .out_dir(fresh(directory.join("buffa"))?)
        .include_file("types.rs")
        .lazy_views(true)
        .compile()
}

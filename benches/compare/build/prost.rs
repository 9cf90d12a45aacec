//! prost, with pbjson's implementations of serde's traits; with `Bytes`; and with serde's own derives.

use crate::schemas::Schemas;
use crate::{Result, edit, fresh};
use ::prost::Message as _;
use prost_build::Config;
use prost_types::FileDescriptorSet;
use std::collections::BTreeSet;
use std::path::Path;

pub(crate) fn generate(schemas: &Schemas, out: &Path) -> Result {
    let set = FileDescriptorSet::decode(&*schemas.bytes)?;
    let directory = fresh(out.join("prost"))?;
    Config::new()
        .out_dir(&directory)
        .include_file("types.rs")
        .compile_well_known_types()
        .compile_fds(set.clone())?;
    let packages: BTreeSet<String> = set.file.iter().map(|file| file.package().to_owned()).collect();
    let paths: Vec<String> = packages.iter().map(|package| format!(".{package}")).collect();
    let json = fresh(out.join("pbjson"))?;
    pbjson_build::Builder::new().register_descriptors(&schemas.bytes)?.out_dir(&json).build(&paths)?;
    // The implementations name the types as their module does.
    for package in &packages {
        if let Ok(serde) = std::fs::read_to_string(json.join(format!("{package}.serde.rs"))) {
            edit(&directory.join(format!("{package}.rs")), |types| types + "\n" + &serde)?;
        }
    }

    Config::new()
        .out_dir(fresh(out.join("prost_bytes"))?)
        .include_file("types.rs")
        .compile_well_known_types()
        .bytes(["."])
        .compile_fds(set.clone())?;

    Config::new()
        .out_dir(fresh(out.join("prost_serde"))?)
        .include_file("types.rs")
        .compile_well_known_types()
        // To serde a `Vec<u8>` is a list of numbers.
        .bytes(["."])
        .type_attribute(".", "#[derive(serde::Serialize, serde::Deserialize)]")
        .compile_fds(set)?;
    Ok(())
}

/// The types of `tests/agree.rs`.
pub(crate) fn generate_corpus() -> Result {
    let schemas = "../../tests/schemas/proto";
    println!("cargo:rerun-if-changed={schemas}");
    let corpus = protox::compile(["corpus/corpus3.proto", "corpus/corpus2.proto"], [schemas])?;
    Config::new().include_file("corpus.rs").compile_fds(corpus)?;
    Ok(())
}

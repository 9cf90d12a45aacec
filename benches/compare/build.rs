//! Generates the peers' types of the schemas that tobu's tests use.

use prost::Message;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let schemas = "../../tests/schemas/proto";
    println!("cargo:rerun-if-changed={schemas}");
    let corpus = protox::compile(["corpus/corpus3.proto", "corpus/corpus2.proto"], [schemas])?;
    prost_build::Config::new().include_file("corpus.rs").compile_fds(corpus)?;

    println!("cargo:rerun-if-env-changed=TOBU_SHARED");
    println!("cargo:rustc-check-cfg=cfg(tobu_datasets)");
    let shared = std::env::var_os("TOBU_SHARED").map_or_else(|| PathBuf::from("../../../shared"), PathBuf::from);
    let datasets = shared.join("datasets/schemas.fds");
    println!("cargo:rerun-if-changed={}", datasets.display());
    if let Ok(bytes) = std::fs::read(&datasets) {
        println!("cargo:rustc-cfg=tobu_datasets");
        let set = prost_types::FileDescriptorSet::decode(&*bytes)?;
        let out = PathBuf::from(std::env::var("OUT_DIR")?).join("datasets");
        std::fs::create_dir_all(&out)?;
        prost_build::Config::new()
            .out_dir(out)
            .include_file("datasets.rs")
            .compile_well_known_types()
            .extern_path(".google.protobuf.compiler", "::prost_types")
            .compile_fds(set)?;
    }
    Ok(())
}

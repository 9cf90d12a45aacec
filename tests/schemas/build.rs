//! Generates the types of the tests and examples.

use std::error::Error;
use std::path::PathBuf;
use tobu_build::Api;

fn main() -> Result<(), Box<dyn Error>> {
    tobu_build::Config::new().parsed(".").compile(&["proto/library/v1/library.proto"], &["proto"])?;
    // The same with accessors next to public members, and with private members.
    for (api, out) in [(Api::Hybrid, "hybrid.rs"), (Api::Opaque, "opaque.rs")] {
        tobu_build::Config::new()
            .api(api)
            .lazy("Book.acquired", true)
            .out_file(out)
            .compile(&["proto/library/v1/library.proto"], &["proto"])?;
    }
    // With public members, with private ones, and with lazy fields.
    for (api, lazy, out) in [
        (Api::Open, false, "corpus.rs"),
        (Api::Opaque, false, "corpus_opaque.rs"),
        (Api::Opaque, true, "corpus_lazy.rs"),
    ] {
        tobu_build::Config::new()
            .api(api)
            .lazy(".", lazy)
            .out_file(out)
            .compile(&["proto/corpus/corpus3.proto", "proto/corpus/corpus2.proto"], &["proto"])?;
    }
    tobu_build::Config::new()
        .out_file("known.rs")
        .compile(&["proto/json/known.proto", "proto/json/sets.proto"], &["proto"])?;
    tobu_build::Config::new().out_file("armor.rs").compile(&["proto/armor.proto"], &["proto"])?;
    tobu_build::Config::new()
        .out_file("secret.rs")
        .compile(&["proto/secret/secret.proto", "proto/secret/marked.proto"], &["proto"])?;

    // The data sets of the benchmarks are not part of the project; their types are there when they are.
    println!("cargo:rerun-if-env-changed=TOBU_SHARED");
    println!("cargo:rustc-check-cfg=cfg(tobu_datasets)");
    let shared = std::env::var_os("TOBU_SHARED").map_or_else(
        || PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../../shared"),
        PathBuf::from,
    );
    let schemas = shared.join("datasets/schemas.fds");
    if schemas.exists() {
        println!("cargo:rustc-cfg=tobu_datasets");
        // `google.protobuf.FileDescriptorSet` is a data set like the others.
        tobu_build::Config::new()
            .out_file("datasets.rs")
            .well_known_types(false)
            .compile_descriptor_set(&schemas)?;
    }
    Ok(())
}

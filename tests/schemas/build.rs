//! Generates the types of the tests and examples, and code that reads their references.

mod readers;

use std::error::Error;
use std::path::PathBuf;
use tobu_build::Api;

fn main() -> Result<(), Box<dyn Error>> {
    let mut code = String::new();
    for (files, module, out) in [
        (&["proto/library/v1/library.proto"][..], "", "tobu.rs"),
        (&["proto/corpus/corpus3.proto", "proto/corpus/corpus2.proto"], "corpus::", "corpus.rs"),
        (&["proto/json/known.proto", "proto/json/sets.proto"], "known::", "known.rs"),
    ] {
        let mut config = tobu_build::Config::new();
        config.parsed(".").out_file(out).compile(files, &["proto"])?;
        let files: Vec<_> = files.iter().map(|file| &file["proto/".len()..]).collect();
        code += &readers::write(&config, &files, &["proto"], module)?;
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo sets it")?);
    std::fs::write(out.join("readers.rs"), code)?;
    // The same with accessors next to public members, and with private members.
    for (api, out) in [(Api::Hybrid, "hybrid.rs"), (Api::Opaque, "opaque.rs")] {
        tobu_build::Config::new()
            .api(api)
            .lazy("Book.acquired", true)
            .out_file(out)
            .compile(&["proto/library/v1/library.proto"], &["proto"])?;
    }
    // With private members, and with lazy fields.
    for (lazy, out) in [(false, "corpus_opaque.rs"), (true, "corpus_lazy.rs")] {
        tobu_build::Config::new()
            .api(Api::Opaque)
            .lazy(".", lazy)
            .out_file(out)
            .compile(&["proto/corpus/corpus3.proto", "proto/corpus/corpus2.proto"], &["proto"])?;
    }
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

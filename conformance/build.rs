//! Generates the suite's messages from its descriptors, which are not part of the project.

use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-env-changed=TOBU_SHARED");
    println!("cargo:rustc-check-cfg=cfg(suite)");
    let shared = std::env::var_os("TOBU_SHARED").map_or_else(
        || Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../shared"),
        PathBuf::from,
    );
    let schemas = shared.join("conformance/conformance.fds");
    if schemas.exists() {
        println!("cargo:rustc-cfg=suite");
        println!("cargo:rustc-env=CONFORMANCE_FDS={}", schemas.canonicalize()?.display());
        for (api, out_file) in [(tobu_build::Api::Open, "open.rs"), (tobu_build::Api::Opaque, "opaque.rs")] {
            tobu_build::Config::new()
                .api(api)
                // Where there are private members: half of the types decode the messages in them when they are read.
                .lazy(".protobuf_test_messages.proto3", true)
                .lazy(".protobuf_test_messages.editions.proto3", true)
                .out_file(out_file)
                .compile_descriptor_set(&schemas)?;
        }
    }
    Ok(())
}

//! tobu as it is in this repository, with its defaults.

use super::{Contestant, Json};
use crate::Outcome;
use crate::protos::Protos;
use std::path::Path;

pub(super) fn tobu() -> Contestant {
    Contestant {
        name: "tobu",
        dependencies: &[concat!("tobu = { path = \"", env!("CARGO_MANIFEST_DIR"), "/../..\" }")],
        build_dependencies: &[concat!(
            "tobu-build = { path = \"",
            env!("CARGO_MANIFEST_DIR"),
            "/../../tobu-build\" }"
        )],
        reexports: &["tobu"],
        generate,
        decode: "types::tobu::from_slice::<Message>(input)",
        encode: "types::tobu::to_vec(&message)?",
        json: Some(Json {
            parse: "types::tobu::json::from_str::<Message>(text)",
            print: "types::tobu::json::to_string(&message)?",
        }),
    }
}

fn generate(protos: &Protos, out: &Path) -> Outcome<()> {
    tobu_build::Config::new()
        .rerun_if_changed(false)
        .out_dir(out)
        .out_file("types.rs")
        .compile_descriptor_set(&protos.path)?;
    Ok(())
}

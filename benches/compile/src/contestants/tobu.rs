//! tobu as it is in this repository, with its defaults.

use super::{Contestant, Json, Service};
use crate::Outcome;
use crate::protos::Protos;
use std::path::Path;

const TOBU: &str = concat!("tobu = { path = \"", env!("CARGO_MANIFEST_DIR"), "/../..\" }");
const TOBU_BUILD: &str =
    concat!("tobu-build = { path = \"", env!("CARGO_MANIFEST_DIR"), "/../../tobu-build\" }");
const TOBU_TONIC: &str = concat!(
    "tobu-tonic = { path = \"",
    env!("CARGO_MANIFEST_DIR"),
    "/../../tobu-tonic\", features = [\"channel\"] }"
);

pub(super) fn tobu() -> Contestant {
    Contestant {
        name: "tobu",
        dependencies: &[TOBU],
        build_dependencies: &[TOBU_BUILD],
        compile: "tobu_build::Config::new().compile(FILES, &[\"proto\"])?;",
        include: "tobu::include_proto!();",
        runs_protoc: false,
        book: include_str!("../../../../examples/build_rs/src/main.rs"),
        service: Some(Service {
            dependencies: &[TOBU, TOBU_TONIC],
            build_dependencies: &[TOBU_BUILD],
            compile: "tobu_build::Config::new().client(true).server(true).generate_default_stubs(true).compile(FILES, &[\"proto\"])?;",
            main: include_str!("../whole/tobu_service.rs"),
        }),
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

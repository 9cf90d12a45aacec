//! buffa, with and without its views.

use super::Contestant;
use crate::Outcome;
use crate::protos::Protos;
use std::path::Path;

pub(super) fn owned() -> Contestant {
    Contestant {
        name: "buffa",
        dependencies: &["buffa = \"0.9\"", "buffa-types = \"0.9\""],
        build_dependencies: &["buffa-build = \"0.9\""],
        reexports: &["buffa"],
        generate: |protos, out| generate(protos, out, false),
        decode: "<Message as types::buffa::Message>::decode_from_slice(input)",
        encode: "types::buffa::Message::encode_to_vec(&message)",
        json: None,
    }
}

pub(super) fn views() -> Contestant {
    Contestant { name: "buffa+views", generate: |protos, out| generate(protos, out, true), ..owned() }
}

fn generate(protos: &Protos, out: &Path, views: bool) -> Outcome<()> {
    buffa_build::Config::new()
        .descriptor_set(&protos.path)
        .files(&protos.files)
        .out_dir(out)
        .include_file("types.rs")
        .generate_views(views)
        .compile()
}

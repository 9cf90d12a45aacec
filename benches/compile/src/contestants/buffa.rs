//! buffa, with and without its views.

use super::{Contestant, INCLUDE};
use crate::Outcome;
use crate::protos::Protos;
use std::path::Path;

pub(super) fn owned() -> Contestant {
    Contestant {
        name: "buffa",
        dependencies: &["buffa = \"0.9\"", "buffa-types = \"0.9\""],
        build_dependencies: &["buffa-build = \"0.9\""],
        compile: "buffa_build::Config::new().files(FILES).includes(&[\"proto\"]).include_file(\"types.rs\").generate_views(false).compile()?;",
        include: INCLUDE,
        runs_protoc: true,
        book: include_str!("../whole/buffa_book.rs"),
        service: None,
        reexports: &["buffa"],
        generate: |protos, out| generate(protos, out, false),
        decode: "<Message as types::buffa::Message>::decode_from_slice(input)",
        encode: "types::buffa::Message::encode_to_vec(&message)",
        json: None,
    }
}

pub(super) fn views() -> Contestant {
    Contestant {
        name: "buffa+views",
        compile: "buffa_build::Config::new().files(FILES).includes(&[\"proto\"]).include_file(\"types.rs\").compile()?;",
        generate: |protos, out| generate(protos, out, true),
        ..owned()
    }
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

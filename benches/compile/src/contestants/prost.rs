//! prost, fed by protox; with pbjson's implementations of serde's traits.

use super::{Contestant, Json};
use crate::Outcome;
use crate::protos::Protos;
use std::collections::BTreeSet;
use std::path::Path;

const DECODE: &str = "<Message as types::prost::Message>::decode(input)";
const ENCODE: &str = "types::prost::Message::encode_to_vec(&message)";

pub(super) fn prost() -> Contestant {
    Contestant {
        name: "prost",
        dependencies: &["prost = \"0.14\"", "prost-types = \"0.14\""],
        build_dependencies: &["prost-build = \"0.14\"", "protox = \"0.10\""],
        reexports: &["prost"],
        generate: |protos, out| {
            let mut config = prost_build::Config::new();
            Ok(config.out_dir(out).include_file("types.rs").compile_fds(protos.set.clone())?)
        },
        decode: DECODE,
        encode: ENCODE,
        json: None,
    }
}

pub(super) fn pbjson() -> Contestant {
    Contestant {
        name: "prost+pbjson",
        dependencies: &[
            "prost = \"0.14\"",
            "pbjson = \"0.9\"",
            "pbjson-types = \"0.9\"",
            "serde = \"1\"",
            "serde_json = \"1\"",
        ],
        build_dependencies: &["prost-build = \"0.14\"", "protox = \"0.10\"", "pbjson-build = \"0.9\""],
        reexports: &["prost", "serde_json"],
        generate: generate_with_json,
        decode: DECODE,
        encode: ENCODE,
        json: Some(Json {
            parse: "types::serde_json::from_str::<Message>(text)",
            print: "types::serde_json::to_string(&message)?",
        }),
    }
}

fn generate_with_json(protos: &Protos, out: &Path) -> Outcome<()> {
    let own = protos.own_files();
    let packages: BTreeSet<String> = own.file.iter().map(|file| file.package().to_owned()).collect();
    let paths: Vec<String> = packages.iter().map(|package| format!(".{package}")).collect();
    prost_build::Config::new()
        .out_dir(out)
        .include_file("types.rs")
        .compile_well_known_types()
        .extern_path(".google.protobuf", "::pbjson_types")
        .compile_fds(protos.set.clone())?;
    pbjson_build::Builder::new()
        .register_descriptors(&std::fs::read(&protos.path)?)?
        .out_dir(out)
        .extern_path(".google.protobuf", "::pbjson_types")
        .build(&paths)?;
    // The implementations name the types as their module does.
    for package in &packages {
        let (types, serde) = (out.join(format!("{package}.rs")), out.join(format!("{package}.serde.rs")));
        let both = std::fs::read_to_string(&types)? + "\n" + &std::fs::read_to_string(&serde)?;
        std::fs::write(&types, both)?;
        std::fs::remove_file(serde)?;
    }
    Ok(())
}

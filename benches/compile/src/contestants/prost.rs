//! prost; with pbjson's implementations of serde's traits.

use super::{Contestant, INCLUDE, Json, Service};
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
        build_dependencies: &["prost-build = \"0.14\""],
        compile: "prost_build::Config::new().include_file(\"types.rs\").compile_protos(FILES, &[\"proto\"])?;",
        include: INCLUDE,
        runs_protoc: true,
        book: include_str!("../whole/prost_book.rs"),
        service: Some(Service {
            dependencies: &["prost = \"0.14\"", "prost-types = \"0.14\"", "tonic-prost = \"0.14\""],
            build_dependencies: &["tonic-prost-build = \"0.14\""],
            compile: "tonic_prost_build::configure().include_file(\"types.rs\").generate_default_stubs(true).compile_protos(FILES, &[\"proto\"])?;",
            main: include_str!("../whole/prost_service.rs"),
        }),
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
        build_dependencies: &["prost-build = \"0.14\"", "pbjson-build = \"0.9\""],
        compile: COMPILE_WITH_JSON,
        include: INCLUDE,
        runs_protoc: true,
        book: include_str!("../whole/pbjson_book.rs"),
        service: None,
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

/// As [`generate_with_json`].
const COMPILE_WITH_JSON: &str = "\
    let out = std::path::PathBuf::from(std::env::var(\"OUT_DIR\")?);
    let set = out.join(\"schema.fds\");
    prost_build::Config::new()
        .file_descriptor_set_path(&set)
        .include_file(\"types.rs\")
        .compile_well_known_types()
        .extern_path(\".google.protobuf\", \"::pbjson_types\")
        .compile_protos(FILES, &[\"proto\"])?;
    let mut packages = Vec::new();
    for entry in std::fs::read_dir(&out)? {
        let name = entry?.file_name().into_string().unwrap_or_default();
        packages.extend(name.strip_suffix(\".rs\").filter(|name| *name != \"types\").map(str::to_owned));
    }
    let paths: Vec<String> = packages.iter().map(|package| format!(\".{package}\")).collect();
    pbjson_build::Builder::new()
        .register_descriptors(&std::fs::read(&set)?)?
        .extern_path(\".google.protobuf\", \"::pbjson_types\")
        .build(&paths)?;
    for package in packages {
        let serde = std::fs::read_to_string(out.join(format!(\"{package}.serde.rs\")))?;
        let types = out.join(format!(\"{package}.rs\"));
        std::fs::write(&types, std::fs::read_to_string(&types)? + \"\\n\" + &serde)?;
    }";

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

//! The checked-in descriptors are those of the official files; `TOBU_UPDATE=1` writes them anew.
//!
//! Some of the files that the compiler of the tests has bundled are old: `descriptor`, `api` and `plugin` are written by `protoc`
//! (`protoc --descriptor_set_out`, of which they are the only file), and must have all that the old ones have.

use prost::Message;
use prost_types::FileDescriptorProto;
use protox::Compiler;
use protox::file::GoogleFileResolver;
use std::fs;
use std::path::Path;

const NAMES: [&str; 9] =
    ["any", "duration", "empty", "field_mask", "source_context", "struct", "timestamp", "type", "wrappers"];

fn bundled(name: &str) -> FileDescriptorProto {
    let mut compiler = Compiler::with_file_resolver(GoogleFileResolver::new());
    compiler.include_source_info(false).open_file(format!("google/protobuf/{name}.proto")).unwrap();
    let mut file = compiler.file_descriptor_set().file.into_iter().next().unwrap();
    file.source_code_info = None;
    file
}

#[test]
fn newer_files_have_what_older_ones_have() {
    for (file, name, newest) in [
        (&tobu::types::files::DESCRIPTOR, "descriptor", "google.protobuf.FeatureSet.VisibilityFeature"),
        (&tobu::types::files::API, "api", "google.protobuf.Method"),
        (
            &tobu::types::files::PLUGIN,
            "compiler/plugin",
            "google.protobuf.compiler.CodeGeneratorResponse.File",
        ),
    ] {
        assert!(file.message(newest).is_some(), "{newest}");
        for old in bundled(name).message_type {
            let package = file.descriptor().package();
            let new = file.message(&format!("{package}.{}", old.name())).unwrap();
            for field in old.field {
                let number = field.number() as u32;
                let there = new.field_by_number(number).is_some_and(|new| new.name() == field.name());
                let reserved = new.reserved_ranges().any(|range| range.contains(&number));
                assert!(there || reserved, "{} of {}", field.name(), new.full_name());
            }
        }
    }
}

#[test]
fn are_up_to_date() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tobu-schema/src/descriptors");
    for name in NAMES {
        let bytes = bundled(name).encode_to_vec();

        let path = directory.join(format!("{name}.bin"));
        if std::env::var_os("TOBU_UPDATE").is_some() {
            fs::write(&path, &bytes).unwrap();
        }
        assert!(
            fs::read(&path).is_ok_and(|known| known == bytes),
            "{name}.bin is stale: run this test with TOBU_UPDATE=1"
        );
    }
}

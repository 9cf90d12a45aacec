//! The checked-in descriptors are those of the bundled files; `TOBU_UPDATE=1` writes them anew.

use prost::Message;
use protox::Compiler;
use protox::file::GoogleFileResolver;
use std::fs;
use std::path::Path;

const NAMES: [&str; 11] = [
    "any",
    "api",
    "descriptor",
    "duration",
    "empty",
    "field_mask",
    "source_context",
    "struct",
    "timestamp",
    "type",
    "wrappers",
];

#[test]
fn are_up_to_date() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/types/descriptors");
    for name in NAMES {
        let mut compiler = Compiler::with_file_resolver(GoogleFileResolver::new());
        compiler.include_source_info(false).open_file(format!("google/protobuf/{name}.proto")).unwrap();
        let set = compiler.file_descriptor_set();
        let mut file = set.file.into_iter().next().unwrap();
        file.source_code_info = None;
        let bytes = file.encode_to_vec();

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

//! The examples are crates that can be copied: they take nothing from the workspace.

use std::fs;
use std::path::Path;

#[test]
fn their_manifests_stand_alone() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut checked = Vec::new();
    for entry in fs::read_dir(examples).unwrap() {
        let directory = entry.unwrap().path();
        // `migrate` is in two states, which are compared, and not copied.
        let Ok(manifest) = fs::read_to_string(directory.join("Cargo.toml")) else { continue };
        let name = directory.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(
            !manifest.contains("workspace"),
            "examples/{name}/Cargo.toml takes something from the workspace"
        );
        for line in manifest.lines().filter(|line| line.contains("path = \"../")) {
            assert!(line.contains("version = "), "examples/{name}/Cargo.toml: {line} names no version");
        }
        checked.push(name);
    }
    for known in ["derive", "gateway", "grpc"] {
        assert!(checked.iter().any(|name| name == known), "{known} is not among {checked:?}");
    }
}

//! The generated code that is checked in. `UPDATE_GENERATED=1 cargo test -p tobu-tonic --test generated` writes it anew.

use std::fs;
use std::path::Path;

const MESSAGES: &[&str] = &[
    "ServerReflectionRequest",
    "ExtensionRequest",
    "ServerReflectionResponse",
    "FileDescriptorResponse",
    "ExtensionNumberResponse",
    "ListServiceResponse",
    "ServiceResponse",
    "ErrorResponse",
];

#[test]
fn the_reflection_service() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut config = tobu_build::Config::new();
    config.client(true).server(true).getters(false);
    config.out_dir(out).out_file("generated.rs").rerun_if_changed(false);
    // The two versions have the same messages: one set of types does for both.
    for name in MESSAGES {
        let path = format!("crate::reflection::v1::{name}");
        config.extern_path(format!(".grpc.reflection.v1alpha.{name}"), path);
    }
    let files = ["v1", "v1alpha"].map(|version| format!("grpc/reflection/{version}/reflection.proto"));
    config.compile(&files.map(|file| root.join("proto").join(file)), &[root.join("proto")]).unwrap();
    let made = fs::read_to_string(out.join("generated.rs")).unwrap();
    let path = root.join("src/reflection/generated.rs");
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let checked_in = fs::read_to_string(&path).unwrap();
    assert!(checked_in == made, "src/reflection/generated.rs is stale; UPDATE_GENERATED=1 writes it anew");
}

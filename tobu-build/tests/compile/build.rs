//! Compiles the schema that `tests/build_script.rs` reads and writes.

fn main() -> tobu_build::Result<()> {
    tobu_build::Config::new().compile(&["../golden/library.proto"], &["../golden"])
}

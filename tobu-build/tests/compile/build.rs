//! Compiles the schema that the tests read and write, and one with a Rust file per package.

fn main() -> tobu_build::Result<()> {
    tobu_build::Config::new().compile(&["../golden/library.proto"], &["../golden"])?;
    tobu_build::Config::new()
        .views(tobu_build::Views::Both)
        .file_per_package(true)
        .out_file("packages.rs")
        .compile(&["../golden/names.proto", "../golden/module_of_both.proto"], &["../golden"])
}

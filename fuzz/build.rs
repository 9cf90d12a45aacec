//! Generates the types of the tests' schemas in the forms that `tobu-schemas` does not have.

use std::error::Error;
use tobu_build::{Api, BytesType, Config, MapType, StringType, Views};

const FILES: [&str; 4] = [
    "../tests/schemas/proto/corpus/corpus3.proto",
    "../tests/schemas/proto/corpus/corpus2.proto",
    "../tests/schemas/proto/json/known.proto",
    "../tests/schemas/proto/json/sets.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    // How large a stack must be depends on it.
    println!("cargo::rustc-env=TOBU_FUZZ_PROFILE={}", std::env::var("PROFILE")?);
    Config::new().out_file("views.rs").views(Views::Only).compile(&FILES, &["../tests/schemas/proto"])?;
    Config::new()
        .out_file("shared.rs")
        .bytes_type(".", BytesType::Bytes)
        .string_type(".", StringType::BoxStr)
        .map_type(".", MapType::VecMap)
        .compile(&FILES, &["../tests/schemas/proto"])?;
    Config::new().out_file("opaque.rs").api(Api::Opaque).compile(&FILES, &["../tests/schemas/proto"])?;
    Config::new()
        .out_file("lazy.rs")
        .api(Api::Opaque)
        .lazy(".", true)
        .compile(&FILES, &["../tests/schemas/proto"])?;
    Ok(())
}

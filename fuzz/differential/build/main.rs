//! Generates the types of the schemas that are compiled, by the peers' own builders.

mod compiled;
#[allow(dead_code, reason = "trees are not made here")]
#[path = "../../../tests/properties/entropy.rs"]
mod entropy;
#[allow(dead_code, reason = "as above")]
#[path = "../../../tests/properties/schema.rs"]
mod random;
#[allow(dead_code, reason = "as above")]
#[path = "../../src/rng.rs"]
mod rng;
#[allow(dead_code, reason = "as above")]
#[path = "../src/schema.rs"]
mod schema;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in ["build", "src/schema.rs", "../src/rng.rs", "../../tests/properties"] {
        println!("cargo::rerun-if-changed={path}");
    }
    compiled::generate()?;
    Ok(())
}

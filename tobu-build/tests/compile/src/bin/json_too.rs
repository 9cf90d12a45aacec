//! A program that prints JSON, too: `tests/contents.rs` looks into it.

use std::io::Read as _;
use tobu_generated_tests::library::library::v1::Shelf;

fn main() -> tobu::Result<()> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let shelf: Shelf = tobu::from_slice(&bytes)?;
    println!("{}", tobu::json::to_string(&shelf)?);
    Ok(())
}

//! A program that decodes and encodes, and nothing else: `tests/contents.rs` looks into it.

use std::io::{Read as _, Write as _};
use tobu_generated_tests::library::library::v1::Shelf;

/// Derives `Debug`, as its member does, and is never printed.
#[derive(Debug)]
struct Task {
    shelf: Shelf,
}

fn main() -> tobu::Result<()> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let task = Task { shelf: tobu::from_slice(&bytes)? };
    std::io::stdout().write_all(&tobu::to_vec(&task.shelf)?)?;
    Ok(())
}

//! Generates the types of every library from one descriptor set.

mod buffa;
mod flows;
mod go;
#[cfg(feature = "google")]
mod google;
mod lazy;
mod pool;
mod prost;
mod quick_protobuf;
mod read;
mod rust_protobuf;
mod sample;
mod schemas;
mod tobu;

use std::error::Error;
use std::path::{Path, PathBuf};

type Result<T = (), E = Box<dyn Error>> = std::result::Result<T, E>;

fn main() -> Result {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let schemas = schemas::Schemas::load(&out)?;
    tobu::generate(&schemas)?;
    prost::generate(&schemas, &out)?;
    prost::generate_corpus()?;
    buffa::generate(&schemas, &out)?;
    rust_protobuf::generate(&schemas, &out)?;
    quick_protobuf::generate(&schemas, &out)?;
    flows::generate(&out)?;
    lazy::generate(&out)?;
    pool::generate(&out)?;
    go::generate(&schemas, &out)?;
    read::generate(&schemas, &out)?;
    #[cfg(feature = "google")]
    google::generate(&schemas, &out)?;
    Ok(())
}

/// An empty directory.
fn fresh(directory: PathBuf) -> Result<PathBuf> {
    if directory.exists() {
        std::fs::remove_dir_all(&directory)?;
    }
    std::fs::create_dir_all(&directory)?;
    Ok(directory)
}

/// Changes a text file.
fn edit(path: &Path, change: impl FnOnce(String) -> String) -> Result {
    let text = std::fs::read_to_string(path)?;
    std::fs::write(path, change(text))?;
    Ok(())
}

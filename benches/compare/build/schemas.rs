//! Where the schemas come from: the recorded data sets, or those that are made here.

use crate::{Result, fresh, sample};
use ::tobu::Pool;
use std::path::{Path, PathBuf};

/// A schema with its imports, as a descriptor set and as `.proto` files.
pub(crate) struct Schemas {
    pub(crate) bytes: Vec<u8>,
    /// The same as a file.
    pub(crate) path: PathBuf,
    /// The files' names.
    pub(crate) files: Vec<String>,
    /// The directory of the `.proto` files.
    pub(crate) protos: PathBuf,
}

impl Schemas {
    pub(crate) fn load(out: &Path) -> Result<Self> {
        println!("cargo:rerun-if-changed=build");
        println!("cargo:rerun-if-env-changed=TOBU_SHARED");
        // Made in any case, so that it is tested in any case.
        let sample = fresh(out.join("sample"))?;
        sample::write(&sample)?;
        let shared = std::env::var_os("TOBU_SHARED").map_or_else(|| "../../../shared".into(), PathBuf::from);
        let recorded = shared.join("datasets");
        let directory = if recorded.join("schemas.fds").is_file() {
            println!("cargo:rerun-if-changed={}", recorded.join("schemas.fds").display());
            recorded.canonicalize()?
        } else {
            sample
        };
        println!("cargo:rustc-env=TOBU_DATASETS={}", directory.display());
        let path = directory.join("schemas.fds");
        let bytes = std::fs::read(&path)?;

        let pool = Pool::from_descriptor_set(&bytes)?;
        let protos = fresh(out.join("protos"))?;
        let mut files = Vec::new();
        for file in pool.files() {
            let path = protos.join(file.name());
            std::fs::create_dir_all(path.parent().unwrap_or(&protos))?;
            std::fs::write(path, file.to_proto_text()?)?;
            files.push(file.name().to_owned());
        }
        Ok(Schemas { bytes, path, files, protos })
    }

    /// The files whose types are not in the libraries already.
    pub(crate) fn own_files(&self) -> impl Iterator<Item = &String> {
        self.files.iter().filter(|file| !file.starts_with("google/protobuf/"))
    }
}

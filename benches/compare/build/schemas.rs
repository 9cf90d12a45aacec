//! Where the schemas come from: the data sets, or the tests of tobu.

use crate::{Result, fresh};
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
        println!("cargo:rustc-check-cfg=cfg(tobu_datasets)");
        let shared = std::env::var_os("TOBU_SHARED").map_or_else(|| "../../../shared".into(), PathBuf::from);
        let datasets = shared.join("datasets/schemas.fds");
        println!("cargo:rerun-if-changed={}", datasets.display());
        let bytes = match std::fs::read(&datasets) {
            Ok(bytes) => {
                println!("cargo:rustc-cfg=tobu_datasets");
                bytes
            }
            Err(_) => {
                let tests = "../../tests/schemas/proto";
                println!("cargo:rerun-if-changed={tests}");
                let set = protox::compile(["corpus/corpus3.proto"], [tests])?;
                ::prost::Message::encode_to_vec(&set)
            }
        };
        let path = out.join("schemas.fds");
        std::fs::write(&path, &bytes)?;

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

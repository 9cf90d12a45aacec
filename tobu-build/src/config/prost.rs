//! Settings by the names that prost-build and tonic-prost-build have for them, where they mean the same.
//!
//! The guide lists what these crates have, and what it is called here.

use std::path::{Path, PathBuf};

use super::{BytesType, Config, MapType};
use crate::error::Result;
use crate::paths::Paths;

impl Config {
    /// The same as [`client`](Self::client), by the name of tonic-prost-build.
    pub fn build_client(&mut self, yes: bool) -> &mut Self {
        self.client(yes)
    }

    /// The same as [`server`](Self::server), by the name of tonic-prost-build.
    pub fn build_server(&mut self, yes: bool) -> &mut Self {
        self.server(yes)
    }

    /// The same as [`map_type`](Self::map_type) with [`MapType::BTreeMap`], by the name of prost-build.
    pub fn btree_map(&mut self, paths: impl Paths) -> &mut Self {
        for path in paths.into_paths() {
            self.map_type(path, MapType::BTreeMap);
        }
        self
    }

    /// The same as [`bytes_type`](Self::bytes_type) with [`BytesType::Bytes`], by the name of prost-build.
    pub fn bytes(&mut self, paths: impl Paths) -> &mut Self {
        for path in paths.into_paths() {
            self.bytes_type(path, BytesType::Bytes);
        }
        self
    }

    /// The opposite of [`well_known_types`](Self::well_known_types), by the name of tonic-prost-build.
    pub fn compile_well_known_types(&mut self, yes: bool) -> &mut Self {
        self.well_known_types(!yes)
    }

    /// Writes a Rust file per package, and this one, which includes them all: [`file_per_package`](Self::file_per_package)
    /// with [`out_file`](Self::out_file), by the name of prost-build.
    pub fn include_file(&mut self, name: impl AsRef<Path>) -> &mut Self {
        self.file_per_package(true).out_file(name.as_ref().to_string_lossy())
    }

    /// The same as [`descriptor_set_path`](Self::descriptor_set_path), by the name of prost-build.
    pub fn file_descriptor_set_path(&mut self, path: impl Into<PathBuf>) -> &mut Self {
        self.descriptor_set_path(path)
    }

    /// The same as [`strip_enum_prefix(false)`](Self::strip_enum_prefix), by the name of prost-build.
    pub fn retain_enum_prefix(&mut self) -> &mut Self {
        self.strip_enum_prefix(false)
    }

    /// The same as [`protoc`](Self::protoc), by the name of prost-build.
    pub fn protoc_executable(&mut self, program: impl Into<PathBuf>) -> &mut Self {
        self.protoc(program)
    }

    /// The same as [`rerun_if_changed`](Self::rerun_if_changed), by the name of tonic-prost-build.
    pub fn emit_rerun_if_changed(&mut self, yes: bool) -> &mut Self {
        self.rerun_if_changed(yes)
    }

    /// The same as [`compile`](Self::compile), by the name of prost-build.
    ///
    /// # Errors
    /// Those of [`compile`](Self::compile).
    pub fn compile_protos<F: AsRef<Path>, I: AsRef<Path>>(&self, files: &[F], includes: &[I]) -> Result<()> {
        self.compile(files, includes)
    }
}

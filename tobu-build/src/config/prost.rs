//! Settings under the names of prost-build and tonic-prost-build, if they mean the same.
//!
//! The guide lists the settings of these crates, and their names here.

use std::path::{Path, PathBuf};

use super::{BytesType, Config, MapType};
use crate::error::Result;
use crate::paths::Paths;

impl Config {
    /// [`client`](Self::client) under the name of tonic-prost-build.
    pub fn build_client(&mut self, yes: bool) -> &mut Self {
        self.client(yes)
    }

    /// [`server`](Self::server) under the name of tonic-prost-build.
    pub fn build_server(&mut self, yes: bool) -> &mut Self {
        self.server(yes)
    }

    /// [`map_type`](Self::map_type) with [`MapType::BTreeMap`], under the name of prost-build.
    pub fn btree_map(&mut self, paths: impl Paths) -> &mut Self {
        for path in paths.into_paths() {
            self.map_type(path, MapType::BTreeMap);
        }
        self
    }

    /// [`bytes_type`](Self::bytes_type) with [`BytesType::Bytes`], under the name of prost-build.
    pub fn bytes(&mut self, paths: impl Paths) -> &mut Self {
        for path in paths.into_paths() {
            self.bytes_type(path, BytesType::Bytes);
        }
        self
    }

    /// The opposite of [`well_known_types`](Self::well_known_types), under the name of tonic-prost-build.
    pub fn compile_well_known_types(&mut self, yes: bool) -> &mut Self {
        self.well_known_types(!yes)
    }

    /// Writes a Rust file per package, and this file, which includes them all:
    /// [`file_per_package`](Self::file_per_package) with [`out_file`](Self::out_file), under the name of prost-build.
    pub fn include_file(&mut self, name: impl AsRef<Path>) -> &mut Self {
        self.file_per_package(true).out_file(name.as_ref().to_string_lossy())
    }

    /// [`descriptor_set_path`](Self::descriptor_set_path) under the name of prost-build.
    pub fn file_descriptor_set_path(&mut self, path: impl Into<PathBuf>) -> &mut Self {
        self.descriptor_set_path(path)
    }

    /// [`strip_enum_prefix(false)`](Self::strip_enum_prefix) under the name of prost-build.
    pub fn retain_enum_prefix(&mut self) -> &mut Self {
        self.strip_enum_prefix(false)
    }

    /// [`protoc`](Self::protoc) under the name of prost-build.
    pub fn protoc_executable(&mut self, program: impl Into<PathBuf>) -> &mut Self {
        self.protoc(program)
    }

    /// [`rerun_if_changed`](Self::rerun_if_changed) under the name of tonic-prost-build.
    pub fn emit_rerun_if_changed(&mut self, yes: bool) -> &mut Self {
        self.rerun_if_changed(yes)
    }

    /// [`compile`](Self::compile) under the name of prost-build.
    ///
    /// # Errors
    /// Fails if [`compile`](Self::compile) would fail.
    pub fn compile_protos<F: AsRef<Path>, I: AsRef<Path>>(&self, files: &[F], includes: &[I]) -> Result<()> {
        self.compile(files, includes)
    }
}

//! Settings with the names that they have in prost-build and tonic-prost-build. Settings that have another meaning in these
//! crates are left out.
//!
//! The guide lists the settings of these crates, and the names of the corresponding settings of tobu-build.

use std::path::{Path, PathBuf};

use super::{BytesType, Config, MapType};
use crate::error::Result;
use crate::paths::Paths;

impl Config {
    /// Calls [`client`](Self::client). This is the name in tonic-prost-build.
    pub fn build_client(&mut self, yes: bool) -> &mut Self {
        self.client(yes)
    }

    /// Calls [`server`](Self::server). This is the name in tonic-prost-build.
    pub fn build_server(&mut self, yes: bool) -> &mut Self {
        self.server(yes)
    }

    /// Calls [`map_type`](Self::map_type) with [`MapType::BTreeMap`]. This is the name in prost-build.
    pub fn btree_map(&mut self, paths: impl Paths) -> &mut Self {
        for path in paths.into_paths() {
            self.map_type(path, MapType::BTreeMap);
        }
        self
    }

    /// Calls [`bytes_type`](Self::bytes_type) with [`BytesType::Bytes`]. This is the name in prost-build.
    pub fn bytes(&mut self, paths: impl Paths) -> &mut Self {
        for path in paths.into_paths() {
            self.bytes_type(path, BytesType::Bytes);
        }
        self
    }

    /// Calls [`well_known_types`](Self::well_known_types) with the opposite value. This is the name in tonic-prost-build.
    pub fn compile_well_known_types(&mut self, yes: bool) -> &mut Self {
        self.well_known_types(!yes)
    }

    /// Writes one Rust file per package, and a file with this name that includes them all. Calls
    /// [`file_per_package`](Self::file_per_package) and [`out_file`](Self::out_file). This is the name in prost-build.
    pub fn include_file(&mut self, name: impl AsRef<Path>) -> &mut Self {
        self.file_per_package(true).out_file(name.as_ref().to_string_lossy())
    }

    /// Calls [`descriptor_set_path`](Self::descriptor_set_path). This is the name in prost-build.
    pub fn file_descriptor_set_path(&mut self, path: impl Into<PathBuf>) -> &mut Self {
        self.descriptor_set_path(path)
    }

    /// Calls [`strip_enum_prefix(false)`](Self::strip_enum_prefix). This is the name in prost-build.
    pub fn retain_enum_prefix(&mut self) -> &mut Self {
        self.strip_enum_prefix(false)
    }

    /// Calls [`protoc`](Self::protoc). This is the name in prost-build.
    pub fn protoc_executable(&mut self, program: impl Into<PathBuf>) -> &mut Self {
        self.protoc(program)
    }

    /// Calls [`rerun_if_changed`](Self::rerun_if_changed). This is the name in tonic-prost-build.
    pub fn emit_rerun_if_changed(&mut self, yes: bool) -> &mut Self {
        self.rerun_if_changed(yes)
    }

    /// Calls [`compile`](Self::compile). This is the name in prost-build.
    ///
    /// # Errors
    /// Fails if [`compile`](Self::compile) would fail.
    pub fn compile_protos<F: AsRef<Path>, I: AsRef<Path>>(&self, files: &[F], includes: &[I]) -> Result<()> {
        self.compile(files, includes)
    }
}

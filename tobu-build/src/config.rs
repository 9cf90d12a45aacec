//! What to generate, and how.

use std::path::PathBuf;

use crate::paths::PathMap;

/// The settings of a generator.
///
/// Methods that take a `path` hold for a part of the schema: a path with a leading dot is the full name of a package,
/// message, field, oneof or enum and holds for everything below it, `.` for the whole schema; a path without a leading
/// dot holds wherever a full name ends with it. The longest path that fits wins.
///
/// ```no_run
/// fn main() -> tobu_build::Result<()> {
///     tobu_build::Config::new()
///         .map_type(".", tobu_build::MapType::BTreeMap)
///         .bytes_type(".library.v1.Cover.image", tobu_build::BytesType::Bytes)
///         .compile(&["proto/library.proto"], &["proto"])
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    pub(crate) out_dir: Option<PathBuf>,
    pub(crate) out_file: String,
    pub(crate) file_per_package: bool,
    pub(crate) protoc: Option<PathBuf>,
    pub(crate) descriptor_set_path: Option<PathBuf>,
    pub(crate) rerun: bool,
    pub(crate) runtime: String,
    pub(crate) views: Views,
    pub(crate) comments: bool,
    pub(crate) getters: bool,
    pub(crate) unknown_fields: bool,
    pub(crate) source_info: bool,
    pub(crate) strip_enum_prefix: bool,
    pub(crate) serde_derives: bool,
    pub(crate) well_known_types: bool,
    pub(crate) client: bool,
    pub(crate) server: bool,
    pub(crate) tonic: String,
    pub(crate) extern_paths: PathMap<String>,
    pub(crate) bytes_types: PathMap<BytesType>,
    pub(crate) string_types: PathMap<StringType>,
    pub(crate) map_types: PathMap<MapType>,
    pub(crate) boxed: PathMap<()>,
    pub(crate) skip_debug: PathMap<()>,
    pub(crate) skip_partial_eq: PathMap<()>,
    pub(crate) type_attributes: PathMap<String>,
    pub(crate) message_attributes: PathMap<String>,
    pub(crate) oneof_attributes: PathMap<String>,
    pub(crate) enum_attributes: PathMap<String>,
    pub(crate) field_attributes: PathMap<String>,
}

/// Which message types are generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Views {
    /// Only types that own their contents.
    #[default]
    None,
    /// Next to each `Shelf` a `ShelfView<'a>`, whose strings and bytes are borrowed from the input.
    Both,
    /// Only types that borrow.
    Only,
}

/// The Rust type of a `bytes` field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BytesType {
    /// `Vec<u8>`.
    #[default]
    Vec,
    /// `bytes::Bytes`; the crate needs a dependency on `bytes`.
    Bytes,
    /// The type of this absolute path: it derefs to `[u8]`.
    Custom(String),
}

/// The Rust type of a `string` field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StringType {
    /// `String`.
    #[default]
    String,
    /// `Box<str>`.
    BoxStr,
    /// The type of this absolute path: it derefs to `str`.
    Custom(String),
}

/// The Rust type of a map field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapType {
    /// `std::collections::HashMap`; of types that own what they hold, all that are not set otherwise.
    #[default]
    HashMap,
    /// `std::collections::BTreeMap`: ordered output.
    BTreeMap,
    /// `tobu::VecMap`, a list while it is short or its keys ascend; of views, all that are not set otherwise.
    VecMap,
    /// The type of this absolute path, which takes a key and a value type.
    Custom(String),
}

impl Default for Config {
    fn default() -> Self {
        Config::new()
    }
}

impl Config {
    /// The default settings.
    pub fn new() -> Self {
        Config {
            out_dir: None,
            out_file: "tobu.rs".to_owned(),
            file_per_package: false,
            protoc: None,
            descriptor_set_path: None,
            rerun: true,
            runtime: "::tobu".to_owned(),
            views: Views::None,
            comments: true,
            getters: true,
            unknown_fields: true,
            source_info: false,
            strip_enum_prefix: true,
            serde_derives: false,
            well_known_types: true,
            client: false,
            server: false,
            tonic: "::tobu_tonic".to_owned(),
            extern_paths: PathMap::default(),
            bytes_types: PathMap::default(),
            string_types: PathMap::default(),
            map_types: PathMap::default(),
            boxed: PathMap::default(),
            skip_debug: PathMap::default(),
            skip_partial_eq: PathMap::default(),
            type_attributes: PathMap::default(),
            message_attributes: PathMap::default(),
            oneof_attributes: PathMap::default(),
            enum_attributes: PathMap::default(),
            field_attributes: PathMap::default(),
        }
    }

    /// The directory to write to, instead of the build script's `OUT_DIR`.
    pub fn out_dir(&mut self, directory: impl Into<PathBuf>) -> &mut Self {
        self.out_dir = Some(directory.into());
        self
    }

    /// The name of the generated file, instead of `tobu.rs`: for build scripts that compile more than once.
    pub fn out_file(&mut self, name: impl Into<String>) -> &mut Self {
        self.out_file = name.into();
        self
    }

    /// Writes a Rust file per package, named like it (`library.v1.rs`), and a file [`out_file`](Config::out_file) that includes
    /// them all as modules; off by default.
    ///
    /// Only one package is in memory at a time, and compilers and editors take several files of some megabytes better
    /// than one of a hundred: large schemas want this. The program includes `tobu.rs` as ever.
    pub fn file_per_package(&mut self, yes: bool) -> &mut Self {
        self.file_per_package = yes;
        self
    }

    /// Compiles with this protoc, whatever the files are written in.
    ///
    /// Without it, a protoc is only asked where a file uses editions and there is one by choice: that of the environment
    /// variable `PROTOC`, or that of the feature `protoc`.
    pub fn protoc(&mut self, program: impl Into<PathBuf>) -> &mut Self {
        self.protoc = Some(program.into());
        self
    }

    /// Writes the serialized `FileDescriptorSet` of the files and all their imports to this file as well.
    pub fn descriptor_set_path(&mut self, path: impl Into<PathBuf>) -> &mut Self {
        self.descriptor_set_path = Some(path.into());
        self
    }

    /// Tells cargo which files the build script read; on by default.
    pub fn rerun_if_changed(&mut self, yes: bool) -> &mut Self {
        self.rerun = yes;
        self
    }

    /// The path of the `tobu` crate, where it is not `::tobu`.
    pub fn runtime_path(&mut self, path: impl Into<String>) -> &mut Self {
        self.runtime = path.into();
        self
    }

    /// Generates borrowed types next to the owned ones or instead of them.
    ///
    /// Types of an [`extern_path`](Config::extern_path) are used as they are, without borrowing.
    pub fn views(&mut self, views: Views) -> &mut Self {
        self.views = views;
        self
    }

    /// Makes comments in the schema documentation; on by default.
    pub fn comments(&mut self, yes: bool) -> &mut Self {
        self.comments = yes;
        self
    }

    /// Generates a getter for each field that knows whether it is set; on by default.
    pub fn getters(&mut self, yes: bool) -> &mut Self {
        self.getters = yes;
        self
    }

    /// Gives messages a member that keeps unknown fields and extensions; on by default.
    pub fn unknown_fields(&mut self, yes: bool) -> &mut Self {
        self.unknown_fields = yes;
        self
    }

    /// Keeps comments and source positions in the embedded descriptors; off by default.
    pub fn keep_source_info(&mut self, yes: bool) -> &mut Self {
        self.source_info = yes;
        self
    }

    /// Makes `COLOR_RED` of an enum `Color` the constant `RED`; on by default.
    pub fn strip_enum_prefix(&mut self, yes: bool) -> &mut Self {
        self.strip_enum_prefix = yes;
        self
    }

    /// Derives serde's own `Serialize` and `Deserialize` on messages and oneofs instead of tobu's; off by default.
    ///
    /// The crate needs a dependency on `serde` with its feature `derive`. Other formats then see the structs as serde
    /// does, with Rust names, instead of ProtoJSON.
    pub fn serde_derives(&mut self, yes: bool) -> &mut Self {
        self.serde_derives = yes;
        self
    }

    /// Uses the types of `tobu::types` for the well-known types of `google.protobuf`; on by default.
    pub fn well_known_types(&mut self, yes: bool) -> &mut Self {
        self.well_known_types = yes;
        self
    }

    /// Generates a tonic client for each service; off by default.
    ///
    /// A service `Library` gives a module `library_client` with the struct `LibraryClient`. The crate needs a
    /// dependency on `tobu-tonic`.
    pub fn client(&mut self, yes: bool) -> &mut Self {
        self.client = yes;
        self
    }

    /// Generates a tonic server for each service; off by default.
    ///
    /// A service `Library` gives a module `library_server` with the trait `Library`, which says what to implement, and
    /// the struct `LibraryServer`, which serves it. The crate needs a dependency on `tobu-tonic`.
    pub fn server(&mut self, yes: bool) -> &mut Self {
        self.server = yes;
        self
    }

    /// The path of the `tobu-tonic` crate, where it is not `::tobu_tonic`.
    pub fn tonic_path(&mut self, path: impl Into<String>) -> &mut Self {
        self.tonic = path.into();
        self
    }

    /// True where there is something to generate for services.
    pub(crate) fn has_services(&self) -> bool {
        self.client || self.server
    }

    /// Uses the types of a Rust path for a package, a message or an enum, and generates none.
    ///
    /// Below a package or message, the Rust path continues as generated code does: `.acme` mapped to `::acme_proto`
    /// makes `acme.v1.Shelf.Kind` `::acme_proto::v1::shelf::Kind`.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.extern_path(".acme", "::acme_proto::acme");
    /// ```
    pub fn extern_path(&mut self, path: impl Into<String>, rust_path: impl Into<String>) -> &mut Self {
        self.extern_paths.insert(path, rust_path.into());
        self
    }

    /// The Rust type of `bytes` fields.
    pub fn bytes_type(&mut self, path: impl Into<String>, bytes: BytesType) -> &mut Self {
        self.bytes_types.insert(path, bytes);
        self
    }

    /// The Rust type of `string` fields.
    pub fn string_type(&mut self, path: impl Into<String>, string: StringType) -> &mut Self {
        self.string_types.insert(path, string);
        self
    }

    /// The Rust type of map fields.
    pub fn map_type(&mut self, path: impl Into<String>, map: MapType) -> &mut Self {
        self.map_types.insert(path, map);
        self
    }

    /// Boxes message fields, as recursive ones are anyway.
    pub fn boxed(&mut self, path: impl Into<String>) -> &mut Self {
        self.boxed.insert(path, ());
        self
    }

    /// Leaves out `Debug`.
    pub fn skip_debug(&mut self, path: impl Into<String>) -> &mut Self {
        self.skip_debug.insert(path, ());
        self
    }

    /// Leaves out `PartialEq` on messages and oneofs.
    pub fn skip_partial_eq(&mut self, path: impl Into<String>) -> &mut Self {
        self.skip_partial_eq.insert(path, ());
        self
    }

    /// Adds attributes to messages, oneofs and enums; all that fit are added.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.type_attribute(".library.v1", "#[non_exhaustive]");
    /// ```
    pub fn type_attribute(&mut self, path: impl Into<String>, attribute: impl Into<String>) -> &mut Self {
        self.type_attributes.insert(path, attribute.into());
        self
    }

    /// Adds attributes to messages.
    pub fn message_attribute(&mut self, path: impl Into<String>, attribute: impl Into<String>) -> &mut Self {
        self.message_attributes.insert(path, attribute.into());
        self
    }

    /// Adds attributes to the enums of oneofs.
    pub fn oneof_attribute(&mut self, path: impl Into<String>, attribute: impl Into<String>) -> &mut Self {
        self.oneof_attributes.insert(path, attribute.into());
        self
    }

    /// Adds attributes to enums.
    pub fn enum_attribute(&mut self, path: impl Into<String>, attribute: impl Into<String>) -> &mut Self {
        self.enum_attributes.insert(path, attribute.into());
        self
    }

    /// Adds attributes to the members of messages and the variants of oneofs.
    pub fn field_attribute(&mut self, path: impl Into<String>, attribute: impl Into<String>) -> &mut Self {
        self.field_attributes.insert(path, attribute.into());
        self
    }
}

//! The settings of the generator.

mod prost;
mod services;
mod types;
mod unused;

use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) use self::types::With;
pub use self::types::{Api, BytesType, EnumType, MapType, StringType, Views};
use crate::hook::Generators;
use crate::paths::{PathMap, Paths};

/// The settings of the code generator.
///
/// # Which files get types
///
/// Types are generated for each compiled file. If a field uses a type of an imported file, types are generated for the imported
/// file, too, and so on for the fields of these types. If code for services is generated, the requests and responses of methods
/// count as fields. For every other imported file, only the descriptor is embedded, and an extension is omitted if its type is
/// in such a file. [`all_imports`](Self::all_imports) generates types for these files as well. No types are generated for an
/// [`extern_path`](Self::extern_path), or for the well-known types, which are in `tobu::types`. The types of other files of
/// `google/protobuf/`, such as `api.proto`, are generated like types of your own.
///
/// # Paths
///
/// Methods with a parameter `path` apply to a part of the schema. A path with a leading dot is the full name of a package,
/// message, field, oneof, enum or service. The setting applies to this element and to everything inside it. The path `.` is the
/// whole schema. A path without a leading dot applies to all elements whose full names end with the path. If several paths
/// match an element, the setting with the longest path applies, except for attributes, which are all added.
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
    pub(crate) protoc_args: Vec<OsString>,
    pub(crate) descriptor_set_path: Option<PathBuf>,
    pub(crate) rerun: bool,
    pub(crate) runtime: String,
    pub(crate) views: Views,
    pub(crate) comments: bool,
    pub(crate) disabled_comments: PathMap<()>,
    pub(crate) getters: bool,
    pub(crate) accessors: bool,
    pub(crate) apis: PathMap<Api>,
    pub(crate) lazy: PathMap<bool>,
    pub(crate) parsed: PathMap<()>,
    pub(crate) unknown_fields: bool,
    pub(crate) derive_eq_hash: bool,
    pub(crate) derive_ord: bool,
    pub(crate) arbitrary: bool,
    pub(crate) oneof_conversions: bool,
    pub(crate) derive_copy: bool,
    pub(crate) source_info: bool,
    pub(crate) strip_enum_prefix: bool,
    pub(crate) serde_derives: bool,
    pub(crate) well_known_types: bool,
    pub(crate) all_imports: bool,
    pub(crate) client: bool,
    pub(crate) server: bool,
    pub(crate) default_stubs: bool,
    pub(crate) pool_requests: PathMap<()>,
    pub(crate) parsed_requests: PathMap<()>,
    pub(crate) parsed_answers: PathMap<()>,
    pub(crate) tonic: String,
    pub(crate) service_generators: Generators,
    pub(crate) client_mod_attributes: PathMap<String>,
    pub(crate) client_attributes: PathMap<String>,
    pub(crate) server_mod_attributes: PathMap<String>,
    pub(crate) server_attributes: PathMap<String>,
    pub(crate) trait_attributes: PathMap<String>,
    pub(crate) extern_paths: PathMap<String>,
    pub(crate) bytes_types: PathMap<BytesType>,
    pub(crate) string_types: PathMap<StringType>,
    pub(crate) map_types: PathMap<MapType>,
    pub(crate) with: PathMap<With>,
    pub(crate) prost_messages: PathMap<()>,
    pub(crate) json_ignore_unknown: PathMap<()>,
    pub(crate) enum_types: PathMap<EnumType>,
    pub(crate) boxed: PathMap<()>,
    pub(crate) skip_debug: PathMap<()>,
    pub(crate) skip_partial_eq: PathMap<()>,
    pub(crate) type_attributes: PathMap<String>,
    pub(crate) message_attributes: PathMap<String>,
    pub(crate) oneof_attributes: PathMap<String>,
    pub(crate) enum_attributes: PathMap<String>,
    pub(crate) field_attributes: PathMap<String>,
}

impl Default for Config {
    fn default() -> Self {
        Config::new()
    }
}

impl Config {
    /// Creates the default settings.
    pub fn new() -> Self {
        Config {
            out_dir: None,
            out_file: "tobu.rs".to_owned(),
            file_per_package: false,
            protoc: None,
            protoc_args: Vec::new(),
            descriptor_set_path: None,
            rerun: true,
            runtime: "::tobu".to_owned(),
            views: Views::None,
            comments: true,
            disabled_comments: PathMap::default(),
            getters: true,
            accessors: false,
            apis: PathMap::default(),
            lazy: PathMap::default(),
            parsed: PathMap::default(),
            unknown_fields: true,
            derive_eq_hash: false,
            derive_ord: false,
            arbitrary: false,
            oneof_conversions: true,
            derive_copy: false,
            source_info: false,
            strip_enum_prefix: true,
            serde_derives: false,
            well_known_types: true,
            all_imports: false,
            client: false,
            server: false,
            default_stubs: false,
            pool_requests: PathMap::default(),
            parsed_requests: PathMap::default(),
            parsed_answers: PathMap::default(),
            tonic: "::tobu_tonic".to_owned(),
            service_generators: Generators::default(),
            client_mod_attributes: PathMap::default(),
            client_attributes: PathMap::default(),
            server_mod_attributes: PathMap::default(),
            server_attributes: PathMap::default(),
            trait_attributes: PathMap::default(),
            extern_paths: PathMap::default(),
            bytes_types: PathMap::default(),
            string_types: PathMap::default(),
            map_types: PathMap::default(),
            with: PathMap::default(),
            prost_messages: PathMap::default(),
            json_ignore_unknown: PathMap::default(),
            enum_types: PathMap::default(),
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

    /// Sets the output directory. The default is the build script's `OUT_DIR`.
    pub fn out_dir(&mut self, directory: impl Into<PathBuf>) -> &mut Self {
        self.out_dir = Some(directory.into());
        self
    }

    /// Sets the name of the generated file. The default is `tobu.rs`. A build script that compiles more than once needs
    /// different names.
    pub fn out_file(&mut self, name: impl Into<String>) -> &mut Self {
        self.out_file = name.into();
        self
    }

    /// Writes one Rust file per package, with the name of the package (`library.v1.rs`). The file
    /// [`out_file`](Config::out_file) then includes all these files as modules. Off by default.
    ///
    /// Use this setting for large schemas: only one package is in memory at a time, and compilers and editors handle several
    /// files of a few megabytes better than a single file of a hundred megabytes. The program still includes only `tobu.rs`.
    pub fn file_per_package(&mut self, yes: bool) -> &mut Self {
        self.file_per_package = yes;
        self
    }

    /// Compiles with this protoc, which must find the well-known files by itself or in an include directory.
    ///
    /// Without this setting no protoc runs, regardless of environment variables.
    pub fn protoc(&mut self, program: impl Into<PathBuf>) -> &mut Self {
        self.protoc = Some(program.into());
        self
    }

    /// Adds an argument for protoc. It has an effect only if [`protoc`](Self::protoc) is set.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.protoc("/opt/protoc/bin/protoc").protoc_arg("--experimental_editions");
    /// ```
    pub fn protoc_arg(&mut self, argument: impl Into<OsString>) -> &mut Self {
        self.protoc_args.push(argument.into());
        self
    }

    /// Sets a file to which the serialized `FileDescriptorSet` of the files and all their imports is also written.
    pub fn descriptor_set_path(&mut self, path: impl Into<PathBuf>) -> &mut Self {
        self.descriptor_set_path = Some(path.into());
        self
    }

    /// Reports to cargo which files were read, so that cargo runs the build script again if they change. On by default.
    pub fn rerun_if_changed(&mut self, yes: bool) -> &mut Self {
        self.rerun = yes;
        self
    }

    /// Sets the path of the `tobu` crate. The default is `::tobu`.
    pub fn runtime_path(&mut self, path: impl Into<String>) -> &mut Self {
        self.runtime = path.into();
        self
    }

    /// Sets whether borrowed types are generated, together with owned types or instead of them.
    ///
    /// Types of an [`extern_path`](Config::extern_path) never borrow.
    pub fn views(&mut self, views: Views) -> &mut Self {
        self.views = views;
        self
    }

    /// Converts comments in the schema to documentation. On by default.
    pub fn comments(&mut self, yes: bool) -> &mut Self {
        self.comments = yes;
        self
    }

    /// Omits the documentation of the elements with these paths, and of everything inside them.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.disable_comments([".library.v1.Book", "Shelf.theme"]);
    /// ```
    pub fn disable_comments(&mut self, paths: impl Paths) -> &mut Self {
        for path in paths.into_paths() {
            self.disabled_comments.insert(path, ());
        }
        self
    }

    /// Sets how messages give access to their fields. The default is [`Api::Open`].
    ///
    /// An option in the schema takes precedence. The schema must have `import "tobu/options.proto";`. The option of a file is
    /// `option (tobu.file_api) = OPAQUE;`. The option of a message is `option (tobu.message_api) = HYBRID;`, which also applies
    /// to messages that are declared inside the message.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.api(tobu_build::Api::Opaque);
    /// ```
    pub fn api(&mut self, api: Api) -> &mut Self {
        self.api_of(".", api)
    }

    /// Sets how the messages of a path give access to their fields. This setting overrides options in the schema.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.api(tobu_build::Api::Opaque).api_of(".library.v1.Book", tobu_build::Api::Open);
    /// ```
    pub fn api_of(&mut self, path: impl Into<String>, api: Api) -> &mut Self {
        self.apis.insert(path, api);
        self
    }

    /// Sets whether fields of opaque messages are lazy: messages in a lazy field are decoded when they are first read. The
    /// field may be a single message or a list of messages. This setting overrides the option `lazy` of the fields.
    ///
    /// A lazy field has the type `tobu::lazy::Lazy` or `LazyList`, whose documentation says when the messages are checked. Lazy
    /// fields save time for large messages that are rarely read. A lazy message that is read takes more time than other
    /// messages, because it is first checked and later decoded.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.api(tobu_build::Api::Opaque).lazy(".library.v1.Shelf.catalog", true);
    /// ```
    pub fn lazy(&mut self, path: impl Into<String>, yes: bool) -> &mut Self {
        self.lazy.insert(path, yes);
        self
    }

    /// Generates, for each message of these paths, a reference type whose accessors read the message in a `tobu::Parsed`. For a
    /// message that a program only reads, `Parsed` is the fastest form. With [`Views::Only`], no references are generated.
    ///
    /// A message `Book` gets a type `BookRef<'a>`, which has the getters of its fields: `title()`, `has_loan()`, `loan()` and
    /// `loan_or_default()`. A oneof `place` has the method `which_place()`, which returns the enum `book::PlaceRef<'a>`. The
    /// methods have the same names as those of [`accessors`](Self::accessors). For a message type without a reference,
    /// accessors return a `tobu::parsed::Untyped`. The well-known types have references in `tobu::types`. This setting does not
    /// change the struct.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.parsed([".library.v1", ".google.api.Http"]);
    /// ```
    ///
    /// ```ignore
    /// let book = tobu::Parsed::<Book>::decode_bytes(bytes)?;
    /// println!("{} by {}", book.get().title(), book.get().authors().get(0).unwrap_or("unknown"));
    /// ```
    pub fn parsed(&mut self, paths: impl Paths) -> &mut Self {
        for path in paths.into_paths() {
            self.parsed.insert(path, ());
        }
        self
    }

    /// True if a reference is generated for the message, because a path selects it and it has an owned type.
    pub(crate) fn is_parsed(&self, full_name: &str) -> bool {
        self.views != Views::Only && self.parsed.get(full_name).is_some()
    }

    /// Generates accessors for each field of owned types, in addition to the public members. Off by default.
    ///
    /// A field has `x()`, `set_x(value)`, `clear_x()`, `take_x()` and `x_mut()`, and, if it has presence, `has_x()`. The fields
    /// of a oneof also have these methods. A oneof `place` as a whole has `has_place()`, `which_place()`, `set_place(value)`,
    /// `clear_place()`, `take_place()` and `place_mut()`. [`oneof_conversions`](Self::oneof_conversions) describes the
    /// conversions to its enum.
    ///
    /// The name of a method is the name of the field in snake case. A keyword becomes a raw name (`r#type()`), and a name that
    /// is already taken gets an underscore at its end. The methods of `Message` and of other traits of messages take their
    /// names first. The remaining names are then assigned in this order: getters of fields with presence, getters of oneofs,
    /// all other accessors of fields, all other accessors of oneofs, and `unknown_fields`, `unknown_fields_mut` and `builder`.
    /// So a name does not depend on the [API](Self::api).
    ///
    /// ```ignore
    /// let mut book = Book::default();
    /// book.set_title("Dune");
    /// book.authors_mut().push("Frank Herbert".to_owned());
    /// assert!(!book.has_loan());
    /// ```
    pub fn accessors(&mut self, yes: bool) -> &mut Self {
        self.accessors = yes;
        self
    }

    /// Implements `From` for the enum of a oneof, for each type of value that only one variant has and that is not generated
    /// elsewhere. On by default, if there are [accessors](Self::accessors).
    ///
    /// Switch this setting off if the conversions conflict with your own conversions. Also switch it off if a program must
    /// still compile when a field is added to the schema: a new variant with the same type as an old variant removes the
    /// conversion.
    pub fn oneof_conversions(&mut self, yes: bool) -> &mut Self {
        self.oneof_conversions = yes;
        self
    }

    /// Generates a getter for each field with presence. On by default.
    pub fn getters(&mut self, yes: bool) -> &mut Self {
        self.getters = yes;
        self
    }

    /// Adds a member to each message that stores unknown fields and extensions. On by default.
    pub fn unknown_fields(&mut self, yes: bool) -> &mut Self {
        self.unknown_fields = yes;
        self
    }

    /// Keeps comments and source positions in the embedded descriptors. Off by default.
    pub fn keep_source_info(&mut self, yes: bool) -> &mut Self {
        self.source_info = yes;
        self
    }

    /// Removes the name of an enum from the names of its values: `COLOR_RED` of the enum `Color` becomes the constant `RED`. On
    /// by default.
    pub fn strip_enum_prefix(&mut self, yes: bool) -> &mut Self {
        self.strip_enum_prefix = yes;
        self
    }

    /// Derives serde's own `Serialize` and `Deserialize` on messages and oneofs instead of tobu's. Off by default.
    ///
    /// The crate then needs a dependency on `serde` with its feature `derive`. Formats other than tobu's then write the structs
    /// as serde does, with Rust names, instead of ProtoJSON.
    pub fn serde_derives(&mut self, yes: bool) -> &mut Self {
        self.serde_derives = yes;
        self
    }

    /// Uses the types of `tobu::types` for the well-known types of `google.protobuf`. On by default.
    pub fn well_known_types(&mut self, yes: bool) -> &mut Self {
        self.well_known_types = yes;
        self
    }

    /// Generates types for all imported files, even if no field uses them. Off by default.
    ///
    /// This includes imports of imports, but not the files of `google/protobuf/` that tobu contains, unless
    /// [`well_known_types`](Self::well_known_types) is off. [Which files get types](Config#which-files-get-types) says which
    /// types are generated if this setting is off.
    ///
    /// ```
    /// // `b.proto` with `message B {}`, and `a.proto` with `message A {}`, which imports it for nothing.
    /// let set = b"\x0a\x0e\x0a\x07b.proto\x22\x03\x0a\x01B\x0a\x17\x0a\x07a.proto\x1a\x07b.proto\x22\x03\x0a\x01A";
    /// let pool = tobu::Pool::from_descriptor_set(set)?;
    /// let mut config = tobu_build::Config::new();
    /// assert!(!config.generate(&pool, ["a.proto"])?["tobu.rs"].contains("pub struct B "));
    /// assert!(config.all_imports(true).generate(&pool, ["a.proto"])?["tobu.rs"].contains("pub struct B "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_imports(&mut self, yes: bool) -> &mut Self {
        self.all_imports = yes;
        self
    }

    /// Uses existing types in a Rust module for a package, a message or an enum, instead of generating types. A message that
    /// contains such a type is bound to its descriptor, so a program that uses the message contains descriptors.
    ///
    /// For elements inside the package or message, the Rust path continues as in generated code: if `.acme` is mapped to
    /// `::acme_proto`, then `acme.v1.Shelf.Kind` becomes `::acme_proto::v1::shelf::Kind`.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.extern_path(".acme", "::acme_proto::acme");
    /// ```
    pub fn extern_path(&mut self, path: impl AsRef<str>, rust_path: impl AsRef<str>) -> &mut Self {
        self.extern_paths.insert(path.as_ref(), rust_path.as_ref().to_owned());
        self
    }

    /// Sets the Rust type of `bytes` fields.
    pub fn bytes_type(&mut self, path: impl Into<String>, bytes: BytesType) -> &mut Self {
        self.bytes_types.insert(path, bytes);
        self
    }

    /// Sets the Rust type of `string` fields.
    pub fn string_type(&mut self, path: impl Into<String>, string: StringType) -> &mut Self {
        self.string_types.insert(path, string);
        self
    }

    /// Sets the Rust type of map fields.
    pub fn map_type(&mut self, path: impl Into<String>, map: MapType) -> &mut Self {
        self.map_types.insert(path, map);
        self
    }

    /// Sets a Rust type of your own for fields, and a conversion. The conversion is a type that implements
    /// `tobu::member::Convert`. The paths of the type and of the conversion are absolute. A message with such a field is bound
    /// to its descriptor, so a program that uses the message contains descriptors.
    ///
    /// If `path` is a package or a message, the setting applies to all strings and byte strings in it. If `path` is a field, it
    /// applies to this field, whatever its type is. If `path` is a message, it also applies to all fields whose type is this
    /// message. The Rust type is the type of a single value, of each element of a list, or of each value of a map.
    /// [`with_whole`](Self::with_whole) sets the type of the member as a whole instead. Like messages, the type needs `Clone`,
    /// `Debug`, `Default`, `PartialEq`, `Send` and `Sync`. The getter returns an option of a reference. Views keep their types.
    ///
    /// A message gets an additional member `protos` if a field with such a type is not a single number and its conversion is
    /// not `tobu::member::Hex`. In this member, reflection stores the proto values that the conversion makes.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config
    ///     .with(".opentelemetry.proto.trace.v1.Span.trace_id", "crate::TraceId", "crate::TraceId")
    ///     .with(".opentelemetry.proto.trace.v1.Span.span_id", "::std::vec::Vec<u8>", "::tobu::member::Hex")
    ///     .with(".google.protobuf.Timestamp", "::std::time::SystemTime", "crate::AsTimestamp");
    /// ```
    pub fn with(
        &mut self,
        path: impl Into<String>,
        ty: impl Into<String>,
        convert: impl Into<String>,
    ) -> &mut Self {
        self.with.insert(path, With { ty: ty.into(), convert: convert.into(), whole: false, prost: false });
        self
    }

    /// Sets a Rust type of your own for the member of a field as a whole, and a conversion (see [`with`](Self::with)). With
    /// this setting, a list can have a type other than `Vec`, and a message can have a type without `Option`.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config
    ///     .with_whole(".library.v1.Shelf.numbers", "::std::boxed::Box<[i32]>", "crate::Boxed")
    ///     .with_whole(".library.v1.Loan.length", "::std::time::Duration", "crate::AsDuration");
    /// ```
    pub fn with_whole(
        &mut self,
        path: impl Into<String>,
        ty: impl Into<String>,
        convert: impl Into<String>,
    ) -> &mut Self {
        self.with.insert(path, With { ty: ty.into(), convert: convert.into(), whole: true, prost: false });
        self
    }

    /// Implements `prost::Message` and `prost::Name` for messages, so that libraries that require these traits accept the
    /// messages. For example, tonic's codec for prost then works with them, and messages of prost can contain them. This
    /// setting needs the feature `prost` of `tobu`. No codec is compiled for the type, because tobu encodes and decodes it by
    /// its table. If `paths` has a message, the setting also applies to the messages inside it.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.prost_messages([".library.v1.Book", ".google.rpc"]);
    /// ```
    pub fn prost_messages(&mut self, paths: impl Paths) -> &mut Self {
        for path in paths.into_paths() {
            self.prost_messages.insert(path, ());
        }
        self
    }

    /// Makes serde skip JSON members that the schema does not have. `serde_json` and `axum::Json` cannot pass tobu's options,
    /// so without this setting they reject such members. The setting of the outermost message applies to all messages inside
    /// it. If you use `tobu::json`, set its option instead.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.json_ignore_unknown(".library.v1");
    /// ```
    pub fn json_ignore_unknown(&mut self, paths: impl Paths) -> &mut Self {
        for path in paths.into_paths() {
            self.json_ignore_unknown.insert(path, ());
        }
        self
    }

    /// Uses, for a message, a type that prost has generated elsewhere. `ty` is the absolute path of this type. Each member
    /// whose type is this message gets prost's type. This setting is for programs that move to tobu file by file, and needs the
    /// feature `prost` of `tobu`.
    ///
    /// tobu still generates a type for the message, and reflection, JSON and the text format use the generated type. Values are
    /// converted by way of their bytes, which prost writes and reads.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.prost_type(".etcdserverpb.ResponseHeader", "::etcd_client::proto::PbResponseHeader");
    /// ```
    pub fn prost_type(&mut self, message: impl Into<String>, ty: impl Into<String>) -> &mut Self {
        let with = With { ty: ty.into(), convert: String::new(), whole: false, prost: true };
        self.with.insert(message, with);
        self
    }

    /// Sets the Rust type of enums.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.enum_type(".library.v1.Genre", tobu_build::EnumType::Rust);
    /// ```
    pub fn enum_type(&mut self, path: impl Into<String>, ty: EnumType) -> &mut Self {
        self.enum_types.insert(path, ty);
        self
    }

    /// Derives `Eq` and `Hash` for an owned message or oneof, if all its members implement both. Off by default.
    ///
    /// Floating-point numbers implement neither. Of the map types, only `BTreeMap` implements both. Types of an
    /// [`extern_path`](Config::extern_path), and types of your own that a setting names, are assumed to implement neither.
    pub fn derive_eq_hash(&mut self, yes: bool) -> &mut Self {
        self.derive_eq_hash = yes;
        self
    }

    /// Derives `PartialOrd` and `Ord` for messages and oneofs to which [`derive_eq_hash`](Self::derive_eq_hash) applies.
    /// Switches `derive_eq_hash` on, too. Off by default.
    ///
    /// Messages are compared member by member, in the order of the struct's members. Oneofs are first compared by which field
    /// is set.
    pub fn derive_ord(&mut self, yes: bool) -> &mut Self {
        self.derive_ord = yes;
        self.derive_eq_hash |= yes;
        self
    }

    /// Implements `arbitrary::Arbitrary` for owned messages and enums. Off by default. The crate needs the feature `arbitrary`
    /// of `tobu`.
    ///
    /// All messages share the code that makes their content. The content is valid; `tobu::arbitrary` says in which sense.
    pub fn arbitrary(&mut self, yes: bool) -> &mut Self {
        self.arbitrary = yes;
        self
    }

    /// Derives `Copy` for a message or oneof, if all its members implement `Copy`. Off by default.
    ///
    /// Such a message contains only numbers, enums and other such messages, and no [unknown fields](Config::unknown_fields).
    pub fn derive_copy(&mut self, yes: bool) -> &mut Self {
        self.derive_copy = yes;
        self
    }

    /// Boxes message fields. Recursive fields are always boxed.
    pub fn boxed(&mut self, path: impl AsRef<str>) -> &mut Self {
        self.boxed.insert(path.as_ref(), ());
        self
    }

    /// Omits the derive of `Debug`.
    pub fn skip_debug(&mut self, paths: impl Paths) -> &mut Self {
        for path in paths.into_paths() {
            self.skip_debug.insert(path, ());
        }
        self
    }

    /// Omits the derive of `PartialEq` on messages and oneofs.
    pub fn skip_partial_eq(&mut self, path: impl Into<String>) -> &mut Self {
        self.skip_partial_eq.insert(path, ());
        self
    }

    /// Adds an attribute to messages, oneofs and enums. If several paths match a type, all their attributes are added.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.type_attribute(".library.v1", "#[non_exhaustive]");
    /// ```
    pub fn type_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.type_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds an attribute to messages.
    pub fn message_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.message_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds an attribute to the enums of oneofs.
    pub fn oneof_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.oneof_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds an attribute to enums.
    pub fn enum_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.enum_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds an attribute to the members of messages and the variants of oneofs.
    pub fn field_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.field_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }
}

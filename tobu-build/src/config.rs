//! What to generate, and how.

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

/// The settings of a generator.
///
/// # Which files get types
///
/// Types are generated for each of the files that are compiled, and for the files with the types that these use: types of
/// fields and, where there are clients or servers, requests and responses of methods. The same holds for those files in
/// turn. Of an imported file that none of them uses, only the descriptor is embedded, and an extension whose type is in
/// such a file is left out. [`all_imports`](Self::all_imports) generates types for these, too. Types of an [`extern_path`](Self::extern_path), and those that
/// `tobu::types` has, are not generated. A file of `google/protobuf/` with other types is one like all others.
///
/// # Paths
///
/// Methods that take a `path` hold for a part of the schema. A path with a leading dot is the full name of a package,
/// message, field, oneof, enum or service, and holds for everything below it; `.` is the whole schema. A path without a
/// leading dot holds wherever a full name ends with it. The longest path that fits wins.
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
    /// The default settings.
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

    /// Compiles with this protoc, which has to find the well-known imports by itself or in an include directory.
    ///
    /// Without it no protoc is run, whatever the environment says.
    pub fn protoc(&mut self, program: impl Into<PathBuf>) -> &mut Self {
        self.protoc = Some(program.into());
        self
    }

    /// Gives protoc one more argument, where one is run.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.protoc("/opt/protoc/bin/protoc").protoc_arg("--experimental_editions");
    /// ```
    pub fn protoc_arg(&mut self, argument: impl Into<OsString>) -> &mut Self {
        self.protoc_args.push(argument.into());
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

    /// Leaves out the documentation of what some paths name, and of all below it.
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

    /// How messages give access to their fields; [`Api::Open`] by default.
    ///
    /// A schema can say it, too, and is then heard before this: `import "tobu/options.proto";` and
    /// `option (tobu.file_api) = OPAQUE;` for a file, `option (tobu.message_api) = HYBRID;` in a message for that one and
    /// those declared in it.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.api(tobu_build::Api::Opaque);
    /// ```
    pub fn api(&mut self, api: Api) -> &mut Self {
        self.api_of(".", api)
    }

    /// How the messages of a path give access to their fields, whatever the schema says.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.api(tobu_build::Api::Opaque).api_of(".library.v1.Book", tobu_build::Api::Open);
    /// ```
    pub fn api_of(&mut self, path: impl Into<String>, api: Api) -> &mut Self {
        self.apis.insert(path, api);
        self
    }

    /// Whether the messages in fields of opaque messages are decoded when they are first read, whatever the option `lazy`
    /// of the fields says: in single fields, and in lists.
    ///
    /// Such a field is a `tobu::lazy::Lazy` or `LazyList`, whose documentation says what is checked when. It pays for large messages
    /// that are rarely read; a message that is read in any case is decoded twice, once to check it.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.api(tobu_build::Api::Opaque).lazy(".library.v1.Shelf.catalog", true);
    /// ```
    pub fn lazy(&mut self, path: impl Into<String>, yes: bool) -> &mut Self {
        self.lazy.insert(path, yes);
        self
    }

    /// Generates, next to each of these messages, a reference by which it is read where a `tobu::Parsed` holds it: the fastest
    /// way to messages that are only read. The types of [`Views::Only`] have none.
    ///
    /// A message `Book` gets a `BookRef<'a>` with the accessors of a field that only read: `title()`, `has_loan()`, `loan()`,
    /// `loan_or_default()`, and `which_place()` of a oneof, whose enum is `book::PlaceRef<'a>`. They are called like those of
    /// [`accessors`](Self::accessors). A message in a field is of the type `tobu::parsed::Untyped` if no reference is generated
    /// for it; the well-known types have references in `tobu::types`. The struct stays what it is without this setting.
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

    /// True for a message that is to have a reference, and has a type that owns its contents.
    pub(crate) fn is_parsed(&self, full_name: &str) -> bool {
        self.views != Views::Only && self.parsed.get(full_name).is_some()
    }

    /// Generates accessors for each field of types that own their contents, next to the public members; off by default.
    ///
    /// They are `x()`, `set_x(value)`, `clear_x()`, `take_x()` and `x_mut()`, and `has_x()` where the field knows whether it
    /// is set. A oneof `place` has those of its fields. As a whole it has `has_place()`, `which_place()`,
    /// `set_place(value)`, `clear_place()`, `take_place()` and `place_mut()`. Its enum is `From` each type of value that
    /// only one of its variants has.
    ///
    /// The name is the field's in snake case; a keyword is a raw name (`r#type()`), and a name that is taken gets an
    /// underscore at its end. Taken are the methods of `Message` and other traits of messages. Names are then given in this
    /// order: getters of fields that know whether they are set, getters of oneofs, all other accessors of fields, those of
    /// oneofs, and `unknown_fields`, `unknown_fields_mut` and `builder`. So a name does not change with the
    /// [API](Self::api).
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

    /// Generates `From` for the enum of a oneof, from the type of each variant that no other variant has; on by default,
    /// where there are [accessors](Self::accessors).
    ///
    /// Switch it off where the conversions clash with your own, or where a new field of the schema must not take one away
    /// that programs use: a second variant of a type has neither.
    pub fn oneof_conversions(&mut self, yes: bool) -> &mut Self {
        self.oneof_conversions = yes;
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

    /// Generates types for all imported files, used or not; off by default.
    ///
    /// It holds for imports of imports, too, and not for the files of `google/protobuf/` that tobu has itself, unless
    /// [`well_known_types`](Self::well_known_types) is off. [Which files get types](Config#which-files-get-types) says
    /// what is generated without it.
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

    /// Uses the types of a Rust path for a package, a message or an enum, and generates none. A message with such a type in
    /// it is bound to its descriptor, which programs that use the message then contain.
    ///
    /// Below a package or message, the Rust path continues as generated code does: `.acme` mapped to `::acme_proto`
    /// makes `acme.v1.Shelf.Kind` `::acme_proto::v1::shelf::Kind`.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.extern_path(".acme", "::acme_proto::acme");
    /// ```
    pub fn extern_path(&mut self, path: impl AsRef<str>, rust_path: impl AsRef<str>) -> &mut Self {
        self.extern_paths.insert(path.as_ref(), rust_path.as_ref().to_owned());
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

    /// A Rust type of your own for fields, and the conversion by which it is a member: a type that implements
    /// `tobu::member::Convert`. Both are absolute paths. A message with such a field is bound to its descriptor, which
    /// programs that use the message then contain.
    ///
    /// The path of a message or a package is for all strings and bytes in it; the path of a field is for the field, whatever
    /// it is; and the path of a message is also for all fields with messages of this type. It is the type of the value, of
    /// each element of a list, or of each value of a map: [`with_whole`](Self::with_whole) is for the member as a whole. Like
    /// messages, it needs `Clone`, `Debug`, `Default`, `PartialEq`, `Send` and `Sync`. A getter returns an option of a reference.
    /// Views have the types that they have without it.
    ///
    /// A message with fields that are not numbers gets one more member, `protos`, in which reflection keeps the values that
    /// conversions make.
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

    /// A Rust type of your own for the member of a field as a whole, and the conversion by which it is one, as for
    /// [`with`](Self::with): for a list another type than `Vec`, and for a message its type without `Option`.
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

    /// Implements `prost::Message` and `prost::Name` for messages, so that libraries that ask for these take them: tonic's codec
    /// for prost, or a message of prost that has one of these. It is the feature `prost` of `tobu`. Nothing about the wire format
    /// is compiled for a type: it is encoded and decoded by its table. The path of a message is also for the messages
    /// in it.
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

    /// Has serde skip members of JSON that the schema does not have: `serde_json` and `axum::Json` know no options of tobu, and a
    /// message is read strictly by them without it. What is read says it for all messages in it. `tobu::json` has an option.
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

    /// A type that prost has generated for a message elsewhere, by its absolute path: every member with such messages is of it.
    /// It is the feature `prost` of `tobu`.
    ///
    /// The message is generated here, too. Reflection, JSON and the text format see that type, and the value becomes one by its
    /// bytes, which prost writes and reads. So a program moves to tobu file by file.
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

    /// The Rust type of enums.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.enum_type(".library.v1.Genre", tobu_build::EnumType::Rust);
    /// ```
    pub fn enum_type(&mut self, path: impl Into<String>, ty: EnumType) -> &mut Self {
        self.enum_types.insert(path, ty);
        self
    }

    /// Derives `Eq` and `Hash` for messages and oneofs that own their contents, where all members have them; off by
    /// default.
    ///
    /// Floats have neither, of maps only `BTreeMap` has both, and types of an [`extern_path`](Config::extern_path) or of a
    /// path of your own are not taken to have them.
    pub fn derive_eq_hash(&mut self, yes: bool) -> &mut Self {
        self.derive_eq_hash = yes;
        self
    }

    /// Derives `PartialOrd` and `Ord`, and for them `Eq` and `Hash`, for messages and oneofs that
    /// [`derive_eq_hash`](Self::derive_eq_hash) gives these; off by default.
    ///
    /// Messages are ordered by their members in the order in which the struct declares them, oneofs first by the field that
    /// is set.
    pub fn derive_ord(&mut self, yes: bool) -> &mut Self {
        self.derive_ord = yes;
        self.derive_eq_hash |= yes;
        self
    }

    /// Implements `arbitrary::Arbitrary` for messages and enums that own their contents; off by default. The crate needs
    /// the feature `arbitrary` of `tobu`.
    ///
    /// All messages share the code that makes their content, and that content is valid: see `tobu::arbitrary`.
    pub fn arbitrary(&mut self, yes: bool) -> &mut Self {
        self.arbitrary = yes;
        self
    }

    /// Derives `Copy` for messages and oneofs whose members all have it; off by default.
    ///
    /// They hold numbers, enums and messages of that kind. Messages have it only where they keep no
    /// [unknown fields](Config::unknown_fields).
    pub fn derive_copy(&mut self, yes: bool) -> &mut Self {
        self.derive_copy = yes;
        self
    }

    /// Boxes message fields, as recursive ones are anyway.
    pub fn boxed(&mut self, path: impl AsRef<str>) -> &mut Self {
        self.boxed.insert(path.as_ref(), ());
        self
    }

    /// Leaves out `Debug`.
    pub fn skip_debug(&mut self, paths: impl Paths) -> &mut Self {
        for path in paths.into_paths() {
            self.skip_debug.insert(path, ());
        }
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
    pub fn type_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.type_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds attributes to messages.
    pub fn message_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.message_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds attributes to the enums of oneofs.
    pub fn oneof_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.oneof_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds attributes to enums.
    pub fn enum_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.enum_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds attributes to the members of messages and the variants of oneofs.
    pub fn field_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.field_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }
}

//! Builds files and services.

use std::borrow::Cow;

use crate::descriptor::build::{EnumBuilder, FieldBuilder, MessageBuilder};
use crate::descriptor::handle::each;
use crate::descriptor::names::written;
use crate::descriptor::raw::{FileDescriptorProto, MethodDescriptorProto, Options, ServiceDescriptorProto};
use crate::descriptor::{Edition, FileDescriptor, Pool};
use crate::error::Result;

/// Builds a `.proto` file at run time. You add declarations one by one, and then link the file into a [`Pool`].
///
/// ```
/// use tobu::descriptor::{EnumBuilder, FieldBuilder, FileBuilder, MessageBuilder, Type};
///
/// let pool = FileBuilder::new("flow.proto")
///     .package("flow")
///     .message(
///         MessageBuilder::new("Record")
///             .field(FieldBuilder::new("bytes", Type::UInt64))
///             .field(FieldBuilder::message("source", "Endpoint"))
///             .field(FieldBuilder::enumeration("direction", "Direction").number(7))
///             .field(FieldBuilder::new("labels", Type::String).keyed_by(Type::String)),
///     )
///     .message(MessageBuilder::new("Endpoint").field(FieldBuilder::new("port", Type::UInt32)))
///     .enumeration(EnumBuilder::new("Direction").value("INGRESS", 0).value("EGRESS", 1))
///     .build()?;
///
/// let record = pool.message("flow.Record").unwrap();
/// let numbers: Vec<_> = record.fields().map(|field| (field.name().to_owned(), field.number())).collect();
/// assert_eq!(
///     numbers,
///     [("bytes".into(), 1), ("source".into(), 2), ("direction".into(), 7), ("labels".into(), 8)]
/// );
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Errors in the file are found when it is linked:
///
/// ```
/// use tobu::descriptor::{FieldBuilder, FileBuilder, MessageBuilder};
///
/// let message = MessageBuilder::new("M").field(FieldBuilder::message("other", "Missing"));
/// let error = FileBuilder::new("a.proto").message(message).build().unwrap_err();
/// assert_eq!(error.to_string(), "a.proto: M.other: type Missing is not declared");
/// ```
///
/// Specification: <https://protobuf.dev/reference/protobuf/edition-2023-spec/>.
#[derive(Clone, Debug)]
#[must_use]
pub struct FileBuilder {
    name: String,
    package: String,
    edition: Edition,
    imports: Vec<String>,
    public_imports: Vec<i32>,
    messages: Vec<MessageBuilder>,
    enums: Vec<EnumBuilder>,
    services: Vec<ServiceBuilder>,
    extensions: Vec<(String, FieldBuilder)>,
    options: Options,
}

impl FileBuilder {
    /// Creates a file of this name, in proto3 and without a package.
    pub fn new(name: impl Into<String>) -> Self {
        FileBuilder {
            name: name.into(),
            package: String::new(),
            edition: Edition::Proto3,
            imports: Vec::new(),
            public_imports: Vec::new(),
            messages: Vec::new(),
            enums: Vec::new(),
            services: Vec::new(),
            extensions: Vec::new(),
            options: Options::default(),
        }
    }

    /// Returns the name of the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sets the package.
    pub fn package(mut self, package: impl Into<String>) -> Self {
        self.package = package.into();
        self
    }

    /// Sets the syntax or the edition. The default is proto3.
    ///
    /// ```
    /// use tobu::descriptor::{Edition, FieldBuilder, FileBuilder, MessageBuilder, Type};
    ///
    /// let message = MessageBuilder::new("M").field(FieldBuilder::new("a", Type::Int32));
    /// let pool = FileBuilder::new("a.proto").edition(Edition::Edition2023).message(message).build()?;
    /// assert!(pool.field("M.a").unwrap().has_presence());
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn edition(mut self, edition: Edition) -> Self {
        self.edition = edition;
        self
    }

    /// Imports another file, which must be in the pool to which you add this file.
    pub fn import(mut self, file: impl Into<String>) -> Self {
        self.imports.push(file.into());
        self
    }

    /// Imports another file publicly. Files that import this file may use the declarations of the imported file.
    pub fn import_public(mut self, file: impl Into<String>) -> Self {
        self.public_imports.push(self.imports.len() as i32);
        self.import(file)
    }

    /// Adds a message.
    pub fn message(mut self, message: MessageBuilder) -> Self {
        self.messages.push(message);
        self
    }

    /// Adds an enum.
    pub fn enumeration(mut self, enumeration: EnumBuilder) -> Self {
        self.enums.push(enumeration);
        self
    }

    /// Adds a service.
    pub fn service(mut self, service: ServiceBuilder) -> Self {
        self.services.push(service);
        self
    }

    /// Adds an extension of a message. The message must have a [range](MessageBuilder::extensions) with the number
    /// of the field.
    ///
    /// ```
    /// use tobu::descriptor::{Edition, FieldBuilder, FileBuilder, MessageBuilder, Type};
    ///
    /// let pool = FileBuilder::new("a.proto")
    ///     .edition(Edition::Edition2023)
    ///     .message(MessageBuilder::new("M").extensions(100..200))
    ///     .extension("M", FieldBuilder::new("note", Type::String).number(100))
    ///     .build()?;
    /// assert_eq!(pool.extension("note").unwrap().extendee().full_name(), "M");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn extension(mut self, extendee: impl Into<String>, field: FieldBuilder) -> Self {
        self.extensions.push((extendee.into(), field));
        self
    }

    /// Adds options: a serialized `google.protobuf.FileOptions`.
    pub fn options(mut self, encoded: &[u8]) -> Self {
        self.options.extend(encoded);
        self
    }

    /// Returns the file as a serialized `google.protobuf.FileDescriptorProto`.
    ///
    /// ```
    /// use tobu::descriptor::{FileBuilder, MessageBuilder};
    ///
    /// let bytes = FileBuilder::new("a.proto").message(MessageBuilder::new("M")).to_bytes();
    /// assert_eq!(bytes, b"\x0a\x07a.proto\x22\x03\x0a\x01M\x62\x06proto3");
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.raw().encode()
    }

    /// Links the file into a new pool. The file must not import other files.
    ///
    /// # Errors
    /// The file is not valid.
    pub fn build(&self) -> Result<Pool> {
        let mut pool = Pool::new();
        self.add_to(&mut pool)?;
        Ok(pool)
    }

    /// Links the file into a pool that contains the imported files.
    ///
    /// ```
    /// # use tobu::Message;
    /// use tobu::Pool;
    /// use tobu::descriptor::{FieldBuilder, FileBuilder, MessageBuilder};
    ///
    /// # tobu::types::Timestamp::descriptor();
    /// let mut pool = Pool::global();
    /// let message = MessageBuilder::new("Event").field(FieldBuilder::message("at", "google.protobuf.Timestamp"));
    /// let file = FileBuilder::new("event.proto").import("google/protobuf/timestamp.proto").message(message);
    /// let file = file.add_to(&mut pool)?;
    /// assert_eq!(file.messages().next().unwrap().full_name(), "Event");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The function fails if [`Pool::add_file`] would fail: the file is not valid, an import is not in the pool, or
    /// the pool has another file with this name. After an error, the pool is unchanged.
    pub fn add_to(&self, pool: &mut Pool) -> Result<FileDescriptor> {
        pool.add_file(&self.to_bytes())
    }

    /// Returns the file as a descriptor that is not yet linked.
    fn raw(&self) -> FileDescriptorProto<'_> {
        let (syntax, edition) = match self.edition {
            // Compilers do not write the syntax of proto2 files, so it is left out here.
            Edition::Proto2 => (None, None),
            Edition::Proto3 => (Some("proto3"), None),
            edition => (Some("editions"), Some(edition.number())),
        };
        let scope = Scope { edition: self.edition, name: &self.package };
        FileDescriptorProto {
            name: Some(text(&self.name)),
            package: Some(text(&self.package)).filter(|package| !package.is_empty()),
            dependency: each(&self.imports, |import| text(import)),
            public_dependency: self.public_imports.clone(),
            message_type: each(&self.messages, |message| message.raw(scope)),
            enum_type: each(&self.enums, |enumeration| enumeration.raw(scope)),
            service: each(&self.services, ServiceBuilder::raw),
            extension: self
                .extensions
                .iter()
                .map(|(extendee, field)| field.extension(extendee, scope))
                .collect(),
            options: some(&self.options),
            syntax: syntax.map(text),
            edition,
            ..FileDescriptorProto::default()
        }
    }
}

/// Builds a service of a [`FileBuilder`](super::FileBuilder).
///
/// ```
/// use tobu::descriptor::{FileBuilder, MessageBuilder, MethodBuilder, ServiceBuilder};
///
/// let pool = FileBuilder::new("echo.proto")
///     .message(MessageBuilder::new("Text"))
///     .service(ServiceBuilder::new("Echo").method(MethodBuilder::new("Say", "Text", "Text").server_streaming()))
///     .build()?;
/// assert!(pool.method("Echo.Say").unwrap().is_server_streaming());
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Specification: <https://protobuf.dev/programming-guides/proto3/#services>.
#[derive(Clone, Debug)]
#[must_use]
pub struct ServiceBuilder {
    name: String,
    methods: Vec<MethodBuilder>,
    options: Options,
}

impl ServiceBuilder {
    /// Creates a service without methods.
    pub fn new(name: impl Into<String>) -> Self {
        ServiceBuilder { name: name.into(), methods: Vec::new(), options: Options::default() }
    }

    /// Adds a method.
    pub fn method(mut self, method: MethodBuilder) -> Self {
        self.methods.push(method);
        self
    }

    /// Adds options: a serialized `google.protobuf.ServiceOptions`.
    pub fn options(mut self, encoded: &[u8]) -> Self {
        self.options.extend(encoded);
        self
    }

    pub(super) fn raw(&self) -> ServiceDescriptorProto<'_> {
        ServiceDescriptorProto {
            name: Some(text(&self.name)),
            method: each(&self.methods, MethodBuilder::raw),
            options: some(&self.options),
            ..ServiceDescriptorProto::default()
        }
    }
}

/// Builds a method of a [`ServiceBuilder`].
#[derive(Clone, Debug)]
#[must_use]
pub struct MethodBuilder {
    name: String,
    input: String,
    output: String,
    client_streaming: bool,
    server_streaming: bool,
    options: Options,
}

impl MethodBuilder {
    /// Creates a method. `input` and `output` are the names of the messages that the method receives and returns.
    pub fn new(name: impl Into<String>, input: impl Into<String>, output: impl Into<String>) -> Self {
        MethodBuilder {
            name: name.into(),
            input: input.into(),
            output: output.into(),
            client_streaming: false,
            server_streaming: false,
            options: Options::default(),
        }
    }

    /// Makes the input a stream.
    pub fn client_streaming(mut self) -> Self {
        self.client_streaming = true;
        self
    }

    /// Makes the output a stream.
    pub fn server_streaming(mut self) -> Self {
        self.server_streaming = true;
        self
    }

    /// Adds options: a serialized `google.protobuf.MethodOptions`.
    pub fn options(mut self, encoded: &[u8]) -> Self {
        self.options.extend(encoded);
        self
    }

    fn raw(&self) -> MethodDescriptorProto<'_> {
        MethodDescriptorProto {
            name: Some(text(&self.name)),
            input_type: Some(text(&self.input)),
            output_type: Some(text(&self.output)),
            options: some(&self.options),
            client_streaming: self.client_streaming.then_some(true),
            server_streaming: self.server_streaming.then_some(true),
            ..MethodDescriptorProto::default()
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) edition: Edition,
    /// The full name of the package or the message around the declaration.
    pub(super) name: &'a str,
}

impl Scope<'_> {
    pub(super) fn full_name(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_owned() } else { written(format_args!("{}.{name}", self.name)) }
    }
}

pub(super) fn text(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

/// Returns the options, or `None` if they are empty.
pub(super) fn some(options: &Options) -> Option<Options> {
    Some(options.clone()).filter(|options| !options.encoded().is_empty())
}

/// Adds features to options, as the field `number`. The features are a serialized `google.protobuf.FeatureSet`.
pub(super) fn push_features(options: &mut Options, number: u32, features: &Options) {
    if !features.encoded().is_empty() {
        options.push_bytes(number, features.encoded());
    }
}

/// Returns the number for a descriptor. A number that is too large becomes another invalid number.
pub(super) fn clamp(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

//! Services and their methods.

use super::scope::{some, text};
use crate::descriptor::list::each;
use crate::descriptor::raw::{MethodDescriptorProto, Options, ServiceDescriptorProto};

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
    /// A service without methods.
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

    /// The service as a descriptor.
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
    /// A method with the names of the messages of its input and output.
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

    /// Lets it take a stream.
    pub fn client_streaming(mut self) -> Self {
        self.client_streaming = true;
        self
    }

    /// Lets it give a stream.
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

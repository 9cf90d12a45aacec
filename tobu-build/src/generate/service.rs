//! Generates the common parts of the client and the server of a service.
//!
//! The generated code only calls `tobu-tonic`, which implements the calls.

use proc_macro2::TokenStream;
use quote::quote;
use tobu_schema::descriptor::{FileDescriptor, MessageDescriptor, MethodDescriptor, ServiceDescriptor};

use super::attributes::{deprecated, given};
use super::module::Module;
use super::schema::{Schema, ServiceName};
use super::view::Flavor;
use super::{TypePaths, client, doc, server};
use crate::config::Views;
use crate::error::{Kind, Result};
use crate::hook::MessagePath;
use crate::names::{Scope, field_name, type_name};
use crate::paths::PathMap;

/// The associated functions of a client. The function of a service method cannot have such a name.
const RESERVED: &[&str] = &[
    "new",
    "connect",
    "with_origin",
    "with_interceptor",
    "send_compressed",
    "accept_compressed",
    "max_decoding_message_size",
    "max_encoding_message_size",
    "encode_options",
    "decode_options",
];

pub(super) struct Method {
    pub(super) descriptor: MethodDescriptor,
    pub(super) name: String,
    /// The name of the associated type for the stream of answers, if the method streams answers.
    pub(super) stream: String,
    pub(super) input: TokenStream,
    pub(super) output: TokenStream,
    /// The path in the URL of a request.
    pub(super) path: String,
    /// True if the server borrows the requests from a pool.
    pub(super) pooled: bool,
    pub(super) parsed_requests: bool,
    pub(super) parsed_answers: bool,
}

impl Method {
    /// Returns the name of the function in `tobu-tonic` that makes or answers calls of this kind.
    pub(super) fn verb(&self) -> &'static str {
        match (self.descriptor.is_client_streaming(), self.descriptor.is_server_streaming()) {
            (false, false) => "unary",
            (true, false) => "client_streaming",
            (false, true) => "server_streaming",
            (true, true) => "streaming",
        }
    }

    /// Returns the documentation of the method, which is its comments or a line with its name, and an attribute if the method
    /// is deprecated.
    pub(super) fn doc(&self, schema: &Schema<'_>) -> TokenStream {
        let mut doc =
            doc::comments(schema.config(), self.descriptor.full_name(), &self.descriptor.comments());
        if doc.is_empty() {
            doc = doc::line(&format!("The method `{}`.", self.descriptor.full_name()));
        }
        let deprecated = deprecated(self.descriptor.options().is_deprecated());
        quote!(#doc #deprecated)
    }
}

/// Adds the client and the server of each service in the files, if the settings want them, and the code of the user's
/// generators.
pub(super) fn add(schema: &Schema<'_>, files: &[FileDescriptor], root: &mut Module) -> Result<()> {
    let config = schema.config();
    for file in files {
        for service in file.services() {
            let Some(name) = schema.service(service.full_name()) else { continue };
            if config.views == Views::Only {
                return Err(Kind::BorrowedService { service: service.full_name().to_owned() }.into());
            }
            if config.client {
                let module = (&name.client, "A client", &config.client_mod_attributes);
                add_module(schema, &service, name, module, client::items, root)?;
            }
            if config.server {
                let module = (&name.server, "A server", &config.server_mod_attributes);
                add_module(schema, &service, name, module, server::items, root)?;
            }
            let types = MessagePath(&Within { schema, modules: &name.package });
            for generator in &config.service_generators.0 {
                let items = generator.generate(&service, &types)?;
                root.at(&name.package).push(items)?;
            }
        }
    }
    Ok(())
}

/// Finds the Rust types of messages for code in the module `modules`.
struct Within<'a> {
    schema: &'a Schema<'a>,
    modules: &'a [String],
}

impl TypePaths for Within<'_> {
    fn path_of(&self, message: &MessageDescriptor) -> Result<TokenStream> {
        self.schema.path(self.modules, message.full_name(), Flavor::Owned)
    }
}

type Items = fn(&Schema<'_>, &ServiceDescriptor, &[Method]) -> Result<TokenStream>;

/// Adds a module with the client or the server of a service. `module` has its name, a noun for its documentation, and
/// the settings for its attributes.
fn add_module(
    schema: &Schema<'_>,
    service: &ServiceDescriptor,
    name: &ServiceName,
    (module, what, attributes): (&String, &str, &PathMap<String>),
    items: Items,
    root: &mut Module,
) -> Result<()> {
    let modules = [name.package.as_slice(), std::slice::from_ref(module)].concat();
    let methods = methods(schema, service, &modules)?;
    let runtime = &schema.runtime;
    let file = schema.static_path(&modules, service.file().name());
    let full_name = service.full_name();
    let items = items(schema, service, &methods)?;
    let attributes = given(attributes, [full_name, service.file().package()])?;
    let module = root.at(&modules);
    module.attribute(attributes);
    module.describe(format!("{what} of the service `{full_name}`."));
    module.push(quote! {
        /// The full name of the service.
        pub const SERVICE_NAME: &str = #full_name;

        /// The descriptor of the service.
        pub fn descriptor() -> #runtime::ServiceDescriptor {
            #file.service(SERVICE_NAME).expect("the file declares the service")
        }

        #items
    })
}

fn methods(schema: &Schema<'_>, service: &ServiceDescriptor, modules: &[String]) -> Result<Vec<Method>> {
    let descriptors: Vec<_> = service.methods().collect();
    let protos = || descriptors.iter().map(MethodDescriptor::name);
    let mut functions = Scope::default();
    for &name in RESERVED {
        functions.claim(name.to_owned());
    }
    let names = functions.claim_all(protos(), field_name);
    let streams = Scope::default().claim_all(protos(), |name| type_name(&format!("{name}_stream")));
    let named = descriptors.iter().zip(names).zip(streams);
    let config = schema.config();
    named
        .map(|((descriptor, name), stream)| {
            let names = [descriptor.full_name(), service.full_name()];
            let is_set = |setting: &PathMap<()>| setting.all(names).next().is_some();
            let parsed_requests = is_set(&config.parsed_requests);
            Ok(Method {
                descriptor: descriptor.clone(),
                name,
                stream,
                input: schema.path(modules, descriptor.input().full_name(), Flavor::Owned)?,
                output: schema.path(modules, descriptor.output().full_name(), Flavor::Owned)?,
                path: format!("/{}/{}", service.full_name(), descriptor.name()),
                // A pool keeps the memory of messages, and parsed requests are not messages.
                pooled: !parsed_requests && is_set(&config.pool_requests),
                parsed_requests,
                parsed_answers: is_set(&config.parsed_answers),
            })
        })
        .collect()
}

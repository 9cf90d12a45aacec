//! Generates the client of a service.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use tobu_schema::descriptor::ServiceDescriptor;

use super::attributes::given;
use super::doc;
use super::schema::Schema;
use super::service::Method;
use crate::error::Result;
use crate::names::{ident, type_name};

/// Generates the struct of the client, with a function for each method of the service.
pub(super) fn items(
    schema: &Schema<'_>,
    service: &ServiceDescriptor,
    methods: &[Method],
) -> Result<TokenStream> {
    let (runtime, tonic) = (&schema.runtime, &schema.tonic);
    let name = ident(&type_name(&format!("{}_client", service.name())));
    let doc = doc::comments(schema.config(), service.full_name(), &service.comments());
    let attributes = given(&schema.config().client_attributes, [service.full_name()])?;
    let functions = methods.iter().map(|method| function(schema, method));
    Ok(quote! {
        #doc
        #attributes
        #[derive(Clone, Debug)]
        pub struct #name<T> {
            inner: #tonic::codegen::Caller<T>,
        }

        impl<T: #tonic::codegen::Transport> #name<T> {
            /// Creates a client that sends its calls through `inner`: a channel, or another service that takes
            /// requests.
            pub fn new(inner: T) -> Self {
                Self { inner: #tonic::codegen::Caller::new(inner) }
            }

            /// Creates a client for an `inner` that does not know the host, such as a plain HTTP client. `origin` has
            /// the scheme and the host of the requests.
            pub fn with_origin(inner: T, origin: #tonic::codegen::http::Uri) -> Self {
                Self { inner: #tonic::codegen::Caller::with_origin(inner, origin) }
            }

            /// Creates a client that passes each request to `interceptor` first, which can add metadata or refuse the
            /// request.
            pub fn with_interceptor<F>(
                inner: T,
                interceptor: F,
            ) -> #name<#tonic::codegen::InterceptedService<T, F>>
            where
                F: #tonic::codegen::Interceptor,
                #tonic::codegen::InterceptedService<T, F>: #tonic::codegen::Transport,
            {
                #name::new(#tonic::codegen::InterceptedService::new(inner, interceptor))
            }

            /// Compresses requests with `encoding`, which the server must support.
            #[must_use]
            pub fn send_compressed(mut self, encoding: #tonic::codegen::CompressionEncoding) -> Self {
                self.inner = self.inner.send_compressed(encoding);
                self
            }

            /// Accepts answers that are compressed with `encoding`.
            #[must_use]
            pub fn accept_compressed(mut self, encoding: #tonic::codegen::CompressionEncoding) -> Self {
                self.inner = self.inner.accept_compressed(encoding);
                self
            }

            /// Sets the maximum size of an answer in bytes; 4 MiB by default.
            #[must_use]
            pub fn max_decoding_message_size(mut self, limit: usize) -> Self {
                self.inner = self.inner.max_decoding_message_size(limit);
                self
            }

            /// Sets the maximum size of a request in bytes; without a limit by default.
            #[must_use]
            pub fn max_encoding_message_size(mut self, limit: usize) -> Self {
                self.inner = self.inner.max_encoding_message_size(limit);
                self
            }

            /// Sets how requests are encoded.
            #[must_use]
            pub fn encode_options(mut self, options: #runtime::EncodeOptions) -> Self {
                self.inner = self.inner.encode_options(options);
                self
            }

            /// Sets how answers are decoded, and limits the cost of decoding one answer.
            #[must_use]
            pub fn decode_options(mut self, options: #runtime::DecodeOptions) -> Self {
                self.inner = self.inner.decode_options(options);
                self
            }

            #(#functions)*
        }

        #tonic::codegen::connect!(#name);
    })
}

fn function(schema: &Schema<'_>, method: &Method) -> TokenStream {
    let (runtime, tonic) = (&schema.runtime, &schema.tonic);
    let Method { descriptor, input, output, path, .. } = method;
    let (output, parsed) = match method.parsed_answers {
        true => (&quote!(#runtime::Parsed<#output>), Some(quote!(.parsed_answers()))),
        false => (output, None),
    };
    let doc = method.doc(schema);
    let name = ident(&method.name);
    let request = if descriptor.is_client_streaming() {
        quote!(#tonic::codegen::tonic::IntoStreamingRequest<Message = #input>)
    } else {
        quote!(#tonic::codegen::tonic::IntoRequest<#input>)
    };
    let answer = if descriptor.is_server_streaming() {
        quote!(#tonic::codegen::tonic::Streaming<#output>)
    } else {
        quote!(#output)
    };
    let call = format_ident!("{}", method.verb());
    // Connect can send such a call by `GET`.
    let is_stream = descriptor.is_client_streaming() || descriptor.is_server_streaming();
    let given = match descriptor.has_no_side_effects() && !is_stream {
        true => quote!(#tonic::codegen::no_side_effects(request)),
        false => quote!(request),
    };
    quote! {
        #doc
        pub async fn #name(
            &mut self,
            request: impl #request,
        ) -> ::core::result::Result<#tonic::codegen::tonic::Response<#answer>, #tonic::codegen::tonic::Status> {
            self.inner #parsed.#call(#path, #given).await
        }
    }
}

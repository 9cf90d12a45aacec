//! Generates the server of a service: a trait for the user to implement, and a struct that serves an implementation.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use tobu_schema::descriptor::ServiceDescriptor;

use super::attributes::given;
use super::doc;
use super::schema::Schema;
use super::service::Method;
use crate::error::Result;
use crate::names::{ident, type_name};

pub(super) fn items(
    schema: &Schema<'_>,
    service: &ServiceDescriptor,
    methods: &[Method],
) -> Result<TokenStream> {
    let config = schema.config();
    let of_trait = given(&config.trait_attributes, [service.full_name()])?;
    let of_struct = given(&config.server_attributes, [service.full_name()])?;
    let (runtime, tonic) = (&schema.runtime, &schema.tonic);
    let name = ident(&type_name(service.name()));
    let server = ident(&type_name(&format!("{}_server", service.name())));
    let doc = doc::comments(config, service.full_name(), &service.comments());
    let streams = methods.iter().filter_map(|method| stream(schema, method));
    let functions = methods.iter().map(|method| function(schema, method));
    let routes = methods.iter().map(|method| route(&name, method));
    let serves = doc::line(&format!("Serves the methods of a [`{name}`]."));
    let pooled: Vec<_> = methods.iter().filter(|method| method.pooled).collect();
    let pools: Vec<_> = pooled.iter().map(|method| pool(method)).collect();
    let requests = pooled.iter().map(|method| &method.input);
    let pool_bounds = pool_bounds(schema, &pools);
    Ok(quote! {
        #doc
        #of_trait
        pub trait #name: ::core::marker::Send + ::core::marker::Sync + 'static {
            #(#streams)*
            #(#functions)*
        }

        #serves
        #of_struct
        #[derive(Debug)]
        pub struct #server<T> {
            service: ::std::sync::Arc<T>,
            settings: #tonic::codegen::Settings,
            #(#pools: #runtime::reuse::MessagePool<#requests>,)*
        }

        impl<T> #server<T> {
            /// Creates a server that calls `service`.
            pub fn new(service: T) -> Self {
                Self::from_arc(::std::sync::Arc::new(service))
            }

            /// Creates a server that calls `service`, which other code may share.
            pub fn from_arc(service: ::std::sync::Arc<T>) -> Self {
                Self {
                    service,
                    settings: ::core::default::Default::default(),
                    #(#pools: ::core::default::Default::default(),)*
                }
            }

            /// Creates a server that passes each request to `interceptor` before it calls `service`. The interceptor
            /// can add metadata or refuse the request.
            pub fn with_interceptor<F: #tonic::codegen::Interceptor>(
                service: T,
                interceptor: F,
            ) -> #tonic::codegen::InterceptedService<Self, F> {
                #tonic::codegen::InterceptedService::new(Self::new(service), interceptor)
            }

            /// Compresses answers with `encoding` for clients that accept it.
            #[must_use]
            pub fn send_compressed(mut self, encoding: #tonic::codegen::CompressionEncoding) -> Self {
                self.settings = self.settings.send_compressed(encoding);
                self
            }

            /// Accepts requests that are compressed with `encoding`.
            #[must_use]
            pub fn accept_compressed(mut self, encoding: #tonic::codegen::CompressionEncoding) -> Self {
                self.settings = self.settings.accept_compressed(encoding);
                self
            }

            /// Sets the maximum size of a request in bytes; 4 MiB by default.
            #[must_use]
            pub fn max_decoding_message_size(mut self, limit: usize) -> Self {
                self.settings = self.settings.max_decoding_message_size(limit);
                self
            }

            /// Sets the maximum size of an answer in bytes; without a limit by default.
            #[must_use]
            pub fn max_encoding_message_size(mut self, limit: usize) -> Self {
                self.settings = self.settings.max_encoding_message_size(limit);
                self
            }

            /// Sets how answers are encoded.
            #[must_use]
            pub fn encode_options(mut self, options: #runtime::EncodeOptions) -> Self {
                self.settings = self.settings.encode_options(options);
                self
            }

            /// Sets how requests are decoded, and limits the cost of decoding one request.
            #[must_use]
            pub fn decode_options(mut self, options: #runtime::DecodeOptions) -> Self {
                self.settings = self.settings.decode_options(options);
                self
            }

            #pool_bounds
        }

        impl<T> ::core::clone::Clone for #server<T> {
            fn clone(&self) -> Self {
                Self {
                    service: ::std::sync::Arc::clone(&self.service),
                    settings: self.settings,
                    #(#pools: ::core::clone::Clone::clone(&self.#pools),)*
                }
            }
        }

        impl<T> #tonic::codegen::NamedService for #server<T> {
            const NAME: &'static str = SERVICE_NAME;
        }

        impl<T: self::#name, B: #tonic::codegen::RequestBody>
            #tonic::codegen::Service<#tonic::codegen::http::Request<B>> for #server<T>
        {
            type Response = #tonic::codegen::http::Response<#tonic::codegen::tonic::body::Body>;
            type Error = ::core::convert::Infallible;
            type Future = #tonic::codegen::Answer;

            fn poll_ready(
                &mut self,
                _: &mut ::core::task::Context<'_>,
            ) -> ::core::task::Poll<::core::result::Result<(), Self::Error>> {
                ::core::task::Poll::Ready(::core::result::Result::Ok(()))
            }

            fn call(&mut self, request: #tonic::codegen::http::Request<B>) -> Self::Future {
                match request.uri().path() {
                    #(#routes)*
                    path => #tonic::codegen::unimplemented(path),
                }
            }
        }
    })
}

/// Returns the name of the server's member with the pool for the requests of a method.
fn pool(method: &Method) -> proc_macro2::Ident {
    format_ident!("{}_pool", method.name)
}

/// Returns the function that sets the bounds of the pools; `None` if there are no pools.
fn pool_bounds(schema: &Schema<'_>, pools: &[proc_macro2::Ident]) -> Option<TokenStream> {
    let runtime = &schema.runtime;
    (!pools.is_empty()).then(|| {
        quote! {
            /// Sets how much each pool keeps. The methods with a pool have one pool each.
            #[must_use]
            pub fn pool_bounds(mut self, bounds: #runtime::reuse::Bounds) -> Self {
                #(self.#pools = #runtime::reuse::MessagePool::bounded(bounds);)*
                self
            }
        }
    })
}

/// Returns the associated type for the stream of a method's answers; `None` if the method does not stream answers, or if
/// default bodies require a boxed stream.
fn stream(schema: &Schema<'_>, method: &Method) -> Option<TokenStream> {
    let tonic = &schema.tonic;
    let Method { descriptor, output, .. } = method;
    let name = ident(&method.stream);
    let doc = doc::line(&format!("The stream of answers of [`{0}`](Self::{0}).", method.name));
    let is_open = descriptor.is_server_streaming() && !schema.config().default_stubs;
    is_open.then(|| {
        quote! {
            #doc
            type #name: #tonic::codegen::Stream<
                    Item = ::core::result::Result<#output, #tonic::codegen::tonic::Status>,
                > + ::core::marker::Send + 'static;
        }
    })
}

fn function(schema: &Schema<'_>, method: &Method) -> TokenStream {
    let (runtime, tonic) = (&schema.runtime, &schema.tonic);
    let Method { descriptor, input, output, path, .. } = method;
    let input = match (method.pooled, method.parsed_requests) {
        (true, _) => &quote!(#runtime::reuse::Pooled<#input>),
        (_, true) => &quote!(#runtime::Parsed<#input>),
        _ => input,
    };
    let stubs = schema.config().default_stubs;
    let doc = method.doc(schema);
    let name = ident(&method.name);
    let request = if descriptor.is_client_streaming() {
        quote!(#tonic::codegen::tonic::Streaming<#input>)
    } else {
        quote!(#input)
    };
    let answer = match descriptor.is_server_streaming() {
        true if stubs => quote!(#tonic::codegen::BoxStream<#output>),
        true => {
            let stream = ident(&method.stream);
            quote!(Self::#stream)
        }
        false => quote!(#output),
    };
    let body = match stubs {
        true => quote!({
            ::core::mem::drop(request);
            #tonic::codegen::not_implemented(#path)
        }),
        false => quote!(;),
    };
    quote! {
        #doc
        fn #name(
            &self,
            request: #tonic::codegen::tonic::Request<#request>,
        ) -> impl ::core::future::Future<
            Output = ::core::result::Result<
                #tonic::codegen::tonic::Response<#answer>,
                #tonic::codegen::tonic::Status,
            >,
        > + ::core::marker::Send #body
    }
}

/// Returns the match arm that answers the requests for a method.
fn route(service: &proc_macro2::Ident, method: &Method) -> TokenStream {
    let path = &method.path;
    let name = ident(&method.name);
    let answer = format_ident!("{}", method.verb());
    let requests = match (method.pooled, method.parsed_requests) {
        (true, _) => {
            let pool = pool(method);
            quote!(pooled_requests(&self.#pool))
        }
        (_, true) => quote!(parsed_requests()),
        _ => quote!(requests()),
    };
    quote! {
        #path => self.settings.#requests.#answer(request, &self.service, |service, request| async move {
            <T as self::#service>::#name(&service, request).await
        }),
    }
}

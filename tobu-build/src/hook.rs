//! Lets users generate their own code for services.

use std::fmt;
use std::sync::Arc;

use proc_macro2::TokenStream;
use tobu_schema::descriptor::{MessageDescriptor, ServiceDescriptor};

use crate::error::Result;
use crate::generate::TypePaths;

/// Generates code for each service, in addition to tobu's client and server or instead of them. For instance, the
/// code can implement another transport, or support tests.
///
/// tobu puts the code into the module of the service's package. A function or a closure with the arguments of
/// [`generate`](Self::generate) is a generator, too.
///
/// ```
/// use quote::quote;
/// use tobu_build::{MessagePath, TokenStream};
/// use tobu_schema::descriptor::ServiceDescriptor;
///
/// // A constant for each method, with the path of the request.
/// let paths = |service: &ServiceDescriptor, _: &MessagePath<'_>| {
///     let constants = service.methods().map(|method| {
///         let name = quote::format_ident!("{}_PATH", method.name().to_uppercase());
///         let path = format!("/{}/{}", service.full_name(), method.name());
///         quote!(pub const #name: &str = #path;)
///     });
///     Ok(constants.collect::<TokenStream>())
/// };
///
/// let source = "syntax = \"proto3\"; package p; message M {} service S { rpc Get(M) returns (M); }";
/// let pool = tobu_build::load_sources(&[("s.proto", source)])?;
/// let files = tobu_build::Config::new().service_generator(paths).generate(&pool, ["s.proto"])?;
/// assert!(files["tobu.rs"].contains("pub const GET_PATH: &str = \"/p.S/Get\";"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ServiceGenerator {
    /// Returns the items for one service.
    ///
    /// # Errors
    /// A type has no path, or the generator cannot handle the schema. For the latter error, use
    /// [`Error::custom`](crate::Error::custom).
    fn generate(&self, service: &ServiceDescriptor, types: &MessagePath<'_>) -> Result<TokenStream>;
}

impl<F> ServiceGenerator for F
where
    F: Fn(&ServiceDescriptor, &MessagePath<'_>) -> Result<TokenStream>,
{
    fn generate(&self, service: &ServiceDescriptor, types: &MessagePath<'_>) -> Result<TokenStream> {
        self(service, types)
    }
}

/// Finds the Rust types of messages. The paths fit the module to which a [`ServiceGenerator`] adds its code.
pub struct MessagePath<'a>(pub(crate) &'a dyn TypePaths);

impl MessagePath<'_> {
    /// Returns the path of the type of a message, such as a request or a response of a method.
    ///
    /// # Errors
    /// The message is not generated, and no [`extern_path`](crate::Config::extern_path) gives its path.
    pub fn of(&self, message: &MessageDescriptor) -> Result<TokenStream> {
        self.0.path_of(message)
    }
}

impl fmt::Debug for MessagePath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MessagePath")
    }
}

/// The generators of a `Config`, in the order in which they were added.
#[derive(Clone, Default)]
pub(crate) struct Generators(pub(crate) Vec<Arc<dyn ServiceGenerator + Send + Sync>>);

impl fmt::Debug for Generators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} generators", self.0.len())
    }
}

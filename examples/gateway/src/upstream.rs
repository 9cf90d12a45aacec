//! The server that a proxy stands in front of.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::header::CONTENT_TYPE;
use http::{HeaderValue, Request, Response};
use tobu_transcode::Body;
use tonic::transport::{Channel, Endpoint, Error};
use tower_service::Service;

use crate::descriptors::Descriptors;
use crate::remote;
use crate::schema::Schema;

/// A server somewhere else, and what is known of its services.
pub(crate) struct Upstream {
    pub(crate) service: Calls,
    pub(crate) schema: Arc<Schema>,
    /// Where the schema comes from, unless the server told it.
    pub(crate) descriptors: Option<Descriptors>,
}

impl Upstream {
    /// Learns the schema from a file, or else from the server, which must be there then.
    ///
    /// # Errors
    /// The URL is none, the server cannot be reached, or there is no schema with rules.
    pub(crate) async fn new(url: &str, file: Option<PathBuf>) -> Result<Self, String> {
        let named = |error: String| format!("{url}: {error}");
        let endpoint = Endpoint::from_shared(url.to_owned()).map_err(|error| named(error.to_string()))?;
        let channel = endpoint.connect_lazy();
        let (descriptors, schema) = match file {
            Some(file) => {
                let (descriptors, schema) = Descriptors::open(file)?;
                (Some(descriptors), schema)
            }
            None => (None, remote::schema(channel.clone()).await.map_err(named)?),
        };
        Ok(Upstream { service: Calls(channel), schema: Arc::new(schema), descriptors })
    }
}

/// Takes gRPC calls to the server, and nothing else: what is no call has no method there.
#[derive(Clone)]
pub(crate) struct Calls(Channel);

impl Service<Request<Body>> for Calls {
    type Response = Response<tonic::body::Body>;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        const GRPC: &[u8] = b"application/grpc";
        let kind = request.headers().get(CONTENT_TYPE).map_or(&[][..], HeaderValue::as_bytes);
        if !kind.starts_with(GRPC) {
            let response = tonic::Status::unimplemented("the proxy takes gRPC alone").into_http();
            return Box::pin(async { Ok(response) });
        }
        Box::pin(self.0.call(request.map(tonic::body::Body::new)))
    }
}

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

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;
    use tokio::sync::watch;
    use tower_layer::Layer;

    use super::*;
    use crate::descriptors::tests::library;
    use crate::front::Front;

    /// Nothing listens there.
    const NOWHERE: &str = "http://127.0.0.1:1";

    #[tokio::test]
    async fn a_file_does_without_the_server() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), library()).unwrap();
        let upstream = Upstream::new(NOWHERE, Some(file.path().to_owned())).await.unwrap();
        let (_sender, schema) = watch::channel(upstream.schema);
        let front = Front::new(schema).layer(upstream.service);
        let unreachable =
            r#"503 {"code":14,"message":"the service cannot be reached: transport error","details":[]}"#;
        for (path, wanted) in [
            ("/v1/shelves", unreachable),
            (
                "/v1/shelves?pageSize=x",
                r#"400 {"code":3,"message":"the query parameter \"pageSize\": \"x\" is not a uint32","details":[]}"#,
            ),
            // Nothing but calls goes to the server.
            ("/elsewhere", r#"404 {"code":5,"message":"no rule has the path \"/elsewhere\"","details":[]}"#),
        ] {
            let request = Request::get(path).body(Body::empty()).unwrap();
            let mut front = front.clone();
            std::future::poll_fn(|cx| Service::<Request<Body>>::poll_ready(&mut front, cx)).await.unwrap();
            let (head, body) = front.call(request).await.unwrap().into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            let found = format!("{} {}", head.status.as_u16(), String::from_utf8_lossy(&body));
            assert_eq!(found, wanted, "{path}");
        }
    }

    #[tokio::test]
    async fn without_a_file_the_server_must_be_there() {
        let error = |url| async move { Upstream::new(url, None).await.err().unwrap() };
        let unreachable = "http://127.0.0.1:1: the reflection service: The service is currently unavailable: tcp connect error";
        assert_eq!(error(NOWHERE).await, unreachable);
        assert_eq!(error("a b").await, "a b: invalid URI");
    }
}

//! The servers: gRPC alone, with JSON on the same port, and a proxy in front of another one.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::header::CONTENT_TYPE;
use http::{HeaderValue, Request, Response};
use tobu_tonic::ReflectionService;
use tobu_transcode::{Body, Transcoder, TranscoderBuilder};
use tokio::net::TcpListener;
use tonic::service::Routes;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server};
use tower_service::Service;

use crate::Error;
use crate::library::Library;
use crate::proto::library::v1::library_server::{self, LibraryServer};

/// A free port of this machine alone.
///
/// # Errors
/// There is none.
pub async fn listener() -> Result<(TcpListener, SocketAddr), Error> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// A transcoder of the library, to be built.
pub fn transcoder() -> TranscoderBuilder {
    Transcoder::builder().descriptor(&library_server::descriptor())
}

fn routes() -> Routes {
    let reflection = ReflectionService::of([library_server::descriptor()]);
    Routes::new(LibraryServer::new(Library)).add_service(reflection.v1()).add_service(reflection.v1alpha())
}

fn incoming(listener: TcpListener) -> TcpIncoming {
    TcpIncoming::from(listener).with_nodelay(Some(true))
}

/// Serves gRPC.
///
/// # Errors
/// The port fails.
pub async fn native(listener: TcpListener) -> Result<(), Error> {
    Ok(Server::builder().add_routes(routes()).serve_with_incoming(incoming(listener)).await?)
}

/// Serves gRPC and JSON.
///
/// # Errors
/// The port fails.
pub async fn in_process(listener: TcpListener, transcoder: Transcoder) -> Result<(), Error> {
    let server = Server::builder().accept_http1(true).layer(transcoder);
    Ok(server.serve_with_incoming(routes().prepare(), incoming(listener)).await?)
}

/// Serves gRPC and JSON by calling another server, over one connection.
///
/// # Errors
/// The URL is none, or the port fails.
pub async fn proxy(listener: TcpListener, transcoder: Transcoder, url: &str) -> Result<(), Error> {
    let channel = Endpoint::from_shared(url.to_owned())?.connect_lazy();
    let server = Server::builder().accept_http1(true).layer(transcoder);
    Ok(server.serve_with_incoming(Calls(channel), incoming(listener)).await?)
}

/// Takes gRPC calls to another server, and nothing else.
#[derive(Clone)]
struct Calls(Channel);

impl Service<Request<Body>> for Calls {
    type Response = Response<tonic::body::Body>;
    type Error = tonic::transport::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let kind = request.headers().get(CONTENT_TYPE).map_or(&[][..], HeaderValue::as_bytes);
        if !kind.starts_with(b"application/grpc") {
            let response = tonic::Status::unimplemented("the proxy takes gRPC alone").into_http();
            return Box::pin(async { Ok(response) });
        }
        let answer = self.0.call(request.map(tonic::body::Body::new));
        Box::pin(async move {
            // Calls of gRPC and gRPC-Web go through, and their clients get a status, too.
            Ok(answer
                .await
                .unwrap_or_else(|_| tonic::Status::unavailable("the service cannot be reached").into_http()))
        })
    }
}

//! The server: what is on the port.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use http::Response;
use tobu::Pool;
use tobu_tonic::Reflection;
use tobu_transcode::{Body, BoxError};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::service::Routes;
use tonic::transport::Server;
use tower_service::Service;

use crate::front::Front;
use crate::library::Library;
use crate::proto::library::v1::library_server::{self, LibraryServer};
use crate::schema::Schema;
use crate::store::Store;
use crate::upstream::Upstream;

/// How often the file of descriptors is looked at.
const EVERY: Duration = Duration::from_secs(1);

pub(crate) type Done = Result<(), Box<dyn Error + Send + Sync>>;

/// Serves the library, and tells of it, until it is told to stop.
pub(crate) async fn library(
    listener: TcpListener,
    store: Arc<Store>,
    stop: impl Future<Output = ()>,
) -> Done {
    let reflection = Reflection::of([library_server::descriptor()]);
    let routes = Routes::new(LibraryServer::new(Library::new(store)))
        .add_service(reflection.v1())
        .add_service(reflection.v1alpha());
    let (_never_changes, schema) = watch::channel(Arc::new(Schema::new(&Pool::global())?));
    listen(listener, Front::new(schema), routes.prepare(), stop).await
}

/// Serves what another server does, until it is told to stop.
pub(crate) async fn proxy(listener: TcpListener, upstream: Upstream, stop: impl Future<Output = ()>) -> Done {
    let Upstream { service, schema, descriptors } = upstream;
    let (sender, schema) = watch::channel(schema);
    let serving = listen(listener, Front::new(schema), service, stop);
    match descriptors {
        None => serving.await,
        Some(descriptors) => tokio::select! {
            done = serving => done,
            never = descriptors.watch(EVERY, sender) => match never {},
        },
    }
}

/// Puts a service that takes gRPC on the port, behind the front.
async fn listen<S, R>(listener: TcpListener, front: Front, service: S, stop: impl Future<Output = ()>) -> Done
where
    S: Service<http::Request<Body>, Response = Response<R>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Into<BoxError> + Send,
    R: http_body::Body + Send + 'static,
    R::Data: Send,
    R::Error: Into<BoxError>,
{
    let server = Server::builder().accept_http1(true).layer(front);
    let done = server.serve_with_incoming_shutdown(service, TcpListenerStream::new(listener), stop).await;
    done.map_err(Into::into)
}

//! The server: what is on the port.

use std::sync::Arc;

use tobu_tonic::Reflection;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;

use crate::library::Library;
use crate::proto::library::v1::library_server::{self, LibraryServer};
use crate::store::Store;

/// Serves the library, and tells of it, until it is told to stop.
///
/// What stands between the network and the services goes where the builder is made.
pub(crate) async fn serve(
    listener: TcpListener,
    store: Arc<Store>,
    stop: impl Future<Output = ()>,
) -> Result<(), tonic::transport::Error> {
    let reflection = Reflection::of([library_server::descriptor()]);
    Server::builder()
        .add_service(LibraryServer::new(Library::new(store)))
        .add_service(reflection.v1())
        .add_service(reflection.v1alpha())
        .serve_with_incoming_shutdown(TcpListenerStream::new(listener), stop)
        .await
}

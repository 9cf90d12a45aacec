//! The gRPC server reflection service.
//!
//! Specification: <https://github.com/grpc/grpc/blob/master/doc/server-reflection.md>.
//!
//! This module is in layer 2 of the crate: it implements a generated trait, like the services of users. `catalog` answers one
//! request, `stream` answers a stream of requests, and `client` is the client.

mod catalog;
mod client;
mod stream;

/// The code that `tobu-build` generates from `proto/`. The golden tests of `tobu-build` check that it is up to date.
mod generated {
    include!("generated.rs");
}

pub use client::ReflectionClient;
pub use generated::grpc::reflection::{v1, v1alpha};
pub use stream::Answers;

use std::sync::Arc;

use tobu::{FileDescriptor, Pool};

use catalog::Catalog;
use v1::server_reflection_server::ServerReflectionServer;
use v1alpha::server_reflection_server::ServerReflectionServer as ServerReflectionAlphaServer;

/// Describes the services of a server, and their messages, to clients such as `grpcurl`.
///
/// The server sends each file byte for byte as it was added to the pool, so options and extensions are unchanged. The
/// reflection service has two versions, which differ only in their names. Some clients know only the older version, so a
/// server should have both.
///
/// ```
/// # use tobu_tonic_service::reading::v1::reading_room_server::{self, ReadingRoomServer};
/// # use tobu_tonic_service::{Room, run};
/// use tobu_tonic::ReflectionService;
///
/// # run(async {
/// let reflection = ReflectionService::of([reading_room_server::descriptor()]);
/// let server = tonic::transport::Server::builder()
///     .add_service(ReadingRoomServer::new(Room::default()))
///     .add_service(reflection.v1())
///     .add_service(reflection.v1alpha());
/// # Ok(())
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct ReflectionService(Arc<Catalog>);

impl ReflectionService {
    /// Creates a reflection service that describes everything in a pool, and lists its services.
    pub fn new(pool: &Pool) -> Self {
        let services = pool.services().map(|service| service.full_name().to_owned()).collect();
        ReflectionService(Arc::new(Catalog::new(pool.clone(), services)))
    }

    /// Creates a reflection service that lists `services`, and describes their files and everything that they import.
    ///
    /// The reflection service does not know extensions that other files declare. If two files clash, the second is left out,
    /// with the files that import it.
    pub fn of(services: impl IntoIterator<Item = tobu::ServiceDescriptor>) -> Self {
        let (pool, names) = catalog::collect(services);
        ReflectionService(Arc::new(Catalog::new(pool, names)))
    }

    /// Adds `files`, and everything that they import, to the files that this service describes. Use this for messages that no
    /// service uses, such as the details of errors, and for extensions. A file that clashes with an earlier file is left out.
    ///
    /// ```
    /// # use tobu_tonic_service::reading::v1::reading_room_server;
    /// # use tobu_tonic::ReflectionService;
    /// use tobu::Message;
    ///
    /// let details = tobu::rpc::BadRequest::descriptor().file();
    /// let reflection = ReflectionService::of([reading_room_server::descriptor()]).with_files([details]);
    /// # drop(reflection);
    /// ```
    #[must_use]
    pub fn with_files(self, files: impl IntoIterator<Item = FileDescriptor>) -> Self {
        ReflectionService(Arc::new(self.0.with_files(files)))
    }

    /// Lists only the services with these full names and the reflection services, instead of all services in the pool.
    ///
    /// ```
    /// # use tobu_tonic_service::reading::v1::reading_room_server;
    /// # use tobu_tonic::ReflectionService;
    /// # reading_room_server::descriptor();
    /// let reflection = ReflectionService::new(&tobu::Pool::global()).list([reading_room_server::SERVICE_NAME]);
    /// # drop(reflection);
    /// ```
    #[must_use]
    pub fn list<N: Into<String>>(self, services: impl IntoIterator<Item = N>) -> Self {
        let services = services.into_iter().map(Into::into).collect();
        ReflectionService(Arc::new(Catalog::new(self.0.pool().clone(), services)))
    }

    /// Returns the gRPC service `grpc.reflection.v1.ServerReflection`.
    pub fn v1(&self) -> ServerReflectionServer<Self> {
        ServerReflectionServer::new(self.clone())
    }

    /// Returns the gRPC service `grpc.reflection.v1alpha.ServerReflection`.
    pub fn v1alpha(&self) -> ServerReflectionAlphaServer<Self> {
        ServerReflectionAlphaServer::new(self.clone())
    }
}

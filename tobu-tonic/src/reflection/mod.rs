//! The gRPC server reflection service.
//!
//! Specification: <https://github.com/grpc/grpc/blob/master/doc/server-reflection.md>.
//!
//! Layer 2: a service like any other, on generated code. `catalog` answers one question, `stream` a stream of them;
//! `client` is the other side.

mod catalog;
mod client;
mod stream;

/// What `tobu-build` makes of `proto/`; the golden tests of `tobu-build` keep it so.
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

/// Tells clients such as `grpcurl` what services a server has, and what their messages look like.
///
/// Files are sent as they were added to the pool, byte for byte: options and extensions are what they were. There are
/// two versions of the service, which differ in their names; some clients know only the older one, so a server should
/// have both.
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
    /// Knows all that is in a pool, and lists its services.
    pub fn new(pool: &Pool) -> Self {
        let services = pool.services().map(|service| service.full_name().to_owned()).collect();
        ReflectionService(Arc::new(Catalog::new(pool.clone(), services)))
    }

    /// Lists services, and knows the files that they are in and of all that these import.
    ///
    /// Extensions that none of these files declares are not known then. Of two files that clash, the first one stays.
    pub fn of(services: impl IntoIterator<Item = tobu::ServiceDescriptor>) -> Self {
        let (pool, names) = catalog::collect(services);
        ReflectionService(Arc::new(Catalog::new(pool, names)))
    }

    /// Knows these files, too, and all that they import: of messages that no service names, such as the details of errors, and
    /// of extensions. Of two files that clash, the one that was there stays.
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

    /// Lists the services of these full names, instead of all that are in the pool.
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

    /// The service `grpc.reflection.v1.ServerReflection`.
    pub fn v1(&self) -> ServerReflectionServer<Self> {
        ServerReflectionServer::new(self.clone())
    }

    /// The service `grpc.reflection.v1alpha.ServerReflection`.
    pub fn v1alpha(&self) -> ServerReflectionAlphaServer<Self> {
        ServerReflectionAlphaServer::new(self.clone())
    }
}

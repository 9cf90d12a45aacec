//! A source that reads the schema from the reflection service of a server.

use std::time::Duration;

use tobu::Pool;
use tobu_tonic::Transport;
use tobu_tonic::codegen::tonic::body::Body;
use tobu_tonic::codegen::tonic::client::GrpcService;
use tobu_tonic::reflection::ReflectionClient;

use super::{Last, SchemaSource};
use crate::error::{Error, Result};

/// A source that reads the schema from the reflection service of a server.
///
/// ```no_run
/// # async fn example(channel: tonic::transport::Channel) -> Result<(), tobu_transcode::Error> {
/// use tobu_tonic::reflection::ReflectionClient;
/// use tobu_transcode::{Live, RemoteSchema, Transcoder};
///
/// let mut remote = RemoteSchema::new(ReflectionClient::new(channel));
/// let live = Live::load(Transcoder::builder().all_services(), &mut remote).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct RemoteSchema<T> {
    client: ReflectionClient<T>,
    timeout: Duration,
    last: Last,
}

impl<T: Transport + Clone> RemoteSchema<T> {
    /// Creates a source that uses a client. The limits of the client apply to the answers of the server.
    pub fn new(client: ReflectionClient<T>) -> Self {
        RemoteSchema { client, timeout: Duration::from_secs(30), last: Last::default() }
    }

    /// Sets the timeout for the complete answer; 30 seconds by default.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }
}

impl<T> SchemaSource for RemoteSchema<T>
where
    T: Transport + GrpcService<Body, Future: Send> + Clone + Send + Sync,
{
    async fn next(&mut self) -> Result<Option<Pool>> {
        let set = tokio::time::timeout(self.timeout, self.client.descriptor_set()).await;
        let set = set.map_err(|_| schema_error(format!("no answer within {:?}", self.timeout)))?;
        let set = set.map_err(|status| schema_error(format!("{}: {}", status.code(), status.message())))?;
        if !self.last.differs(&set) {
            return Ok(None);
        }
        let pool = tokio::task::spawn_blocking(move || Pool::from_descriptor_set(&set));
        let pool = pool.await.map_err(Error::schema)?;
        if pool.is_err() {
            self.last.forget();
        }
        pool.map(Some).map_err(|error| Error::schema(error).within(WHO))
    }
}

const WHO: &str = "the reflection service";

fn schema_error(what: String) -> Error {
    Error::schema(what).within(WHO)
}

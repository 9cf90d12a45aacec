//! Connects a client to a server with tonic's transport.
//!
//! This file is in layer 2 of the crate: it uses `client`.

use tonic::transport::{Channel, Endpoint, Error};

use crate::client::{Caller, StdError};

impl Caller<Channel> {
    /// Connects to a server, and returns a caller that sends calls through the connection.
    ///
    /// # Errors
    /// The address is not valid, or no server accepts the connection.
    pub async fn connect<A>(address: A) -> Result<Self, Error>
    where
        A: TryInto<Endpoint>,
        A::Error: Into<StdError>,
    {
        Ok(Caller::new(Endpoint::new(address)?.connect().await?))
    }
}

//! Clients with a connection of their own, by tonic's transport.
//!
//! Layer 2: names `client`.

use tonic::transport::{Channel, Endpoint, Error};

use crate::client::{Caller, StdError};

impl Caller<Channel> {
    /// Connects to a server, and sends calls through that connection.
    ///
    /// # Errors
    /// The address is none, or nobody answers there.
    pub async fn connect<A>(address: A) -> Result<Self, Error>
    where
        A: TryInto<Endpoint>,
        A::Error: Into<StdError>,
    {
        Ok(Caller::new(Endpoint::new(address)?.connect().await?))
    }
}

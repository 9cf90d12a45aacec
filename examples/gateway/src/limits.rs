//! Limits what clients can take from the server.

use std::time::Duration;

use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tower_layer::Identity;

/// The limits of connections. The limits of requests are those of the transcoder, and in `schema.rs`.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// The largest number of connections at once. More connections wait until one of them ends.
    pub(crate) connections: usize,
    /// The largest number of concurrent calls on one HTTP/2 connection.
    pub(crate) streams: u32,
    /// The largest size of a request's headers in bytes, over HTTP/2. Over HTTP/1, the limits are 100 headers and about 400
    /// KiB.
    pub(crate) headers: u32,
    /// The largest number of calls that a client may cancel before the server has looked at them:
    /// <https://www.cve.org/CVERecord?id=CVE-2023-44487>.
    pub(crate) resets: usize,
    /// How many times the server resets a call because of an error, before it closes the connection.
    pub(crate) errors: usize,
    /// How long the server waits until a new connection shows which version of HTTP it uses. Over HTTP/1, the headers of each
    /// request must also arrive within 30 seconds.
    pub(crate) start: Duration,
    /// How long a client may read nothing although the server has data for it.
    pub(crate) stall: Duration,
    /// Over HTTP/2: the time between two pings, and the longest time until the answer to a ping.
    pub(crate) alive: (Duration, Duration),
    /// The largest age of a connection, after which the server takes no more requests on it, and the time that remains until
    /// the server closes it.
    pub(crate) age: (Duration, Duration),
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connections: 1024,
            streams: 100,
            headers: 16 << 10,
            resets: 20,
            errors: 100,
            start: Duration::from_secs(10),
            stall: Duration::from_secs(30),
            alive: (Duration::from_secs(30), Duration::from_secs(10)),
            age: (Duration::from_secs(3600), Duration::from_secs(60)),
        }
    }
}

impl Limits {
    /// Builds a server for HTTP/1 and HTTP/2 with these limits.
    pub(crate) fn server(&self) -> Server<Identity> {
        Server::builder()
            .accept_http1(true)
            .max_concurrent_streams(self.streams)
            .http2_max_header_list_size(self.headers)
            .http2_max_pending_accept_reset_streams(Some(self.resets))
            .http2_max_local_error_reset_streams(Some(self.errors))
            .http2_keepalive_interval(Some(self.alive.0))
            .http2_keepalive_timeout(Some(self.alive.1))
            .max_connection_age(self.age.0)
    }

    /// Returns the connections that a listener accepts. Nagle's algorithm is off, because the small messages of a stream must
    /// not wait for each other.
    pub(crate) fn incoming(&self, listener: tokio::net::TcpListener) -> TcpIncoming {
        TcpIncoming::from(listener).with_nodelay(Some(true)).with_keepalive(Some(self.alive.0))
    }
}

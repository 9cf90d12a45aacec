//! What clients may take of the server.

use std::time::Duration;

use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tower_layer::Identity;

/// The limits of connections. Those of requests are the transcoder's, and in `schema.rs`.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// How many there may be at once; others wait to be accepted.
    pub(crate) connections: usize,
    /// How many calls one may have under way, over HTTP/2.
    pub(crate) streams: u32,
    /// How many bytes the headers of a request may have, over HTTP/2. Over HTTP/1 it is 100 headers, and some 400 KiB.
    pub(crate) headers: u32,
    /// How many calls may be given up before they are looked at: <https://www.cve.org/CVERecord?id=CVE-2023-44487>.
    pub(crate) resets: usize,
    /// How many errors one may make that give up a call.
    pub(crate) errors: usize,
    /// How long one may take until it is known which HTTP it speaks. Over HTTP/1, the headers of each request must come in 30 seconds, too.
    pub(crate) start: Duration,
    /// How long one may take nothing of what is sent to it.
    pub(crate) stall: Duration,
    /// How often one is asked whether it is alive, and how long the answer may take, over HTTP/2.
    pub(crate) alive: (Duration, Duration),
    /// How old one may become; then it gets no more requests, and so much later it ends.
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
    /// A server of HTTP/1 and HTTP/2 with these limits.
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

    /// What comes to a listener. The messages of a stream are small, and must not wait for each other.
    pub(crate) fn incoming(&self, listener: tokio::net::TcpListener) -> TcpIncoming {
        TcpIncoming::from(listener).with_nodelay(Some(true)).with_keepalive(Some(self.alive.0))
    }
}

//! Says where a request comes from: its id, and the client that sent it.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use http::header::{HOST, HeaderName, HeaderValue};
use http::{Extensions, HeaderMap, Request};

use crate::metadata::FORWARDED_HOST;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
/// The headers that say which client has sent a request.
pub(super) const FORWARDED: [HeaderName; 3] = [FORWARDED_FOR, FORWARDED_HOST, FORWARDED_PROTO];

/// The maximum length of an id that a client chooses.
const MAX_ID: usize = 128;

/// Gives each request an id.
///
/// The id is that of a header of the request, `x-request-id` by default. If the request has no such header, or one with more than 128
/// bytes or with characters other than visible ASCII, the id is a new one of 24 hexadecimal digits. The service behind
/// gets the id as metadata, the client gets it as a header of every response, and the [`Observer`](super::Observer) gets it with every
/// request. Headers and metadata have the same name.
///
/// ```
/// # let pool = tobu_transcode_schemas::pool();
/// # let grpc = tonic::service::Routes::default();
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// use tobu_transcode::{Body, RequestId, Transcoder};
/// use tower::{Layer, ServiceExt};
///
/// let builder = Transcoder::builder().pool(&pool).service("library.v1.Library");
/// let service = builder.request_id(RequestId::new()).build()?.layer(grpc);
/// let request = http::Request::get("/v1/shelves/1").header("x-request-id", "7a").body(Body::empty())?;
/// let response = service.oneshot(request).await?;
/// assert_eq!(response.headers()["x-request-id"], "7a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct RequestId {
    header: HeaderName,
}

impl RequestId {
    /// Takes the id from the header `x-request-id`.
    pub fn new() -> Self {
        Self::of(HeaderName::from_static("x-request-id"))
    }

    /// Takes the id from a header of this name.
    pub fn of(header: HeaderName) -> Self {
        RequestId { header }
    }

    /// Returns the name of the header.
    pub fn header(&self) -> &HeaderName {
        &self.header
    }

    /// Returns the id of a request, after adding a new id to the headers if they have none. The transcoder calls this function for each
    /// request. A service around the transcoder can call it before, to answer some requests itself.
    pub fn take(&self, headers: &mut HeaderMap) -> HeaderValue {
        let is_good = |id: &&HeaderValue| {
            (1..=MAX_ID).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic)
        };
        let id = headers.get(&self.header).filter(is_good).cloned().unwrap_or_else(new_id);
        headers.insert(self.header.clone(), id.clone());
        id
    }
}

impl Default for RequestId {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns an id that no other request of this process has, and most likely none of another process.
fn new_id() -> HeaderValue {
    static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(std::process::id()));
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    // Digits are always a valid value.
    HeaderValue::try_from(format!("{:016x}{count:08x}", *SEED)).unwrap_or(HeaderValue::from_static("-"))
}

/// The client at the other end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    address: IpAddr,
    is_tls: bool,
}

impl Peer {
    /// Creates a peer with an address, whose connection has no TLS.
    pub fn new(address: IpAddr) -> Self {
        Peer { address, is_tls: false }
    }

    /// Sets whether the connection has TLS.
    #[must_use]
    pub fn tls(mut self, yes: bool) -> Self {
        self.is_tls = yes;
        self
    }
}

/// Adds the client of a request to the headers `X-Forwarded-For`, `X-Forwarded-Host` and `X-Forwarded-Proto`, which the service
/// behind gets as metadata.
///
/// The address of the client is appended to `X-Forwarded-For`. `X-Forwarded-Host` is the host that the client called, and
/// `X-Forwarded-Proto` is `http` or `https`. What the client itself says in these headers is dropped, unless it is
/// [trusted](Self::trust).
///
/// A layer does not see the connection, so a function gets the peer from the extensions of the request, to which the server adds it:
///
/// ```
/// # let pool = tobu_transcode_schemas::pool();
/// use tobu_transcode::{Forwarded, Peer, Transcoder};
/// use tonic::transport::server::TcpConnectInfo;
///
/// let transcoder = Transcoder::builder()
///     .pool(&pool)
///     .service("library.v1.Library")
///     .forwarded(Forwarded::new(|extensions| {
///         let address = extensions.get::<TcpConnectInfo>()?.remote_addr()?;
///         Some(Peer::new(address.ip()))
///     }))
///     .build()?;
/// # drop(transcoder);
/// # Ok::<(), tobu_transcode::Error>(())
/// ```
#[derive(Clone)]
pub struct Forwarded {
    peer: PeerOf,
    is_trusted: bool,
}

/// Returns the peer of a request from its extensions.
type PeerOf = Arc<dyn Fn(&Extensions) -> Option<Peer> + Send + Sync>;

impl Forwarded {
    /// Gets the peer of a request from its extensions by a function. If the function returns `None`, no address is appended, and there is no
    /// `X-Forwarded-Proto`.
    pub fn new(peer: impl Fn(&Extensions) -> Option<Peer> + Send + Sync + 'static) -> Self {
        Forwarded { peer: Arc::new(peer), is_trusted: false }
    }

    /// Sets whether clients are trusted to set these headers; no by default. This is for a server that only a proxy can reach. Then the
    /// address of the proxy follows those that `X-Forwarded-For` has, and the other two headers are left unchanged if
    /// they are set.
    #[must_use]
    pub fn trust(mut self, yes: bool) -> Self {
        self.is_trusted = yes;
        self
    }

    /// Sets the headers of a request.
    pub(super) fn apply<B>(&self, request: &mut Request<B>) {
        let peer = (self.peer)(request.extensions());
        let authority = request.uri().authority().map(|authority| authority.as_str().to_owned());
        let headers = request.headers_mut();
        if !self.is_trusted {
            FORWARDED.iter().for_each(|name| drop(headers.remove(name)));
        }
        let host = headers.get(HOST).cloned().or_else(|| authority?.parse().ok());
        if let Some(host) = host {
            headers.entry(FORWARDED_HOST).or_insert(host);
        }
        let Some(Peer { address, is_tls }) = peer else { return };
        let before = headers.get_all(FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok());
        let addresses: Vec<String> =
            before.map(str::to_owned).chain([address.to_canonical().to_string()]).collect();
        if let Ok(addresses) = HeaderValue::try_from(addresses.join(", ")) {
            headers.insert(FORWARDED_FOR, addresses);
        }
        let scheme = HeaderValue::from_static(if is_tls { "https" } else { "http" });
        headers.entry(FORWARDED_PROTO).or_insert(scheme);
    }
}

impl fmt::Debug for Forwarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Forwarded").field("is_trusted", &self.is_trusted).finish_non_exhaustive()
    }
}

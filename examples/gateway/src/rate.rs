//! Limits how many requests a client may send. Each client has a bucket of tokens, which fills up again over time.
//!
//! Only the access log comes before this layer, so refusing a request costs little. A client is an IP address of a connection.
//! Behind a load balancer, all connections come from one address, so the balancer must limit the rate instead.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use http::header::{CONTENT_TYPE, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, Request, Response};
use tobu_transcode::{Body, Code, Status};
use tokio::time::Instant;
use tonic::transport::server::TcpConnectInfo;
use tower_layer::Layer;
use tower_service::Service;

use crate::front::is_grpc;

/// The default number of requests a second.
pub(crate) const DEFAULT: u32 = 100;

/// The largest number of clients that have a bucket of their own.
const CLIENTS: usize = 10_000;

/// The layer that limits the rate.
#[derive(Clone)]
pub(crate) struct Rate(Arc<Mutex<Buckets>>);

impl Rate {
    /// Creates a layer that allows each client `per_second` requests a second, and as many at once.
    pub(crate) fn new(per_second: u32) -> Self {
        Rate(Arc::new(Mutex::new(Buckets::new(per_second))))
    }

    /// Takes a token from the bucket of the client.
    ///
    /// # Errors
    /// The bucket is empty. The error is the time that the client has to wait.
    fn take<B>(&self, request: &Request<B>) -> Result<(), Duration> {
        let info = request.extensions().get::<TcpConnectInfo>();
        let client = info.and_then(TcpConnectInfo::remote_addr).map(|address| address.ip());
        // If a thread panicked while it held the lock, the counts are still correct.
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.take(network(client), Instant::now())
    }
}

impl Default for Rate {
    fn default() -> Self {
        Rate::new(DEFAULT)
    }
}

struct Buckets {
    per_second: f64,
    by_client: HashMap<IpAddr, Bucket>,
    /// The time of the last search for full buckets.
    swept: Option<Instant>,
}

/// The number of tokens in the bucket, and the time at which this number was right.
struct Bucket(f64, Instant);

impl Buckets {
    fn new(per_second: u32) -> Self {
        Buckets { per_second: f64::from(per_second), by_client: HashMap::new(), swept: None }
    }

    fn take(&mut self, client: IpAddr, now: Instant) -> Result<(), Duration> {
        let per_second = self.per_second;
        let left = |bucket: &Bucket| {
            let filled = bucket.0 + now.duration_since(bucket.1).as_secs_f64() * per_second;
            filled.min(per_second)
        };
        let mut client = client;
        if self.by_client.len() >= CLIENTS && !self.by_client.contains_key(&client) {
            // A client with a full bucket needs no entry. Looking at all buckets takes time, so it does not happen for every
            // new client.
            if self.swept.is_none_or(|swept| now.duration_since(swept) >= SWEEP) {
                self.by_client.retain(|_, bucket| left(bucket) < per_second);
                self.swept = Some(now);
            }
            // If there are still too many clients, the new ones share one bucket.
            if self.by_client.len() >= CLIENTS {
                client = SHARED;
            }
        }
        let bucket = self.by_client.entry(client).or_insert(Bucket(per_second, now));
        let tokens = left(bucket);
        if tokens < 1.0 {
            *bucket = Bucket(tokens, now);
            return Err(Duration::from_secs_f64((1.0 - tokens) / per_second));
        }
        *bucket = Bucket(tokens - 1.0, now);
        Ok(())
    }
}

/// The shortest time between two searches for full buckets.
const SWEEP: Duration = Duration::from_secs(1);

/// The key of the shared bucket. No client has this address.
const SHARED: IpAddr = IpAddr::V6(Ipv6Addr::UNSPECIFIED);

/// Returns the address that identifies a client. An IPv6 client usually owns a whole /64 network, so only the first 64 bits
/// count.
fn network(client: Option<IpAddr>) -> IpAddr {
    match client.map(|address| address.to_canonical()) {
        Some(IpAddr::V6(address)) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        Some(address) => address,
        None => SHARED,
    }
}

/// Returns the answer to a refused request, `RESOURCE_EXHAUSTED` or 429, with the number of seconds to wait.
fn refused(is_grpc: bool, wait: Duration) -> Response<Body> {
    const MESSAGE: &str = "too many requests";
    let mut response = match is_grpc {
        true => tonic::Status::resource_exhausted(MESSAGE).into_http(),
        false => {
            let status = Status::new(Code::ResourceExhausted, MESSAGE);
            let mut response = Response::new(Body::full(status.to_json(&tobu::json::Options::new())));
            *response.status_mut() = status.code().http_status();
            let headers = response.headers_mut();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
            response
        }
    };
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(wait.as_secs_f64().ceil() as u64));
    response
}

impl<S> Layer<S> for Rate {
    type Service = RateService<S>;

    fn layer(&self, inner: S) -> RateService<S> {
        RateService { rate: self.clone(), inner }
    }
}

#[derive(Clone)]
pub(crate) struct RateService<S> {
    rate: Rate,
    inner: S,
}

impl<S, B> Service<Request<B>> for RateService<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        match self.rate.take(&request) {
            Ok(()) => Box::pin(self.inner.call(request)),
            Err(wait) => {
                let response = refused(is_grpc(request.headers()), wait);
                Box::pin(async move { Ok(response) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        network(Some(text.parse().unwrap()))
    }

    #[test]
    fn buckets_fill_by_the_second() {
        let mut buckets = Buckets::new(4);
        let start = Instant::now();
        let (one, other) = (address("10.0.0.1"), address("10.0.0.2"));
        for _ in 0..4 {
            assert_eq!(buckets.take(one, start), Ok(()));
        }
        assert_eq!(buckets.take(one, start), Err(Duration::from_millis(250)));
        assert_eq!(buckets.take(other, start), Ok(()));
        let later = start + Duration::from_millis(125);
        assert_eq!(buckets.take(one, later), Err(Duration::from_millis(125)));
        assert_eq!(buckets.take(one, later + Duration::from_millis(125)), Ok(()));
        // The bucket never has more than four tokens.
        let later = start + Duration::from_secs(100);
        for _ in 0..4 {
            assert_eq!(buckets.take(one, later), Ok(()));
        }
        assert_eq!(buckets.take(one, later), Err(Duration::from_millis(250)));
    }

    #[test]
    fn networks_are_clients() {
        assert_eq!(address("2001:db8::1:2:3:4"), address("2001:db8::5"));
        assert_ne!(address("2001:db8:0:1::1"), address("2001:db8:0:2::1"));
        assert_eq!(address("::ffff:10.0.0.1"), address("10.0.0.1"));
        assert_ne!(address("10.0.0.1"), address("10.0.0.2"));
    }

    /// A client with many addresses cannot make the table grow beyond its limit.
    #[test]
    fn clients_are_not_remembered_for_ever() {
        let mut buckets = Buckets::new(2);
        let start = Instant::now();
        let nth = |n: usize| IpAddr::from(u32::to_be_bytes(0x0a00_0000 + n as u32));
        for n in 0..CLIENTS {
            assert_eq!(buckets.take(nth(n), start), Ok(()));
        }
        // All further clients share one bucket.
        assert_eq!([1, 2, 3].map(|n| buckets.take(nth(CLIENTS + n), start).is_ok()), [true, true, false]);
        assert_eq!(buckets.by_client.len(), CLIENTS + 1);
        assert_eq!(buckets.take(nth(0), start), Ok(()));
        assert!(buckets.take(nth(0), start).is_err());
        // After a second, all buckets are full again.
        assert_eq!(buckets.take(nth(CLIENTS + 4), start + Duration::from_secs(1)), Ok(()));
        assert_eq!(buckets.by_client.len(), 1);
    }
}

//! Handles requests before the transcoder: health, metrics, tokens, the ID of a request, and the address of the client.

use std::hash::{BuildHasher, RandomState};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};
use std::time::Duration;

use http::header::{ACCESS_CONTROL_REQUEST_METHOD, CONTENT_TYPE, HOST};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use tobu_tonic::health::ServingStatus;
use tobu_tonic::health::v1::HealthCheckRequest;
use tobu_tonic::health::v1::health_client::HealthClient;
use tobu_transcode::{Body, Metrics};
use tokio::sync::watch;
use tokio::time::timeout;
use tonic::Code;
use tonic::transport::Channel;
use tower_service::Service as _;

use crate::state::State;

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
pub(crate) const FORWARDED: [HeaderName; 3] = [FORWARDED_FOR, FORWARDED_HOST, FORWARDED_PROTO];

/// The maximum length of an ID that a client sets. The gateway replaces a longer ID.
const LONGEST_ID: usize = 128;
/// How long the gateway waits for the health service of the upstream server.
const PATIENCE: Duration = Duration::from_secs(2);

/// The data that all connections share.
pub(crate) struct Shared {
    state: RwLock<Arc<State>>,
    pub(crate) metrics: Metrics,
    pub(crate) is_stopping: watch::Sender<bool>,
}

impl Shared {
    pub(crate) fn new(state: State, metrics: Metrics) -> Self {
        Shared { state: RwLock::new(Arc::new(state)), metrics, is_stopping: watch::Sender::new(false) }
    }

    /// Returns the current state. A request uses it to the end, even if the configuration changes meanwhile.
    pub(crate) fn state(&self) -> Arc<State> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn replace(&self, state: State) {
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(state);
    }
}

/// A connection of a client.
#[derive(Clone)]
pub(crate) struct Front {
    pub(crate) shared: Arc<Shared>,
    pub(crate) peer: SocketAddr,
    pub(crate) is_tls: bool,
}

impl Front {
    pub(crate) async fn handle(self, mut request: Request<Incoming>) -> Response<Body> {
        let state = self.shared.state();
        let id = id_of(request.headers());
        request.headers_mut().insert(REQUEST_ID, id.clone());
        self.forward(&state, &mut request);
        let mut response = match self.own(&state, &request).await {
            Some(response) => response,
            None => {
                let mut service = state.service.clone();
                let done = match service.ready().await {
                    Ok(service) => service.call(request).await,
                    Err(error) => Err(error),
                };
                done.unwrap_or_else(|error| {
                    tracing::warn!(?error, "the server behind cannot be reached");
                    text(StatusCode::SERVICE_UNAVAILABLE, "the service cannot be reached\n")
                })
            }
        };
        response.headers_mut().insert(REQUEST_ID, id);
        response
    }

    /// Returns the response to a request that the gateway answers itself; `None` if the transcoder must answer it.
    async fn own(&self, state: &State, request: &Request<Incoming>) -> Option<Response<Body>> {
        let tables = &state.config.tables;
        let (method, path, headers) = (request.method(), request.uri().path(), request.headers());
        let is_read = *method == Method::GET || *method == Method::HEAD;
        let is = |own: &str| is_read && !own.is_empty() && own == path;
        if is(&tables.paths.health) {
            return Some(text(StatusCode::OK, "ok\n"));
        }
        if is(&tables.paths.ready) {
            let is_stopping = *self.shared.is_stopping.borrow();
            return Some(match !is_stopping && is_ready(state.channel.clone()).await {
                true => text(StatusCode::OK, "ready\n"),
                false => text(StatusCode::SERVICE_UNAVAILABLE, "not ready\n"),
            });
        }
        // Before a request, a browser asks without a token which requests a page may send. The CORS layer answers this
        // question.
        let asks = *method == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        let is_preflight = asks && tables.cors.is_some();
        if let Some(auth) = state.auth.as_ref().filter(|_| !is_preflight)
            && let Some(refusal) = auth.refusal(path, headers)
        {
            return Some(refusal);
        }
        is(&tables.paths.metrics).then(|| {
            let mut response = text(StatusCode::OK, self.shared.metrics.text());
            let kind = HeaderValue::from_static("text/plain; version=0.0.4");
            response.headers_mut().insert(CONTENT_TYPE, kind);
            response
        })
    }

    /// Sets the headers that say where the request comes from. The gateway keeps such headers of the client only if the
    /// configuration trusts the client, which must then be a proxy.
    fn forward(&self, state: &State, request: &mut Request<Incoming>) {
        let authority = request.uri().authority().map(|authority| authority.as_str().to_owned());
        let headers = request.headers_mut();
        let is_trusted = state.config.tables.headers.trust_forwarded;
        if !is_trusted {
            FORWARDED.iter().for_each(|name| drop(headers.remove(name)));
        }
        let before = headers.get_all(&FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok());
        let peer = self.peer.ip().to_canonical().to_string();
        let all: Vec<String> = before.map(str::to_owned).chain([peer]).collect();
        if let Ok(all) = HeaderValue::try_from(all.join(", ")) {
            headers.insert(FORWARDED_FOR, all);
        }
        let host = headers.get(HOST).cloned().or_else(|| authority?.parse().ok());
        if let Some(host) = host.filter(|_| !headers.contains_key(&FORWARDED_HOST)) {
            headers.insert(FORWARDED_HOST, host);
        }
        let scheme = HeaderValue::from_static(if self.is_tls { "https" } else { "http" });
        headers.entry(FORWARDED_PROTO).or_insert(scheme);
    }
}

pub(crate) fn is_grpc(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).map_or(&[][..], HeaderValue::as_bytes);
    kind.get(..16).is_some_and(|start| start.eq_ignore_ascii_case(b"application/grpc"))
}

fn text(status: StatusCode, body: impl Into<bytes::Bytes>) -> Response<Body> {
    let mut response = Response::new(Body::full(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

/// Returns the ID that the client set, or a new ID.
fn id_of(headers: &HeaderMap) -> HeaderValue {
    static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(std::process::id()));
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let is_good = |id: &&HeaderValue| id.to_str().is_ok_and(|id| !id.is_empty() && id.len() <= LONGEST_ID);
    headers.get(REQUEST_ID).filter(is_good).cloned().unwrap_or_else(|| {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        HeaderValue::try_from(format!("{:016x}{count:08x}", *SEED)).unwrap_or(HeaderValue::from_static("-"))
    })
}

/// Asks the health service of the upstream server. Without such a service, the server is ready if it responds.
async fn is_ready(channel: Channel) -> bool {
    let mut client = HealthClient::new(channel);
    let asked = timeout(PATIENCE, client.check(HealthCheckRequest::default())).await;
    match asked {
        Ok(Ok(answer)) => answer.into_inner().status == ServingStatus::SERVING,
        Ok(Err(status)) => status.code() == Code::Unimplemented,
        Err(_) => false,
    }
}

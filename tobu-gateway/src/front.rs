//! Handles requests before the transcoder: health, metrics and tokens.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use http::header::{ACCESS_CONTROL_REQUEST_METHOD, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use tobu_tonic::health::ServingStatus;
use tobu_tonic::health::v1::HealthCheckRequest;
use tobu_tonic::health::v1::health_client::HealthClient;
use tobu_transcode::{Body, Metrics, Peer, RequestId};
use tokio::sync::watch;
use tokio::time::timeout;
use tonic::Code;
use tonic::transport::Channel;
use tower_service::Service as _;

use crate::state::State;

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
    pub(crate) peer: Peer,
}

impl Front {
    pub(crate) async fn handle(self, mut request: Request<Incoming>) -> Response<Body> {
        let state = self.shared.state();
        request.extensions_mut().insert(self.peer);
        // The answers of the gateway itself have an id, too.
        let request_id = RequestId::new();
        let id = request_id.take(request.headers_mut());
        let mut response = match self.own(&state, &request).await {
            Some(response) => response,
            None => {
                let mut service = state.service.clone();
                let done = match service.ready().await {
                    Ok(service) => service.call(request).await,
                    Err(error) => Err(error),
                };
                done.unwrap_or_else(|error| {
                    tracing::warn!(?error, "the upstream server cannot be reached");
                    text(StatusCode::SERVICE_UNAVAILABLE, "the service cannot be reached\n")
                })
            }
        };
        response.headers_mut().insert(request_id.header(), id);
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

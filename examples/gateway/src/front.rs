//! What stands between the network and the services: JSON over HTTP with its documents, and the access log.

use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use http::{Request, Response};
use tobu_transcode::{Body, BoxError};
use tokio::sync::watch;
use tower_layer::Layer;
use tower_service::Service;
use tracing::{Instrument, field};

use crate::schema::Schema;

/// A layer in front of a service that takes gRPC; its schema may change while it runs.
#[derive(Clone)]
pub(crate) struct Front {
    schema: watch::Receiver<Arc<Schema>>,
}

impl Front {
    pub(crate) fn new(schema: watch::Receiver<Arc<Schema>>) -> Self {
        Front { schema }
    }
}

impl<S> Layer<S> for Front {
    type Service = FrontService<S>;

    fn layer(&self, inner: S) -> FrontService<S> {
        FrontService { inner, front: self.clone() }
    }
}

#[derive(Clone)]
pub(crate) struct FrontService<S> {
    inner: S,
    front: Front,
}

impl<S, B, R> Service<Request<B>> for FrontService<S>
where
    S: Service<Request<Body>, Response = Response<R>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Into<BoxError> + Send,
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<BoxError>,
    R: http_body::Body + Send + 'static,
    R::Data: Send,
    R::Error: Into<BoxError>,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        // The one that was asked whether it is ready is the one to call.
        let clone = self.inner.clone();
        let inner = mem::replace(&mut self.inner, clone);
        // A request stays with the schema that it began with.
        let schema = Arc::clone(&self.front.schema.borrow());
        let (method, path) = (request.method(), request.uri().path());
        let span = tracing::info_span!("request", %method, path, route = field::Empty);
        let answer = async move {
            let start = Instant::now();
            let answer = schema.transcoder.layer(inner).call(request).await;
            let time = start.elapsed();
            match &answer {
                Ok(response) => tracing::info!(status = response.status().as_u16(), ?time, "answered"),
                Err(_) => tracing::error!(?time, "failed"),
            }
            answer
        };
        Box::pin(answer.instrument(span))
    }
}

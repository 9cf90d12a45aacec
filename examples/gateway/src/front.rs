//! What stands between the network and the services, before JSON becomes gRPC: documents, and the access log.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Method, Request, Response};
use tobu_transcode::{Body, Live, Transcoder};
use tower_layer::Layer;
use tower_service::Service;
use tracing::{Instrument, field};

use crate::schema;

/// A layer in front of the one that transcodes.
#[derive(Clone)]
pub(crate) struct Front {
    live: Live,
}

impl Front {
    pub(crate) fn new(live: Live) -> Self {
        Front { live }
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

impl<S, B> Service<Request<B>> for FrontService<S>
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
        let (method, path) = (request.method(), request.uri().path());
        let span = tracing::info_span!("request", %method, path, route = field::Empty);
        let start = Instant::now();
        let answer: Self::Future = match document(&self.front.live.current(), method, path) {
            Some(document) => Box::pin(std::future::ready(Ok(document))),
            None => Box::pin(self.inner.call(request)),
        };
        let logged = async move {
            let answer = answer.await;
            let time = start.elapsed();
            match &answer {
                Ok(response) => tracing::info!(status = response.status().as_u16(), ?time, "answered"),
                Err(_) => tracing::error!(?time, "failed"),
            }
            answer
        };
        Box::pin(logged.instrument(span))
    }
}

/// A page on which the operations of the OpenAPI document can be tried.
pub(crate) const PAGE: &str = include_str!("page.html");

/// What is there without the services.
fn document(transcoder: &Transcoder, method: &Method, path: &str) -> Option<Response<Body>> {
    if method != Method::GET {
        return None;
    }
    let (kind, body) = match path {
        "/" => ("text/html; charset=utf-8", Body::full(PAGE)),
        "/openapi.json" => ("application/json", Body::full(schema::openapi(transcoder))),
        _ => return None,
    };
    let mut response = Response::new(body);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    Some(response)
}

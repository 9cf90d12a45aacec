//! The access log. Its layer is the first one that a request reaches, before the transcoder converts JSON to gRPC.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Request, Response};
use tobu_transcode::Body;
use tower_layer::Layer;
use tower_service::Service;
use tracing::{Instrument, field};

/// True if the content type of a request is gRPC.
pub(crate) fn is_grpc(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).map_or(&[][..], HeaderValue::as_bytes);
    kind.get(..16).is_some_and(|start| start.eq_ignore_ascii_case(b"application/grpc"))
}

/// The layer that writes the access log. It comes before the transcoder.
#[derive(Clone, Copy)]
pub(crate) struct Front;

impl<S> Layer<S> for Front {
    type Service = FrontService<S>;

    fn layer(&self, inner: S) -> FrontService<S> {
        FrontService { inner }
    }
}

#[derive(Clone)]
pub(crate) struct FrontService<S> {
    inner: S,
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
        let answer = self.inner.call(request);
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

//! The tower layer and its service, which let clients with HTTP and JSON call a service that speaks gRPC.
//!
//! Requests with a content type of gRPC are forwarded unchanged. Requests of gRPC-Web and Connect are converted to gRPC
//! requests. So gRPC, gRPC-Web, Connect and JSON share one port. Other requests whose path has no rule are forwarded unchanged,
//! too.
//!
//! This file is in layer 4 (see DESIGN.md), and uses all layers below.

mod body;
mod builder;
mod call;
mod compress;
mod connect;
mod cors;
mod documents;
mod forward;
mod grpc_web;
mod guard;
mod linger;
mod list_stream;
mod live;
mod metrics;
mod observe;
mod origin;
mod raw_content;
mod read;
mod reply;
mod request_stream;
mod response_stream;
#[cfg(feature = "opentelemetry")]
mod telemetry;

use std::future::{Future, poll_fn};
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::header::VARY;
use http::{Request, Response};
use tokio::time::Instant;
use tower_layer::Layer;
use tower_service::Service;

pub use self::body::Body;
use self::builder::Settings;
pub use self::builder::TranscoderBuilder;
use self::connect::Connect;
pub use self::cors::Cors;
use self::documents::Documents;
#[cfg(feature = "remote")]
pub use self::live::RemoteSchema;
pub use self::live::{DescriptorFile, Live, SchemaSource};
pub use self::metrics::Metrics;
pub use self::observe::{Ending, Observer, Outcome};
pub use self::origin::{Forwarded, Peer, RequestId};
pub use self::raw_content::RawContent;
#[cfg(feature = "opentelemetry")]
pub use self::telemetry::Telemetry;
use crate::router::Router;

/// The error of a body.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A tower layer that lets HTTP requests with JSON call the methods of a gRPC service.
///
/// The inner service receives gRPC calls as requests of the crate `http`. It may be a router of servers in the same process,
/// or a channel to another process. If the inner service requires another body type, wrap it with `map_request`.
///
/// ```
/// # let pool = tobu_transcode_schemas::pool();
/// use tobu_transcode::Transcoder;
///
/// let transcoder = Transcoder::builder().pool(&pool).service("library.v1.Library").build()?;
/// assert_eq!(transcoder.router().routes().len(), 14);
/// // tower::ServiceBuilder::new().layer(transcoder).service(grpc)
/// # Ok::<(), tobu_transcode::Error>(())
/// ```
#[derive(Clone)]
pub struct Transcoder(Arc<Shared>);

pub(crate) struct Shared {
    router: Router,
    connect: Connect,
    documents: Documents,
    settings: Settings,
}

impl Transcoder {
    /// Returns a builder of a transcoder.
    pub fn builder() -> TranscoderBuilder {
        TranscoderBuilder::default()
    }

    /// Returns the router with the rules.
    pub fn router(&self) -> &Router {
        &self.0.router
    }
}

impl std::fmt::Debug for Transcoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transcoder").field("routes", &self.0.router.routes().len()).finish()
    }
}

impl<S> Layer<S> for Transcoder {
    type Service = TranscodeService<S>;

    fn layer(&self, inner: S) -> TranscodeService<S> {
        TranscodeService { inner, rules: Rules::Fixed(Arc::clone(&self.0)) }
    }
}

/// A service that the layer [`Transcoder`] or [`Live`] puts around an inner service.
#[derive(Clone)]
pub struct TranscodeService<S> {
    inner: S,
    rules: Rules,
}

impl<S> TranscodeService<S> {
    /// Waits until the inner service is ready for a call.
    ///
    /// Use this method instead of tower's `ServiceExt::ready`. This service takes requests with any body type, so with
    /// `ServiceExt::ready` the compiler would need an annotation of the type.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// # let grpc = tonic::service::Routes::default();
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use tobu_transcode::{Body, Transcoder};
    /// use tower::{Layer, Service};
    ///
    /// let transcoder = Transcoder::builder().pool(&pool).service("library.v1.Library").build()?;
    /// let mut service = transcoder.layer(grpc);
    /// let request = http::Request::get("/v1/shelves?pageSize=x").body(Body::empty())?;
    /// let response = service.ready().await?.call(request).await?;
    /// assert_eq!(response.status(), 404);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    /// The inner service takes no more calls.
    pub async fn ready(&mut self) -> Result<&mut Self, S::Error>
    where
        S: Service<Request<Body>>,
    {
        poll_fn(|cx| self.poll_ready(cx)).await?;
        Ok(self)
    }

    /// Does the same as `Service::poll_ready`, for which the compiler would need an annotation of the body type.
    ///
    /// # Errors
    /// The inner service takes no more calls.
    pub fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>>
    where
        S: Service<Request<Body>>,
    {
        self.inner.poll_ready(cx)
    }
}

#[derive(Clone)]
enum Rules {
    Fixed(Arc<Shared>),
    Live(Live),
}

impl Rules {
    fn current(&self) -> Arc<Shared> {
        match self {
            Rules::Fixed(shared) => Arc::clone(shared),
            Rules::Live(live) => live.current().0,
        }
    }
}

impl<S: std::fmt::Debug> std::fmt::Debug for TranscodeService<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TranscodeService").field("inner", &self.inner).finish_non_exhaustive()
    }
}

impl<S, B, R> Service<Request<B>> for TranscodeService<S>
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

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        // Tower requires that the instance that reported readiness is called, not its clone.
        let clone = self.inner.clone();
        let inner = mem::replace(&mut self.inner, clone);
        // The rules of a request stay the same until it is answered, even if `Live` gets new rules.
        let shared = self.rules.current();
        // The deadline counts from this time, so that the timer of an enclosing server does not expire earlier.
        let now = Instant::now();
        let settings = &shared.settings;
        if let Some(forwarded) = &settings.forwarded {
            forwarded.apply(&mut request);
        }
        let id = settings.request_id.as_ref().map(|id| (id.header().clone(), id.take(request.headers_mut())));
        let request = match linger::is_worth_it(&request) {
            true => request.map(Body::lingering),
            false => request.map(Body::new),
        };
        if settings.cors.is_none() && id.is_none() {
            return Box::pin(call::handle(shared, inner, request, now));
        }
        let cors = settings.cors.as_ref().map(|cors| cors.headers(request.method(), request.headers()));
        let (headers, status) = cors.unwrap_or_default();
        Box::pin(async move {
            let mut response = match status {
                Some(status) => {
                    let mut response = Response::new(Body::empty());
                    *response.status_mut() = status;
                    response
                }
                None => call::handle(shared, inner, request, now).await?,
            };
            if let Some((name, id)) = id {
                response.headers_mut().insert(name, id);
            }
            for (name, value) in headers {
                let Some(name) = name else { continue };
                match name == VARY {
                    true => drop(response.headers_mut().append(name, value)),
                    false => drop(response.headers_mut().insert(name, value)),
                }
            }
            Ok(response)
        })
    }
}

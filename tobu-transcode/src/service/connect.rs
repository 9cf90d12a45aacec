//! Serves the Connect protocol, over any version of HTTP. The message of a unary call is the whole body, and the messages of a
//! stream are in envelopes.
//!
//! Clients of Connect can call methods without a rule. Messages in JSON are converted, and messages in binary are forwarded
//! unchanged.
//!
//! Specification: <https://connectrpc.com/docs/protocol>.

mod body;
mod head;
mod reply;

use std::collections::HashMap;
use std::future::poll_fn;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, Uri};
use tobu::{ServiceDescriptor, convert, json};
use tokio::time::Instant;
use tower_service::Service;
use tracing::{Instrument, field};

use self::body::{RequestEnvelopes, ResponseEnvelopes, only_message};
use self::head::{Call, Codec, Given};
use super::call::{check_head, grpc_request, shorter};
use super::compress::decompress;
use super::guard::Guard;
use super::observe::Report;
use super::reply::{Failure, without_body};
use super::response_stream::{Messages, Next};
use super::{Body, BoxError, Shared, read};
use crate::code::Code;
use crate::error::{Category, Error, Result};
use crate::metadata::{add_all_metadata, all_request_metadata};
use crate::options::TranscodeOptions;
use crate::route::Route;
use crate::rule::HttpRule;
use crate::status::Status;
use crate::stream::frame_header;

/// The methods that clients of Connect can call.
pub(super) struct Connect {
    /// The methods, by their paths.
    routes: HashMap<Box<str>, Arc<Route>>,
    json: json::Options,
    /// True if Connect is on. If it is false, clients can call the methods only with gRPC and gRPC-Web.
    is_served: bool,
}

impl Connect {
    /// Collects all methods of services. Unknown members of JSON objects will be ignored, as in Connect's own libraries, so
    /// that clients may be newer than the service.
    ///
    /// # Errors
    /// The path of a method is not a valid template.
    pub(super) fn new<'s>(
        services: impl Iterator<Item = &'s ServiceDescriptor>,
        options: &TranscodeOptions,
        is_served: bool,
    ) -> Result<Self> {
        let mut routes = HashMap::new();
        for method in services.flat_map(|service| service.methods()) {
            let rule = HttpRule::by_name(&method);
            let route = Route::compile(&method, &rule, false).map_err(|bad| Error::bad_rules(vec![bad]))?;
            routes.insert(route.grpc_path.clone(), Arc::new(route));
        }
        Ok(Connect { routes, json: options.request.clone().ignore_unknown(true), is_served })
    }

    /// True if Connect is on and there are methods.
    pub(super) fn has_methods(&self) -> bool {
        self.is_served && !self.routes.is_empty()
    }

    /// Returns the method that `path` names, for calls of any protocol.
    pub(super) fn method(&self, path: &str) -> Option<&Arc<Route>> {
        self.routes.get(path)
    }
}

/// Returns the method that a Connect request calls, or `None` if the request is not of Connect. If a rule also matches the
/// request, the rule serves it, unless [`head::says_so`] recognizes it as Connect.
pub(super) fn find<B>(shared: &Shared, request: &Request<B>) -> Option<Arc<Route>> {
    let path = request.uri().path();
    let route = shared.connect.method(path).filter(|_| shared.connect.is_served)?;
    let is_rule = || shared.router.find(request.method(), path).is_ok();
    (head::says_so(request.uri(), request.headers()) || !is_rule()).then(|| Arc::clone(route))
}

/// Returns the response to a call of a method that neither the layer nor the inner service knows. Returns `None` if Connect is
/// off, or if the request cannot be recognized as Connect.
pub(super) fn not_known(shared: &Shared, uri: &Uri, headers: &HeaderMap) -> Option<Response<Body>> {
    if !shared.connect.has_methods() || !head::says_so(uri, headers) {
        return None;
    }
    let status = Status::new(Code::Unimplemented, format!("there is no method {:?}", uri.path()));
    let mut response = reply::error(shared, &Failure::from(status), None);
    // Clients of streams ignore the body, and infer the code from the HTTP status.
    *response.status_mut() = http::StatusCode::NOT_FOUND;
    Some(response)
}

/// Answers a call.
pub(super) async fn answer<S, R>(
    shared: Arc<Shared>,
    mut inner: S,
    request: Request<Body>,
    route: Arc<Route>,
    start: Instant,
) -> Response<Body>
where
    S: Service<Request<Body>, Response = Response<R>>,
    S::Error: Into<BoxError>,
    R: http_body::Body + Send + 'static,
    R::Data: Send,
    R::Error: Into<BoxError>,
{
    let http_method = request.method().clone();
    let span = tracing::info_span!(
        "connect",
        "http.request.method" = %http_method,
        "rpc.method" = route.method().full_name(),
        "http.response.status_code" = field::Empty,
    );
    let id = shared.settings.request_id(request.headers());
    let mut report = Some(Report::new(&shared, &http_method, id, Some(&route), start));
    let mut ending = (Code::Ok, None);
    let response = match Call::new(&route, &request) {
        Err(refused) => {
            ending.0 = refused.code();
            match refused.category() {
                Category::Method | Category::MediaType => reply::refused(&refused),
                _ => reply::error(&shared, &Failure::from(refused), None),
            }
        }
        Ok(call) => {
            let done = call_method(&shared, &mut inner, request, &route, &call, start, &mut report);
            done.instrument(span.clone()).await.unwrap_or_else(|failure| {
                let response = reply::error(&shared, &failure, call.is_stream.then_some(call.codec));
                ending = (failure.status.code(), failure.into_detail());
                response
            })
        }
    };
    span.record("http.response.status_code", response.status().as_u16());
    if let Some(report) = report {
        report.answered(response.status());
        span.in_scope(|| report.ended(ending.0, ending.1.as_deref()));
    }
    if http_method == Method::HEAD { without_body(response) } else { response }
}

async fn call_method<S, R>(
    shared: &Arc<Shared>,
    inner: &mut S,
    request: Request<Body>,
    route: &Arc<Route>,
    call: &Call,
    start: Instant,
    report: &mut Option<Report>,
) -> Result<Response<Body>, Failure>
where
    S: Service<Request<Body>, Response = Response<R>>,
    S::Error: Into<BoxError>,
    R: http_body::Body + Send + 'static,
    R::Data: Send,
    R::Error: Into<BoxError>,
{
    let given = call.given(request.uri(), request.headers(), shared.settings.max_body)?;
    let gzip = shared.settings.compress && given.takes_gzip;
    let mut guard = Guard::new(start, shorter(given.timeout, shared.settings.timeout));
    let request = prepare(shared, request, route, call, given, &mut guard).await?;
    let response = guard.run(inner.call(request)).await?.map_err(|error| {
        let status = Status::new(Code::Unavailable, "the service cannot be reached");
        Failure::from(status).caused_by(&*error.into())
    })?;
    let (head, body) = response.into_parts();
    check_head(shared, head.status, &head.headers)?;
    let mut messages = Messages::new(Body::new(body), &head.headers, shared.settings.max_response);
    // If the status is among the headers, the response has no messages.
    let is_over = Status::from_headers(&head.headers).is_some();
    if call.is_stream {
        let mut response = reply::stream(call.codec, gzip);
        let first = is_over.then(|| Next::End(head.headers.clone()));
        if !is_over {
            add_all_metadata(&head.headers, "", response.headers_mut());
        }
        let report = report.take().inspect(|report| report.answered(response.status()));
        let (shared, route) = (Arc::clone(shared), Arc::clone(route));
        *response.body_mut() = Body::of_pieces(ResponseEnvelopes {
            shared,
            route,
            codec: call.codec,
            gzip,
            messages,
            guard,
            first,
            report,
            is_over: false,
        });
        return Ok(response);
    }
    let answered = one_message(&mut messages, &mut guard, is_over).await;
    let (message, trailers) = answered.map_err(|failure| failure.after(head.headers.clone()))?;
    let body = from_wire(shared, route, call.codec, message)
        .map_err(|error| Failure::from(error).with_metadata(trailers.clone()).after(head.headers.clone()))?;
    Ok(reply::message(call.codec, body, gzip, &head.headers, &trailers))
}

/// Converts a Connect request to a gRPC request. If the request is not a stream of messages, receives and checks its whole
/// body before the call.
async fn prepare(
    shared: &Arc<Shared>,
    request: Request<Body>,
    route: &Arc<Route>,
    call: &Call,
    given: Given,
    guard: &mut Guard,
) -> Result<Request<Body>, Failure> {
    let (head, body) = request.into_parts();
    let metadata = all_request_metadata(&head.headers, &shared.settings.matchers.own, |name, why| {
        tracing::warn!(header = name.as_str(), why, "a header is left out of the metadata");
    })?;
    let timeout = shorter(given.timeout, shared.settings.timeout);
    let settings = &shared.settings;
    let body = if let Some(message) = given.message {
        let message = decompress(message, given.encoding, settings.max_body)?;
        Body::call(to_frame(shared, route, call.codec, &message)?)
    } else if route.method().is_client_streaming() {
        let (envelopes, failed) = RequestEnvelopes::new(shared, route, call.codec, given.encoding, body);
        guard.watch(failed);
        Body::of_pieces(envelopes)
    } else {
        let message = match call.is_stream {
            true => guard.run(only_message(body, &head.headers, given.encoding, settings)).await??,
            false => guard.run(read::read_encoded(body, &head.headers, given.encoding, settings)).await??,
        };
        Body::call(to_frame(shared, route, call.codec, &message)?)
    };
    Ok(grpc_request(route, metadata, head.extensions, timeout, body)?)
}

/// Receives the message and the trailers of a response that must have exactly one message.
async fn one_message(
    messages: &mut Messages,
    guard: &mut Guard,
    is_over: bool,
) -> Result<(Bytes, HeaderMap), Failure> {
    let first = match is_over {
        true => Next::End(HeaderMap::new()),
        false => guard.run(poll_fn(|cx| messages.poll_next(cx))).await??,
    };
    let Next::Message(message) = first else {
        return Err(Error::response("the service sent no message").into());
    };
    match guard.run(poll_fn(|cx| messages.poll_next(cx))).await?? {
        Next::End(trailers) => Ok((message, trailers)),
        Next::Message(_) => Err(Error::response("the service sent more than one message").into()),
    }
}

/// Converts a message of a request to binary, in a frame of gRPC.
///
/// # Errors
/// The message is not valid JSON of its type.
fn to_frame(shared: &Shared, route: &Route, codec: Codec, message: &[u8]) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(message.len() + 5);
    out.extend_from_slice(&[0; 5]);
    match codec {
        Codec::Proto => out.extend_from_slice(message),
        Codec::Json => convert::json_to_wire_with(&route.input, message, &mut out, &shared.connect.json)
            .map_err(|error| Error::argument(format!("the message: {error}")).caused_by(error))?,
    }
    let header = frame_header(out.len() - 5)?;
    out[..5].copy_from_slice(&header);
    Ok(out)
}

/// Converts a message of a response to the codec of the call.
///
/// # Errors
/// The message is not valid.
fn from_wire(shared: &Shared, route: &Route, codec: Codec, message: Bytes) -> Result<Bytes> {
    if codec == Codec::Proto {
        return Ok(message);
    }
    let mut json = Vec::with_capacity(message.len() * 2);
    convert::wire_to_json_with(&route.output, &message, &mut json, &shared.router.options().response)
        .map_err(crate::answer::wrong)?;
    Ok(json.into())
}

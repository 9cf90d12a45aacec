//! Handles one request, from its head to the head of its response.

use std::borrow::Cow;
use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use http::header::{CONTENT_TYPE, HeaderValue, TE, X_CONTENT_TYPE_OPTIONS};
use http::request::Parts;
use http::{Extensions, HeaderMap, Method, Request, Response, StatusCode, Uri, Version};
use tobu::Projection;
use tokio::time::Instant;
use tower_service::Service;
use tracing::{Instrument, field};

use super::grpc_web::{self, Web};
use super::guard::Guard;
use super::list_stream::ListStream;
use super::observe::Report;
use super::reply::{self, Failure};
use super::request_stream::RequestStream;
use super::response_stream::{Messages, Next, ResponseStream};
use super::{Body, BoxError, Shared, compress, connect, forward, read};
use crate::answer::Content;
use crate::code::Code;
use crate::error::{Category, Error, Result};
use crate::metadata::{request_metadata_with, request_timeout};
use crate::route::{RequestBody, ResponseBody, Route};
use crate::router::Match;
use crate::status::Status;
use crate::stream::{Framing, StreamEncoder, frame_header};

/// The parts of an HTTP request that are needed to write the response.
struct Asked {
    route: Arc<Route>,
    guard: Guard,
    headers: HeaderMap,
    uri: Uri,
    /// The selected fields of the response.
    fields: Option<Projection>,
    is_head: bool,
}

/// Answers a request, or forwards it. `start` is the time at which the request was received.
///
/// # Errors
/// The inner service fails on a forwarded request.
pub(super) async fn handle<S, R>(
    shared: Arc<Shared>,
    mut inner: S,
    mut request: Request<Body>,
    start: Instant,
) -> Result<Response<Body>, S::Error>
where
    S: Service<Request<Body>, Response = Response<R>>,
    S::Error: Into<BoxError>,
    R: http_body::Body + Send + 'static,
    R::Data: Send,
    R::Error: Into<BoxError>,
{
    if let Some(web) = Web::of(request.headers()) {
        if request.method() != Method::POST {
            return Ok(forward::refuse(&shared, &request, start, grpc_web::not_post()));
        }
        let response = forward::call(&shared, &mut inner, web.request(request), start).await?;
        return Ok(if is_grpc(response.headers()) { web.response(response) } else { response });
    }
    if is_grpc(request.headers()) {
        return forward::call(&shared, &mut inner, request, start).await;
    }
    if let Some(document) = shared.documents.find(request.method(), request.uri().path(), &shared.router) {
        return Ok(document);
    }
    if let Some(route) = connect::find(&shared, &request) {
        return Ok(connect::answer(shared, inner, request, route, start).await);
    }
    let method = request.method().clone();
    let id = shared.settings.request_id(request.headers());
    let te = request.headers().get_all(TE).iter().map(|value| (TE, value.clone())).collect();
    let found = match check_length(request.uri(), shared.settings.max_path) {
        Ok(()) => {
            let path = request.uri().path();
            let mut found = shared.router.find(&method, path).map(|found| found.shared_route());
            // A form in a browser may send its fields in the body of a `POST`.
            let is_form =
                method == Method::POST && shared.router.options().forms && is_form(request.headers());
            if found.is_err()
                && is_form
                && let Ok(other) = shared.router.find(&Method::GET, path)
            {
                found = Ok(other.shared_route());
                *request.method_mut() = Method::GET;
            }
            found
        }
        Err(error) => Err(error),
    };
    let span = tracing::info_span!(
        "transcode",
        "http.request.method" = %method,
        "http.route" = field::Empty,
        "rpc.method" = field::Empty,
        "http.response.status_code" = field::Empty,
    );
    // A stream takes ownership of the report, because the call ends when the stream ends.
    let mut report;
    let done = match found {
        Ok(route) => {
            span.record("http.route", field::display(route.template()));
            span.record("rpc.method", route.method().full_name());
            report = Some(Report::new(&shared, &method, id, Some(&route), start));
            answer(&shared, &mut inner, request, start, &mut report).instrument(span.clone()).await
        }
        Err(error) => {
            if error.category() == Category::NotFound {
                let (uri, headers) = (request.uri().clone(), request.headers().clone());
                let response = inner.call(request).await?;
                // A gRPC response says that the inner service does not have this method. Clients of other protocols get
                // the error as JSON.
                if !is_grpc(response.headers()) {
                    return Ok(response.map(Body::new));
                }
                if let Some(response) = connect::not_known(&shared, &uri, &headers) {
                    return Ok(response);
                }
            }
            report = Some(Report::new(&shared, &method, id, None, start));
            Err(Failure::from(error))
        }
    };
    let mut ending = (Code::Ok, None);
    let response = done.unwrap_or_else(|failure| {
        let response = failure.reply(&shared, &te);
        ending = (failure.status.code(), failure.into_detail());
        response
    });
    let response = if method == Method::HEAD { reply::without_body(response) } else { response };
    span.record("http.response.status_code", response.status().as_u16());
    if let Some(report) = report {
        report.answered(response.status());
        span.in_scope(|| report.ended(ending.0, ending.1.as_deref()));
    }
    Ok(response)
}

pub(super) fn is_grpc(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).map_or(&[][..], HeaderValue::as_bytes);
    kind.get(..16).is_some_and(|start| start.eq_ignore_ascii_case(b"application/grpc"))
}

fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// Checks the length of the path. The query is limited only by the number of its parameters.
fn check_length(uri: &Uri, max: usize) -> Result<()> {
    let len = uri.path().len();
    match len > max {
        true => {
            let text = format!("the path has {len} bytes, and the limit is {max} bytes");
            Err(Error::new(Category::PathTooLong, text))
        }
        false => Ok(()),
    }
}

async fn answer<S, R>(
    shared: &Arc<Shared>,
    inner: &mut S,
    request: Request<Body>,
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
    let (request, mut asked) = prepare(shared, request, start).await?;
    let response = asked.guard.run(inner.call(request)).await?.map_err(|error| {
        let status = Status::new(Code::Unavailable, "the service cannot be reached");
        Failure::from(status).caused_by(&*error.into())
    })?;
    let (head, body) = response.into_parts();
    let is_wrapped = asked.route.method().is_server_streaming() && shared.router.options().json_lines;
    check_head(shared, head.status, &head.headers).map_err(|failure| failure.wrapped(is_wrapped))?;
    let answered = respond(shared, asked, &head.headers, Body::new(body), report).await;
    // The headers that the service sent before it failed are part of the response.
    answered.map_err(|failure| failure.after(head.headers).wrapped(is_wrapped))
}

/// Makes the response from the body of the inner service's response.
async fn respond(
    shared: &Arc<Shared>,
    Asked { route, mut guard, headers, uri, mut fields, is_head }: Asked,
    head: &HeaderMap,
    body: Body,
    report: &mut Option<Report>,
) -> Result<Response<Body>, Failure> {
    let mut messages = Messages::new(body, head, shared.settings.max_response);
    // If the status is among the headers, the response has no messages.
    let is_over = Status::from_headers(head).is_some();
    let has_list = !is_over && !route.method().is_server_streaming() && route.has_list();
    if let Some(limit) = shared.settings.stream_lists.filter(|_| has_list)
        && let Some(encoding) = guard.run(poll_fn(|cx| messages.poll_long(limit, cx))).await??
        && let Some(json) = route.respond_in_chunks(shared.router.options(), fields.take())?
    {
        let json = json.max_held(shared.settings.max_response as u64);
        let list = ListStream::new(messages, encoding, json, limit, guard);
        return list_response(shared, list, head, &headers, is_head, report).await;
    }
    let first = match is_over {
        true => Next::End(HeaderMap::new()),
        false => guard.run(poll_fn(|cx| messages.poll_next(cx))).await??,
    };
    if route.method().is_server_streaming() {
        let mut response = Response::new(Body::empty());
        let encoder =
            framed(shared, (&route, fields.as_ref()), &first, &uri, &headers, response.headers_mut())?;
        shared.settings.response_metadata(head, response.headers_mut());
        // A response to `HEAD` has no body. So it is complete, and the call is canceled.
        if !is_head {
            let report = report.take().inspect(|report| report.answered(response.status()));
            let stream = ResponseStream::new(
                Arc::clone(shared),
                (route, fields),
                messages,
                guard,
                first,
                encoder,
                report,
            );
            *response.body_mut() = Body::of_pieces(stream);
        }
        return Ok(response);
    }
    let Next::Message(message) = first else {
        return Err(Error::response("the service sent no message").into());
    };
    let Next::End(trailers) = guard.run(poll_fn(|cx| messages.poll_next(cx))).await?? else {
        return Err(Error::response("the service sent more than one message").into());
    };
    let metadata = [head, &trailers];
    reply::message(shared, (&route, fields.as_ref()), &message, &uri, &headers, metadata)
        .map_err(|error| Failure::from(error).with_metadata(trailers))
}

/// Returns the response for a message with a list that is converted while it is received. If the message turns out to be
/// short, the response is sent as a whole.
async fn list_response(
    shared: &Shared,
    mut list: ListStream,
    metadata: &HeaderMap,
    request: &HeaderMap,
    is_head: bool,
    report: &mut Option<Report>,
) -> Result<Response<Body>, Failure> {
    let mut headers = HeaderMap::new();
    reply::json_headers(&mut headers);
    if let Some((text, trailers)) = list.first().await? {
        return Ok(reply::whole(shared, text, true, headers, request, [metadata, &trailers]));
    }
    shared.settings.response_metadata(metadata, &mut headers);
    let mut response = Response::new(Body::empty());
    *response.headers_mut() = headers;
    if !is_head {
        list.report = report.take().inspect(|report| report.answered(response.status()));
        *response.body_mut() = Body::of_pieces(list);
    }
    Ok(response)
}

/// Chooses the framing of a stream of responses. Adds the headers of the framing to `headers`, and returns the encoder, or
/// `None` if the responses are raw bytes. `first` is the first response.
fn framed(
    shared: &Shared,
    (route, fields): (&Route, Option<&Projection>),
    first: &Next,
    uri: &Uri,
    request: &HeaderMap,
    headers: &mut HeaderMap,
) -> Result<Option<StreamEncoder>> {
    let options = shared.router.options();
    let is_raw = matches!(route.response_body(), ResponseBody::Raw | ResponseBody::RawField(_));
    match is_raw {
        true => {
            let content = match first {
                Next::Message(message) => route.respond_fields(options, fields, message, &mut Vec::new())?,
                Next::End(_) => Content::Raw(String::new()),
            };
            reply::content_headers(shared, route, &content, uri, headers)?;
            Ok(None)
        }
        false => {
            let framing = match (options.arrays, options.json_lines) {
                (true, _) => Framing::Array,
                (false, true) => Framing::Lines,
                (false, false) => Framing::of_accept(request),
            };
            // If the first message is not valid, the HTTP status can still say so.
            if let Next::Message(message) = first {
                route.respond_fields(options, fields, message, &mut Vec::new())?;
            }
            let encoder = StreamEncoder::new(framing).wrapped(options.wrap_stream);
            let kind = if options.json_lines { "application/json" } else { framing.content_type() };
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
            headers.insert(X_CONTENT_TYPE_OPTIONS, reply::NOSNIFF);
            Ok(Some(encoder))
        }
    }
}

/// Checks the head of the inner service's response.
///
/// # Errors
/// The response is not a gRPC response, or its headers say that the call failed.
pub(super) fn check_head(shared: &Shared, http: StatusCode, headers: &HeaderMap) -> Result<(), Failure> {
    if !is_grpc(headers) || http != StatusCode::OK {
        let text = format!("the service answered with HTTP status {http}, not with gRPC");
        let failure = Failure::from(Status::new(Code::from_http_status(http), text));
        return Err(failure.after(shared.settings.listed(headers)));
    }
    match Status::from_headers(headers) {
        Some(status) if status.code() != Code::Ok => {
            Err(Failure::from(status).with_metadata(headers.clone()))
        }
        _ => Ok(()),
    }
}

/// Returns a gRPC request that calls a method.
///
/// # Errors
/// The name of the method is not a valid path.
pub(super) fn grpc_request(
    route: &Route,
    metadata: HeaderMap,
    extensions: Extensions,
    timeout: Option<Duration>,
    body: Body,
) -> Result<Request<Body>> {
    let mut request = Request::new(body);
    *request.method_mut() = Method::POST;
    *request.version_mut() = Version::HTTP_2;
    *request.uri_mut() = Uri::try_from(route.grpc_path())
        .map_err(|error| Error::response(format!("the path of the method: {error}")))?;
    *request.headers_mut() = metadata;
    *request.extensions_mut() = extensions;
    request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    request.headers_mut().insert(TE, HeaderValue::from_static("trailers"));
    if let Some(value) = timeout.and_then(|timeout| HeaderValue::try_from(grpc_timeout(timeout)).ok()) {
        request.headers_mut().insert("grpc-timeout", value);
    }
    Ok(request)
}

/// Converts an HTTP request to a gRPC request. If the request is not a stream, receives and checks its whole body before
/// the call.
async fn prepare(
    shared: &Arc<Shared>,
    request: Request<Body>,
    start: Instant,
) -> Result<(Request<Body>, Asked), Failure> {
    let (head, body) = request.into_parts();
    let found = shared.router.find(&head.method, head.uri.path())?;
    let route = found.shared_route();
    let settings = &shared.settings;
    let (headers, uri) = (head.headers.clone(), head.uri.clone());
    let metadata = request_metadata_with(&headers, &settings.matchers, |name, why| {
        tracing::warn!(header = name.as_str(), why, "a header is left out of the metadata");
    })?;
    let query = uri.query().unwrap_or_default();
    let fields = route.response_fields(shared.router.options(), query, &headers)?;
    let timeout = shorter(request_timeout(&headers)?, settings.timeout);
    let extensions = head.extensions.clone();
    let is_head = head.method == Method::HEAD;
    let mut guard = Guard::new(start, timeout);
    let body = match route.method().is_client_streaming() {
        true => {
            let decoder = compress::Decoder::new(compress::encoding_of(&headers)?, settings.max_body);
            let content_type = read::content_type(&route, shared.router.options(), &headers)?.to_owned();
            let (shared, route) = (Arc::clone(shared), Arc::clone(&route));
            let (stream, failed) = RequestStream::new(shared, route, head, content_type, body, decoder);
            guard.watch(failed);
            Body::of_pieces(stream)
        }
        false => Body::call(guard.run(message(&found, &head, body, settings)).await??),
    };
    let request = grpc_request(&route, metadata, extensions, timeout, body)?;
    Ok((request, Asked { route, guard, headers, uri, fields, is_head }))
}

/// Returns the message of a request that is not a stream, in a frame of gRPC.
async fn message(
    found: &Match<'_, '_>,
    head: &Parts,
    body: Body,
    settings: &super::builder::Settings,
) -> Result<Vec<u8>> {
    let mut body = read::read(body, &head.headers, settings).await?;
    let mut query = Cow::Borrowed(head.uri.query().unwrap_or_default());
    if found.options().forms && is_form(&head.headers) && *found.route().body() == RequestBody::None {
        let form = String::from_utf8(std::mem::take(&mut body).into())
            .map_err(|_| Error::argument("the form is not UTF-8"))?;
        query = format!("{form}&{query}").into();
    }
    let content_type = match body.is_empty() {
        true => "",
        false => read::content_type(found.route(), found.options(), &head.headers)?,
    };
    let mut out = vec![0; 5];
    let request = crate::bind::Request::new().query(&query).body(&body).content_type(content_type);
    found.bind(&request, &mut out)?;
    let header = frame_header(out.len() - 5)?;
    out[..5].copy_from_slice(&header);
    Ok(out)
}

pub(super) fn shorter(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Formats a timeout for gRPC, such as `1S` or `1500m`. The unit is the smallest with which the number has at most eight
/// digits.
fn grpc_timeout(timeout: Duration) -> String {
    let units = [(timeout.as_nanos(), 'n'), (timeout.as_micros(), 'u'), (timeout.as_millis(), 'm')];
    let fits = units.into_iter().find(|(amount, _)| *amount < 100_000_000);
    let (amount, unit) = fits.unwrap_or((u128::from(timeout.as_secs()), 'S'));
    format!("{}{unit}", amount.min(99_999_999))
}

//! The builder of a transcoder, and the transcoder's settings.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use tobu::{MethodDescriptor, Pool, ServiceDescriptor};

use super::connect::Connect;
use super::cors::{self, Cors};
use super::documents::{Documents, Published};
use super::origin::{FORWARDED, Forwarded, RequestId};
use super::raw_content::RawContent;
use super::{Observer, Shared, Transcoder};
use crate::error::{Error, Result};
use crate::metadata::{Matchers, response_metadata_with};
use crate::openapi::Document;
use crate::options::TranscodeOptions;
use crate::router::Router;
use crate::rule::ServiceConfig;
use crate::status::Status;

/// Collects services, configurations and limits for a [`Transcoder`].
#[derive(Clone, Default)]
pub struct TranscoderBuilder {
    pool: Option<Pool>,
    names: Vec<String>,
    all: bool,
    services: Vec<ServiceDescriptor>,
    configs: Vec<ServiceConfig>,
    options: TranscodeOptions,
    skip_bad_rules: bool,
    connect: Option<bool>,
    settings: Settings,
    published: Published,
    cors: Option<Cors>,
}

/// A function that returns a content type and a body to replace the JSON of a status, or `None` to keep it.
type ErrorBody = Arc<dyn Fn(StatusCode, &Status) -> Option<(HeaderValue, Bytes)> + Send + Sync>;

#[derive(Clone)]
pub(crate) struct Settings {
    pub(super) max_path: usize,
    pub(super) max_body: usize,
    pub(super) max_response: usize,
    /// The maximum length of a message that is converted while it is received. If it is `None`, each message is received
    /// as a whole.
    pub(super) stream_lists: Option<usize>,
    pub(super) read_timeout: Duration,
    pub(super) timeout: Option<Duration>,
    pub(super) matchers: Matchers,
    pub(super) request_id: Option<RequestId>,
    pub(super) forwarded: Option<Forwarded>,
    raw_content: RawContent,
    /// The settings of single methods, by the full names of the methods.
    raw_content_of: HashMap<String, RawContent>,
    pub(super) compress: bool,
    pub(super) observer: Option<Arc<dyn Observer>>,
    pub(super) error_body: Option<ErrorBody>,
    pub(super) cors: Option<cors::Compiled>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            max_path: 8 << 10,
            max_body: 4 << 20,
            max_response: 64 << 20,
            stream_lists: None,
            read_timeout: Duration::from_secs(30),
            timeout: None,
            matchers: Matchers::default(),
            request_id: None,
            forwarded: None,
            raw_content: RawContent::default(),
            raw_content_of: HashMap::new(),
            compress: true,
            observer: None,
            error_body: None,
            cors: None,
        }
    }
}

impl Settings {
    pub(super) fn observe(&self, tell: impl FnOnce(&dyn Observer)) {
        if let Some(observer) = &self.observer {
            tell(&**observer);
        }
    }

    pub(super) fn is_observed(&self) -> bool {
        self.observer.is_some()
    }

    /// Returns the id of a request, which its headers have.
    pub(super) fn request_id(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        headers.get(self.request_id.as_ref()?.header()).cloned()
    }

    pub(super) fn raw_content(&self, method: &MethodDescriptor) -> RawContent {
        self.raw_content_of.get(method.full_name()).copied().unwrap_or(self.raw_content)
    }

    /// Returns the listed headers of a response that is not a gRPC response. Such a response may come from a proxy before the
    /// service, which can also set `Retry-After`.
    pub(super) fn listed(&self, headers: &HeaderMap) -> HeaderMap {
        let listed = headers.iter().filter(|(name, _)| self.matchers.response_listed.contains(name));
        listed.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Converts the metadata of a response to headers, and adds them to `headers`.
    pub(super) fn response_metadata(&self, metadata: &HeaderMap, headers: &mut HeaderMap) {
        response_metadata_with(metadata, &self.matchers, headers);
    }
}

impl TranscoderBuilder {
    /// Sets the pool that has the services and the types of `Any`. The default is the global pool.
    #[must_use]
    pub fn pool(mut self, pool: &Pool) -> Self {
        self.pool = Some(pool.clone());
        self
    }

    /// Adds a service by its full name.
    #[must_use]
    pub fn service(mut self, full_name: impl Into<String>) -> Self {
        self.names.push(full_name.into());
        self
    }

    /// Adds all services of the pool. At least one of their methods must have a rule, unless [`connect`](Self::connect) serves
    /// them without rules.
    #[must_use]
    pub fn all_services(mut self) -> Self {
        self.all = true;
        self
    }

    /// Adds a service by its descriptor.
    #[must_use]
    pub fn descriptor(mut self, service: &ServiceDescriptor) -> Self {
        self.services.push(service.clone());
        self
    }

    /// Adds a configuration. Its rules replace the annotations of methods.
    #[must_use]
    pub fn config(mut self, config: ServiceConfig) -> Self {
        self.configs.push(config);
        self
    }

    /// Sets the options.
    #[must_use]
    pub fn options(mut self, options: TranscodeOptions) -> Self {
        self.options = options;
        self
    }

    /// Serves the valid rules if some rules are not valid. This option is off by default. The log and [`Router::skipped`]
    /// list the invalid rules. Use this option if somebody else writes the rules, so that an invalid rule does not affect
    /// other rules.
    #[must_use]
    pub fn skip_bad_rules(mut self, yes: bool) -> Self {
        self.skip_bad_rules = yes;
        self
    }

    /// Serves all methods of the services with [Connect](https://connectrpc.com/docs/protocol), even if they have no rule. This
    /// option is on by default. A `POST` of `/package.Service/Method` calls the method; its body is the message, in JSON or in
    /// binary. If the method has the option `idempotency_level = NO_SIDE_EFFECTS`, a `GET` also calls the method.
    ///
    /// All headers are converted to metadata, as in gRPC. If the template of a rule matches the path of a method, the rule
    /// serves the requests that cannot be recognized as Connect. With `connect(true)`,
    /// [`all_services`](Self::all_services) needs no rule.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// # let grpc = tonic::service::Routes::default();
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
    /// use http_body_util::BodyExt;
    /// use tobu_transcode::{Body, Transcoder};
    /// use tower::{Layer, ServiceExt};
    ///
    /// let transcoder = Transcoder::builder().pool(&pool).service("library.v1.Library").build()?;
    /// let request = http::Request::post("/library.v1.Library/GetShelf")
    ///     .header("content-type", "application/json")
    ///     .body(Body::full(r#"{"name":"shelves/1"}"#))?;
    /// let response = transcoder.layer(grpc).oneshot(request).await?;
    /// // This service implements no method.
    /// let body = response.into_body().collect().await.unwrap().to_bytes();
    /// assert_eq!(body, r#"{"code":"unimplemented"}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// ```
    #[must_use]
    pub fn connect(mut self, yes: bool) -> Self {
        self.connect = Some(yes);
        self
    }

    /// Lets pages of other origins call the service from a browser. By default, browsers refuse such calls.
    #[must_use]
    pub fn cors(mut self, cors: Cors) -> Self {
        self.cors = Some(cors);
        self
    }

    /// Converts request headers with this name to metadata, in addition to `Authorization`.
    #[must_use]
    pub fn header(mut self, name: HeaderName) -> Self {
        self.settings.matchers.listed.push(name);
        self
    }

    /// Converts response metadata with this name to a header of the same name, without the prefix `grpc-metadata-`. The header
    /// replaces a header of this name that the transcoder sets. Examples are `Retry-After`, `WWW-Authenticate`, `ETag` and
    /// `Content-Disposition`. Responses of calls that failed have these headers, too.
    ///
    /// Headers of the connection, and the content type, are never replaced. If you do not trust the service with your
    /// origin, do not list `Set-Cookie`, `Content-Security-Policy` and similar headers.
    #[must_use]
    pub fn response_header(mut self, name: HeaderName) -> Self {
        self.settings.matchers.response_listed.push(name);
        self
    }

    /// Sets a function that converts the name of a request header to a name of metadata. Headers for which the function returns
    /// `None` are not forwarded. The function replaces the [listed](Self::header) headers, and the rule for headers that begin
    /// with `Grpc-Metadata-`. `Authorization` is always converted to metadata, and headers of the connection never are.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// use tobu_transcode::Transcoder;
    ///
    /// let transcoder = Transcoder::builder()
    ///     .pool(&pool)
    ///     .service("library.v1.Library")
    ///     .header_matcher(|name| name.as_str().starts_with("x-").then(|| name.clone()))
    ///     .response_header_matcher(|name| name.as_str().strip_prefix("public-")?.parse().ok())
    ///     .build()?;
    /// # let _ = transcoder;
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    #[must_use]
    pub fn header_matcher(
        mut self,
        matcher: impl Fn(&HeaderName) -> Option<HeaderName> + Send + Sync + 'static,
    ) -> Self {
        self.settings.matchers.request = Some(Arc::new(matcher));
        self
    }

    /// Sets a function that converts the name of response metadata to the name of a header. Metadata for which the function
    /// returns `None` is left out. The function replaces the prefix `Grpc-Metadata-`. Metadata that is
    /// [listed](Self::response_header) keeps its name. Headers that belong to the connection, or that describe a body, are
    /// never set.
    #[must_use]
    pub fn response_header_matcher(
        mut self,
        matcher: impl Fn(&HeaderName) -> Option<HeaderName> + Send + Sync + 'static,
    ) -> Self {
        self.settings.matchers.response = Some(Arc::new(matcher));
        self
    }

    /// Gives each request an ID, which the service, the client and the observer get.
    #[must_use]
    pub fn request_id(mut self, id: RequestId) -> Self {
        self.settings.request_id = Some(id);
        self
    }

    /// Tells the service which client has sent a request, by metadata with the names `x-forwarded-for`, `x-forwarded-host`
    /// and `x-forwarded-proto`.
    #[must_use]
    pub fn forwarded(mut self, forwarded: Forwarded) -> Self {
        self.settings.forwarded = Some(forwarded);
        self
    }

    /// Sets what browsers may do with the bytes of a `google.api.HttpBody`. This setting applies to all methods without a
    /// [setting of their own](Self::raw_content_of). By default, browsers [save the bytes as a file](RawContent::Download).
    #[must_use]
    pub fn raw_content(mut self, content: RawContent) -> Self {
        self.settings.raw_content = content;
        self
    }

    /// Sets what browsers may do with the bytes in the responses of one method, which is given by its full name.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// use tobu_transcode::{RawContent, Transcoder};
    ///
    /// let transcoder = Transcoder::builder()
    ///     .pool(&pool)
    ///     .service("library.v1.Library")
    ///     .raw_content_of("library.v1.Library.GetCover", RawContent::Sandboxed)
    ///     .build()?;
    /// # let _ = transcoder;
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    #[must_use]
    pub fn raw_content_of(mut self, method: impl Into<String>, content: RawContent) -> Self {
        self.settings.raw_content_of.insert(method.into(), content);
        self
    }

    /// Sets how many bytes a path may have; 8 KiB by default.
    #[must_use]
    pub fn max_path(mut self, bytes: usize) -> Self {
        self.settings.max_path = bytes;
        self
    }

    /// Sets how many bytes the body of a request, or each message of a stream of requests, may have; 4 MiB by default. The
    /// limit also applies after decompression.
    #[must_use]
    pub fn max_body(mut self, bytes: usize) -> Self {
        self.settings.max_body = bytes;
        self
    }

    /// Sets how many bytes a message of a response may have; 64 MiB by default.
    #[must_use]
    pub fn max_response(mut self, bytes: usize) -> Self {
        self.settings.max_response = bytes;
        self
    }

    /// Streams long lists. If a response is one message whose body has a list, the message is converted while it is received,
    /// with backpressure from the client. Such a message may have `max` bytes. Each element of the list, and each other field,
    /// is kept in memory, and may have as many bytes as [any message](Self::max_response).
    ///
    /// The body is the same, byte for byte, if the service writes fields in the order of their numbers, as all common
    /// libraries do. See [`WireToJson`](tobu::convert::WireToJson). If both the message and its JSON are longer than 64 KiB,
    /// the response differs in other points. Therefore this option is off by default:
    ///
    /// * The status line is sent before the call ends. If the call then fails, the response is truncated.
    /// * There is no `Content-Length`, and the body is not compressed.
    /// * The trailing metadata of the call is lost.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// use tobu_transcode::Transcoder;
    ///
    /// let transcoder = Transcoder::builder()
    ///     .pool(&pool)
    ///     .service("library.v1.Library")
    ///     .stream_lists(1 << 30)
    ///     .build()?;
    /// # let _ = transcoder;
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    #[must_use]
    pub fn stream_lists(mut self, max: usize) -> Self {
        self.settings.stream_lists = Some(max);
        self
    }

    /// Sets how long a client may take to send the body of a request that is not a stream; 30 seconds by default.
    #[must_use]
    pub fn read_timeout(mut self, timeout: Duration) -> Self {
        self.settings.read_timeout = timeout;
        self
    }

    /// Sets the timeout of calls. A request may set a shorter timeout, but not a longer one. The answer is sent up to 5 ms
    /// before the timeout.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.settings.timeout = Some(timeout);
        self
    }

    /// Sets whether responses are compressed for clients that accept compression. By default they are.
    #[must_use]
    pub fn compress(mut self, yes: bool) -> Self {
        self.settings.compress = yes;
        self
    }

    /// Sets the observer of all requests of all protocols.
    #[must_use]
    pub fn observer(mut self, observer: impl Observer + 'static) -> Self {
        self.settings.observer = Some(Arc::new(observer));
        self
    }

    /// Sets a function that replaces the bodies of errors for clients of REST. It returns a content type and a body. If the
    /// function returns `None`, the body is a `google.rpc.Status` as JSON. An error in a stream that has begun is always a
    /// `google.rpc.Status` as JSON.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// # let grpc = tonic::service::Routes::default();
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
    /// use http::HeaderValue;
    /// use http_body_util::BodyExt;
    /// use tobu_transcode::{Body, Transcoder};
    /// use tower::{Layer, ServiceExt};
    ///
    /// let problem = HeaderValue::from_static("application/problem+json");
    /// let transcoder = Transcoder::builder()
    ///     .pool(&pool)
    ///     .service("library.v1.Library")
    ///     .error_body(move |http, status| {
    ///         let body = format!(r#"{{"status":{},"title":"{:?}"}}"#, http.as_u16(), status.code());
    ///         Some((problem.clone(), body.into()))
    ///     })
    ///     .build()?;
    /// let request = http::Request::get("/v1/shelves/%zz").body(Body::empty())?;
    /// let response = transcoder.layer(grpc).oneshot(request).await?;
    /// assert_eq!(response.headers()["content-type"], "application/problem+json");
    /// let body = response.into_body().collect().await.unwrap().to_bytes();
    /// assert_eq!(body, r#"{"status":400,"title":"InvalidArgument"}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// ```
    #[must_use]
    pub fn error_body(
        mut self,
        replace: impl Fn(StatusCode, &Status) -> Option<(HeaderValue, Bytes)> + Send + Sync + 'static,
    ) -> Self {
        self.settings.error_body = Some(Arc::new(replace));
        self
    }

    /// Serves the OpenAPI document of the rules at a path. The document has priority over rules with the same path.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// use tobu_transcode::Transcoder;
    ///
    /// let transcoder = Transcoder::builder()
    ///     .pool(&pool)
    ///     .service("library.v1.Library")
    ///     .openapi("/openapi.json")
    ///     .page("/")
    ///     .build()?;
    /// # let _ = transcoder;
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    #[must_use]
    pub fn openapi(mut self, path: impl Into<String>) -> Self {
        self.published.openapi = Some(path.into());
        self
    }

    /// Sets the title, the version and the servers of the OpenAPI document. The default is [`Document::of`] the rules.
    #[must_use]
    pub fn document(mut self, document: Document) -> Self {
        self.published.document = Some(document);
        self
    }

    /// Serves a page at a path, on which people can read the OpenAPI document and try its operations.
    #[must_use]
    pub fn page(mut self, path: impl Into<String>) -> Self {
        self.published.page = Some(path.into());
        self
    }

    /// Compiles the rules.
    ///
    /// # Errors
    /// The pool does not have a service, [all services](Self::all_services) together have no rule, the path of
    /// [`openapi`](Self::openapi) or [`page`](Self::page) or a setting of [`cors`](Self::cors) is not valid, or
    /// [`RouterBuilder::build`](crate::RouterBuilder::build) fails.
    pub fn build(self) -> Result<Transcoder> {
        let pool = self.pool.clone().unwrap_or_else(Pool::global);
        let options = match self.pool {
            Some(pool) => self.options.pool(&pool),
            None => self.options,
        };
        let mut router = Router::builder().options(options).skip_bad_rules(self.skip_bad_rules);
        let mut services = Vec::new();
        for name in &self.names {
            let service = pool.service(name);
            services.push(service.ok_or_else(|| Error::rule(format!("the pool has no service {name:?}")))?);
        }
        services.extend(self.services.iter().cloned());
        services.extend(pool.services().filter(|_| self.all));
        for service in &services {
            router = router.service(service);
        }
        for config in self.configs {
            router = router.config(config);
        }
        let router = router.build()?;
        let connect = Connect::new(services.iter(), router.options(), self.connect != Some(false))?;
        let is_enough = self.connect == Some(true) && connect.has_methods();
        if self.all && router.routes().len() == 0 && !is_enough {
            return Err(match router.skipped() {
                [] => Error::rule("no method of the pool has a google.api.http rule"),
                skipped => Error::bad_rules(skipped.to_vec()),
            });
        }
        let documents = Documents::new(&self.published)?;
        for rule in router.skipped() {
            // The text is a field of the event, because fields are escaped. So a schema of another server cannot begin a
            // new line in the log.
            tracing::warn!(error = rule.to_string(), "a rule is skipped");
        }
        let mut settings = self.settings;
        settings.matchers.permanent = router.options().permanent_headers;
        let id = settings.request_id.iter().map(|id| id.header().clone());
        let forwarded = settings.forwarded.iter().flat_map(|_| FORWARDED);
        settings.matchers.own = id.clone().chain(forwarded).collect();
        let listed: Vec<HeaderName> = settings.matchers.listed.iter().cloned().chain(id.clone()).collect();
        let exposed: Vec<HeaderName> = settings.matchers.response_listed.iter().cloned().chain(id).collect();
        let cors = self.cors.map(|cors| cors.compile(&listed, &exposed));
        settings.cors = cors.transpose()?;
        Ok(Transcoder(Arc::new(Shared { router, connect, documents, settings })))
    }

    /// Sets the pool of another builder, if this builder has no pool.
    pub(super) fn or_pool_of(mut self, other: &Self) -> Self {
        self.pool = self.pool.or_else(|| other.pool.clone());
        self
    }

    pub(super) fn current_observer(&self) -> Option<Arc<dyn Observer>> {
        self.settings.observer.clone()
    }
}

impl fmt::Debug for TranscoderBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let services = self.services.iter().map(ServiceDescriptor::full_name);
        let names: Vec<&str> = self.names.iter().map(String::as_str).chain(services).collect();
        f.debug_struct("TranscoderBuilder").field("services", &names).finish_non_exhaustive()
    }
}

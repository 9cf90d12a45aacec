//! Holds everything that depends on one configuration and one schema. A valid change of either leads to a new state. After an
//! invalid change, the gateway keeps the old state.

use std::pin::Pin;
use std::str::FromStr;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{HeaderName, Request, Response};
use tobu::Pool;
use tobu_transcode::{
    Body, Cors, Forwarded, Metrics, Peer, RequestId, ServiceConfig, TranscodeOptions, TranscodeService,
    Transcoder, TranscoderBuilder,
};
use tokio_rustls::TlsAcceptor;
use toml::Spanned;
use tonic::transport::{Channel, Endpoint, Error};
use tower_layer::Layer as _;
use tower_service::Service;

use crate::auth::Auth;
use crate::config::Config;
use crate::front::is_grpc;
use crate::{schema, tls};

pub(crate) struct State {
    pub(crate) config: Config,
    pub(crate) transcoder: Transcoder,
    pub(crate) service: TranscodeService<Calls>,
    pub(crate) channel: Channel,
    pub(crate) auth: Option<Auth>,
    pub(crate) tls: Option<TlsAcceptor>,
    pub(crate) rules: usize,
}

impl State {
    /// # Errors
    /// The schema does not fit the configuration, or a file is invalid.
    pub(crate) fn new(
        config: &Config,
        channel: Channel,
        pool: &Pool,
        metrics: &Metrics,
    ) -> Result<Self, String> {
        let transcoder = recipe(config)?.pool(pool).observer(metrics.clone()).build();
        let transcoder: Transcoder = transcoder.map_err(|error| error.to_string())?;
        let tables = &config.tables;
        let rules = transcoder.router().routes().len();
        Ok(State {
            rules,
            service: transcoder.layer(Calls(channel.clone())),
            transcoder,
            channel,
            auth: tables.auth.as_ref().map(|auth| Auth::new(config, auth)).transpose()?,
            tls: tables.tls.as_ref().map(|tls| tls::acceptor(config, tls)).transpose()?,
            config: config.clone(),
        })
    }
}

/// Returns a channel to the upstream server. The channel opens its connection at the first request.
///
/// # Errors
/// The address is invalid, or a file for TLS is invalid.
pub(crate) fn channel(config: &Config) -> Result<Channel, String> {
    let upstream = &config.tables.upstream;
    let wrong = |error: &dyn std::error::Error| {
        config.wrong(&upstream.url, format!("{}: {error}", upstream.url.get_ref()))
    };
    let endpoint = Endpoint::from_shared(upstream.url.get_ref().clone()).map_err(|error| wrong(&error))?;
    let mut endpoint = endpoint
        .connect_timeout(Duration::from_millis(upstream.connect_timeout_ms))
        .tcp_nodelay(true)
        .http2_keep_alive_interval(Duration::from_secs(30));
    match endpoint.uri().scheme_str() {
        Some("https") => {
            let tls = tls::client(config, upstream)?;
            endpoint = endpoint.tls_config(tls).map_err(|error| wrong(&error))?;
        }
        Some("http") if endpoint.uri().authority().is_some() => {}
        _ => {
            return Err(config
                .wrong(&upstream.url, "the upstream server is named by a URL, such as `http://127.0.0.1:50051`"));
        }
    }
    Ok(endpoint.connect_lazy())
}

/// Checks everything that can be checked without the upstream server. Returns a summary.
///
/// # Errors
/// The first error that the check finds.
pub(crate) async fn check(config: &Config) -> Result<String, String> {
    let channel = channel(config)?;
    match schema::of_files(config)? {
        Some((pool, _)) => {
            let state = State::new(config, channel, &pool, &Metrics::new())?;
            Ok(format!("the configuration is valid, with {} rules", state.rules))
        }
        None => {
            let tables = &config.tables;
            recipe(config)?;
            tables.auth.as_ref().map(|auth| Auth::new(config, auth)).transpose()?;
            tables.tls.as_ref().map(|tls| tls::acceptor(config, tls)).transpose()?;
            Ok("the configuration is valid; the schema is that of the server".into())
        }
    }
}

fn recipe(config: &Config) -> Result<TranscoderBuilder, String> {
    let tables = &config.tables;
    let rest = &tables.rest;
    let options = match rest.preset.as_ref().map(|preset| (preset, preset.get_ref().as_str())) {
        None | Some((_, "tobu")) => TranscodeOptions::new(),
        Some((_, "envoy")) => TranscodeOptions::envoy(),
        Some((_, "grpc_gateway")) => TranscodeOptions::grpc_gateway(),
        Some((_, "vanguard")) => TranscodeOptions::vanguard(),
        Some((preset, name)) => {
            let text = format!("{name:?} is not a preset: there are tobu, envoy, grpc_gateway and vanguard");
            return Err(config.wrong(preset, text));
        }
    };
    let limits = &tables.limits;
    let mut builder = Transcoder::builder()
        .options(options.auto_mapping(rest.auto_mapping))
        .skip_bad_rules(!rest.strict_rules)
        .connect(!rest.no_connect)
        .max_body(limits.max_body)
        .max_response(limits.max_response)
        .read_timeout(Duration::from_millis(limits.read_timeout_ms))
        .request_id(RequestId::new())
        .forwarded(
            Forwarded::new(|extensions| extensions.get::<Peer>().copied())
                .trust(tables.headers.trust_forwarded),
        );
    if let Some(timeout) = tables.upstream.timeout_ms {
        builder = builder.timeout(Duration::from_millis(timeout));
    }
    if !tables.paths.openapi.is_empty() {
        builder = builder.openapi(&*tables.paths.openapi);
    }
    if !tables.paths.page.is_empty() {
        builder = builder.page(&*tables.paths.page);
    }
    for name in &tables.headers.request {
        builder = builder.header(header(config, name)?);
    }
    for name in &tables.headers.response {
        builder = builder.response_header(header(config, name)?);
    }
    if let Some(file) = &rest.service_config {
        let text = String::from_utf8(config.content(file)?).map_err(|error| config.wrong(file, error))?;
        let named = |error| format!("{}: {error}", config.path(file).display());
        let rules = ServiceConfig::from_yaml(&text).map_err(|error| config.wrong(file, named(error)))?;
        builder = builder.config(rules);
    }
    builder = match rest.services.is_empty() {
        true => builder.all_services(),
        false => rest.services.iter().fold(builder, |builder, name| builder.service(name.get_ref())),
    };
    if let Some(cors) = &tables.cors {
        let origins = cors.origins.get_ref();
        let mut setting = match origins.iter().any(|origin| origin == "*") {
            true if origins.len() > 1 => {
                return Err(config.wrong(&cors.origins, "`*` is any origin, and stands alone"));
            }
            true => Cors::any(),
            false => Cors::origins(origins.clone()),
        };
        setting = setting.credentials(cors.credentials);
        if let Some(seconds) = cors.max_age_seconds {
            setting = setting.max_age(Duration::from_secs(seconds));
        }
        builder = builder.cors(setting);
    }
    Ok(builder)
}

fn header(config: &Config, name: &Spanned<String>) -> Result<HeaderName, String> {
    HeaderName::from_str(name.get_ref())
        .map_err(|error| config.wrong(name, format!("{:?}: {error}", name.get_ref())))
}

/// Forwards gRPC calls to the upstream server. The response to any other request is the status `Unimplemented`.
#[derive(Clone)]
pub(crate) struct Calls(Channel);

impl Service<Request<Body>> for Calls {
    type Response = Response<tonic::body::Body>;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        if !is_grpc(request.headers()) {
            let response = tonic::Status::unimplemented("the upstream server takes gRPC only").into_http();
            return Box::pin(async { Ok(response) });
        }
        let answer = self.0.call(request.map(tonic::body::Body::new));
        Box::pin(async move {
            Ok(answer.await.unwrap_or_else(|error| {
                // The client does not get the reason, because it may contain internal details.
                tracing::warn!(?error, "the upstream server cannot be reached");
                tonic::Status::unavailable("the service cannot be reached").into_http()
            }))
        })
    }
}

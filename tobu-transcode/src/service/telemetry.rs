//! An observer that records the durations of requests and calls with instruments of OpenTelemetry.
//!
//! Specification: <https://opentelemetry.io/docs/specs/semconv/http/http-metrics/> and
//! <https://opentelemetry.io/docs/specs/semconv/rpc/rpc-metrics/>.

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, Meter};

use super::Transcoder;
use super::metrics::{label, name};
use super::observe::{Ending, Observer, Outcome};
use crate::error::{Error, Result};

/// The upper limits of the buckets in seconds, from the semantic conventions.
const BUCKETS: [f64; 14] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0];

/// An [`Observer`] that records requests with a meter of OpenTelemetry.
///
/// | instrument | kind, unit | attributes |
/// | --- | --- | --- |
/// | `http.server.request.duration` | histogram up to the head of the response, s | `http.request.method`, `http.route`, `http.response.status_code` |
/// | `rpc.server.call.duration` | histogram up to the end of streams, s | `rpc.system.name`, `rpc.method`, `rpc.response.status_code` |
/// | `tobu.transcode.reloads` | counter | `result`: `changed` or `refused` |
///
/// If a request has no rule, it has no `http.route` and no `rpc.method`. If its HTTP method is unusual, `http.request.method`
/// is `_OTHER`. So clients cannot create new time series. The layer also records spans of `tracing`, which the crate
/// `tracing-opentelemetry` can export.
///
/// ```
/// # let pool = tobu_transcode_schemas::pool();
/// use tobu_transcode::{Telemetry, Transcoder};
///
/// let meter = opentelemetry::global::meter("gateway");
/// let transcoder = Transcoder::builder()
///     .pool(&pool)
///     .service("library.v1.Library")
///     .observer(Telemetry::new(&meter))
///     .build()?;
/// # drop(transcoder);
/// # Ok::<(), tobu_transcode::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Telemetry {
    requests: Histogram<f64>,
    calls: Histogram<f64>,
    reloads: Counter<u64>,
}

impl Telemetry {
    /// Creates the instruments with a meter.
    pub fn new(meter: &Meter) -> Self {
        let seconds = |name: &'static str, what: &'static str| {
            let histogram = meter.f64_histogram(name).with_unit("s").with_description(what);
            histogram.with_boundaries(BUCKETS.to_vec()).build()
        };
        Telemetry {
            requests: seconds(
                "http.server.request.duration",
                "The duration of requests until the head of the response.",
            ),
            calls: seconds("rpc.server.call.duration", "The duration of calls."),
            reloads: meter
                .u64_counter("tobu.transcode.reloads")
                .with_description("Changes of the rules.")
                .build(),
        }
    }
}

impl Observer for Telemetry {
    fn answered(&self, outcome: &Outcome<'_>) {
        let method = match label(outcome.http_method) {
            "other" => "_OTHER",
            name => name,
        };
        let mut attributes = vec![
            KeyValue::new("http.request.method", method),
            KeyValue::new("http.response.status_code", i64::from(outcome.status.as_u16())),
        ];
        let route = outcome.route.map(|route| route.template().as_str().to_owned());
        attributes.extend(route.map(|route| KeyValue::new("http.route", route)));
        self.requests.record(outcome.elapsed.as_secs_f64(), &attributes);
    }

    fn ended(&self, ending: &Ending<'_>) {
        let mut attributes = vec![
            KeyValue::new("rpc.system.name", "grpc"),
            KeyValue::new("rpc.response.status_code", name(ending.code)),
        ];
        let method = ending.route.map(|route| route.grpc_path().trim_start_matches('/').to_owned());
        attributes.extend(method.map(|method| KeyValue::new("rpc.method", method)));
        self.calls.record(ending.elapsed.as_secs_f64(), &attributes);
    }

    fn reloaded(&self, outcome: Result<&Transcoder, &Error>) {
        let result = if outcome.is_ok() { "changed" } else { "refused" };
        self.reloads.add(1, &[KeyValue::new("result", result)]);
    }
}

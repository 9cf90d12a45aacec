//! An observer that counts and times requests, and writes the result in the text format of Prometheus.
//!
//! Specification: <https://prometheus.io/docs/instrumenting/exposition_formats/>.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::Method;

use super::Transcoder;
use super::observe::{Ending, Observer, Outcome};
use crate::code::Code;
use crate::error::{Error, Result};

/// The upper limits of the buckets of durations, in seconds.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// An [`Observer`] that counts requests for Prometheus.
///
/// Clones share their counters. Give one clone to the transcoder, and answer `/metrics` with another.
///
/// | metric | kind | labels |
/// | --- | --- | --- |
/// | `tobu_transcode_requests_total` | counter | `grpc_method`, `http_method`, `code` of gRPC |
/// | `tobu_transcode_responses_total` | counter | `status` of HTTP |
/// | `tobu_transcode_request_seconds` | histogram, up to the end of streams | `grpc_method`, `http_method` |
/// | `tobu_transcode_reloads_total` | counter | `result`: `changed` or `refused` |
///
/// If a request has no rule, its `grpc_method` is empty. If its HTTP method is unusual, `http_method` is `other`. So clients
/// cannot create new time series.
///
/// ```
/// # let pool = tobu_transcode_schemas::pool();
/// use tobu_transcode::{Metrics, Transcoder};
///
/// let metrics = Metrics::new();
/// let transcoder = Transcoder::builder()
///     .pool(&pool)
///     .service("library.v1.Library")
///     .observer(metrics.clone())
///     .build()?;
/// // A handler of `/metrics` answers with this text, whose content type is `text/plain; version=0.0.4`.
/// assert!(metrics.text().contains("# TYPE tobu_transcode_requests_total counter"));
/// # drop(transcoder);
/// # Ok::<(), tobu_transcode::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Metrics(Arc<Mutex<Counts>>);

#[derive(Default)]
struct Counts {
    /// The calls, by their HTTP methods, and then by the full names of their gRPC methods.
    calls: BTreeMap<&'static str, BTreeMap<String, Calls>>,
    responses: BTreeMap<u16, u64>,
    changed: u64,
    refused: u64,
}

#[derive(Default)]
struct Calls {
    by_code: BTreeMap<&'static str, u64>,
    /// How many calls ended in each bucket. A bucket does not include the smaller buckets.
    buckets: [u64; BUCKETS.len()],
    count: u64,
    elapsed: Duration,
}

impl Metrics {
    /// Creates counters that are all zero.
    pub fn new() -> Self {
        Metrics::default()
    }

    /// Returns the counters as text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = self.counts().write(&mut out);
        out
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        // After a panic, the counters are still usable, because each change is one addition.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn write(&self, out: &mut String) -> fmt::Result {
        let rows = || {
            let calls = self.calls.iter();
            calls.flat_map(|(http, rows)| rows.iter().map(move |(grpc, row)| (*http, grpc.as_str(), row)))
        };
        head(out, "requests_total", "counter", "Finished requests, by the code of gRPC.")?;
        for (http, grpc, row) in rows() {
            for (code, count) in &row.by_code {
                writeln!(
                    out,
                    "tobu_transcode_requests_total{{grpc_method=\"{grpc}\",http_method=\"{http}\",code=\"{code}\"}} {count}"
                )?;
            }
        }
        head(out, "responses_total", "counter", "Responses, by the status of HTTP.")?;
        for (status, count) in &self.responses {
            writeln!(out, "tobu_transcode_responses_total{{status=\"{status}\"}} {count}")?;
        }
        head(
            out,
            "request_seconds",
            "histogram",
            "The duration of requests, which includes the whole stream for a streaming call.",
        )?;
        for (http, grpc, row) in rows() {
            let name = "tobu_transcode_request_seconds";
            let labels = format!("grpc_method=\"{grpc}\",http_method=\"{http}\"");
            let mut below = 0;
            for (end, count) in BUCKETS.iter().zip(row.buckets) {
                below += count;
                writeln!(out, "{name}_bucket{{{labels},le=\"{end}\"}} {below}")?;
            }
            writeln!(out, "{name}_bucket{{{labels},le=\"+Inf\"}} {}", row.count)?;
            writeln!(out, "{name}_sum{{{labels}}} {}", row.elapsed.as_secs_f64())?;
            writeln!(out, "{name}_count{{{labels}}} {}", row.count)?;
        }
        head(out, "reloads_total", "counter", "Changes of the rules.")?;
        for (result, count) in [("changed", self.changed), ("refused", self.refused)] {
            writeln!(out, "tobu_transcode_reloads_total{{result=\"{result}\"}} {count}")?;
        }
        Ok(())
    }
}

fn head(out: &mut String, name: &str, kind: &str, help: &str) -> fmt::Result {
    writeln!(out, "# HELP tobu_transcode_{name} {help}\n# TYPE tobu_transcode_{name} {kind}")
}

impl Observer for Metrics {
    fn answered(&self, outcome: &Outcome<'_>) {
        *self.counts().responses.entry(outcome.status.as_u16()).or_default() += 1;
    }

    fn ended(&self, ending: &Ending<'_>) {
        let grpc = ending.route.map(|route| route.method().full_name()).unwrap_or_default();
        let mut counts = self.counts();
        let methods = counts.calls.entry(label(ending.http_method)).or_default();
        let calls = match methods.get_mut(grpc) {
            Some(calls) => calls,
            None => methods.entry(grpc.to_owned()).or_default(),
        };
        *calls.by_code.entry(name(ending.code)).or_default() += 1;
        let seconds = ending.elapsed.as_secs_f64();
        if let Some(bucket) = BUCKETS.iter().position(|end| seconds <= *end) {
            calls.buckets[bucket] += 1;
        }
        calls.count += 1;
        calls.elapsed += ending.elapsed;
    }

    fn reloaded(&self, outcome: Result<&Transcoder, &Error>) {
        let mut counts = self.counts();
        match outcome {
            Ok(_) => counts.changed += 1,
            Err(_) => counts.refused += 1,
        }
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

/// Returns the name of a usual HTTP method, or `other`.
pub(super) fn label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

/// Returns gRPC's name of a code.
pub(super) fn name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

//! The spans of a program that serves two requests. The second request fails.

use crate::proto::common::v1::{AnyValue, InstrumentationScope, KeyValue, any_value::Value};
use crate::proto::resource::v1::Resource;
use crate::proto::trace::v1::span::{Event, SpanKind};
use crate::proto::trace::v1::status::StatusCode;
use crate::proto::trace::v1::{ResourceSpans, ScopeSpans, Span, Status};

const START: u64 = 1_700_000_000_000_000_000;
const MILLISECOND: u64 = 1_000_000;

/// Returns the spans in the order in which they ended.
pub fn record() -> Vec<Span> {
    let mut failed = request(2, "GET /shelves/9");
    failed.kind = SpanKind::SERVER;
    failed.events.push(Event {
        time_unix_nano: START + 2 * MILLISECOND,
        name: "exception".to_owned(),
        attributes: vec![attribute("exception.type", Value::StringValue("NotFound".to_owned()))],
        ..Default::default()
    });
    failed.status =
        Some(Status { message: "no such shelf".to_owned(), code: StatusCode::ERROR, ..Default::default() });
    vec![query(1), request(1, "GET /books/1"), failed]
}

fn request(number: u8, name: &str) -> Span {
    Span {
        trace_id: vec![number; 16],
        span_id: vec![number; 8],
        name: name.to_owned(),
        kind: SpanKind::SERVER,
        start_time_unix_nano: START,
        end_time_unix_nano: START + 5 * MILLISECOND,
        attributes: vec![
            attribute("http.request.method", Value::StringValue("GET".to_owned())),
            attribute("server.port", Value::IntValue(8080)),
        ],
        ..Default::default()
    }
}

fn query(number: u8) -> Span {
    Span {
        trace_id: vec![number; 16],
        span_id: vec![number + 0xa0; 8],
        parent_span_id: vec![number; 8],
        name: "SELECT books".to_owned(),
        kind: SpanKind::CLIENT,
        start_time_unix_nano: START + MILLISECOND,
        end_time_unix_nano: START + 3 * MILLISECOND,
        attributes: vec![attribute("db.cached", Value::BoolValue(false))],
        ..Default::default()
    }
}

fn attribute(key: &str, value: Value) -> KeyValue {
    let value = AnyValue { value: Some(value), ..Default::default() };
    KeyValue { key: key.to_owned(), value: Some(value), ..Default::default() }
}

/// Wraps the spans of a batch in a `ResourceSpans`, which says which service and library recorded them.
pub fn resource_spans(spans: Vec<Span>) -> ResourceSpans {
    let service = attribute("service.name", Value::StringValue("library".to_owned()));
    let scope =
        InstrumentationScope { name: "http".to_owned(), version: "1.0".to_owned(), ..Default::default() };
    ResourceSpans {
        resource: Some(Resource { attributes: vec![service], ..Default::default() }),
        scope_spans: vec![ScopeSpans { scope: Some(scope), spans, ..Default::default() }],
        ..Default::default()
    }
}

/// Describes a span in one line for people.
pub fn describe(span: &Span) -> String {
    let kind = match span.kind {
        SpanKind::SERVER => "answered",
        SpanKind::CLIENT => "asked",
        SpanKind::PRODUCER | SpanKind::CONSUMER => "passed on",
        _ => "did",
    };
    let code = span.status.as_ref().map(|status| status.code).unwrap_or_default();
    let milliseconds = (span.end_time_unix_nano - span.start_time_unix_nano) / MILLISECOND;
    format!("{kind} {} in {milliseconds} ms: {code}", span.name)
}

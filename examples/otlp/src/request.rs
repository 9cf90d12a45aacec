//! Generates requests from a seed.

use crate::by_prost::{
    AnyValue, KeyValue, Request, Resource, ResourceSpans, Scope, ScopeSpans, Span, Status,
};
use prost::Message;

const NAMES: [&str; 4] = ["GET /v1/books/{name}", "POST /v1/loans", "SELECT library", "publish"];
const KEYS: [&str; 5] =
    ["http.request.method", "url.path", "server.address", "db.system.name", "user_agent.original"];

/// Generates a request with 400 spans of two services.
pub fn encoded(seed: u64) -> Vec<u8> {
    let mut state = seed;
    // A linear congruential generator with Knuth's multiplier. Its upper bits are random enough.
    let mut number = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let attribute = |number: &mut dyn FnMut(u64) -> u64| {
        let text = format!("value-{}", number(1_000));
        let value = Some(AnyValue { string_value: Some(text) });
        KeyValue { key: KEYS[number(5) as usize].into(), value }
    };
    let span = |number: &mut dyn FnMut(u64) -> u64| {
        let start = 1_796_000_000_000_000_000 + number(1 << 30) * 1_000;
        let mut id = |count| (0..count).map(|_| number(256) as u8).collect();
        let (trace_id, span_id, parent_span_id) = (id(16), id(8), id(8));
        Span {
            trace_id,
            span_id,
            parent_span_id,
            name: NAMES[number(4) as usize].into(),
            kind: number(6) as i32,
            start_time_unix_nano: start,
            end_time_unix_nano: start + number(1 << 30),
            attributes: (0..6).map(|_| attribute(number)).collect(),
            status: (number(5) == 0).then(|| Status { message: "deadline exceeded".into(), code: 2 }),
        }
    };
    let resource_spans = (0..2).map(|_| ResourceSpans {
        resource: Some(Resource { attributes: vec![attribute(&mut number)] }),
        scope_spans: ["library.http", "library.db"]
            .map(|name| ScopeSpans {
                scope: Some(Scope { name: name.into(), version: "1.4.2".into() }),
                spans: (0..100).map(|_| span(&mut number)).collect(),
            })
            .into(),
    });
    Request { resource_spans: resource_spans.collect() }.encode_to_vec()
}

//! Messages of each kind, made by a seed.

use crate::types::*;
use prost::Message;

/// A small generator of numbers.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// SplitMix64: <https://prng.di.unimi.it/splitmix64.c>.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len() as u64) as usize]
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }
}

const NAMES: [&str; 6] =
    ["GET /v1/books/{name}", "POST /v1/loans", "SELECT library", "redis.get", "render shelf page", "publish"];
const KEYS: [&str; 8] = [
    "http.request.method",
    "http.response.status_code",
    "server.address",
    "url.path",
    "db.system.name",
    "network.peer.port",
    "user_agent.original",
    "messaging.system",
];

fn attribute(rng: &mut Rng) -> KeyValue {
    let value = match rng.below(8) {
        0..5 => Value::String(format!("{}-{}", rng.pick(&["frontend", "books", "loans"]), rng.below(1000))),
        5 | 6 => Value::Int(rng.below(1 << 20) as i64),
        _ => Value::Bool(rng.below(2) == 0),
    };
    KeyValue { key: rng.pick(&KEYS).into(), value: Some(AnyValue { value: Some(value) }) }
}

/// 1,200 spans of six resources.
pub fn traces(seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let span = |rng: &mut Rng| {
        let start = 1_796_000_000_000_000_000 + rng.below(1 << 40);
        Span {
            trace_id: rng.bytes(16),
            span_id: rng.bytes(8),
            parent_span_id: if rng.below(5) == 0 { Vec::new() } else { rng.bytes(8) },
            name: rng.pick(&NAMES).into(),
            kind: rng.below(6) as i32,
            start_time_unix_nano: start,
            end_time_unix_nano: start + rng.below(1 << 30),
            attributes: (0..4 + rng.below(5)).map(|_| attribute(rng)).collect(),
            status: (rng.below(4) == 0).then(|| Status { message: "deadline exceeded".into(), code: 2 }),
        }
    };
    let resource_spans = (0..6).map(|_| ResourceSpans {
        resource: Some(Resource { attributes: (0..5).map(|_| attribute(&mut rng)).collect() }),
        scope_spans: (0..2)
            .map(|_| ScopeSpans {
                scope: Some(Scope { name: "library.http".into(), version: "1.4.2".into() }),
                spans: (0..100).map(|_| span(&mut rng)).collect(),
            })
            .collect(),
    });
    Traces { resource_spans: resource_spans.collect() }.encode_to_vec()
}

/// 1,000 flows.
pub fn flows(seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let flow = |_| {
        let start = 1_796_000_000_000_000_000 + rng.below(1 << 40);
        Flow {
            time_received_ns: start + 1_000_000_000,
            sequence_num: rng.next() as u32,
            sampling_rate: 1000,
            sampler_address: rng.bytes(4),
            time_flow_start_ns: start,
            time_flow_end_ns: start + rng.below(1 << 33),
            bytes: rng.below(1 << 22),
            packets: rng.below(1 << 12),
            src_addr: rng.bytes(16),
            dst_addr: rng.bytes(16),
            etype: 0x86dd,
            proto: [6, 17][rng.below(2) as usize],
            src_port: rng.below(1 << 16) as u32,
            dst_port: [53, 80, 443][rng.below(3) as usize],
            in_if: rng.below(200) as u32,
            out_if: rng.below(200) as u32,
            src_mac: rng.below(1 << 48),
            dst_mac: rng.below(1 << 48),
            tcp_flags: rng.below(64) as u32,
            src_as: rng.below(1 << 18) as u32,
            dst_as: rng.below(1 << 18) as u32,
        }
    };
    Flows { flows: (0..1000).map(flow).collect() }.encode_to_vec()
}

/// 500 series with their labels, and up to four samples each.
pub fn write(seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let series = |_| {
        let label = |name: &str, value: String| Label { name: name.into(), value };
        let labels = vec![
            label("__name__", format!("http_requests_{}_total", rng.pick(&["books", "loans", "shelves"]))),
            label("instance", format!("10.0.{}.{}:9090", rng.below(256), rng.below(256))),
            label("job", rng.pick(&["library", "gateway"]).into()),
            label("method", rng.pick(&["GET", "POST", "PUT"]).into()),
            label("code", rng.pick(&["200", "404", "503"]).into()),
            label("zone", rng.pick(&["eu-west-1a", "eu-west-1b"]).into()),
        ];
        let at = 1_796_000_000_000 + rng.below(1 << 24) as i64;
        let sample =
            |index| Sample { value: rng.below(1 << 30) as f64 / 16.0, timestamp: at + 15_000 * index };
        let count = 1 + at % 4;
        Series { labels, samples: (0..count).map(sample).collect() }
    };
    Write { timeseries: (0..500).map(series).collect() }.encode_to_vec()
}

/// 500 lines, some of them with a stack.
pub fn logs(seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let line = |_| Line {
        time: 1_796_000_000_000_000_000 + rng.below(1 << 40),
        severity: [9, 9, 9, 13, 17][rng.below(5) as usize],
        body: format!("request {:x} to {} took {} ms", rng.next(), rng.pick(&NAMES), rng.below(900)),
        tags: (0..3)
            .map(|at| {
                (
                    ["pod", "zone", "version"][at].to_owned(),
                    format!("{}-{}", rng.pick(&["a", "b"]), rng.below(50)),
                )
            })
            .collect(),
        stack: (0..if rng.below(6) == 0 { 6 } else { 0 })
            .map(|_| Frame {
                file: format!("src/{}.rs", rng.pick(&["main", "shelf", "loan"])),
                line: rng.below(900) as u32,
            })
            .collect(),
    };
    Logs { host: "library-7f9c6d".into(), lines: (0..500).map(line).collect() }.encode_to_vec()
}

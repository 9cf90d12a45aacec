//! From wire to JSON and back over a schema known at run time: for finding regressions.

mod sample;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tobu::convert::{json_to_wire, wire_to_json};

fn measure<T: tobu::Message + tobu::Serialize>(c: &mut Criterion, name: &str, message: &T) {
    let bytes = tobu::to_vec(message).expect("encodes");
    let descriptor = T::descriptor();
    let mut text = Vec::new();
    wire_to_json(&descriptor, &bytes, &mut text).expect("has JSON");
    let mut out = Vec::new();
    let mut group = c.benchmark_group("convert");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function(BenchmarkId::new("wire_to_json", name), |b| {
        b.iter(|| {
            out.clear();
            wire_to_json(&descriptor, black_box(&bytes), &mut out)
        });
    });
    group.bench_function(BenchmarkId::new("json_to_wire", name), |b| {
        b.iter(|| {
            out.clear();
            json_to_wire(&descriptor, black_box(&text), &mut out)
        });
    });
    group.finish();
}

fn convert(c: &mut Criterion) {
    sample::for_each_message!(measure, c);
}

criterion_group!(benches, convert);
criterion_main!(benches);

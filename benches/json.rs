//! JSON on a message of every shape: for finding regressions.

mod sample;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

fn measure<T>(c: &mut Criterion, name: &str, message: &T)
where
    T: tobu::Message
        + tobu::Serialize
        + for<'de> tobu::Deserialize<'de>
        + for<'de> tobu::Merge<'de>
        + Default,
{
    let text = tobu::json::to_string(message).expect("has JSON");
    let mut group = c.benchmark_group("json");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function(BenchmarkId::new("encode", name), |b| {
        b.iter(|| tobu::json::to_vec(black_box(message)))
    });
    let mut buffer = Vec::new();
    group.bench_function(BenchmarkId::new("append", name), |b| {
        b.iter(|| {
            buffer.clear();
            tobu::json::Options::new().append(black_box(message), &mut buffer)
        });
    });
    group.bench_function(BenchmarkId::new("decode", name), |b| {
        b.iter(|| tobu::json::from_str::<T>(black_box(&text)))
    });
    let mut place = T::default();
    group.bench_function(BenchmarkId::new("decode_in_place", name), |b| {
        b.iter(|| tobu::json::from_str_in_place(&mut place, black_box(&text)));
    });
    group.finish();
}

fn json(c: &mut Criterion) {
    sample::for_each_message!(measure, c);
}

criterion_group!(benches, json);
criterion_main!(benches);

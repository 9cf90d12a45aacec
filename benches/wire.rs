//! The wire format on a message of every shape: for finding regressions. `benches/compare` sets tobu next to others.

mod sample;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tobu::MessageDescriptorExt;

fn measure<T>(c: &mut Criterion, name: &str, message: &T)
where
    T: tobu::Message
        + tobu::Serialize
        + for<'de> tobu::Deserialize<'de>
        + for<'de> tobu::Merge<'de>
        + Default,
{
    let bytes = tobu::to_vec(message).expect("encodes");
    let mut group = c.benchmark_group("wire");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function(BenchmarkId::new("encode", name), |b| b.iter(|| tobu::to_vec(black_box(message))));
    group.bench_function(BenchmarkId::new("encoded_len", name), |b| {
        b.iter(|| tobu::encoded_len(black_box(message)))
    });
    group.bench_function(BenchmarkId::new("decode", name), |b| {
        b.iter(|| tobu::from_slice::<T>(black_box(&bytes)))
    });
    let mut place = T::default();
    group.bench_function(BenchmarkId::new("decode_in_place", name), |b| {
        b.iter(|| tobu::from_slice_in_place(&mut place, black_box(&bytes)));
    });
    let descriptor = T::descriptor();
    group.bench_function(BenchmarkId::new("decode_run_time", name), |b| {
        b.iter(|| descriptor.decode::<serde_json::Value>(black_box(&bytes)));
    });
    group.finish();
}

fn wire(c: &mut Criterion) {
    sample::for_each_message!(measure, c);
}

criterion_group!(benches, wire);
criterion_main!(benches);

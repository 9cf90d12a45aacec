//! Messages of a schema known at run time, and schemas themselves: for finding regressions.

mod sample;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tobu::reflect::{MessageRef, ValueRef};
use tobu::{DynamicMessage, Pool};

fn measure<T: tobu::Message + tobu::Serialize>(c: &mut Criterion, name: &str, message: &T) {
    let bytes = tobu::to_vec(message).expect("encodes");
    let shared = bytes::Bytes::from(bytes.clone());
    let descriptor = T::descriptor();
    let dynamic = DynamicMessage::decode(&descriptor, &bytes).expect("decodes");
    let mut group = c.benchmark_group("dynamic");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function(BenchmarkId::new("decode", name), |b| {
        b.iter(|| DynamicMessage::decode(&descriptor, black_box(&bytes)))
    });
    group.bench_function(BenchmarkId::new("decode_shared", name), |b| {
        b.iter(|| DynamicMessage::decode_bytes(&descriptor, black_box(shared.clone())))
    });
    group
        .bench_function(BenchmarkId::new("encode", name), |b| b.iter(|| black_box(&dynamic).encode_to_vec()));
    group.bench_function(BenchmarkId::new("read", name), |b| {
        b.iter(|| leaves(ValueRef::Message(MessageRef::new(black_box(&dynamic)))))
    });
    group.finish();
}

/// How many values there are.
fn leaves(value: ValueRef<'_>) -> usize {
    match value {
        ValueRef::Message(message) => message.fields().map(|(_, value)| leaves(value)).sum(),
        ValueRef::List(list) => list.iter().map(leaves).sum(),
        ValueRef::Map(map) => {
            let mut sum = 0;
            map.visit(&mut |_, value| {
                sum += leaves(value);
                true
            });
            sum
        }
        _ => 1,
    }
}

fn dynamic(c: &mut Criterion) {
    sample::for_each_message!(measure, c);
}

fn pool(c: &mut Criterion) {
    let pool = Pool::global();
    let set = pool.to_descriptor_set();
    let mut group = c.benchmark_group("pool");
    group.throughput(Throughput::Bytes(set.len() as u64));
    group.bench_function("load", |b| b.iter(|| Pool::from_descriptor_set(black_box(&set))));
    group.finish();
}

criterion_group!(benches, dynamic, pool);
criterion_main!(benches);

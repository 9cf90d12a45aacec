//! The wire format on a message of every shape: for finding regressions. `benches/compare` sets tobu next to others.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::collections::HashMap;
use std::hint::black_box;
use tobu_schemas::corpus::corpus::v3::{Leaf, Lists, Maps, Scalars, Tree};
use tobu_schemas::library::v1::{Book, Genre, Loan, Shelf, book};

fn library() -> Shelf {
    let book = |i: u32| Book {
        title: format!("The title of book {i}"),
        authors: vec!["First Author".into(), "Second Author".into()],
        pages: 100 + i,
        genre: Genre::FICTION,
        place: Some(match i % 2 {
            0 => book::Place::Position(i),
            _ => book::Place::Loan(Loan { reader: "A reader".into(), days: -3, ..Loan::default() }),
        }),
        grades: vec![1, -2, 3, -4, 5],
        ..Book::default()
    };
    Shelf {
        name: "shelves/fiction".into(),
        theme: Some("science fiction".into()),
        books: (0..20).map(book).collect(),
        copies: (0..20).map(|i| (format!("97804410{i:05}"), i)).collect(),
        ..Shelf::default()
    }
}

fn packed() -> Lists {
    Lists {
        f_double: (0..1000).map(f64::from).collect(),
        f_float: vec![1.5; 1000],
        f_int32: (-500..500).collect(),
        f_uint64: (0..1000).map(|i| i << 20).collect(),
        ..Lists::default()
    }
}

fn scalars() -> Scalars {
    Scalars {
        f_double: 1.5,
        f_int32: -1,
        f_uint64: 1 << 40,
        f_sint32: -7,
        f_string: "text".into(),
        ..Scalars::default()
    }
}

fn maps() -> Maps {
    Maps {
        f_int32: (0..100).map(|i| (i, i)).collect(),
        f_leaf: HashMap::from_iter((0..100).map(|i| (i.to_string(), Leaf { a: i, ..Leaf::default() }))),
        ..Maps::default()
    }
}

fn deep() -> Tree {
    (0..60).fold(Tree::default(), |inner, i| Tree {
        name: format!("level {i}"),
        left: Some(Box::new(inner)),
        ..Tree::default()
    })
}

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
    measure(c, "library", &library());
    measure(c, "packed", &packed());
    measure(c, "scalars", &scalars());
    measure(c, "maps", &maps());
    measure(c, "deep", &deep());
}

criterion_group!(benches, wire);
criterion_main!(benches);

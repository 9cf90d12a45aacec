//! Measures how long it takes to find the route of a request, to convert the request to a message, and to convert a message to
//! a response.
#![allow(missing_docs, reason = "of what the macros of criterion make")]

#[path = "../tests/allocations/bodies.rs"]
mod bodies;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use http::Method;
use std::hint::black_box;
use tobu_transcode::{HttpRule, Request, Router};

/// Returns a router of `count` routes with templates like those of real APIs, and a path that one of the routes matches.
fn many(count: usize) -> (Router, String) {
    let pool = tobu_transcode_schemas::pool();
    let method = pool.method("library.v1.Library.GetBook").expect("is there");
    let mut router = Router::default();
    for number in 0..count {
        let (version, collection) = (number % 7, number / 7);
        let template = match number % 3 {
            0 => format!("/v{version}/{{name=projects/*/locations/*/col{collection}/*}}"),
            1 => format!("/v{version}/{{name=projects/*/locations/*/col{collection}/*}}:act"),
            _ => format!("/v{version}/{{name=projects/*/col{collection}/*/items/*}}"),
        };
        router.add_rule(&method, &HttpRule::new("GET", &template)).expect("fits");
    }
    let (version, collection) = ((count / 2) % 7, (count / 2) / 7);
    let path = match (count / 2) % 3 {
        0 => format!("/v{version}/projects/my-project/locations/here/col{collection}/one"),
        1 => format!("/v{version}/projects/my-project/locations/here/col{collection}/one:act"),
        _ => format!("/v{version}/projects/my-project/col{collection}/one/items/two"),
    };
    (router, path)
}

fn find(c: &mut Criterion) {
    let mut group = c.benchmark_group("find");
    for count in [1_000, 15_000] {
        let (router, path) = many(count);
        group.bench_function(format!("{count} routes"), |b| {
            b.iter(|| {
                router.find(&Method::GET, black_box(&path)).expect("is there").route().grpc_path().len()
            });
        });
    }
    group.finish();
}

fn transcode(c: &mut Criterion) {
    let pool = tobu_transcode_schemas::pool();
    let service = pool.service("library.v1.Library").expect("is there");
    let router = Router::builder().service(&service).build().expect("is valid");
    let descriptor = pool.message("library.v1.Book").expect("is there");
    for (kind, body) in [("usual", bodies::usual()), ("dense", bodies::dense())] {
        let path = "/v1/shelves/fiction/books";
        let request = Request::new().query("bookId=dune").body(body.as_bytes());
        let mut group = c.benchmark_group(format!("request, {kind}"));
        group.throughput(Throughput::Bytes(body.len() as u64));
        let mut out = Vec::new();
        group.bench_function("find and bind", |b| {
            b.iter(|| {
                out.clear();
                let found = router.find(&Method::POST, black_box(path)).expect("is there");
                found.bind(&request, &mut out).expect("fits");
                out.len()
            });
        });
        // This measures which part of the time of `find and bind` is spent on the JSON of the body.
        group.bench_function("the body alone", |b| {
            b.iter(|| {
                out.clear();
                tobu::convert::json_to_wire(&descriptor, black_box(body.as_bytes()), &mut out).expect("fits");
                out.len()
            });
        });
        group.finish();

        let mut wire = Vec::new();
        tobu::convert::json_to_wire(&descriptor, body.as_bytes(), &mut wire).expect("fits");
        let found = router.find(&Method::GET, "/v1/shelves/1/books/2").expect("is there");
        let mut group = c.benchmark_group(format!("response, {kind}"));
        group.throughput(Throughput::Bytes(body.len() as u64));
        group.bench_function("respond", |b| {
            b.iter(|| {
                out.clear();
                found.route().respond(router.options(), black_box(&wire), &mut out).expect("is valid");
                out.len()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, find, transcode);
criterion_main!(benches);

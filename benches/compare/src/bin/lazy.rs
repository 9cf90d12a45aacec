//! Messages of which little is read: decoded at once, and when they are read.
//!
//! The shape is the one that lazy decoding is for: a large message within another one, of which the reader looks at a few
//! fields next to it. The descriptors are those of a data set with their source info.
//!
//! ```console
//! $ cargo run --release --manifest-path benches/compare/Cargo.toml --bin lazy
//! ```
//!
//! `--write` keeps the table in `benches/RESULTS.md`.

use bytes::Bytes;
use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;
use tobu::{DecodeOptions, Message, MessageDescriptorExt};
use tobu_compare::{DATASETS, SCHEMAS, lazy_types, least, payloads, sections};
use tobu_compare::{tobu_lazy, tobu_opaque};

#[path = "../alloc.rs"]
mod alloc;

/// A request with a header and a large body, as a server sees it that only passes the body on.
#[derive(Clone, Default, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "bench.lazy", direct)]
struct Eager {
    #[tobu(1)]
    method: String,
    #[tobu(2)]
    user: u64,
    #[tobu(3)]
    body: Option<Box<tobu_opaque::gobshape::Big>>,
}

/// The same with a lazy body.
#[derive(Clone, Default, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "bench.lazy", direct)]
struct Lazy {
    #[tobu(1)]
    method: String,
    #[tobu(2)]
    user: u64,
    #[tobu(3)]
    body: tobu::lazy::Lazy<tobu_opaque::gobshape::Big>,
}

fn main() -> Result<(), Box<dyn Error>> {
    tobu_compare::heap::keep_what_is_freed();
    let write = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("--write") => true,
        Some(_) => return Err("usage: lazy [--write]".into()),
    };
    let pool = tobu::Pool::from_descriptor_set(SCHEMAS)?;
    let mut table = Table::default();

    let bodies: Vec<tobu_opaque::gobshape::Big> = payloads(&pool, "shape_big", Path::new(DATASETS))?
        .iter()
        .map(|bytes| tobu::from_slice(bytes))
        .collect::<Result<_, _>>()?;
    let requests: Vec<Bytes> = bodies
        .into_iter()
        .map(|body| {
            Eager { method: "Put".into(), user: 7, body: Some(Box::new(body)) }
                .encode_to_vec()
                .map(Bytes::from)
        })
        .collect::<Result<_, _>>()?;
    let read = |method: &str, user: u64| black_box(method.len() as u64 + user);
    table.row(
        "request, two fields of it read",
        &requests,
        |bytes| tobu::from_slice::<Eager>(bytes).map(|message| read(&message.method, message.user)),
        |bytes| tobu::from_slice::<Lazy>(bytes).map(|message| read(&message.method, message.user)),
    )?;
    table.row(
        "the same, of `Bytes`",
        &requests,
        |bytes| tobu::from_bytes::<Eager>(bytes).map(|message| read(&message.method, message.user)),
        |bytes| tobu::from_bytes::<Lazy>(bytes).map(|message| read(&message.method, message.user)),
    )?;
    table.row(
        "the same, and encoded again",
        &requests,
        |bytes| tobu::from_bytes::<Eager>(bytes)?.encode_to_vec().map(|bytes| black_box(bytes.len() as u64)),
        |bytes| tobu::from_bytes::<Lazy>(bytes)?.encode_to_vec().map(|bytes| black_box(bytes.len() as u64)),
    )?;
    table.row(
        "the same, and the body read",
        &requests,
        |bytes| {
            let message = tobu::from_bytes::<Eager>(bytes)?;
            Ok(black_box(message.body.is_some() as u64))
        },
        |bytes| {
            let message = tobu::from_bytes::<Lazy>(bytes)?;
            Ok(black_box(message.body.get().is_some() as u64))
        },
    )?;

    for set in ["descriptor_set", "descriptor_set_src"] {
        let sets: Vec<Bytes> =
            payloads(&pool, set, Path::new(DATASETS))?.into_iter().map(Bytes::from).collect();
        let eager = DecodeOptions::new().lazy(false);
        type Set = tobu_lazy::google::protobuf::FileDescriptorSet;
        let names = |set: &Set| set.file().iter().map(|file| file.name().len() as u64).sum::<u64>();
        table.row(
            &format!("{set}, the names of files read"),
            &sets,
            |bytes| eager.from_bytes::<Set>(bytes).map(|set| black_box(names(&set))),
            |bytes| tobu::from_bytes::<Set>(bytes).map(|set| black_box(names(&set))),
        )?;
    }

    let text = table.text() + &beside()?;
    print!("{text}");
    if write {
        sections::write("lazy", &text)?;
    }
    Ok(())
}

/// A way to read two fields of a request: the sum of what it read.
type Read<'a> = Box<dyn Fn(&Bytes) -> Result<u64, Box<dyn Error>> + 'a>;

/// The same two fields by each way of tobu and of buffa, and what each finds of a request whose body is not a message.
fn beside() -> Result<String, Box<dyn Error>> {
    use buffa::{LazyMessageView, Message as _, MessageView};
    use lazy_types::{buffa as other, tobu as own, tobu_lazy as own_lazy};

    let sum = |method: &str, user: u64| black_box(method.len() as u64 + user);
    let descriptor = own::bench::lazy::Request::descriptor();
    let two = descriptor.project(&["method", "user"])?;
    let some = DecodeOptions::new().fields(&two);
    let ways: [(&str, Read<'_>); 7] = [
        (
            "tobu, all of it",
            Box::new(|bytes| {
                let request = tobu::from_bytes::<own::bench::lazy::Request>(bytes)?;
                Ok(sum(&request.method, request.user))
            }),
        ),
        (
            "tobu, view",
            Box::new(|bytes| {
                let request = tobu::from_slice::<own::bench::lazy::RequestView<'_>>(bytes)?;
                Ok(sum(request.method, request.user))
            }),
        ),
        (
            "tobu, lazy body",
            Box::new(|bytes| {
                let request = tobu::from_bytes::<own_lazy::bench::lazy::Request>(bytes)?;
                Ok(sum(request.method(), request.user()))
            }),
        ),
        (
            "tobu, projection",
            Box::new(|bytes| {
                let request = some.from_slice::<own::bench::lazy::RequestView<'_>>(bytes)?;
                Ok(sum(request.method, request.user))
            }),
        ),
        (
            "buffa, all of it",
            Box::new(|bytes| {
                let request = other::bench::lazy::Request::decode_from_slice(bytes)?;
                Ok(sum(&request.method, request.user))
            }),
        ),
        (
            "buffa, view",
            Box::new(|bytes| {
                let request = other::bench::lazy::RequestView::decode_view(bytes)?;
                Ok(sum(request.method, request.user))
            }),
        ),
        (
            "buffa, lazy view",
            Box::new(|bytes| {
                let request = other::bench::lazy::RequestLazyView::decode_lazy(bytes)?;
                Ok(sum(request.method, request.user))
            }),
        ),
    ];

    let request = request().encode_to_vec()?;
    // The last byte of the body is that of a length: the body ends within a field.
    let broken = own::bench::lazy::Request { method: "Put".into(), user: 7, ..Default::default() };
    let broken = Bytes::from([broken.encode_to_vec()?, vec![0x1a, 2, 0x0a, 9]].concat());
    let request = Bytes::from(request);
    let lazy = other::bench::lazy::RequestLazyView::decode_lazy(&broken)?;
    assert!(lazy.to_owned_message().is_err(), "buffa finds it when the body is read");
    let mut runs: Vec<least::Run<'_>> = Vec::new();
    for (name, read) in &ways {
        assert_eq!(read(&request)?, 10, "{name}");
        runs.push(Box::new(|| (0..100).for_each(|_| _ = black_box(read(black_box(&request))))));
    }
    let times = least::least(&mut runs, 2000, Duration::from_secs(20));
    drop(runs);
    let mut text = BESIDE.to_owned();
    for ((name, read), time) in ways.iter().zip(times) {
        let allocs = alloc::counted(|| _ = black_box(read(&request))).0;
        let finds = if read(&broken).is_err() { "an error" } else { "nothing" };
        writeln!(text, "| {name} | {:.0} | {allocs} | {finds} |", time.as_nanos() as f64 / 100.0)?;
    }
    Ok(text)
}

/// A request with a body of 20 lines.
fn request() -> lazy_types::tobu::bench::lazy::Request {
    use lazy_types::tobu::bench::lazy::{Address, Line, Order, Request};
    let line = |number: i64| Line {
        number,
        code: format!("C-{number:06}"),
        label: "a label of some thirty letters".into(),
        pieces: 3,
        price: 9.5,
        tags: vec!["new".into(), "in stock".into()],
        ..Line::default()
    };
    let to = Address {
        street: "1 Long Street".into(),
        town: "Small Town".into(),
        code: "12345".into(),
        country: "Elsewhere".into(),
        ..Address::default()
    };
    let body = Order {
        name: "orders/1".into(),
        customer: "customers/1".into(),
        to: Some(to),
        lines: (0..20).map(line).collect(),
        labels: [("kind".into(), "express".into()), ("shop".into(), "north".into())].into(),
        is_paid: true,
        total: 570.0,
        ..Order::default()
    };
    Request { method: "Put".into(), user: 7, body: Some(body), ..Request::default() }
}

const BESIDE: &str = "
Two fields of a request, and not its body of 20 lines, by each way of tobu and of buffa. The last column is what a way
finds when the body is not a message. Whoever finds nothing takes the body for bytes: it does not look for truncated
fields, invalid UTF-8, wrong wire types, or messages nested too deeply. buffa's lazy view finds them when the body is
read. A projection leaves the body out. tobu's lazy body is validated whole, and then kept as bytes.

| what is decoded | ns | allocations | broken body |
| --- | --: | --: | --- |
";

#[derive(Default)]
struct Table(String);

impl Table {
    /// Both ways over all inputs: nanoseconds, and allocations, per message.
    fn row(
        &mut self,
        name: &str,
        inputs: &[Bytes],
        eager: impl Fn(&Bytes) -> tobu::Result<u64>,
        lazy: impl Fn(&Bytes) -> tobu::Result<u64>,
    ) -> Result<(), Box<dyn Error>> {
        for bytes in inputs {
            assert_eq!(eager(bytes)?, lazy(bytes)?, "{name}");
        }
        let count = inputs.len() as f64;
        let all = |way: &dyn Fn(&Bytes) -> tobu::Result<u64>| {
            for bytes in inputs {
                black_box(way(black_box(bytes)).is_ok());
            }
        };
        let mut runs: [least::Run<'_>; 2] = [Box::new(|| all(&eager)), Box::new(|| all(&lazy))];
        let times = least::least(&mut runs, 1000, Duration::from_secs(4));
        drop(runs);
        let nanos: Vec<f64> = times.iter().map(|time| time.as_nanos() as f64 / count).collect();
        let allocs = [&eager as &dyn Fn(&Bytes) -> tobu::Result<u64>, &lazy]
            .map(|way| alloc::counted(|| all(way)).0 as f64 / count);
        let change = |of: &[f64]| 100.0 * (of[1] / of[0] - 1.0);
        writeln!(
            self.0,
            "| {name} | {:.0} | {:.0} | {:+.0} % | {:.1} | {:.1} | {:+.0} % |",
            nanos[0],
            nanos[1],
            change(&nanos),
            allocs[0],
            allocs[1],
            change(&allocs),
        )?;
        Ok(())
    }

    fn text(&self) -> String {
        format!(
            "## lazy\n\n\
             A message of which little is read: all of it decoded at once, and a large message in it kept as bytes, by\n\
             `cargo run --release --manifest-path benches/compare/Cargo.toml --bin lazy -- --write`. Lazy messages are\n\
             validated whole. A figure is the shortest of many short turns, per message.\n\n\
             {}.\n\n\
             | what is decoded | at once ns | lazy ns | | at once allocations | lazy allocations | |\n\
             | --- | --: | --: | --: | --: | --: | --: |\n{}",
            sections::machine(),
            self.0
        )
    }
}

//! Streams of messages in five shapes, those that encoding/gob is measured by: how large they are, and how long it
//! takes to write and to read them. Described streams carry their schema, as those of gob and Avro do; delimited
//! messages and bincode require that the reader knows the type.
//!
//! ```console
//! $ cargo run --release --manifest-path benches/compare/Cargo.toml --features described --bin described
//! ```
//!
//! `--write` keeps the table in `benches/RESULTS.md`.

mod avro;
mod gob;

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;
use tobu::stream::described::{Compression, Options, Reader, Writer};
use tobu::{Message, MessageDescriptor, MessageReader, MessageWriter, Pool};
use tobu_compare::{least, payloads, prost_serde, prost_types, sections, tobu_types};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// A stream has so many bytes of messages at least.
const LEAST: usize = 256 << 10;

/// The figures of a stream.
pub struct Figures {
    bytes: usize,
    write: Duration,
    read: Duration,
}

/// The same messages, so many times one after the other.
struct Stream {
    descriptor: MessageDescriptor,
    payloads: Vec<Vec<u8>>,
    repeat: usize,
}

const COLUMNS: [&str; 7] = [
    "tobu described",
    "tobu described, gzip",
    "tobu delimited",
    "prost delimited",
    "encoding/gob",
    "Avro container",
    "bincode",
];

fn main() -> Outcome {
    tobu_compare::heap::keep_what_is_freed();
    let write = std::env::args().any(|argument| argument == "--write");
    let pool = Pool::from_descriptor_set(tobu_compare::SCHEMAS)?;
    let gob = gob::Gob::build(&pool);
    if let Err(error) = &gob {
        println!("gob is left out: {error}");
    }
    let gob = gob.ok();
    let mut table =
        format!("| shape | figure | {} |\n| --- | --- |{}\n", COLUMNS.join(" | "), " --: |".repeat(7));
    macro_rules! shapes {
        ($($set:literal $name:ident;)*) => {$(
            let stream = Stream::load(&pool, $set, concat!("gobshape.", stringify!($name)))?;
            let figures = measure::<
                tobu_types::gobshape::$name,
                prost_types::gobshape::$name,
                prost_serde::gobshape::$name,
            >(&stream, gob.as_ref())?;
            table += &rows(stringify!($name), &stream, &figures);
            eprintln!("{}", stringify!($name));
        )*};
    }
    shapes! {
        "shape_tiny" Tiny;
        "shape_medium" Medium;
        "shape_big" Big;
        "shape_huge" Huge;
        "shape_map_heavy" MapHeavy;
    }
    println!("{table}");
    if write {
        sections::write(
            "described",
            &format!("{ABOUT}\n{}, {}.\n\n{table}", sections::machine(), gob::version()),
        )?;
    }
    Ok(())
}

const ABOUT: &str = "\
## described

Streams of messages in the shapes that encoding/gob is measured by, by `benches/compare/streams --write`. Figures
are per message, of streams of 256 KiB of messages or more: bytes, and microseconds to write and to read it. Described
streams, gob and Avro's container carry their schema; described ones have a checksum per block besides. Delimited
messages and bincode are for who knows the type. Messages are structs in memory before and after, but for Avro: its
values are generic ones. gob is Go's own, on the same messages. Short streams are the messages of a data set again and
again, which gzip makes use of. A figure is the shortest of many short turns.
";

impl Stream {
    fn load(pool: &Pool, set: &str, message: &str) -> Outcome<Self> {
        let payloads = payloads(pool, set, Path::new(tobu_compare::DATASETS))?;
        let descriptor = pool.message(message).ok_or("no such message")?;
        let repeat = LEAST.div_ceil(payloads.iter().map(Vec::len).sum());
        Ok(Stream { descriptor, payloads, repeat })
    }

    fn len(&self) -> usize {
        self.payloads.len() * self.repeat
    }

    /// The messages of a type.
    fn all<T>(&self, decode: impl Fn(&[u8]) -> T) -> Vec<T> {
        (0..self.repeat).flat_map(|_| self.payloads.iter().map(|payload| decode(payload))).collect()
    }
}

/// A way to write and to read a stream, which is written once already.
struct Way<'a> {
    stream: Vec<u8>,
    write: Box<dyn Fn(&mut Vec<u8>) + 'a>,
    /// Gives how many messages there were, and whether the last one is as it was.
    read: Box<dyn Fn(&[u8]) -> (usize, bool) + 'a>,
}

impl<'a> Way<'a> {
    fn new(
        count: usize,
        write: impl Fn(&mut Vec<u8>) + 'a,
        read: impl Fn(&[u8]) -> (usize, bool) + 'a,
    ) -> Self {
        let mut stream = Vec::new();
        write(&mut stream);
        assert_eq!(read(&stream), (count, true), "other messages are read");
        Way { stream, write: Box::new(write), read: Box::new(read) }
    }
}

fn measure<T, P, S>(stream: &Stream, gob: Option<&gob::Gob>) -> Outcome<Vec<Option<Figures>>>
where
    T: Message + Serialize + DeserializeOwned + PartialEq,
    P: prost::Message + Default + PartialEq,
    S: prost::Message + Default + Serialize + DeserializeOwned + PartialEq,
{
    let count = stream.len();
    let typed: Vec<T> = stream.all(|bytes| tobu::from_slice(bytes).expect("a message"));
    let prosts: Vec<P> = stream.all(|bytes| P::decode(bytes).expect("a message"));
    let serdes: Vec<S> = stream.all(|bytes| S::decode(bytes).expect("a message"));
    let container = avro::Container::new(&stream.descriptor, &stream.payloads)?;
    let described = |compression| {
        let typed = &typed;
        let write = move |out: &mut Vec<u8>| {
            let options = Options::new().compression(compression);
            let mut writer = Writer::with_options(out, options);
            typed.iter().try_for_each(|message| writer.write(message)).expect("a message");
            writer.finish().expect("memory");
        };
        let read = |bytes: &[u8]| {
            let mut reader = Reader::new(bytes);
            last(reader.messages::<T>().map(|message| message.expect("a message")), typed.last())
        };
        Way::new(count, write, read)
    };
    let delimited = Way::new(
        count,
        |out| {
            let mut writer = MessageWriter::new(out);
            typed.iter().try_for_each(|message| writer.write(message)).expect("a message");
            writer.flush().expect("memory");
        },
        |bytes| {
            let reader = MessageReader::<_, T>::new(bytes);
            last(reader.map(|message| message.expect("a message")), typed.last())
        },
    );
    let prost = Way::new(
        count,
        |out| prosts.iter().for_each(|message| message.encode_length_delimited(out).expect("memory")),
        |mut bytes| {
            let next = std::iter::from_fn(|| {
                (!bytes.is_empty()).then(|| P::decode_length_delimited(&mut bytes).expect("a message"))
            });
            last(next, prosts.last())
        },
    );
    let avro = Way::new(
        count,
        |out| container.write(stream.repeat, out).expect("values of the schema"),
        |bytes| {
            let (last, count) = container.read(bytes).expect("a container");
            (count, last.as_ref() == container.last())
        },
    );
    let config = bincode::config::standard();
    let bincode = Way::new(
        count,
        |out| {
            for message in &serdes {
                bincode::serde::encode_into_std_write(message, out, config).expect("memory");
            }
        },
        |mut bytes| {
            let next = std::iter::from_fn(|| {
                let (message, len) = (!bytes.is_empty())
                    .then(|| bincode::serde::decode_from_slice::<S, _>(bytes, config).expect("a message"))?;
                bytes = &bytes[len..];
                Some(message)
            });
            last(next, serdes.last())
        },
    );
    let ways = [described(Compression::None), described(Compression::Gzip), delimited, prost, avro, bincode];
    let mut figures: Vec<Option<Figures>> = timed(&ways).into_iter().map(Some).collect();
    let gob = gob.map(|gob| gob.measure(&stream.descriptor, &stream.payloads, stream.repeat)).transpose()?;
    figures.insert(4, gob);
    Ok(figures)
}

/// How many messages there are, and whether the last is this one.
fn last<T: PartialEq>(messages: impl Iterator<Item = T>, wanted: Option<&T>) -> (usize, bool) {
    let (mut count, mut last) = (0, None);
    for message in messages {
        last = Some(black_box(message));
        count += 1;
    }
    (count, last.as_ref() == wanted)
}

fn timed(ways: &[Way<'_>]) -> Vec<Figures> {
    let mut runs: Vec<least::Run<'_>> = Vec::new();
    for way in ways {
        let mut out = Vec::with_capacity(way.stream.len() + 1024);
        runs.push(Box::new(move || {
            out.clear();
            (way.write)(&mut out);
            black_box(&out);
        }));
        runs.push(Box::new(move || {
            black_box((way.read)(&way.stream));
        }));
    }
    let times = least::least(&mut runs, 50, Duration::from_secs(15));
    let figures = ways.iter().zip(times.chunks_exact(2));
    figures.map(|(way, times)| Figures { bytes: way.stream.len(), write: times[0], read: times[1] }).collect()
}

/// Three rows of the table.
fn rows(name: &str, stream: &Stream, figures: &[Option<Figures>]) -> String {
    let count = stream.len() as f64;
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / count;
    let kinds: [(&str, &dyn Fn(&Figures) -> f64); 3] = [
        ("bytes", &|figures| figures.bytes as f64 / count),
        ("write µs", &|figures| micros(figures.write)),
        ("read µs", &|figures| micros(figures.read)),
    ];
    let mut text = String::new();
    for (index, (kind, figure)) in kinds.into_iter().enumerate() {
        let _ = write!(text, "| {} | {kind} |", if index == 0 { name } else { "" });
        for figures in figures {
            let _ = match figures.as_ref().map(figure) {
                None => write!(text, " - |"),
                Some(number) if number < 10.0 => write!(text, " {number:.2} |"),
                Some(number) => write!(text, " {number:.0} |"),
            };
        }
        text.push('\n');
    }
    text
}

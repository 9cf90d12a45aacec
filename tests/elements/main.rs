//! Elements of a message read in chunks: equal to those of the whole message, for every split.

#[path = "../memory/counting.rs"]
mod counting;
mod json;
mod to_json;
mod ways;

use crate::ways::{Slow, framed, iterated};
use bytes::BytesMut;
use std::io::{Error as IoError, Read};
use std::sync::LazyLock;
use tobu::reflect::{Value, ValueRef};
use tobu::stream::ElementCodec;
use tobu::wire::{Tag, WireType, Writer};
use tobu::{
    DecodeOptions, DynamicMessage, Element, ElementDecoder, Elements, FromElement, Limits, Message,
    MessageDescriptor, MessageReader, Pool, Reflect,
};
use tobu_schemas::library::v1::{Book, Shelf};
use tokio_util::codec::Decoder;

const SCHEMA: &str = r#"
syntax = "proto2";
package elements;
message Outer {
  optional string before = 1;
  optional Inner inner = 2;
  optional group Grouped = 3 {
    repeated Item items = 1;
  }
  repeated Item items = 4;
  optional string after = 5;
}
message Inner {
  repeated Item items = 1;
  repeated sint32 numbers = 2;
  repeated fixed64 packed = 3 [packed = true];
  repeated string texts = 4;
  map<string, Item> by_name = 5;
  repeated group Part = 6 {
    optional int32 x = 1;
    optional Inner inside = 2;
  }
  repeated Color colors = 7;
  repeated bool flags = 8 [packed = true];
  optional Inner inner = 9;
}
message Item {
  optional int32 x = 1;
  optional string name = 2;
}
enum Color {
  RED = 0;
  GREEN = 1;
}
"#;

static OUTER: LazyLock<MessageDescriptor> = LazyLock::new(|| {
    let file = protox_parse(SCHEMA);
    Pool::from_descriptor_set(&file).unwrap().message("elements.Outer").unwrap()
});

/// The descriptor set of one file.
fn protox_parse(source: &str) -> Vec<u8> {
    struct One(String);
    impl protox::file::FileResolver for One {
        fn open_file(&self, name: &str) -> Result<protox::file::File, protox::Error> {
            match name {
                "elements.proto" => protox::file::File::from_source(name, &self.0),
                _ => protox::file::GoogleFileResolver::new().open_file(name),
            }
        }
    }
    let mut compiler = protox::Compiler::with_file_resolver(One(source.to_owned()));
    compiler.include_imports(true);
    compiler.open_file("elements.proto").unwrap();
    compiler.encode_file_descriptor_set()
}

/// Paths to lists and maps, and through fields of all kinds.
const PATHS: [&str; 10] = [
    "items",
    "inner.items",
    "grouped.items",
    "inner.numbers",
    "inner.packed",
    "inner.texts",
    "inner.part",
    "inner.colors",
    "inner.flags",
    "inner.inner.numbers",
];

/// Fields of the outer message, whole and broken.
fn fields() -> Vec<Vec<u8>> {
    let inner: [&[u8]; 17] = [
        b"\x0a\x04\x08\x05\x12\x00",
        b"\x0a\x00\x0a\x03\x12\x01n",
        b"\x10\x03\x10\x80\x01",
        b"\x12\x03\x01\x80\x01",
        b"\x1a\x10\x01\x02\x03\x04\x05\x06\x07\x08\x11\x12\x13\x14\x15\x16\x17\x18",
        b"\x19\x01\x02\x03\x04\x05\x06\x07\x08",
        b"\x22\x02hi\x22\x00\x0a\x02\x08\x01",
        b"\x33\x08\x01\x12\x02\x10\x04\x34\x33\x34",
        b"\x38\x01\x38\x07\x3a\x03\x00\x07\x01",
        b"\x42\x02\x01\x00\x12\x00",
        b"\x4a\x04\x10\x02\x10\x04",
        // Unknown, a group, and other wire types.
        b"\xa0\x06\x01\xa3\x06\x0b\x0c\xa4\x06",
        b"\x08\x01\x20\x01",
        // Cut, not UTF-8, a lying length, an end without a start.
        b"\x10\x80",
        b"\x22\x01\xff",
        b"\x0a\x7f\x08\x05",
        b"\x34",
    ];
    let mut all: Vec<Vec<u8>> = [
        &b"\x0a\x03abc"[..],
        b"\x1b\x0a\x02\x08\x09\x1c",
        b"\x1b\x0a\x02\x08\x09\x0b\x0c\x1c\x22\x02\x08\x02",
        b"\x22\x00\x22\x05\x08\x01\x12\x01q",
        b"\x2a\x01z\x12\x00",
        // A group under the wire type of a message, and the reverse.
        b"\x1a\x02\x08\x09",
        b"\x23\x08\x09\x24\x12\x04\x32\x02\x08\x01",
        b"\x1b\x0a",
    ]
    .map(<[u8]>::to_vec)
    .into();
    all.extend(inner.iter().map(|inner| [&[0x12, inner.len() as u8], *inner].concat()));
    all
}

/// The elements of a message received in chunks of that many bytes, and the error that ends them.
fn by_chunks<T: FromElement>(path: &str, bytes: &[u8], size: usize) -> (Vec<T>, Option<String>) {
    let (mut decoder, mut all) = (ElementDecoder::new(&OUTER, path).unwrap(), Vec::new());
    let mut chunks = bytes.chunks(size);
    loop {
        match decoder.next_element() {
            Ok(Some(element)) => all.push(element),
            Ok(None) if decoder.is_finished() => return (all, None),
            Ok(None) => match chunks.next() {
                Some(chunk) => decoder.push(chunk),
                None => decoder.finish(),
            },
            Err(error) => {
                assert!(decoder.is_finished());
                assert!(decoder.next_element::<T>().unwrap().is_none());
                return (all, Some(error.to_string()));
            }
        }
    }
}

/// The same by a decoder, an iterator and a codec.
fn by_all_ways(path: &str, bytes: &[u8], size: usize) -> (Vec<Element>, Option<String>) {
    let found = by_chunks(path, bytes, size);
    let elements = Elements::<_, Element>::new(Slow::new(bytes, size), &OUTER, path).unwrap();
    assert_eq!(iterated(elements), found, "{path} {bytes:02x?} by {size}, iterated");
    let codec = ElementCodec::<Element>::new(&OUTER, path).unwrap();
    assert_eq!(framed(codec, Slow::new(bytes, size)), found, "{path} {bytes:02x?} by {size}, framed");
    found
}

/// The elements of the message as a whole.
fn whole(path: &str, message: &dyn Reflect) -> Vec<Element> {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    let field = message.descriptor().field_by_name(name).unwrap();
    match message.get(&field).unwrap() {
        ValueRef::Message(inner) => whole(rest, &*inner),
        ValueRef::List(list) => list.iter().map(|one| Element::Value(one.to_value().unwrap())).collect(),
        _ => panic!("{path} is not repeated"),
    }
}

#[test]
fn they_are_those_of_the_whole_however_it_is_cut() {
    let fields = fields();
    let mut seen = [0; 2];
    for (index, one) in fields.iter().enumerate() {
        for (next, other) in fields.iter().enumerate() {
            let bytes = [&one[..], other, &fields[(index * 5 + next * 3) % fields.len()]].concat();
            let decoded = DynamicMessage::decode(&OUTER, &bytes);
            for path in PATHS {
                let all = by_chunks::<Element>(path, &bytes, usize::MAX);
                // The smallest chunks, and one of a few others.
                let other = 2 + (index + next) % 9;
                for size in [1, other] {
                    assert_eq!(
                        by_chunks::<Element>(path, &bytes, size),
                        all,
                        "{path} {bytes:02x?} by {size}"
                    );
                }
                if let Ok(decoded) = &decoded {
                    assert_eq!(all, (whole(path, decoded), None), "{path} {bytes:02x?}");
                }
                seen[usize::from(all.1.is_some())] += 1;
            }
        }
    }
    assert!(seen.iter().all(|seen| *seen > 1000), "{seen:?}");
}

#[test]
fn every_cut_is_an_error_or_the_end_of_a_field() {
    let fields = [&fields()[0][..], &fields()[1], &fields()[3], &fields()[6], &fields()[13]].concat();
    for path in ["items", "inner.items", "grouped.items", "inner.part"] {
        let all = by_chunks::<Element>(path, &fields, usize::MAX).0;
        for cut in 0..fields.len() {
            let whole = DynamicMessage::decode(&OUTER, &fields[..cut]);
            for size in [1, 3, 64] {
                let (elements, error) = by_all_ways(path, &fields[..cut], size);
                assert_eq!(error.is_none(), whole.is_ok(), "{path} cut at {cut}: {error:?}");
                assert!(all.starts_with(&elements));
            }
        }
    }
}

#[test]
fn errors_say_which_element_and_where() {
    #[rustfmt::skip]
    let rows: [(&str, &[u8], &str); 14] = [
        ("items", b"\x22\x00\x22\x02\x08\x80", "elements.Outer.items[1].x: input ends inside a varint (at byte 5)"),
        ("items", b"\x22\x00\x22\x05\x08", "elements.Outer.items[1]: length of 5 bytes, but only 1 bytes are left (at byte 4)"),
        ("inner.items", b"\x12\x04\x0a\x7f\x08\x05", "elements.Outer.inner.items[0]: length of 127 bytes, but only 2 bytes are left (at byte 4)"),
        ("inner.items", b"\x12\x04\x0a\x02\x08\x80", "elements.Outer.inner.items[0].x: input ends inside a varint (at byte 5)"),
        ("inner.texts", b"\x12\x04\x22\x00\x22\x7f", "elements.Outer.inner.texts[1]: length of 127 bytes, but only 0 bytes are left (at byte 6)"),
        ("inner.numbers", b"\x12\x05\x12\x03\x01\x02\x80", "elements.Outer.inner.numbers[2]: input ends inside a varint (at byte 6)"),
        ("inner.packed", b"\x12\x05\x1a\x03\x01\x02\x80", "elements.Outer.inner.packed[0]: length of 8 bytes, but only 3 bytes are left (at byte 4)"),
        ("inner.by_name", b"\x12\x09\x2a\x07\x0a\x01k\x12\x02\x08\x80", "elements.Outer.inner.by_name[\"k\"].x: input ends inside a varint (at byte 10)"),
        ("inner.part", b"\x12\x02\x33\x08", "elements.Outer.inner: input ends inside a varint (at byte 4)"),
        ("inner.items", b"\x12\x05\x0a\x00", "elements.Outer.inner: length of 3 bytes, but only 0 bytes are left (at byte 4)"),
        ("inner.items", b"\x12\x01\x00\x00", "elements.Outer.inner: field number 0 is not valid (at byte 2)"),
        ("items", b"\x34", "elements.Outer: end-group tag of field 6 without its start (at byte 0)"),
        ("items", b"\x33\x3c", "elements.Outer: group of field 6 is closed by an end-group tag of field 7 (at byte 1)"),
        ("items", b"\x0a\xff\xff\xff\xff\x0f", "elements.Outer: length of 4294967295 bytes is above the maximum of 2147483647 (at byte 6)"),
    ];
    for (path, bytes, text) in rows {
        for size in [1, 2, 100] {
            assert_eq!(by_all_ways(path, bytes, size).1.as_deref(), Some(text), "{bytes:02x?}");
        }
    }
}

#[test]
fn paths_and_types_that_do_not_fit() {
    let rows = [
        ("", r#"elements.Outer: the path "": elements.Outer has no field """#),
        (
            "before",
            r#"elements.Outer: the path "before" leads to elements.Outer.before, which is not repeated"#,
        ),
        ("inner", r#"elements.Outer: the path "inner" leads to elements.Outer.inner, which is not repeated"#),
        (
            "items.x",
            r#"elements.Outer: the path "items.x" goes into elements.Outer.items, which is not a single message"#,
        ),
        ("inner.x", r#"elements.Outer: the path "inner.x": elements.Inner has no field "x""#),
    ];
    for (path, text) in rows {
        assert_eq!(ElementDecoder::new(&OUTER, path).unwrap_err().to_string(), text);
    }
    let mut books = Elements::<_, Book>::new(&b"\x22\x00"[..], &OUTER, "items").unwrap();
    let error = books.next().unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "elements.Outer.items[0]: the elements of elements.Outer.items are not library.v1.Book"
    );
    assert!(books.next().is_none());
}

#[test]
fn limits() {
    let small = DecodeOptions::new().limits(Limits::default().input(4));
    let run = |path: &str, bytes: &[u8], options| {
        let elements = Elements::<_, Element>::with_options(bytes, &OUTER, path, options).unwrap();
        elements.collect::<Result<Vec<_>, _>>().map(|all| all.len()).map_err(|error| error.to_string())
    };
    let text = "elements.Outer.items[1]: input of 5 bytes is larger than the limit of 4 bytes (at byte 4)";
    assert_eq!(run("items", b"\x22\x00\x22\x05\x12\x03abc", small).unwrap_err(), text);
    // Skipped fields may have any size, and so may the whole message.
    assert_eq!(run("items", b"\x0a\x08abcdefgh\x22\x00\x22\x02\x08\x01", small), Ok(2));
    let text =
        "elements.Outer.inner.part[0]: input of 6 bytes is larger than the limit of 4 bytes (at byte 3)";
    assert_eq!(run("inner.part", b"\x12\x08\x33\x08\x01\x08\x01\x08\x01\x34", small).unwrap_err(), text);
    // A group is named where it starts, however much of it was received.
    let text =
        "elements.Outer.inner.part[0]: input of 7 bytes is larger than the limit of 4 bytes (at byte 3)";
    for size in 1..=12 {
        let mut decoder = ElementDecoder::with_options(&OUTER, "inner.part", small).unwrap();
        let mut chunks = b"\x12\x09\x33\x0a\x05abcde\x34".chunks(size);
        let error = loop {
            match decoder.next_element::<Element>() {
                Ok(_) => decoder.push(chunks.next().expect("it is too large before it ends")),
                Err(error) => break error,
            }
        };
        assert_eq!(error.to_string(), text, "by {size}");
    }
    let deep = |levels: usize| [b"\xa3\x06".repeat(levels), b"\xa4\x06".repeat(levels)].concat();
    assert_eq!(run("items", &deep(99), DecodeOptions::new()), Ok(0));
    let text = "elements.Outer: messages are nested deeper than 100 levels (at byte 198)";
    assert_eq!(run("items", &deep(100), DecodeOptions::new()).unwrap_err(), text);
    // An element is as deep as it is in the whole.
    let shallow = DecodeOptions::new().limits(Limits::default().depth(3));
    assert_eq!(run("inner.items", b"\x12\x02\x0a\x00", shallow), Ok(1));
    let text = "elements.Outer.inner.items[0]: messages are nested deeper than 2 levels";
    let shallow = DecodeOptions::new().limits(Limits::default().depth(2));
    assert!(run("inner.items", b"\x12\x02\x0a\x00", shallow).unwrap_err().starts_with(text));
}

/// A record that is given this many times.
struct Made {
    left: usize,
    record: Vec<u8>,
    at: usize,
}

impl Made {
    fn new(record: Vec<u8>, count: usize) -> Self {
        Made { left: count, at: record.len(), record }
    }
}

impl Read for Made {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.record.len() {
            if self.left == 0 {
                return Ok(0);
            }
            (self.left, self.at) = (self.left - 1, 0);
        }
        let len = buf.len().min(self.record.len() - self.at);
        buf[..len].copy_from_slice(&self.record[self.at..self.at + len]);
        self.at += len;
        Ok(len)
    }
}

#[test]
fn a_message_of_any_size_takes_the_memory_of_an_element() {
    // A book of a kilobyte, and one of the fields around them.
    let book = Book { title: "x".repeat(1000), ..Book::default() };
    let mut record = Writer::new();
    record.tag(Tag::new(3, WireType::Len));
    record.len_prefixed(&tobu::to_vec(&book).unwrap());
    record.tag(Tag::new(2, WireType::Len));
    record.len_prefixed(&[b'y'; 20_000]);
    let record = record.finish().unwrap();
    let count = (64 << 20) / record.len();
    let (held, read) = counting::peak(|| {
        let made = Made::new(record.clone(), count);
        let mut seen = 0;
        for element in MessageReader::<_, Shelf>::new(made).elements::<Book>("books").unwrap() {
            assert_eq!(element.unwrap(), book);
            seen += 1;
        }
        seen
    });
    assert_eq!(read, count);
    assert!(held < 400_000, "{held} bytes were held");
    // The same by the codec.
    let shelf = Slow::new(Made::new(record.clone(), 1000), 10_000);
    let (held, (books, error)) = counting::peak(|| {
        framed(Counted(ElementCodec::<Book>::new(&Shelf::descriptor(), "books").unwrap()), shelf)
    });
    assert_eq!((books.len(), error), (1000, None));
    assert!(books.iter().all(|len| *len == 1000));
    assert!(held < 200_000, "{held} bytes were held");
}

/// The titles' lengths alone, so that a list of them takes little memory.
struct Counted(ElementCodec<Book>);

impl Decoder for Counted {
    type Item = usize;
    type Error = tobu::Error;

    fn decode(&mut self, src: &mut BytesMut) -> Result<Option<usize>, tobu::Error> {
        Ok(self.0.decode(src)?.map(|book| book.title.len()))
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> Result<Option<usize>, tobu::Error> {
        Ok(self.0.decode_eof(src)?.map(|book| book.title.len()))
    }
}

/// A stream that breaks.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(IoError::other("the line is dead"))
    }
}

#[test]
fn a_stream_that_breaks_ends_with_its_error() {
    let wire = || (&b"\x22\x02\x08\x05\x22"[..]).chain(Broken);
    let elements = Elements::<_, Element>::new(wire(), &OUTER, "items").unwrap();
    let (all, error) = iterated(elements);
    assert_eq!((all.len(), error.as_deref()), (1, Some("the line is dead")));
    let (all, error) = framed(ElementCodec::<Element>::new(&OUTER, "items").unwrap(), Slow::new(wire(), 2));
    assert_eq!((all.len(), error.as_deref()), (1, Some("the line is dead")));
}

#[test]
fn a_length_is_believed_when_it_came() {
    LazyLock::force(&OUTER);
    // Two gigabytes are declared, and three bytes are received.
    let (held, error) = counting::peak(|| {
        let elements =
            Elements::<_, Element>::new(&b"\x22\xff\xff\xff\xff\x07abc"[..], &OUTER, "items").unwrap();
        elements.last().unwrap().unwrap_err().to_string()
    });
    assert_eq!(
        error,
        "elements.Outer.items[0]: length of 2147483647 bytes, but only 3 bytes are left (at byte 6)"
    );
    assert!(held < 200_000, "{held} bytes were held");
}

#[test]
fn entries_of_maps_are_elements_too() {
    let entries = by_chunks::<Element>(
        "inner.by_name",
        b"\x12\x10\x2a\x07\x0a\x01k\x12\x02\x08\x01\x2a\x05\x0a\x01k\x12\x00",
        3,
    );
    let (all, None) = entries else { panic!("{entries:?}") };
    let texts: Vec<String> = all
        .iter()
        .map(|element| match element {
            Element::Entry(key, Value::Message(item)) => format!("{key:?} {}", item as &dyn Reflect),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(texts, ["String(\"k\") x: 1", "String(\"k\") "]);
}

#[test]
fn the_descriptor_of_a_type_is_that_of_its_reader() {
    let bytes = b"\x1a\x06\x0a\x04Dune\x1a\x00";
    let books = MessageReader::<_, Shelf>::new(&bytes[..]).elements::<Book>("books").unwrap();
    let titles: Vec<String> = books.map(|book| book.unwrap().title).collect();
    assert_eq!(titles, ["Dune", ""]);
    assert_eq!(Shelf::descriptor().full_name(), "library.v1.Shelf");
}

//! Streams of messages as batches.

use crate::support::row;
use arrow_array::RecordBatchReader;
use serde_json::json;
use std::io::{self, Read};
use tobu::stream::described::{Options as DescribedOptions, Reader, Writer};
use tobu::{Limits, Message};
use tobu_arrow::source::{Batches, Delimited, Described, ElementsOf, LengthPrefixed, Slices, Source};
use tobu_arrow::{Batcher, Columns};
use tobu_schemas::library::v1::{Book, Loan, Shelf};

fn batcher() -> Batcher {
    Batcher::new(&Columns::new(&Book::descriptor()).unwrap())
}

/// The titles of all rows, and the error at the end.
fn titles(batches: impl Iterator<Item = tobu::Result<arrow_array::RecordBatch>>) -> (Vec<String>, String) {
    let (mut titles, mut error) = (Vec::new(), String::new());
    for batch in batches {
        assert!(error.is_empty(), "an error is the last item");
        match batch {
            Ok(batch) => titles.extend(
                (0..batch.num_rows()).map(|at| row(&batch, at)["title"].as_str().unwrap().to_owned()),
            ),
            Err(found) => error = found.to_string(),
        }
    }
    (titles, error)
}

/// A stream that gives a few bytes at a time.
struct Drops<'a>(&'a [u8], usize);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

const FILE: &[u8] = b"\x06\x0a\x04Dune\x00\x86\x00\x0a\x04Emma";

#[test]
fn delimited_messages_however_they_come() {
    for drop in [1, 2, 7, 100] {
        let batches = Batches::new(batcher().rows(2), Delimited::new(Drops(FILE, drop)));
        assert_eq!(titles(batches), (vec!["Dune".into(), String::new(), "Emma".into()], String::new()));
    }
    let mut source = Delimited::at(FILE, 1000);
    let mut positions = Vec::new();
    while let Some(message) = source.next().unwrap() {
        positions.push((message.position().unwrap(), message.bytes().len()));
    }
    assert_eq!(positions, [(1001, 6), (1008, 0), (1010, 6)]);
    assert_eq!(source.position(), 1016);
    // Longer than the buffer.
    let long = Book { title: "x".repeat(1 << 20), ..Book::default() };
    let mut file = Vec::new();
    for _ in 0..3 {
        long.encode_length_delimited(&mut file).unwrap();
        file.extend(FILE);
    }
    let (found, error) = titles(Batches::new(batcher(), Delimited::new(Drops(&file, 100_000))));
    assert_eq!((found.len(), found[8].len(), found[11].as_str(), error.as_str()), (12, 1 << 20, "Emma", ""));
}

#[test]
fn streams_that_are_cut_or_lie() {
    let rows: [(&[u8], usize, &str); 7] = [
        (b"\x06\x0a\x04Dune\x06\x0a\x04Em", 1, "length of 6 bytes, but only 4 bytes are left (at byte 8)"),
        (b"\x06\x0a\x04Dune\x80", 1, "input ends inside a varint (at byte 7)"),
        (b"\xff\xff\xff\xff\x07x", 0, "length of 2147483647 bytes, but only 1 bytes are left (at byte 5)"),
        (
            b"\x80\x80\x80\x80\x08",
            0,
            "input of 2147483648 bytes is larger than the limit of 2147483647 bytes (at byte 0)",
        ),
        (
            b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02",
            0,
            "varint is longer than 10 bytes or does not fit 64 bits (at byte 0)",
        ),
        (
            b"\x06\x0a\x04Dune\x03\x0a\x04D\x00",
            1,
            "library.v1.Book.title: length of 4 bytes, but only 1 bytes are left (at byte 10)",
        ),
        (b"", 0, ""),
    ];
    for (file, count, expected) in rows {
        let (titles, error) = titles(Batches::new(batcher(), Delimited::new(file)));
        assert_eq!((titles.len(), error.as_str()), (count, expected));
    }
    // A bad message is skipped; a stream that is cut still ends with its error.
    let file = b"\x06\x0a\x04Dune\x03\x0a\x04D\x06\x0a\x04Emma\x05";
    let mut batches = Batches::new(batcher().skip_bad(5), Delimited::new(&file[..]));
    let (found, error) = titles(batches.by_ref());
    assert_eq!(
        (found.len(), error.as_str()),
        (2, "length of 5 bytes, but only 0 bytes are left (at byte 19)")
    );
    let bad = batches.batcher().take_bad();
    assert_eq!((bad[0].number(), bad[0].position(), bad[0].message().len()), (1, Some(8), 3));
    let small = Delimited::new(FILE).limits(Limits::default().input(5));
    let (_, error) = titles(Batches::new(batcher(), small));
    assert_eq!(error, "input of 6 bytes is larger than the limit of 5 bytes (at byte 0)");
}

#[test]
fn lengths_of_four_bytes() {
    let big = b"\0\0\0\x06\x0a\x04Dune\0\0\0\x00";
    let (found, error) = titles(Batches::new(batcher(), LengthPrefixed::new(Drops(big, 3))));
    assert_eq!((found.len(), error.as_str()), (2, ""));
    let little = b"\x06\0\0\0\x0a\x04Dune\x00\0\0";
    let (found, error) = titles(Batches::new(batcher(), LengthPrefixed::new(&little[..]).little_endian()));
    assert_eq!(
        (found.len(), error.as_str()),
        (1, "length of 4 bytes, but only 3 bytes are left (at byte 10)")
    );
    let (_, error) = titles(Batches::new(batcher(), LengthPrefixed::new(&b"\xff\xff\xff\xff"[..])));
    assert_eq!(error, "input of 4294967295 bytes is larger than the limit of 2147483647 bytes (at byte 0)");
}

#[test]
fn described_streams() {
    let mut writer = Writer::with_options(Vec::new(), DescribedOptions::new().block_size(1));
    for title in ["Dune", "Emma", "Ulla"] {
        writer.write(&Loan::default()).unwrap();
        writer.write(&Book { title: title.into(), ..Book::default() }).unwrap();
    }
    writer.finish().unwrap();
    let mut stream = writer.into_inner();
    let source = Described::new(Reader::new(&stream[..]), "library.v1.Book").unwrap();
    let columns = Columns::new(source.descriptor()).unwrap();
    assert_eq!(titles(Batches::new(Batcher::new(&columns), source)).0, ["Dune", "Emma", "Ulla"]);
    let known = Described::known(Reader::new(&stream[..]), &Book::descriptor());
    assert_eq!(titles(Batches::new(batcher(), known)).0, ["Dune", "Emma", "Ulla"]);
    let error = Described::new(Reader::new(&stream[..]), "library.v1.Shelf").unwrap_err();
    assert_eq!(error.to_string(), "the stream has no message library.v1.Shelf");
    // A type of this name that reads the bytes as something else.
    let other = r#"syntax = "proto3"; package library.v1; message Book { fixed32 title = 1; }"#;
    let other = crate::support::pool(other).message("library.v1.Book").unwrap();
    let known = Described::known(Reader::new(&stream[..]), &other);
    let (_, error) = titles(Batches::new(Batcher::new(&Columns::new(&other).unwrap()), known));
    assert!(error.starts_with("library.v1.Book: "), "{error}");
    // A damaged block is passed over, if the reader says so.
    let at = stream.windows(4).position(|bytes| bytes == b"Emma").unwrap();
    stream[at] = b'?';
    let reader = Reader::with_options(&stream[..], DescribedOptions::new().skip_damage(true));
    let mut batches = Batches::new(batcher(), Described::known(reader, &Book::descriptor()));
    assert_eq!(titles(batches.by_ref()).0, ["Dune", "Ulla"]);
    assert_eq!(batches.source().reader().left_out().messages, 1);
}

#[test]
fn elements_of_one_message() {
    let shelf = b"\x0a\x01A\x1a\x06\x0a\x04Dune\x22\x05\x0a\x01a\x10\x02\x1a\x06\x0a\x04Emma";
    let books = ElementsOf::new(Drops(shelf, 3), &Shelf::descriptor(), "books").unwrap();
    assert_eq!(titles(Batches::new(batcher(), books)).0, ["Dune", "Emma"]);
    let copies = ElementsOf::new(&shelf[..], &Shelf::descriptor(), "copies").unwrap();
    let columns = Columns::new(copies.descriptor()).unwrap();
    let batch = Batches::new(Batcher::new(&columns), copies).next().unwrap().unwrap();
    assert_eq!(row(&batch, 0), json!({"key": "a", "value": 2}));
    let error = |path: &str| ElementsOf::new(&shelf[..], &Shelf::descriptor(), path).unwrap_err().to_string();
    assert!(error("name").contains("name"), "{}", error("name"));
    let authors = ElementsOf::new(&b""[..], &Book::descriptor(), "authors").unwrap_err();
    assert_eq!(authors.to_string(), "the elements of library.v1.Book.authors are not messages");
}

#[test]
fn slices_and_a_reader_of_arrow() {
    let messages = [&b"\x0a\x04Dune"[..], b"\x0a\x09"];
    let batches = Batches::new(batcher(), Slices::new(messages));
    let mut reader = batches.into_reader();
    assert_eq!(reader.schema(), Columns::new(&Book::descriptor()).unwrap().schema());
    assert_eq!(reader.next().unwrap().unwrap().num_rows(), 1);
    let error = reader.next().unwrap().unwrap_err();
    let text =
        "External error: library.v1.Book.title: length of 9 bytes, but only 0 bytes are left (at byte 2)";
    assert_eq!(error.to_string(), text);
    assert!(reader.next().is_none());
}

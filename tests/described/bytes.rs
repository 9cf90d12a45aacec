//! The bytes of a stream, as the page of the format says.

use crate::support::{A, B, MARKER, crc, fixed, prefix};
use tobu::stream::described::{Options, Reader, Writer};
use tobu::{DynamicMessage, Message};

/// A block that is not compressed.
fn block(kind: u8, first: u8, count: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len() as u8;
    let mut block = MARKER.to_vec();
    block.extend([kind, 0, 0, 0, length, 0, 0, 0, length, 0, 0, 0]);
    block.extend([first, 0, 0, 0, 0, 0, 0, 0, count, 0, 0, 0]);
    block.extend(crc(content));
    block.extend(crc(&block));
    block.extend(content);
    block
}

#[test]
fn a_small_stream() {
    assert_eq!(crc(b"123456789"), 0xe306_9283u32.to_le_bytes());
    let mut writer = Writer::with_options(Vec::new(), fixed());
    writer.write(&A { n: 5 }).unwrap();
    writer.write(&A { n: 0 }).unwrap();
    writer.write(&B { text: "hi" }).unwrap();
    writer.flush().unwrap();
    writer.write(&B { text: "you" }).unwrap();
    assert_eq!(writer.count(), 4);
    writer.finish().unwrap();
    writer.finish().unwrap();
    let a = A::descriptor().file().encoded().to_vec();
    let b = B::descriptor().file().encoded().to_vec();
    let schema =
        [b"\x0a", &[a.len() as u8][..], &a, b"\x12\x03d.A", b"\x0a", &[b.len() as u8], &b, b"\x12\x03d.B"];
    let expected = [
        prefix(),
        block(1, 0, 2, &schema.concat()),
        block(2, 0, 3, b"\x00\x02\x08\x05\x00\x00\x01\x04\x0a\x02hi"),
        block(2, 3, 1, b"\x01\x05\x0a\x03you"),
        block(3, 4, 2, b""),
    ];
    assert_eq!(writer.into_inner(), expected.concat());
}

#[test]
fn a_stream_of_nothing() {
    let mut writer = Writer::with_options(Vec::new(), fixed());
    writer.finish().unwrap();
    let stream = writer.into_inner();
    assert_eq!(stream, [prefix(), block(3, 0, 0, b"")].concat());
    let mut reader = Reader::new(&stream[..]);
    assert!(reader.next().unwrap().is_none());
    assert!(reader.next().unwrap().is_none());
    // One that was only flushed has a prefix.
    let mut writer = Writer::with_options(Vec::new(), fixed());
    writer.flush().unwrap();
    assert_eq!(writer.into_inner(), prefix());
    assert_eq!(Writer::new(Vec::new()).into_inner(), b"");
}

#[test]
fn types_that_are_declared_alone() {
    let mut writer = Writer::with_options(Vec::new(), fixed());
    writer.declare(&A::descriptor()).unwrap();
    writer.declare(&A::descriptor()).unwrap();
    writer.finish().unwrap();
    let a = A::descriptor().file().encoded().to_vec();
    let schema = [b"\x0a", &[a.len() as u8][..], &a, b"\x12\x03d.A"].concat();
    let stream = writer.into_inner();
    assert_eq!(stream, [prefix(), block(1, 0, 1, &schema), block(3, 0, 1, b"")].concat());
    let mut reader = Reader::new(&stream[..]);
    assert!(reader.next().unwrap().is_none());
    let names: Vec<_> = reader.types().map(|ty| ty.unwrap().full_name().to_owned()).collect();
    assert_eq!(names, ["d.A"]);
    assert!(reader.pool().message("d.A").is_some());
}

#[test]
fn markers_are_random() {
    let marker = || {
        let mut writer = Writer::with_options(Vec::new(), Options::new());
        writer.finish().unwrap();
        writer.into_inner()[12..28].to_vec()
    };
    assert_ne!(marker(), marker());
}

#[test]
fn all_ways_of_writing_give_the_same() {
    let options = || fixed().block_size(1);
    let mut typed = Writer::with_options(Vec::new(), options());
    let mut dynamic = Writer::with_options(Vec::new(), options());
    let mut by_serde = Writer::with_options(Vec::new(), options());
    for n in [1, 127, 128, 0, 1 << 30] {
        let message = A { n };
        typed.write(&message).unwrap();
        dynamic.write_dynamic(&DynamicMessage::from_message(&message).unwrap()).unwrap();
        by_serde.write_value(&A::descriptor(), &serde_json::json!({ "n": n })).unwrap();
    }
    typed.finish().unwrap();
    let stream = typed.into_inner();
    dynamic.finish().unwrap();
    assert_eq!(dynamic.into_inner(), stream);
    by_serde.finish().unwrap();
    assert_eq!(by_serde.into_inner(), stream);
}

#[test]
fn lengths_of_all_sizes() {
    // The length is written before the message is known, and moves it where it takes other bytes than the last one.
    let sizes = [0, 1, 126, 127, 128, 5, 16_383, 20_000, 16_384, 127, 3_000_000, 2];
    let texts: Vec<String> = sizes.iter().map(|size| "x".repeat(*size)).collect();
    let mut writer = Writer::new(Vec::new());
    texts.iter().for_each(|text| writer.write(&B { text }).unwrap());
    writer.finish().unwrap();
    let stream = writer.into_inner();
    let mut reader = Reader::new(&stream[..]);
    for (number, text) in texts.iter().enumerate() {
        let entry = reader.next().unwrap().unwrap();
        assert_eq!(entry.number(), number as u64);
        assert_eq!(entry.bytes(), tobu::to_vec(&B { text }).unwrap());
        assert!(entry.read::<B<'_>>().unwrap().text == text);
    }
    assert!(reader.next().unwrap().is_none());
}

//! Streams with right checksums and invalid content; and the memory that they may take.

use crate::counting;
use crate::support::{A, Block, MARKER, fixed, prefix, read, stream};
use tobu::stream::described::{Compression, Options, Reader, Writer};
use tobu::types::StringValue;
use tobu::{Category, DecodeOptions, Limits};

/// The error of a stream of these blocks, after the messages before.
#[track_caller]
fn error(options: Options, blocks: &[Block]) -> String {
    let stream = [prefix(), blocks.iter().flat_map(Block::bytes).collect()].concat();
    let (_, end) = read(options, &stream);
    end.unwrap_err()
}

/// A block that declares strings.
fn schema() -> Block {
    let mut content = vec![0x0a, 50];
    content.extend(
        b"\x0a\x07s.proto\x12\x0fgoogle.protobuf\x22\x16\x0a\x0bStringValue\x12\x07\x0a\x01v\x18\x01\x28\x09",
    );
    let size = content.len() as u8 - 2;
    content[1] = size;
    content.extend(b"\x12\x1bgoogle.protobuf.StringValue");
    Block { kind: 1, count: 1, content, ..Block::default() }
}

fn messages(count: u32, content: &[u8]) -> Block {
    Block { kind: 2, count, content: content.to_vec(), ..Block::default() }
}

fn end(first: u64) -> Block {
    Block { kind: 3, first, count: 1, ..Block::default() }
}

#[test]
fn what_is_no_stream() {
    let text = "this is not a described stream (at byte 0)";
    assert_eq!(read(Options::new(), &[0; 32]).1.unwrap_err(), text);
    let mut other = prefix();
    other[8] = 2;
    let sum = crate::support::crc(&other[..28]);
    other[28..].copy_from_slice(&sum);
    let error = read(Options::new(), &other).1.unwrap_err();
    assert_eq!(error, "version 2 of described streams is not supported (at byte 0)");
    let mut reader = Reader::with_options(&other[..], Options::new().skip_damage(true));
    assert_eq!(reader.next().unwrap_err().to_string(), error);
    let error = reader.resync().unwrap_err().to_string();
    assert_eq!(error, "the prefix of the stream is damaged, so no block can be found (at byte 0)");
}

#[test]
fn blocks_that_are_not_supported() {
    let block = |change: fn(&mut Block)| {
        let mut block = messages(0, b"");
        change(&mut block);
        error(Options::new(), &[block])
    };
    assert_eq!(block(|block| block.kind = 4), "blocks of kind 4 are not supported (at byte 32)");
    assert_eq!(block(|block| block.flags = 0x100), "flags 0x100 of a block are not supported (at byte 32)");
    assert_eq!(
        block(|block| block.compression = 3),
        "compression 3 of a block is not supported (at byte 32)"
    );
    let zstd = "compression 2 of a block is reserved for zstd, which is not supported (at byte 32)";
    assert_eq!(block(|block| block.compression = 2), zstd);
    // Nor are they skipped like damaged ones; but ancillary ones are.
    let kinds = [Block { kind: 5, ..Block::default() }, end(0)];
    let text = error(Options::new().skip_damage(true), &kinds);
    assert_eq!(text, "blocks of kind 5 are not supported (at byte 32)");
    let other = Block { kind: 128, first: u64::MAX, count: 7, content: b"?".to_vec(), ..Block::default() };
    let all = [other.clone(), schema(), other.clone(), messages(1, b"\0\x03\x0a\x01a"), other, end(1)];
    let stream = [prefix(), all.iter().flat_map(Block::bytes).collect()].concat();
    assert_eq!(read(Options::new(), &stream), (vec!["a".to_owned()], Ok(())));
}

#[test]
fn blocks_that_lie() {
    let at = 32 + schema().bytes().len();
    let of = |count, content: &[u8]| error(Options::new(), &[schema(), messages(count, content), end(9)]);
    let fits = format!("a message does not fit into its block (at byte {at})");
    assert_eq!(of(1, b""), fits);
    assert_eq!(of(2, b"\0\x03\x0a\x01a"), fits);
    assert_eq!(of(1, b"\0\x04\x0a\x01a"), fits);
    assert_eq!(of(1, b"\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x0a\x01a"), fits);
    assert_eq!(of(1, b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\0\0"), fits);
    assert_eq!(of(u32::MAX, b"\0\0"), fits);
    assert_eq!(of(0, b"\0\0"), format!("a block goes on after its last message (at byte {at})"));
    assert_eq!(of(1, b"\x01\0"), format!("message 0 is of type 1, which was not declared (at byte {at})"));
    let most = u64::MAX;
    assert_eq!(
        of(1, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\0"),
        format!("message 0 is of type {most}, which was not declared (at byte {at})")
    );
    let mut two = messages(0, b"");
    two.length = Some(1);
    assert_eq!(error(Options::new(), &[two]), "a block has two lengths (at byte 32)");
    let mut far = messages(1, b"");
    far.first = u64::MAX;
    let misplaced = "a block stands where it does not belong (at byte 32)";
    assert_eq!(error(Options::new(), &[far.clone()]), misplaced);
    assert_eq!(
        error(Options::new().skip_damage(true), &[far, end(u64::MAX)]),
        format!("the stream is cut off after 0 whole messages (at byte {})", 32 + 2 * 48)
    );
    // After an invalid one the next one is read.
    let mut next = messages(1, b"\0\x03\x0a\x01b");
    next.first = 2;
    let blocks = [schema(), messages(2, b"\0\x03\x0a\x01a"), next, end(3)];
    let stream = [prefix(), blocks.iter().flat_map(Block::bytes).collect()].concat();
    let mut reader = Reader::with_options(&stream[..], Options::new().skip_damage(true));
    let texts: Vec<_> = reader.messages::<StringValue>().map(|text| text.unwrap().value).collect();
    assert_eq!(texts, ["a", "b"]);
    assert_eq!((reader.left_out().bytes, reader.left_out().messages), (0, 1));
}

#[test]
fn schemas_that_lie() {
    let of = |change: fn(&mut Block)| {
        let mut block = schema();
        change(&mut block);
        error(Options::new(), &[block])
    };
    assert_eq!(of(|block| block.count = 2), "a schema block has 1 types, not 2 (at byte 32)");
    assert_eq!(
        of(|block| *block.content.last_mut().unwrap() = b'x'),
        "a schema block names \"google.protobuf.StringValux\", but does not have it (at byte 32)"
    );
    assert_eq!(of(|block| block.content.push(0x0a)), "input ends inside a varint (at byte 32)");
    // The same schema twice: the files may be there already, the types not.
    let mut again = schema();
    again.first = 1;
    let blocks = [schema(), again, Block { count: 2, ..end(0) }];
    let stream = [prefix(), blocks.iter().flat_map(Block::bytes).collect()].concat();
    assert_eq!(read(Options::new(), &stream), (vec![], Ok(())));
    // Its error is exact, and the rest can be read.
    let mut wrong = schema();
    wrong.content[12] = 0xff;
    let mut message = messages(1, b"\0\0");
    message.first = 0;
    let blocks = [wrong, message, end(1)];
    let stream = [prefix(), blocks.iter().flat_map(Block::bytes).collect()].concat();
    let mut reader = Reader::new(&stream[..]);
    let error = reader.next().unwrap_err();
    assert!(matches!(error.category(), Category::Schema | Category::Malformed), "{error}");
    assert!(reader.resync().unwrap());
    let error = reader.next().unwrap_err().to_string();
    assert!(error.starts_with("message 0 is of type 0, which was not declared"), "{error}");
    assert!(reader.next().unwrap().is_none());
    assert_eq!(reader.left_out().messages, 1);
}

#[test]
fn limits() {
    let lie =
        |stored, length| Block { kind: 2, stored: Some(stored), length: Some(length), ..Block::default() };
    let block =
        |size: u64| format!("block of {size} bytes is larger than the limit of 67108864 bytes (at byte 32)");
    assert_eq!(error(Options::new(), &[lie(u32::MAX, 0)]), block(u64::from(u32::MAX)));
    assert_eq!(error(Options::new(), &[lie(0, 67_108_865)]), block(67_108_865));
    let small = Options::new().max_schema(20);
    let size = schema().content.len();
    assert_eq!(
        error(small, &[schema()]),
        format!("schema of {size} bytes is larger than the limit of 20 bytes (at byte 32)")
    );
    let mut far = schema();
    far.first = 10_000;
    let at = 32 + schema().bytes().len();
    assert_eq!(
        error(Options::new(), &[schema(), far.clone()]),
        format!("blocks are missing before this one (at byte {at})")
    );
    let blocks = [messages(1, b""), far];
    let stream = [prefix(), blocks.iter().flat_map(Block::bytes).collect()].concat();
    let mut reader = Reader::new(&stream[..]);
    reader.next().unwrap_err();
    let (_, next) = counting::peak(|| reader.next().map(drop));
    assert_eq!(next.unwrap_err().to_string(), "blocks are missing before this one (at byte 80)");
    assert!(reader.resync().unwrap());
    assert_eq!(reader.next().unwrap_err().to_string(), "the stream has more than 10000 types (at byte 80)");
    // A limit is not damage that can be skipped.
    let options = Options::new().max_block(10).skip_damage(true);
    let text = error(options, &[schema(), messages(1, b"\0\0"), end(1)]);
    assert!(text.starts_with("block of "), "{text}");
    // Messages have the limit of decoding.
    let stream = self::stream(fixed(), &["long enough"]);
    let options = Options::new().decode(DecodeOptions::new().limits(Limits::default().input(5)));
    let mut reader = Reader::with_options(&stream[..], options);
    let error = reader.next().unwrap().unwrap().to_dynamic().unwrap_err().to_string();
    assert_eq!(error, "google.protobuf.StringValue: input of 13 bytes is larger than the limit of 5 bytes");
}

#[test]
fn a_writer_keeps_to_the_limits_of_readers() {
    let mut writer = Writer::with_options(Vec::new(), fixed().max_block(100));
    writer.write(&StringValue::from("a".repeat(50))).unwrap();
    writer.write(&StringValue::from("b".repeat(50))).unwrap();
    let error = writer.write(&StringValue::from("c".repeat(100))).unwrap_err().to_string();
    assert_eq!(error, "block of 104 bytes is larger than the limit of 100 bytes");
    writer.write(&StringValue::from("d")).unwrap();
    writer.finish().unwrap();
    let stream = writer.into_inner();
    let mut reader = Reader::with_options(&stream[..], Options::new());
    let texts: Vec<_> = reader.messages::<StringValue>().map(|text| text.unwrap().value.len()).collect();
    assert_eq!(texts, [50, 50, 1]);
    assert_eq!(stream.windows(16).filter(|bytes| *bytes == MARKER).count(), 5, "a prefix and four blocks");
}

/// Content of zeros by gzip, with any declared length.
fn bomb(zeros: usize, length: u32) -> Block {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&vec![0; zeros]).unwrap();
    Block {
        kind: 2,
        compression: 1,
        length: Some(length),
        content: encoder.finish().unwrap(),
        ..Block::default()
    }
}

#[test]
fn bombs() {
    let damaged = "a block cannot be decompressed, or its size is not the size in its header (at byte 32)";
    let block = bomb(8 << 20, 1000);
    let stream = [prefix(), block.bytes()].concat();
    let (held, (_, end)) = counting::peak(|| read(Options::new(), &stream));
    assert_eq!(end.unwrap_err(), damaged);
    assert!(held < 512 << 10, "{held} bytes for a stream of {}", stream.len());
    assert_eq!(error(Options::new(), &[bomb(10, 11)]), damaged);
    assert_eq!(error(Options::new(), &[bomb(10, 9)]), damaged);
    let mut cut = bomb(1000, 1000);
    cut.content.pop();
    assert_eq!(error(Options::new(), &[cut]), damaged);
    let limited = Options::new().max_block(1 << 20);
    let text = "block of 1048577 bytes is larger than the limit of 1048576 bytes (at byte 32)";
    assert_eq!(error(limited, &[bomb((1 << 20) + 1, (1 << 20) + 1)]), text);
}

#[test]
fn lengths_of_much_that_is_not_there() {
    for kind in [1, 2] {
        let block = Block { kind, stored: Some(64 << 20), length: Some(64 << 20), ..Block::default() };
        let stream = [prefix(), block.bytes()].concat();
        for options in [Options::new(), Options::new().skip_damage(true)] {
            let (held, (_, end)) = counting::peak(|| read(options, &stream));
            assert!(end.unwrap_err().starts_with("the stream is cut off after 0 whole messages"));
            assert!(held < 64 << 10, "{held} bytes");
        }
    }
}

/// Headers that are right, each of a block that is not, within one another: none is summed again and again.
#[test]
fn blocks_within_blocks() {
    let lie = |count: usize| {
        let mut header = Block { kind: 2, stored: Some(48 * count as u32), ..Block::default() };
        header.length = header.stored;
        // The checksum is that of nothing.
        header.bytes()
    };
    let count = 20_000;
    let stream = [prefix(), (0..count).rev().flat_map(lie).collect()].concat();
    let mut reader = Reader::with_options(&stream[..], Options::new().skip_damage(true));
    assert!(
        reader.next().unwrap_err().to_string().starts_with("the stream is cut off after 0 whole messages")
    );
    assert_eq!(reader.left_out().bytes, stream.len() as u64 - 32);
}

#[test]
fn types_without_end() {
    let mut blocks = Vec::new();
    for i in 0..11_000u32 {
        let name = format!("M{i:05}");
        let file = format!("\x0a\x0c{name}.proto\x22\x08\x0a\x06{name}");
        let content = format!("\x0a{}{file}\x12\x06{name}", char::from(file.len() as u8));
        blocks.extend(
            Block { kind: 1, first: i.into(), count: 1, content: content.into(), ..Block::default() }.bytes(),
        );
    }
    let stream = [prefix(), blocks].concat();
    let (held, (_, end)) = counting::peak(|| read(Options::new(), &stream));
    let end = end.unwrap_err();
    assert!(end.starts_with("the stream has more than 10000 types (at byte "), "{end}");
    assert!(held < 128 * stream.len(), "{held} bytes for {}", stream.len());
}

#[test]
fn nothing_is_allocated_per_message() {
    let mut writer = Writer::new(std::io::sink());
    let message = A { n: 1 };
    let mut write = |count: usize| {
        let (calls, ()) = counting::calls(|| (0..count).for_each(|_| writer.write(&message).unwrap()));
        calls
    };
    write(200_000);
    assert_eq!(write(200_000), 0);
    let mut writer = Writer::new(Vec::new());
    (0..200_000).for_each(|_| writer.write(&message).unwrap());
    writer.finish().unwrap();
    let stream = writer.into_inner();
    let mut reader = Reader::new(&stream[..]);
    let mut read = |count: usize| {
        let (calls, ()) = counting::calls(|| {
            (0..count)
                .for_each(|_| assert_eq!(reader.next().unwrap().unwrap().read::<A>().unwrap(), message));
        });
        calls
    };
    read(100_000);
    assert_eq!(read(100_000), 0);
}

#[test]
fn compressed_streams() {
    let texts: Vec<String> = (0..1000).map(|i| format!("text {i}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let options = || fixed().compression(Compression::Gzip).block_size(4096);
    let (plain, packed) = (stream(fixed().block_size(4096), &texts), stream(options(), &texts));
    assert!(packed.len() * 2 < plain.len(), "{} of {}", packed.len(), plain.len());
    for stream in [&plain, &packed] {
        let (read, end) = read(Options::new(), stream);
        assert_eq!(end, Ok(()));
        assert!(read.iter().eq(&texts));
    }
    // Content that compression does not shrink is left uncompressed.
    assert_eq!(stream(options(), &[]), stream(fixed(), &[]));
    for cut in (32..packed.len()).step_by(97) {
        let (read, end) = read(Options::new(), &packed[..cut]);
        assert!(
            end.unwrap_err()
                .starts_with(&format!("the stream is cut off after {} whole messages", read.len()))
        );
    }
    for at in (32..packed.len()).step_by(61) {
        let mut garbled = packed.clone();
        garbled[at] ^= 0x10;
        let mut reader = Reader::with_options(&garbled[..], Options::new().skip_damage(true));
        let read: Vec<_> = reader.messages::<StringValue>().filter_map(Result::ok).collect();
        let mut rest = texts.iter();
        assert!(
            read.iter().all(|text| rest.any(|whole| **whole == *text.value)),
            "in order, and nothing else"
        );
    }
}

/// Accepts this many bytes, and then fails.
struct Full(usize);

impl std::io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.0 {
            0 => Err(std::io::Error::other("the disk is full")),
            room => {
                let taken = bytes.len().min(room);
                self.0 -= taken;
                Ok(taken)
            }
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_writer_that_has_failed() {
    for room in [0, 10, 40, 100] {
        let mut writer = Writer::new(Full(room));
        writer.write(&A { n: 1 }).unwrap();
        assert_eq!(writer.flush().unwrap_err().to_string(), "the disk is full");
        let error = writer.write(&A { n: 1 }).unwrap_err();
        assert_eq!(
            (error.category(), error.to_string()),
            (Category::Io, "writing the stream has failed before".into())
        );
        assert!(writer.finish().is_err());
    }
    let mut writer = Writer::new(Vec::new());
    writer.finish().unwrap();
    assert_eq!(writer.write(&A { n: 1 }).unwrap_err().to_string(), "the stream is finished");
}

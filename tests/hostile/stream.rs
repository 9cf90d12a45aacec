//! Streams with wrong lengths, that end too early, or fail.

use crate::types::derived::Leaf;
use bytes::{BufMut, Bytes, BytesMut};
use std::io::{self, Read};
use tobu::reflect::Value;
use tobu::stream::MessageCodec;
use tobu::{
    Category, DecodeOptions, Deserialize, DynamicMessage, Element, Encode, Error, Limits, Message,
    MessageReader, MessageWriter, Result,
};
use tokio_util::codec::{Decoder, Encoder};

/// All messages of a stream, and the error that ended it; the same by each verb.
fn all(stream: &[u8]) -> Vec<Result<Leaf, String>> {
    let all = until_end(MessageReader::new(stream), next);
    assert_eq!(until_end(MessageReader::new(stream), refilled), all, "refilled");
    assert_eq!(until_end(MessageReader::new(stream), viewed), all, "views");
    // A reader of raw messages does not detect malformed ones, whose errors know nothing of the stream.
    let valid = all.iter().take_while(|read| read.is_ok()).count();
    assert_eq!(until_end(MessageReader::new(stream), copied)[..valid], all[..valid], "bytes");
    assert_eq!(framed(MessageCodec::<Leaf>::new(), stream, Ok)[..all.len()], all, "a codec");
    let dynamic = MessageCodec::dynamic(&Leaf::descriptor());
    assert_eq!(framed(dynamic, stream, typed)[..all.len()], all, "a dynamic codec");
    let dynamic = MessageReader::dynamic(stream, &Leaf::descriptor());
    let dynamic = until_end(dynamic, |reader| reader.next().transpose()?.map(typed).transpose());
    assert_eq!(dynamic, all, "dynamic");
    all
}

/// The results of a verb until it returns `None`.
fn until_end<R>(mut reader: R, read: impl Fn(&mut R) -> Result<Option<Leaf>>) -> Vec<Result<Leaf, String>> {
    let read = || read(&mut reader).map_err(|error| error.to_string()).transpose();
    std::iter::from_fn(read).collect()
}

/// The results of a codec on a stream received byte by byte. A malformed message does not end it.
fn framed<C: Decoder<Error = Error> + Clone>(
    mut codec: C,
    stream: &[u8],
    leaf: impl Fn(C::Item) -> Result<Leaf>,
) -> Vec<Result<Leaf, String>> {
    let (mut buf, mut all) = (BytesMut::new(), Vec::new());
    let mut take = |next: Result<Option<C::Item>>| {
        let next = next.and_then(|message| message.map(&leaf).transpose()).transpose();
        all.extend(next.map(|next| next.map_err(|error| error.to_string())));
    };
    for byte in stream {
        buf.put_u8(*byte);
        // Its error is repeated until the malformed bytes are removed from the buffer.
        if let Err(error) = codec.clone().decode(&mut buf.clone())
            && !is_of_a_message(&error)
        {
            break;
        }
        take(codec.decode(&mut buf));
    }
    take(codec.decode_eof(&mut buf));
    all
}

/// True for errors that name a message.
fn is_of_a_message(error: &Error) -> bool {
    error.root().is_some()
}

fn next<R: Read>(reader: &mut MessageReader<R, Leaf>) -> Result<Option<Leaf>> {
    reader.next().transpose()
}

fn refilled<R: Read>(reader: &mut MessageReader<R, Leaf>) -> Result<Option<Leaf>> {
    let mut used = Leaf { a: 7, b: "used".into(), c: vec![7], ..Leaf::default() };
    Ok(reader.read_into(&mut used)?.then_some(used))
}

fn viewed<R: Read>(reader: &mut MessageReader<R, Leaf>) -> Result<Option<Leaf>> {
    #[derive(Message, Deserialize)]
    #[tobu(package = "derived.v3", name = "Leaf")]
    struct View<'a> {
        #[tobu(1)]
        a: i32,
        #[tobu(2)]
        b: &'a str,
        #[tobu(3)]
        c: Vec<i32>,
    }
    let view = reader.next_view::<View<'_>>()?;
    Ok(view.map(|View { a, b, c }| Leaf { a, b: b.into(), c, ..Leaf::default() }))
}

fn copied<R: Read>(reader: &mut MessageReader<R, Leaf>) -> Result<Option<Leaf>> {
    reader.next_bytes()?.map(tobu::from_slice).transpose()
}

fn typed(message: DynamicMessage) -> Result<Leaf> {
    message.absorb()
}

fn leaf(a: i32) -> Leaf {
    Leaf { a, ..Leaf::default() }
}

#[test]
fn streams_that_end_too_early() {
    let stream = b"\x02\x08\x01\x00\x83\x00\x08\x81\x00";
    assert_eq!(all(stream), [Ok(leaf(1)), Ok(leaf(0)), Ok(leaf(1))]);
    for cut in 0..stream.len() {
        let got = all(&stream[..cut]);
        let expected: Vec<Result<Leaf, String>> = match cut {
            0 => vec![],
            1 => vec![Err("[0]: length of 2 bytes, but only 0 bytes are left (at byte 1)".into())],
            2 => vec![Err("[0]: length of 2 bytes, but only 1 bytes are left (at byte 1)".into())],
            3 => vec![Ok(leaf(1))],
            4 => vec![Ok(leaf(1)), Ok(leaf(0))],
            5 => vec![Ok(leaf(1)), Ok(leaf(0)), Err("[2]: input ends inside a varint (at byte 4)".into())],
            cut => vec![
                Ok(leaf(1)),
                Ok(leaf(0)),
                Err(format!("[2]: length of 3 bytes, but only {} bytes are left (at byte 6)", cut - 6)),
            ],
        };
        assert_eq!(got, expected, "cut at {cut}");
    }
}

#[test]
fn lengths_that_lie() {
    let error = |stream: &[u8]| all(stream).pop().unwrap().unwrap_err();
    assert_eq!(
        error(b"\xff\xff\xff\xff\x07\x08\x01\x10"),
        "[0]: length of 2147483647 bytes, but only 3 bytes are left (at byte 5)"
    );
    assert_eq!(
        error(b"\x80\x80\x80\x80\x08\x08"),
        "[0]: input of 2147483648 bytes is larger than the limit of 2147483647 bytes (at byte 0)"
    );
    assert_eq!(
        error(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
        "[0]: input of 18446744073709551615 bytes is larger than the limit of 2147483647 bytes (at byte 0)"
    );
    let overflow = "[0]: varint is longer than 10 bytes or does not fit 64 bits (at byte 0)";
    assert_eq!(error(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), overflow);
    assert_eq!(error(b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"), overflow);
    let options = DecodeOptions::new().limits(Limits::default().input(1));
    let mut reader = MessageReader::<_, Leaf>::with_options(&b"\x00\x02\x08\x01"[..], options);
    assert_eq!(reader.next().unwrap().unwrap(), leaf(0));
    let text = reader.next().unwrap().unwrap_err().to_string();
    assert_eq!(text, "[1]: input of 2 bytes is larger than the limit of 1 bytes (at byte 1)");
    assert!(reader.next().is_none());
}

#[test]
fn a_message_that_is_malformed_ends_the_stream() {
    let got = all(b"\x02\x08\x01\x02\x08\x80\x02\x08\x01");
    assert_eq!(
        got,
        [Ok(leaf(1)), Err("derived.v3.Leaf[1].a: input ends inside a varint (at byte 5)".to_owned())]
    );
}

/// Gives a byte at a time, is interrupted before each, and fails in the end.
struct Stuttering<'a>(&'a [u8], bool);

impl Read for Stuttering<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let Some((first, rest)) = self.0.split_first() else {
            return Err(io::Error::new(io::ErrorKind::ConnectionReset, "the line is dead"));
        };
        out[0] = *first;
        self.0 = rest;
        Ok(1)
    }
}

#[test]
fn a_reader_that_stutters_and_fails() {
    let mut reader = MessageReader::<_, Leaf>::new(Stuttering(b"\x02\x08\x01\x02\x08", false));
    assert_eq!(reader.next().unwrap().unwrap(), leaf(1));
    let error = reader.next().unwrap().unwrap_err();
    assert_eq!((error.category(), error.to_string()), (Category::Io, "the line is dead".to_owned()));
    assert!(reader.next().is_none());
    let error = tobu::from_reader::<Leaf>(Stuttering(b"\x08\x01", false)).unwrap_err();
    assert_eq!(error.category(), Category::Io);
}

/// One message after the other through all sizes around that of the buffer of a reader, from readers that give a lot, or
/// a byte, at a time.
#[test]
fn messages_of_all_sizes() {
    let mut writer = MessageWriter::new(Vec::new());
    let sizes = || (0..300).chain([8180, 8185, 8186, 8187, 8190, 8191, 8192, 8193, 20_000, 3]);
    for size in sizes() {
        writer.write(&Leaf { a: size as i32, b: "b".repeat(size), ..Leaf::default() }).unwrap();
    }
    let stream = writer.into_inner();
    type Verb<'a> = fn(&mut MessageReader<Stuttering<'a>, Leaf>) -> Result<Option<Leaf>>;
    let verbs: [Verb<'_>; 4] = [next, refilled, viewed, copied];
    for verb in verbs {
        let mut reader = MessageReader::new(Stuttering(&stream, false));
        for size in sizes() {
            let leaf = verb(&mut reader).unwrap().unwrap();
            assert_eq!((leaf.a, leaf.b.len()), (size as i32, size));
        }
    }
    assert_eq!(all(&stream).len(), sizes().count());
}

#[test]
fn what_follows_the_messages_is_there() {
    let mut reader = MessageReader::<_, Leaf>::new(&b"\x02\x08\x01\x02\x08\x02rest"[..]);
    assert_eq!((reader.get_ref().len(), reader.buffer()), (10, &b""[..]));
    assert_eq!(reader.next().unwrap().unwrap(), leaf(1));
    assert_eq!((reader.get_ref().len(), reader.buffer()), (0, &b"\x02\x08\x02rest"[..]));
    assert_eq!(viewed(&mut reader).unwrap().unwrap(), leaf(2));
    assert_eq!(reader.buffer(), b"rest");
    assert_eq!(reader.get_mut().len(), 0);
    // All that is left as one message.
    let mut reader = MessageReader::<_, Leaf>::new(&b"\x02\x08\x01\x1a\x02\x05\x06"[..]);
    assert_eq!(reader.next().unwrap().unwrap(), leaf(1));
    let numbers = reader.elements::<Element>("c").unwrap();
    let numbers: Vec<_> = numbers.map(Result::unwrap).collect();
    assert_eq!(numbers, [5, 6].map(|number| Element::Value(Value::I32(number))));
}

/// A message that is refilled is unchanged at the end of the stream, and empty after an error of its bytes.
#[test]
fn a_message_that_is_refilled() {
    let mut message = leaf(7);
    let mut reader = MessageReader::new(&b"\x02\x08\x01\x02\x08\x80"[..]);
    assert!(reader.read_into(&mut message).unwrap());
    assert_eq!(message, leaf(1));
    let error = reader.read_into(&mut message).unwrap_err();
    assert_eq!(error.to_string(), "derived.v3.Leaf[1].a: input ends inside a varint (at byte 5)");
    assert_eq!(message, leaf(0));
    message.a = 7;
    assert!(!reader.read_into(&mut message).unwrap());
    assert_eq!(message, leaf(7));
}

#[test]
fn a_codec_shares_large_messages() {
    #[derive(Message, Deserialize, tobu::Serialize)]
    struct Blob {
        #[tobu(1)]
        value: Bytes,
    }
    let (large, small) = (vec![7; 1021], vec![7; 1000]);
    let mut codec = MessageCodec::<Blob>::new();
    let mut buf = BytesMut::new();
    for bytes in [&large, &small] {
        codec.encode(Blob { value: bytes.clone().into() }, &mut buf).unwrap();
    }
    assert_eq!(buf[..5], [0x80, 0x08, 0x0a, 0xfd, 0x07]);
    let start = buf[5..].as_ptr();
    let message = codec.decode(&mut buf).unwrap().unwrap();
    assert_eq!((message.value.as_ptr(), message.value.len()), (start, 1021));
    let start = buf[5..].as_ptr();
    let message = codec.decode_eof(&mut buf).unwrap().unwrap();
    assert_ne!(message.value.as_ptr(), start);
    assert_eq!((message.value.len(), buf.len()), (1000, 0));
}

#[test]
fn a_codec_has_options() {
    let options = DecodeOptions::new().limits(Limits::default().input(1));
    let mut codec = MessageCodec::<Leaf>::new().decode_options(options);
    let mut buf = BytesMut::from(&b"\x00\x02"[..]);
    assert_eq!(codec.decode(&mut buf).unwrap(), Some(leaf(0)));
    // The message is not there yet.
    let error = codec.decode(&mut buf).unwrap_err();
    assert_eq!(error.to_string(), "[1]: input of 2 bytes is larger than the limit of 1 bytes (at byte 1)");

    use crate::messages::derived::Strict;
    let (mut codec, mut buf) = (MessageCodec::<Strict>::new(), BytesMut::from(&b"before"[..]));
    let error = codec.encode(Strict::default(), &mut buf).unwrap_err();
    assert_eq!(error.to_string(), "derived.hostile.Strict.id: required field id has no value");
    let options = tobu::EncodeOptions::new().partial(true);
    codec.clone().encode_options(options).encode(Strict::default(), &mut buf).unwrap();
    assert_eq!(&buf[..], b"before\x00");
}

/// Counts the calls.
#[derive(Default)]
struct Calls(Vec<usize>);

impl io::Write for Calls {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.push(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_message_is_one_write() {
    fn write(message: &(impl Encode + ?Sized)) -> Vec<usize> {
        let mut writer = MessageWriter::new(Calls::default());
        writer.write(message).unwrap();
        writer.get_mut().0.push(0);
        writer.write(message).unwrap();
        assert_eq!(writer.get_ref().0.len(), 3);
        writer.into_inner().0
    }
    let long = Leaf { b: "b".repeat(300), ..Leaf::default() };
    assert_eq!(write(&leaf(1)), [3, 0, 3]);
    assert_eq!(write(&long), [305, 0, 305]);
    assert_eq!(write(long.as_reflect()), [305, 0, 305]);
    assert_eq!(write(&DynamicMessage::from_message(&long).unwrap()), [305, 0, 305]);
}

#[test]
fn a_writer_writes_whole_messages_or_nothing() {
    use crate::messages::derived::Strict;
    let strict = |id| Strict { id, ..Strict::default() };
    let mut writer = MessageWriter::new(Vec::new());
    writer.write(&strict(Some(1))).unwrap();
    let error = writer.write(&strict(None)).unwrap_err();
    assert_eq!(error.to_string(), "derived.hostile.Strict.id: required field id has no value");
    writer.write(&strict(Some(2))).unwrap();
    assert_eq!(writer.into_inner(), b"\x02\x08\x01\x02\x08\x02");
}

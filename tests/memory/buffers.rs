//! Encoding into a buffer or a stream that has room allocates nothing.

use crate::counting::calls;
use bytes::BufMut;
use tobu::{DynamicMessage, MessageWriter};
use tobu_schemas::corpus::corpus::v3::Tree;

/// A message that takes about this many bytes.
fn tree(size: usize) -> Tree {
    let child = Tree { name: "x".repeat(90), ..Tree::default() };
    Tree { name: "root".into(), children: vec![child; size / 94], ..Tree::default() }
}

#[test]
fn buffers_with_room_take_a_message_without_an_allocation() {
    // Of the smallest kind, of lengths that take two bytes, and as large as the kept buffer allows.
    for size in [0, 1000, 20_000] {
        let typed = tree(size);
        let dynamic = DynamicMessage::from_message(&typed).unwrap();
        let wanted = tobu::to_vec(&typed).unwrap();
        let len = wanted.len();
        let (mut vec, mut slice) = (Vec::with_capacity(2 * len + 20), vec![0; 2 * len + 20]);
        let write = |buf: &mut dyn BufMut, mut buf_of: &mut [u8]| {
            let mut limited = buf.limit(2 * len + 20);
            tobu::to_buf(&typed, &mut limited).unwrap();
            dynamic.encode_length_delimited(&mut limited).unwrap();
            tobu::to_buf_delimited(&dynamic, &mut buf_of).unwrap();
            tobu::to_writer(&typed, &mut buf_of).unwrap();
        };
        // The first call of a thread makes the buffer.
        write(&mut Vec::new(), &mut slice);
        let (count, ()) = calls(|| write(&mut vec, &mut slice));
        assert_eq!(count, 0, "{len} bytes");
        assert_eq!(vec[..len], wanted);
        assert_eq!(vec[vec.len() - len..], wanted);
        let delimited = vec.len() - len;
        assert_eq!(slice[..delimited], vec[len..]);
        assert_eq!(slice[delimited..][..len], wanted);
    }
}

#[test]
fn a_writer_of_messages_allocates_for_the_largest_alone() {
    let (small, large) = (tree(100), tree(5000));
    let mut writer = MessageWriter::new(std::io::sink());
    writer.write(&large).unwrap();
    let (count, ()) = calls(|| {
        for message in [&small, &large, &small] {
            writer.write(message).unwrap();
        }
    });
    assert_eq!(count, 0);
}

/// What is encoded inside of encoding has another buffer.
#[test]
fn a_stream_that_encodes_too() {
    struct Nesting(Vec<u8>);

    impl std::io::Write for Nesting {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            tobu::to_writer(&Tree { name: "inner".into(), ..Tree::default() }, &mut self.0)?;
            self.0.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let mut stream = Nesting(Vec::new());
    for name in ["a", "b"] {
        tobu::to_writer(&Tree { name: name.into(), ..Tree::default() }, &mut stream).unwrap();
    }
    assert_eq!(stream.0, b"\x0a\x05inner\x0a\x01a\x0a\x05inner\x0a\x01b");
}

//! Described streams: of many small items, and damaged ones.

use crate::family::{Family, Outcome, Verb, run, taken};
use tobu::DynamicMessage;
use tobu::stream::described::{Options, Reader, Writer};
use tobu::types::StringValue;

/// A stream of strings in blocks of a size.
fn stream(count: usize, block_size: u32) -> Vec<u8> {
    let options = Options::new().sync_marker(*b"0123456789abcdef").block_size(block_size);
    let mut writer = Writer::with_options(Vec::new(), options);
    (0..count).for_each(|_| writer.write(&StringValue::from("text")).unwrap());
    writer.finish().unwrap();
    writer.into_inner()
}

/// Reads all that can be read.
fn read(stream: &[u8], options: Options) -> Outcome {
    let mut reader = Reader::with_options(stream, options);
    let mut size = 0;
    loop {
        match reader.next() {
            Ok(Some(entry)) => size += entry.to_dynamic().map_err(|error| error.to_string())?.encoded_len(),
            Ok(None) => return Ok(size),
            Err(error) => return if reader.is_cut_off() { Ok(size) } else { Err(error.to_string()) },
        }
    }
}

const VERBS: &[Verb] = &[
    Verb {
        name: "read",
        prepare: |stream| Some(Box::new(move || read(stream, Options::new().skip_damage(true)))),
    },
    Verb {
        name: "read and write",
        prepare: |stream| {
            let options = Options::new().skip_damage(true);
            let mut reader = Reader::with_options(stream, options);
            let messages: Vec<DynamicMessage> = reader.dynamic_messages().filter_map(Result::ok).collect();
            Some(Box::new(move || {
                let mut writer = Writer::new(Vec::new());
                messages.iter().for_each(|message| writer.write_dynamic(message).unwrap());
                writer.finish().unwrap();
                Ok(writer.into_inner().len())
            }))
        },
    },
];

#[test]
fn described_streams() {
    const FAMILIES: &[Family] = &[
        taken("messages", 64, |n| stream(n, 1 << 16)),
        taken("blocks", 16, |n| stream(n, 1)),
        taken("blocks that are cut off", 16, |n| {
            let mut stream = stream(n, 1);
            stream.truncate(stream.len() - 20);
            stream
        }),
        taken("damage in every block", 16, |n| {
            let mut stream = stream(n, 1);
            let texts: Vec<usize> =
                (0..stream.len() - 4).filter(|at| &stream[*at..at + 4] == b"text").collect();
            texts.into_iter().for_each(|at| stream[at] = b'?');
            stream
        }),
        taken("damage in every header", 16, |n| {
            let mut stream = stream(n, 1);
            let headers: Vec<usize> =
                (32..stream.len() - 16).filter(|at| &stream[*at..at + 16] == b"0123456789abcdef").collect();
            headers.into_iter().for_each(|at| stream[at + 20] ^= 1);
            stream
        }),
        taken("what is not a block", 256, |n| [stream(1, 1), vec![b'?'; n]].concat()[..].to_vec()),
        taken("markers alone", 64, |n| {
            let mut stream = stream(1, 1);
            stream.truncate(32);
            stream.extend(b"0123456789abcdef".repeat(n));
            stream
        }),
        taken("blocks within a block", 16, |n| {
            // A message that is a stream by itself, and a block around it that is damaged.
            let inner = stream(n, 1)[32..].to_vec();
            let options = Options::new().sync_marker(*b"0123456789abcdef");
            let mut writer = Writer::with_options(Vec::new(), options);
            writer.write(&tobu::types::BytesValue::from(inner)).unwrap();
            writer.finish().unwrap();
            let mut stream = writer.into_inner();
            let last = stream.len() - 49;
            stream[last] ^= 1;
            stream
        }),
    ];
    run(FAMILIES, VERBS);
}

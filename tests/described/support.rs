//! Streams and what comes of them.

use tobu::stream::described::{Options, Reader, Writer};
use tobu::types::StringValue;
use tobu::{Deserialize, Message, Serialize};

#[derive(Clone, Debug, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "d")]
pub(crate) struct A {
    #[tobu(1)]
    pub(crate) n: u32,
}

#[derive(Clone, Debug, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "d")]
pub(crate) struct B<'a> {
    #[tobu(1)]
    pub(crate) text: &'a str,
}

pub(crate) const MARKER: [u8; 16] = *b"0123456789abcdef";

/// Options whose streams are always the same.
pub(crate) fn fixed() -> Options {
    Options::new().sync_marker(MARKER)
}

/// A stream of strings.
pub(crate) fn stream(options: Options, texts: &[&str]) -> Vec<u8> {
    let mut writer = Writer::with_options(Vec::new(), options);
    for text in texts {
        writer.write(&StringValue::from(*text)).unwrap();
    }
    writer.finish().unwrap();
    writer.into_inner()
}

/// The strings of a stream up to its end or the first error, and that.
pub(crate) fn read(options: Options, stream: &[u8]) -> (Vec<String>, Result<(), String>) {
    let mut reader = Reader::with_options(stream, options);
    let mut texts = Vec::new();
    loop {
        match reader.next() {
            Ok(Some(entry)) => texts.push(entry.read::<StringValue>().unwrap().value),
            Ok(None) => return (texts, Ok(())),
            Err(error) => return (texts, Err(error.to_string())),
        }
    }
}

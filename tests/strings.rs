//! Strings that need not be UTF-8: proto2, and features that say so.

use tobu::{Deserialize, Message, Serialize};
use tobu_schemas::corpus::corpus::v2;

#[derive(Debug, PartialEq, Message, Serialize, Deserialize)]
#[tobu(descriptor = v2::Loose::descriptor())]
struct Bytes {
    text: Option<Vec<u8>>,
    texts: Vec<Vec<u8>>,
}

#[derive(Debug, PartialEq, Message, Serialize, Deserialize)]
#[tobu(descriptor = tobu_schemas::corpus::corpus::v3::Leaf::descriptor())]
struct Checked {
    b: Vec<u8>,
}

#[derive(Debug, PartialEq, Message, serde::Serialize, serde::Deserialize)]
#[tobu(descriptor = v2::Loose::descriptor())]
struct Plain {
    text: Option<Vec<u8>>,
}

/// `text: 0xff`, `texts: ["a", 0x80]`
const LOOSE: &[u8] = b"\x0a\x01\xff\x12\x01a\x12\x01\x80";

#[test]
fn bytes_take_what_is_not_text() {
    let message: Bytes = tobu::from_slice(LOOSE).unwrap();
    assert_eq!(message, Bytes { text: Some(vec![0xff]), texts: vec![b"a".to_vec(), vec![0x80]] });
    assert_eq!(tobu::to_vec(&message).unwrap(), LOOSE);
    let plain: Plain = tobu::from_slice(&LOOSE[..3]).unwrap();
    assert_eq!(plain, Plain { text: Some(vec![0xff]) });
    assert_eq!(tobu::to_vec(&plain).unwrap(), &LOOSE[..3]);
}

#[test]
fn a_string_takes_only_text() {
    let error = tobu::from_slice::<v2::Loose>(LOOSE).unwrap_err();
    assert_eq!(error.to_string(), "corpus.v2.Loose.text: invalid UTF-8 in a string (at byte 2)");
}

#[test]
fn a_schema_that_asks_for_utf8_gets_it() {
    let error = tobu::from_slice::<Checked>(b"\x12\x01\xff").unwrap_err();
    assert_eq!(error.to_string(), "corpus.v3.Leaf.b: invalid UTF-8 in a string (at byte 2)");
    let error = tobu::to_vec(&Checked { b: vec![0xff] }).unwrap_err();
    assert_eq!(error.to_string(), "corpus.v3.Leaf.b: the bytes of a string are not valid UTF-8");
    assert_eq!(tobu::to_vec(&Checked { b: b"ok".to_vec() }).unwrap(), b"\x12\x02ok");
}

#[test]
fn options_hold_for_streams_and_shared_bytes() {
    use tobu::{DecodeOptions, Limits};
    let options = DecodeOptions::new().limits(Limits::default().input(4));
    let error = options.from_reader::<Bytes>(LOOSE).unwrap_err();
    assert_eq!(error.to_string(), "input of 5 bytes is larger than the limit of 4 bytes");
    let shared = bytes::Bytes::from_static(LOOSE);
    let error = options.from_bytes::<Bytes>(&shared).unwrap_err();
    assert_eq!(error.to_string(), "corpus.v2.Loose: input of 9 bytes is larger than the limit of 4 bytes");
    let short = options.from_reader::<Bytes>(&LOOSE[..3]).unwrap();
    assert_eq!(short.text, Some(vec![0xff]));
}

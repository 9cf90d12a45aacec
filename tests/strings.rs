//! Strings that need not be UTF-8: proto2, and features that say so.

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::{collection, option};
use std::sync::Arc;
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

/// Strings and byte strings of types that have functions for them.
#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "strings")]
struct Others {
    #[tobu(1)]
    text: Box<str>,
    #[tobu(2)]
    texts: Vec<Arc<str>>,
    #[tobu(3)]
    blob: bytes::Bytes,
    #[tobu(4)]
    blobs: Vec<bytes::Bytes>,
    #[tobu(5)]
    maybe: Option<Box<[u8]>>,
    #[tobu(6)]
    number: u32,
}

/// The same of the types that a codec knows.
#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "strings")]
struct Known {
    #[tobu(1)]
    text: String,
    #[tobu(2)]
    texts: Vec<String>,
    #[tobu(3)]
    blob: Vec<u8>,
    #[tobu(4)]
    blobs: Vec<Vec<u8>>,
    #[tobu(5)]
    maybe: Option<Vec<u8>>,
    #[tobu(6)]
    number: u32,
}

impl From<&Known> for Others {
    fn from(known: &Known) -> Others {
        Others {
            text: known.text.as_str().into(),
            texts: known.texts.iter().map(|text| text.as_str().into()).collect(),
            blob: known.blob.clone().into(),
            blobs: known.blobs.iter().map(|blob| blob.clone().into()).collect(),
            maybe: known.maybe.clone().map(Into::into),
            number: known.number,
        }
    }
}

fn known() -> impl Strategy<Value = Known> {
    let blob = || collection::vec(any::<u8>(), 0..40);
    let parts = (".{0,40}", collection::vec(".{0,40}", 0..5), blob(), collection::vec(blob(), 0..5));
    (parts, option::of(blob()), any::<u32>()).prop_map(|((text, texts, blob, blobs), maybe, number)| Known {
        text,
        texts,
        blob,
        blobs,
        maybe,
        number,
    })
}

proptest! {
    #[test]
    fn all_types_of_strings_are_read_and_written_alike(known in known(), before in known(), cut in any::<Index>()) {
        let others = Others::from(&known);
        let wire = tobu::to_vec(&known).unwrap();
        prop_assert_eq!(&tobu::to_vec(&others).unwrap(), &wire);
        prop_assert_eq!(&tobu::from_slice::<Others>(&wire).unwrap(), &others);
        let shared = bytes::Bytes::from(wire.clone());
        let sharing: Others = tobu::from_bytes(&shared).unwrap();
        prop_assert_eq!(&sharing, &others);
        for blob in sharing.blobs.iter().chain([&sharing.blob]).filter(|blob| !blob.is_empty()) {
            prop_assert!(shared.as_ptr_range().contains(&blob.as_ptr()));
        }
        let mut used = Others::from(&before);
        tobu::from_slice_in_place(&mut used, &wire).unwrap();
        prop_assert_eq!(&used, &others);
        let (mut merged, mut merged_known) = (Others::from(&before), before);
        merged.merge(&wire).unwrap();
        merged_known.merge(&wire).unwrap();
        prop_assert_eq!(&merged, &Others::from(&merged_known));

        // A part of a message, and one with a byte that no text has, are refused in the same words.
        let said = |error: tobu::Error| error.to_string().replace("Others", "Known");
        let part = &wire[..cut.index(wire.len() + 1)];
        let read = tobu::from_slice::<Others>(part).map_err(said);
        let wanted = tobu::from_slice::<Known>(part).map_err(|error| error.to_string());
        prop_assert_eq!(read, wanted.map(|known| Others::from(&known)));
        if !wire.is_empty() {
            let mut wrong = wire.clone();
            wrong[cut.index(wire.len())] = 0xff;
            let read = tobu::from_slice::<Others>(&wrong).map_err(said);
            let wanted = tobu::from_slice::<Known>(&wrong).map_err(|error| error.to_string());
            prop_assert_eq!(read, wanted.map(|known| Others::from(&known)));
        }
    }
}

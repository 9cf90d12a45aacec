//! Members of type `Lazy`: what is seen of a message is the same as with an `Option`, whenever it is decoded.

use bytes::Bytes;
use proptest::prelude::*;
use std::sync::Barrier;
use tobu::lazy::{Lazy, LazyList};
use tobu::reflect::Value;
use tobu::{DecodeOptions, DynamicMessage, EncodeOptions, Limits, Message, UnknownFields, json, text};

macro_rules! twins {
    ($($name:ident, $member:ident, $list:ident;)*) => {
        $(
            #[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
            #[tobu(package = "lazy", name = "M", direct)]
            struct $name {
                #[tobu(1)]
                number: i64,
                #[tobu(2)]
                text: String,
                #[tobu(3)]
                inner: $member<$name>,
                #[tobu(4)]
                list: $list<$name>,
                #[tobu(5)]
                map: std::collections::BTreeMap<String, $name>,
                #[tobu(6)]
                packed: Vec<i32>,
                #[tobu(7)]
                fixed: Vec<f64>,
                #[tobu(8)]
                bytes: Bytes,
                #[tobu(9)]
                second: $member<$name>,
                #[tobu(10, required)]
                must: i32,
                #[tobu(unknown)]
                unknown_fields: UnknownFields,
            }
        )*
    };
}

type Boxed<T> = Option<Box<T>>;

twins! {
    Eager, Boxed, Vec;
    Late, Lazy, LazyList;
}

impl Late {
    fn inner(&self) -> &Late {
        self.inner.get().unwrap()
    }
}

fn late(bytes: &[u8]) -> Late {
    tobu::from_slice(bytes).unwrap()
}

fn message() -> impl Strategy<Value = Eager> {
    let leaf = (
        (any::<i64>(), ".{0,8}", proptest::collection::vec(any::<i32>(), 0..4), any::<i32>()),
        (proptest::collection::vec(0.0..1.0, 0..3), proptest::collection::vec(any::<u8>(), 0..5), 0..3_u8),
    )
        .prop_map(|((number, text, packed, must), (fixed, bytes, unknown))| Eager {
            unknown_fields: UnknownFields::from_bytes(
                [&b""[..], b"\xa0\x06\x01", b"\xa2\x06\x02hi"][usize::from(unknown)],
            )
            .unwrap(),
            number,
            text,
            packed,
            fixed,
            must,
            bytes: bytes.into(),
            ..Eager::default()
        });
    leaf.prop_recursive(4, 12, 3, |of| {
        let option = || proptest::option::of(of.clone());
        (of.clone(), option(), option(), proptest::collection::vec(of.clone(), 0..3), option()).prop_map(
            |(message, inner, second, list, entry)| Eager {
                inner: inner.map(Box::new),
                second: second.map(Box::new),
                list,
                map: entry.map(|value| ("key".to_owned(), value)).into_iter().collect(),
                ..message
            },
        )
    })
}

proptest! {
    #[test]
    fn a_lazy_message_is_what_an_option_is(eager in message(), other in message()) {
        let bytes = eager.encode_to_vec().unwrap();
        let shared = Bytes::from(bytes.clone());
        for read in [late(&bytes), tobu::from_bytes(&shared).unwrap()] {
            prop_assert!(!read.inner.is_decoded());
            prop_assert_eq!(read.inner.is_set(), eager.inner.is_some());
            prop_assert_eq!(&read.encode_to_vec().unwrap(), &bytes);
            prop_assert!(!read.inner.is_decoded());
            prop_assert_eq!(read.list.is_decoded(), eager.list.is_empty());
            prop_assert_eq!(read.list.raw().is_some(), !eager.list.is_empty());
            if read.inner.get().is_some_and(|inner| inner.second.is_set()) {
                prop_assert!(!read.inner().second.is_decoded(), "it is lazy, too");
            }
            // Encoding copies what was not decoded, and what was.
            for _ in 0..2 {
                prop_assert_eq!(&read.encode_to_vec().unwrap(), &bytes);
                prop_assert_eq!(read.encoded_len(), bytes.len());
                let deterministic = EncodeOptions::new().deterministic(true);
                prop_assert_eq!(&deterministic.to_vec(&read).unwrap(), &deterministic.to_vec(&eager).unwrap());
            }
            prop_assert_eq!(&read.to_json().unwrap(), &eager.to_json().unwrap());
            prop_assert_eq!(&read.to_text().unwrap(), &eager.to_text().unwrap());
            prop_assert_eq!(&read.as_reflect().to_dynamic().unwrap(), &eager.as_reflect().to_dynamic().unwrap());
            prop_assert_eq!(
                json::from_str::<Late>(&read.to_json().unwrap()).unwrap().to_json().unwrap(),
                eager.to_json().unwrap()
            );
            prop_assert_eq!(format!("{:?}", read.as_reflect()), format!("{:?}", eager.as_reflect()));
            prop_assert_eq!(&read, &DecodeOptions::new().lazy(false).from_slice(&bytes).unwrap());
            prop_assert_eq!(&read.clone(), &read);
        }

        // A used message, and merging.
        let more = other.encode_to_vec().unwrap();
        let mut used = late(&more);
        tobu::from_slice_in_place(&mut used, &bytes).unwrap();
        prop_assert_eq!(used.encode_to_vec().unwrap(), bytes.clone());
        let (mut merged, mut expected) = (late(&bytes), eager.clone());
        merged.merge(&more).unwrap();
        expected.merge(&more).unwrap();
        prop_assert_eq!(merged.encode_to_vec().unwrap(), expected.encode_to_vec().unwrap());
        let twice = [&bytes[..], &more].concat();
        prop_assert_eq!(
            late(&twice).encode_to_vec().unwrap(),
            tobu::from_slice::<Eager>(&twice).unwrap().encode_to_vec().unwrap()
        );

        // A change is written.
        let mut changed = late(&bytes);
        changed.inner.get_mut().number = 5;
        let mut inner = eager.inner.clone().unwrap_or_default();
        inner.number = 5;
        let expected = Eager { inner: Some(inner), ..eager.clone() };
        prop_assert_eq!(changed.encode_to_vec().unwrap(), expected.encode_to_vec().unwrap());
        prop_assert_eq!(changed.inner.take().map(|inner| inner.number), Some(5));
        prop_assert!(!changed.inner.is_set());

        let mut changed = late(&bytes);
        changed.list.get_mut().push(Late { must: 7, ..Late::default() });
        let mut expected = eager.clone();
        expected.list.push(Eager { must: 7, ..Eager::default() });
        prop_assert_eq!(changed.encode_to_vec().unwrap(), expected.encode_to_vec().unwrap());
        prop_assert_eq!(changed.list.take().len(), expected.list.len());
        prop_assert!(changed.list.is_empty() && changed.list.raw().is_none());

        // Other formats of serde.
        let binary = postcard::to_stdvec(&eager).unwrap();
        prop_assert_eq!(&postcard::to_stdvec(&late(&bytes)).unwrap(), &binary);
        prop_assert_eq!(&postcard::from_bytes::<Late>(&binary).unwrap(), &late(&bytes));
    }

    /// Whatever decoding at once says of an input, it says when that would be decoded later, too.
    #[test]
    fn errors_come_at_once(eager in message(), at: prop::sample::Index, byte: u8, cut: bool) {
        let mut bytes = eager.encode_to_vec().unwrap();
        let at = at.index(bytes.len());
        match cut {
            true => bytes.truncate(at),
            false => bytes[at] = byte,
        }
        let decoded = tobu::from_slice::<Late>(&bytes);
        match tobu::from_slice::<Eager>(&bytes) {
            Ok(eager) => {
                let late = decoded.unwrap();
                let eager = eager.as_reflect().to_dynamic().unwrap();
                prop_assert_eq!(late.as_reflect().to_dynamic().unwrap(), eager);
                prop_assert_eq!(
                    DynamicMessage::decode(&Late::descriptor(), &late.encode_to_vec().unwrap()).unwrap(),
                    DynamicMessage::decode(&Late::descriptor(), &bytes).unwrap()
                );
            }
            Err(error) => {
                prop_assert_eq!(decoded.unwrap_err().to_string(), error.to_string().replace("Eager", "Late"));
            }
        }
    }
}

/// Bytes of a message `inner` with these fields and the required one, in one that has just it.
fn within(fields: &[u8]) -> Vec<u8> {
    let inner = [fields, b"\x50\x01"].concat();
    [&b"\x1a"[..], &[inner.len() as u8], &inner, b"\x50\x01"].concat()
}

#[test]
fn what_is_wrong_within_is_an_error_of_decoding() {
    for (fields, expected) in [
        (&b"\x12\x01\xff"[..], "lazy.M.inner.text: invalid UTF-8 in a string (at byte 4)"),
        (b"\x12\x7f", "lazy.M.inner.text: "),
        (b"\x32\x02\x01\x80", "lazy.M.inner.packed"),
        (b"\x3a\x07aaaaaaa", "lazy.M.inner.fixed"),
        (b"\x22\x00", "lazy.M.inner.list[0]: required field must has no value"),
        (b"\x0c", "lazy.M.inner"),
    ] {
        let error = tobu::from_slice::<Late>(&within(fields)).unwrap_err().to_string();
        assert_eq!(tobu::from_slice::<Eager>(&within(fields)).unwrap_err().to_string(), error);
        assert!(error.starts_with(expected), "{error}");
    }
    // Required fields that are missing may come with another occurrence.
    let pieces = [&b"\x1a\x02\x08\x05"[..], b"\x1a\x02\x50\x01", b"\x50\x01"].concat();
    let read = late(&pieces);
    assert_eq!((read.inner().number, read.inner().must), (5, 1));
    // Where they may be missing, nothing is kept for later: encoding has to find them.
    let partial: Late = DecodeOptions::new().partial(true).from_slice(b"\x1a\x02\x08\x05").unwrap();
    assert!(partial.inner.is_decoded());
}

#[test]
fn limits_hold_ahead() {
    let mut nested = b"\x50\x01".to_vec();
    for _ in 0..6 {
        let len = nested.len() as u8;
        nested.splice(0..0, [0x1a, len]);
        nested.extend(b"\x50\x01");
    }
    let options = |depth| DecodeOptions::new().limits(Limits::default().depth(depth));
    let read: Late = options(7).from_slice(&nested).unwrap();
    assert!(!read.inner.is_decoded());
    let error = options(6).from_slice::<Late>(&nested).unwrap_err();
    assert_eq!(error.to_string(), options(6).from_slice::<Eager>(&nested).unwrap_err().to_string());
    // What was deep enough to be read may be too deep to be written within something else.
    let mut outer = Late { must: 1, ..Late::default() };
    outer.inner = Lazy::new(read);
    let shallow = EncodeOptions::new().limits(Limits::default().depth(7));
    assert_eq!(
        shallow.to_vec(&outer).unwrap_err().to_string(),
        "lazy.M.inner.inner.inner.inner.inner.inner.inner: messages are nested deeper than 7 levels"
    );
    assert!(EncodeOptions::new().limits(Limits::default().depth(8)).to_vec(&outer).is_ok());

    // Two bytes that become a struct each are counted before they do.
    let many = [&b"\x22\x02\x50\x01"[..]; 4000].concat();
    let mut bytes = vec![0x1a];
    bytes.extend([(many.len() + 2) as u8 | 0x80, ((many.len() + 2) >> 7) as u8]);
    bytes.extend([&many[..], b"\x50\x01", b"\x50\x01"].concat());
    let little = DecodeOptions::new().limits(Limits::default().memory(100_000));
    assert!(late(&bytes).inner.is_set());
    let error = little.from_slice::<Late>(&bytes).unwrap_err();
    assert_eq!(error.category(), tobu::Category::Limit);
}

#[test]
fn bytes_are_shared_with_the_input_or_copied_once() {
    let bytes = Bytes::from(within(b"\x42\x03abc"));
    let read: Late = tobu::from_bytes(&bytes).unwrap();
    let range = bytes.as_ptr_range();
    assert!(range.contains(&read.inner.raw().unwrap().as_ptr()));
    assert!(range.contains(&read.inner().bytes.as_ptr()), "what is decoded from them shares them, too");
    let read = late(&bytes);
    assert!(!range.contains(&read.inner.raw().unwrap().as_ptr()));
    let raw = read.inner.raw().unwrap().as_ptr_range();
    assert!(raw.contains(&read.inner().bytes.as_ptr()));
}

/// Records of the list with these fields and the required one, and the required one of the message.
fn listed(elements: &[&[u8]]) -> Vec<u8> {
    let record = |fields: &&[u8]| [&[0x22, fields.len() as u8 + 2], *fields, b"\x50\x01"].concat();
    elements.iter().flat_map(record).chain(*b"\x50\x01").collect()
}

#[test]
fn a_list_keeps_its_records() {
    let bytes = Bytes::from(listed(&[b"\x08\x05", b"\x42\x03abc"]));
    let range = bytes.as_ptr_range();
    let read: Late = tobu::from_bytes(&bytes).unwrap();
    let records = &bytes[..bytes.len() - 2];
    assert_eq!(read.list.raw().unwrap().as_ptr_range(), records.as_ptr_range());
    assert!(!read.list.is_decoded());
    assert!(range.contains(&read.list[1].bytes.as_ptr()), "what is decoded from them shares them, too");
    assert_eq!(read.list.iter().map(|one| one.number).collect::<Vec<_>>(), [5, 0]);
    assert_eq!(read.encode_to_vec().unwrap(), bytes, "what was read is copied still");

    // Elements apart from each other, and those that are merged, which is for messages that need not be whole.
    let apart = [&listed(&[b"\x08\x05"])[..], b"\x08\x02", &listed(&[b"\x42\x03abc"])].concat();
    let mut read = late(&apart);
    assert_eq!((read.list.raw().unwrap(), read.number), (&Bytes::copy_from_slice(records), 2));
    read.merge(&listed(&[b"\x08\x09"])).unwrap();
    assert_eq!((read.list.is_decoded(), read.list.raw()), (true, None));
    assert_eq!(read.list.iter().map(|one| one.number).collect::<Vec<_>>(), [5, 0, 9]);

    let of = |numbers: &[i64]| -> LazyList<Late> {
        numbers.iter().map(|number| Late { number: *number, must: 1, ..Late::default() }).collect()
    };
    assert_eq!(late(&listed(&[b"\x08\x05"])).list, of(&[5]));
    assert_eq!(late(&listed(&[])).list, of(&[]));
    assert_ne!(late(&listed(&[b"\x08\x05"])).list, of(&[5, 6]));
    assert_eq!(std::mem::size_of::<LazyList<Late>>(), 8);
}

#[test]
fn what_is_wrong_in_an_element_is_an_error_of_decoding() {
    for (second, expected) in [
        (&b"\x12\x01\xff"[..], "lazy.M.list[1].text: invalid UTF-8 in a string (at byte 10)"),
        (b"\x12\x7f", "lazy.M.list[1].text: "),
        (b"\x22\x00", "lazy.M.list[1].list[0]: required field must has no value"),
    ] {
        let bytes = listed(&[b"\x08\x05", second, b"\x08\x05"]);
        let error = tobu::from_slice::<Late>(&bytes).unwrap_err().to_string();
        assert_eq!(tobu::from_slice::<Eager>(&bytes).unwrap_err().to_string(), error);
        assert!(error.starts_with(expected), "{error}");
    }
    // A field of an element in another wire type is unknown: what is before it is kept, the rest is decoded now.
    let read = late(&listed(&[b"\x08\x05", b"\x0b\x0c", b"\x08\x06"]));
    assert!(read.list.is_decoded());
    assert_eq!(read.list.iter().map(|one| one.number).collect::<Vec<_>>(), [5, 0, 6]);
    assert_eq!(read.list[1].unknown_fields.as_bytes(), b"\x0b\x0c");
}

#[test]
fn threads_that_read_first_get_one_message() {
    for _ in 0..50 {
        let read = late(&within(b"\x12\x03abc\x1a\x02\x50\x07"));
        let barrier = Barrier::new(4);
        let addresses: Vec<usize> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        barrier.wait();
                        let inner = read.inner();
                        assert_eq!((&*inner.text, inner.inner().must), ("abc", 7));
                        std::ptr::from_ref(inner).addr()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(addresses.iter().all(|address| *address == addresses[0]));
    }
}

#[test]
fn reflection_decodes_and_changes() {
    let mut read = late(&within(b"\x08\x05"));
    let field = |name: &str| Late::descriptor().field_by_name(name).unwrap();
    assert!(read.as_reflect().has(&field("inner")).unwrap());
    assert!(!read.inner.is_decoded(), "whether it is set needs no decoding");
    let inner = read.as_reflect_mut().get_mut_by_name("inner").unwrap();
    let tobu::reflect::ValueMut::Message(mut inner) = inner else { panic!("a message") };
    inner.set_by_name("number", Value::I64(6)).unwrap();
    assert_eq!(tobu::to_vec(&read).unwrap(), within(b"\x08\x06"));
    read.as_reflect_mut().clear(&field("inner")).unwrap();
    assert!(!read.inner.is_set());
    let text = "inner { must: 3 } must: 1";
    let read: Late = text::from_str(text).unwrap();
    assert_eq!(read.inner().must, 3);
}

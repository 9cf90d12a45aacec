//! Open, hybrid and opaque messages: the same bytes, JSON, text, reflection and `Debug` for equal content.

use proptest::prelude::*;
use tobu::descriptor::{FieldDescriptor, FieldShape, Kind, MessageDescriptor};
use tobu::{DynamicMessage, EncodeOptions, Merge, Message, MessageOwned};
use tobu_generated_tests::{api, hybrid, library as open, opaque, opaque_of_all, proto2};

/// Bits of which a message is made.
struct Bits(u64);

impl Bits {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn delimited(bytes: &[u8], out: &mut Vec<u8>) {
    varint(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

/// The wire bytes of a message of the type, with fields in any order, some of them more than once.
fn message(descriptor: &MessageDescriptor, bits: &mut Bits, depth: u32) -> Vec<u8> {
    let mut out = Vec::new();
    // Not all of those have a form in JSON.
    if descriptor.full_name().starts_with("google.protobuf.") {
        return out;
    }
    let fields: Vec<FieldDescriptor> = descriptor.fields().collect();
    for field in fields.iter().filter(|field| field.is_required()) {
        value(field, &field.kind(), bits, depth, &mut out);
    }
    for _ in 0..bits.next(if depth > 3 { 2 } else { 9 }) {
        if fields.is_empty() {
            break;
        }
        let field = &fields[bits.next(fields.len() as u64) as usize];
        match field.shape() {
            FieldShape::Map { key, value: of } => {
                let mut entry = Vec::new();
                value(&key, &key.kind(), bits, depth, &mut entry);
                value(&of, &of.kind(), bits, depth, &mut entry);
                varint(u64::from(field.number()) << 3 | 2, &mut out);
                delimited(&entry, &mut out);
            }
            FieldShape::Singular(kind) | FieldShape::List(kind) => value(field, &kind, bits, depth, &mut out),
        }
    }
    out
}

fn value(field: &FieldDescriptor, kind: &Kind, bits: &mut Bits, depth: u32, out: &mut Vec<u8>) {
    let number = u64::from(field.number()) << 3;
    let small = |bits: &mut Bits| match bits.next(3) {
        0 => 0,
        1 => bits.next(3),
        _ => bits.next(1 << 31),
    };
    match kind {
        Kind::Double => {
            varint(number | 1, out);
            out.extend_from_slice(&(small(bits) as f64 / 4.0).to_le_bytes());
        }
        Kind::Float => {
            varint(number | 5, out);
            out.extend_from_slice(&(small(bits) as f32 / 4.0).to_le_bytes());
        }
        Kind::Fixed64 | Kind::SFixed64 => {
            varint(number | 1, out);
            out.extend_from_slice(&(small(bits) << 30).to_le_bytes());
        }
        Kind::Fixed32 | Kind::SFixed32 => {
            varint(number | 5, out);
            out.extend_from_slice(&(small(bits) as u32).to_le_bytes());
        }
        Kind::String | Kind::Bytes => {
            varint(number | 2, out);
            let len = bits.next(12) as usize;
            delimited(&b"some string"[..len], out);
        }
        Kind::Enum(target) => {
            varint(number, out);
            let value = target.values().nth(bits.next(target.values().len() as u64) as usize).unwrap();
            varint(i64::from(value.number()) as u64, out);
        }
        Kind::Message(target) if field.is_delimited() => {
            varint(number | 3, out);
            out.extend(message(target, bits, depth + 1));
            varint(number | 4, out);
        }
        Kind::Message(target) => {
            varint(number | 2, out);
            delimited(&message(target, bits, depth + 1), out);
        }
        Kind::Bool => {
            varint(number, out);
            out.push(bits.next(2) as u8);
        }
        _ => {
            varint(number, out);
            varint(small(bits), out);
        }
    }
}

/// What everybody sees of a message; lines are sorted, for maps have no order.
#[derive(Debug, PartialEq)]
struct Seen {
    bytes: Vec<u8>,
    len: usize,
    from_json: Vec<u8>,
    text: Vec<String>,
    debug: Vec<String>,
    /// Of each field, whether it is set, and its value, as text: not a number is no value that equals itself.
    fields: Vec<(bool, Vec<String>)>,
}

fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    lines.sort_unstable();
    lines
}

fn seen<T: MessageOwned + std::fmt::Debug>(message: &T) -> Seen {
    let bytes = EncodeOptions::new().deterministic(true).to_vec(message).unwrap();
    let reflect = message.as_reflect();
    let descriptor = T::descriptor();
    let fields = descriptor.fields().map(|field| {
        let value = reflect.get(&field).unwrap().to_value().unwrap();
        (reflect.has(&field).unwrap(), lines(&format!("{value:#?}")))
    });
    let from_json = DynamicMessage::from_json(&descriptor, &message.to_json().unwrap()).unwrap();
    Seen {
        // Lazy messages are copied as they came, unless the output is deterministic.
        len: EncodeOptions::new().deterministic(true).encoded_len(message).unwrap(),
        from_json: EncodeOptions::new().deterministic(true).to_vec(&from_json).unwrap(),
        text: lines(&message.to_text().unwrap()),
        debug: lines(&format!("{message:#?}")),
        fields: fields.collect(),
        bytes,
    }
}

/// Decodes into a new message, a used one and by merging, from every format, and gives what is seen of it.
fn decoded<T>(bytes: &[u8], used: &[u8]) -> Seen
where
    T: MessageOwned + std::fmt::Debug + PartialEq + Clone + Default + for<'de> Merge<'de>,
{
    let message: T = tobu::from_slice(bytes).unwrap();
    let mut refilled: T = tobu::from_slice(used).unwrap();
    tobu::from_slice_in_place(&mut refilled, bytes).unwrap();
    let is_same = |other: &T| seen(other) == seen(&message);
    assert!(is_same(&refilled), "{refilled:?} is not {message:?}");
    let mut merged: T = tobu::from_slice(used).unwrap();
    merged.merge(bytes).unwrap();
    assert!(is_same(&{
        let mut cleared = merged.clone();
        cleared.as_reflect_mut().clear_all();
        assert_eq!(cleared, T::default());
        cleared.as_reflect_mut().merge_from(message.as_reflect()).unwrap();
        cleared
    }));
    assert_eq!(merged.as_reflect().to_dynamic().unwrap(), {
        let mut merged = DynamicMessage::decode(&T::descriptor(), used).unwrap();
        merged.merge(bytes).unwrap();
        merged
    });
    assert!(is_same(&T::from_text(&message.to_text().unwrap()).unwrap()));
    seen(&message)
}

fn pair(descriptor: &MessageDescriptor, seed: u64) -> (Vec<u8>, Vec<u8>) {
    let mut bits = Bits(seed);
    (message(descriptor, &mut bits, 0), message(descriptor, &mut bits, 0))
}

proptest! {
    #[test]
    fn all_apis_hold_the_same(seed: u64) {
        use hybrid::library::v1 as hybrid;
        let (bytes, used) = pair(&open::library::v1::Shelf::descriptor(), seed);
        let shelf = decoded::<open::library::v1::Shelf>(&bytes, &used);
        prop_assert_eq!(&decoded::<hybrid::Shelf>(&bytes, &used), &shelf);
        prop_assert_eq!(&decoded::<opaque::library::v1::Shelf>(&bytes, &used), &shelf);
        // Views are open.
        let view: opaque::library::v1::ShelfView<'_> = tobu::from_slice(&bytes).unwrap();
        prop_assert_eq!(tobu::encoded_len(&view).unwrap(), shelf.len);
    }

    #[test]
    fn defaults_and_required_fields_hold_the_same(seed: u64) {
        use opaque_of_all as opaque;
        let (bytes, used) = pair(&proto2::Defaults::descriptor(), seed);
        prop_assert_eq!(&decoded::<opaque::Defaults>(&bytes, &used), &decoded::<proto2::Defaults>(&bytes, &used));
    }

    /// Of messages whose schema has given them all APIs.
    #[test]
    fn each_message_has_its_own_api(seed: u64) {
        let (bytes, used) = pair(&api::api::v1::Record::descriptor(), seed);
        let record = decoded::<api::api::v1::Record>(&bytes, &used);
        let dynamic = DynamicMessage::decode(&api::api::v1::Record::descriptor(), &bytes).unwrap();
        prop_assert_eq!(lines(&dynamic.to_text().unwrap()), record.text);
        let read: api::api::v1::Record = tobu::from_slice(&bytes).unwrap();
        prop_assert_eq!(read.has_lazy(), dynamic.has(&dynamic.descriptor().field_by_name("lazy").unwrap()).unwrap());
        prop_assert_eq!(read.encode_to_vec().unwrap().len(), read.encoded_len());
        prop_assert_eq!(dynamic.encoded_len(), record.len);
    }
}

#[test]
fn names_that_accessors_want() {
    use api::api::v1::{First, Large, Record, Second, record};
    let mut built = Record::builder_()
        .builder("b")
        .build_(*b"bytes")
        .presence(0)
        .clone_(-1)
        .has_flag(false)
        .flag(true)
        .unknown_fields(vec![1])
        .set_flag([0.5])
        .second(Second::ONE)
        .maybe_first(None)
        .maybe_second(Some(Second::ZERO))
        .large(Large::builder().a("a").maybe_b(None::<String>).build())
        .maybe_text("of")
        .text("text")
        .build();
    assert_eq!(
        (built.builder(), built.build(), built.presence(), built.clone_()),
        ("b", &b"bytes"[..], 0, -1)
    );
    assert_eq!((built.has_has_flag(), built.has_flag(), built.flag()), (true, false, true));
    assert_eq!((built.unknown_fields_(), built.unknown_fields().is_empty()), (&[1_u8][..], true));
    assert_eq!((built.has_first(), built.first(), built.second()), (false, First::ONE, Second::ZERO));
    assert_eq!((built.large().a(), built.large().has_b(), built.has_large()), ("a", false, true));
    assert_eq!((built.has_unknown_fields(), built.unknown_fields_mut().len()), (true, 1));
    built.unknown_fields_mut_().clear();
    assert_eq!(built.which_of(), Some(&record::Of::MaybeText("of".into())));
    if let Some(record::Of::MaybeText(text)) = built.of_mut() {
        text.push('!');
    }
    assert_eq!(built.maybe_text(), "of!");
    assert_eq!(built.take_of(), Some(record::Of::MaybeText("of!".into())));
    built.set_of(record::Of::Type(true));
    assert!(built.r#type());
    built.set_of(None);
    assert!(!built.has_of());
    // A cleared field is as one that never was set; what it had as a default comes back.
    built.clear_presence();
    built.clear_build();
    assert_eq!((built.presence(), built.build()), (-7, &b"\0b"[..]));
    assert_eq!(built.take_presence(), None);
    *built.presence_mut() += 1;
    assert_eq!((built.presence(), built.take_presence()), (-6, Some(-6)));
    #[expect(deprecated)]
    let (has_ratio, ratio) = (built.has_ratio(), built.ratio());
    assert!(!has_ratio && ratio.is_infinite());
    built.lazy_mut().set_text("lazy");
    assert_eq!((built.has_lazy(), built.lazy().text()), (true, "lazy"));
    assert_eq!(built.take_lazy().map(|lazy| lazy.text().to_owned()).as_deref(), Some("lazy"));
    built.set_lazy(Record::builder_().presence(1).build());
    built.clear_lazy();
    assert!(!built.has_lazy() && built.lazy().presence() == -7);
    built.group_mut().number = Some(5);
    assert_eq!(built.group().number(), 5);
    assert_eq!(
        Record::default().encode_to_vec().unwrap_err().to_string(),
        "api.v1.Record.presence: required field presence has no value"
    );
}

/// An `Option` takes more than its bit.
#[test]
fn opaque_messages_are_smaller() {
    use std::mem::size_of;
    assert_eq!((size_of::<proto2::Defaults>(), size_of::<opaque_of_all::Defaults>()), (280, 224));
    assert_eq!((size_of::<open::library::v1::Shelf>(), size_of::<opaque::library::v1::Shelf>()), (424, 416));
    // Fields of the same message, boxed where it is large.
    assert_eq!(size_of::<api::api::v1::Large>(), 152);
}

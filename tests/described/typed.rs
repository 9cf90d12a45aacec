//! Messages of a stream as Rust types, and as types of serde.

use crate::support::{A, B};
use tobu::stream::described::{Options, Reader, Writer};
use tobu::{Category, DynamicMessage, Message, Serialize};

#[derive(Clone, Debug, PartialEq, Message, Serialize, tobu::Deserialize)]
#[tobu(package = "same", name = "Versioned")]
struct First {
    #[tobu(1)]
    id: u32,
    #[tobu(2)]
    name: String,
}

#[derive(Debug, PartialEq, Message, tobu::Deserialize)]
#[tobu(package = "other", name = "Versioned")]
struct Second {
    #[tobu(1)]
    id: u64,
    #[tobu(3)]
    note: Option<String>,
}

#[derive(Debug, PartialEq, Message, tobu::Deserialize)]
#[tobu(package = "wrong", name = "Versioned")]
struct Third {
    #[tobu(1)]
    id: String,
}

impl First {
    fn new(id: u32, name: &str) -> Self {
        First { id, name: name.into() }
    }
}

/// A stream of two messages `Versioned` of a package, as they once were.
fn old(package: &str) -> Vec<u8> {
    let source = format!(
        "package {package}; message Versioned {{ optional uint32 id = 1; optional string name = 2; }}"
    );
    let message = crate::support::message(&source, &format!("{package}.Versioned"));
    let mut writer = Writer::new(Vec::new());
    for (id, name) in [(1, "a"), (2, "b")] {
        writer.write_value(&message, &serde_json::json!({"id": id, "name": name})).unwrap();
    }
    writer.finish().unwrap();
    writer.into_inner()
}

fn stream<T: Message + Serialize>(messages: &[T]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new());
    messages.iter().for_each(|message| writer.write(message).unwrap());
    writer.finish().unwrap();
    writer.into_inner()
}

#[test]
fn a_type_that_has_changed() {
    let stream = old("same");
    let mut reader = Reader::new(&stream[..]);
    let read: Vec<First> = reader.messages().map(Result::unwrap).collect();
    assert_eq!(read, [First::new(1, "a"), First::new(2, "b")]);
    let stream = old("other");
    let mut reader = Reader::new(&stream[..]);
    let read: Vec<Second> = reader.messages().map(Result::unwrap).collect();
    assert_eq!(read, [Second { id: 1, note: None }, Second { id: 2, note: None }]);
    let stream = old("wrong");
    let mut reader = Reader::new(&stream[..]);
    for name in ["a", "b"] {
        let entry = reader.next().unwrap().unwrap();
        let error = entry.read::<Third>().unwrap_err();
        assert_eq!(error.category(), Category::Type);
        assert_eq!(
            error.to_string(),
            "wrong.Versioned: the message of the stream is not compatible: \
             wrong.Versioned.id: is uint32, but string for the reader: it cannot be read"
        );
        // The entry can be read as something else.
        assert_eq!(entry.decode::<serde_json::Value>().unwrap()["name"], name);
    }
    assert!(reader.next().unwrap().is_none());
    let mut reader = Reader::new(&stream[..]);
    assert_eq!(reader.messages::<Third>().filter(Result::is_err).count(), 1);
    // The rest of the stream is there.
    assert_eq!(reader.dynamic_messages().filter(Result::is_ok).count(), 1);
}

#[test]
fn a_type_of_another_name() {
    #[derive(Debug, PartialEq, Message, tobu::Deserialize)]
    #[tobu(package = "d", name = "Renamed")]
    struct Renamed {
        #[tobu(1)]
        n: u32,
    }
    let stream = stream(&[A { n: 7 }]);
    let mut reader = Reader::new(&stream[..]);
    let error = reader.next().unwrap().unwrap().read::<Renamed>().unwrap_err();
    assert_eq!(error.to_string(), "d.Renamed: the message of the stream is a d.A");
    let mut reader = Reader::with_options(&stream[..], Options::new().renamed(true));
    let entry = reader.next().unwrap().unwrap();
    assert_eq!(entry.read::<Renamed>().unwrap(), Renamed { n: 7 });
    assert_eq!(
        entry.read::<B<'_>>().unwrap_err().to_string(),
        "d.B: the message of the stream is not compatible: d.A.n: is uint32, but string for the reader: it cannot be read"
    );
}

#[test]
fn several_types_in_one_stream() {
    let mut writer = Writer::with_options(Vec::new(), Options::new().block_size(30));
    for n in 0..100 {
        writer.write(&A { n }).unwrap();
        if n % 3 == 0 {
            writer.write(&B { text: "three" }).unwrap();
        }
        if n == 50 {
            writer.write(&First::new(50, "late")).unwrap();
        }
    }
    writer.finish().unwrap();
    let stream = writer.into_inner();
    let mut reader = Reader::new(&stream[..]);
    let all: Vec<A> = reader.messages().map(Result::unwrap).collect();
    assert!(all.iter().map(|a| a.n).eq(0..100));
    let mut reader = Reader::new(&stream[..]);
    assert_eq!(reader.messages::<First>().map(Result::unwrap).collect::<Vec<_>>(), [First::new(50, "late")]);
    let mut reader = Reader::new(&stream[..]);
    let (mut borrowed, mut dynamic) = (0, 0);
    while let Some(entry) = reader.next().unwrap() {
        assert_eq!(entry.number(), borrowed + dynamic);
        match entry.read::<B<'_>>() {
            Ok(b) => {
                assert!(entry.bytes().as_ptr_range().contains(&b.text.as_ptr()), "borrowed from the block");
                borrowed += 1;
            }
            Err(_) => {
                let message = entry.to_dynamic().unwrap();
                assert_eq!(message.encode_to_vec().unwrap(), entry.bytes());
                dynamic += 1;
            }
        }
    }
    assert_eq!((borrowed, dynamic, reader.count()), (34, 101, 135));
    let mut reader = Reader::new(&stream[..]);
    assert_eq!(reader.dynamic_messages().map(Result::unwrap).count(), 135);
}

#[test]
fn types_of_serde() {
    #[derive(serde::Serialize)]
    struct Written<'a> {
        id: u8,
        name: &'a str,
    }
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Read {
        name: String,
    }
    let mut writer = Writer::new(Vec::new());
    writer.write_value(&First::descriptor(), &Written { id: 1, name: "a" }).unwrap();
    let error = writer.write_value(&First::descriptor(), &serde_json::json!({"id": "x"})).unwrap_err();
    assert_eq!(error.to_string(), "same.Versioned.id: the field is a uint32, which a string does not fit");
    writer.finish().unwrap();
    let stream = writer.into_inner();
    let mut reader = Reader::new(&stream[..]);
    let entry = reader.next().unwrap().unwrap();
    assert_eq!(entry.decode::<Read>().unwrap(), Read { name: "a".into() });
    assert_eq!(entry.read::<First>().unwrap(), First::new(1, "a"));
    assert_eq!(format!("{entry:?}"), "Entry { number: 0, type: \"same.Versioned\", size: 5 }");
    assert!(reader.next().unwrap().is_none());
}

#[test]
fn a_message_that_cannot_be_written_leaves_nothing() {
    use tobu_schemas::corpus::corpus::v2::Required;
    let mut writer = Writer::new(Vec::new());
    writer.write(&A { n: 1 }).unwrap();
    let error = writer.write(&Required::default()).unwrap_err();
    assert_eq!(error.category(), Category::Required);
    let empty = DynamicMessage::new(&Required::descriptor()).unwrap();
    assert_eq!(writer.write_dynamic(&empty).unwrap_err().category(), Category::Required);
    writer.write(&A { n: 2 }).unwrap();
    assert_eq!(writer.count(), 2);
    writer.finish().unwrap();
    let stream = writer.into_inner();
    let mut reader = Reader::new(&stream[..]);
    assert_eq!(reader.messages::<A>().map(Result::unwrap).collect::<Vec<_>>(), [A { n: 1 }, A { n: 2 }]);
    assert_eq!(reader.count(), 2);
}

#[test]
fn a_message_that_cannot_be_decoded_is_passed_over() {
    // A string that is not UTF-8, by a checksum that is right.
    let mut writer = Writer::new(Vec::new());
    let wrong = DynamicMessage::decode(&tobu::types::BytesValue::descriptor(), b"\x0a\x01\xff").unwrap();
    writer.write_dynamic(&wrong).unwrap();
    writer.write(&A { n: 2 }).unwrap();
    writer.finish().unwrap();
    let stream = writer.into_inner();
    let mut reader = Reader::with_options(&stream[..], Options::new().renamed(true));
    let entry = reader.next().unwrap().unwrap();
    let error = entry.read::<tobu::types::StringValue>().unwrap_err();
    assert_eq!(error.to_string(), "google.protobuf.StringValue.value: invalid UTF-8 in a string (at byte 2)");
    assert_eq!(reader.next().unwrap().unwrap().read::<A>().unwrap(), A { n: 2 });
}

//! The descriptors in a stream: all that the types need, and no more.

use crate::support::{A, all_files, fixed};
use tobu::descriptor::compare;
use tobu::stream::described::{Options, Reader, Writer};
use tobu::{DynamicMessage, Message, MessageDescriptor, Pool};
use tobu_schemas::library::v1::{Book, Loan, Shelf};

/// The types of a stream, after reading it.
fn types(stream: &[u8]) -> Vec<MessageDescriptor> {
    let mut reader = Reader::new(stream);
    assert!(reader.next().unwrap().is_none());
    reader.types().map(|ty| ty.unwrap().clone()).collect()
}

fn declared(messages: &[MessageDescriptor]) -> Vec<u8> {
    let mut writer = Writer::with_options(Vec::new(), fixed());
    for message in messages {
        writer.declare(message).unwrap();
    }
    writer.finish().unwrap();
    writer.into_inner()
}

/// The names of the files in a stream, and of their declarations.
fn files(stream: &[u8]) -> Vec<(String, Vec<String>)> {
    let mut reader = Reader::new(stream);
    assert!(reader.next().unwrap().is_none());
    let pool = reader.pool();
    let names = pool.files().map(|file| {
        let messages = file.messages().map(|message| message.full_name().to_owned());
        let enums = file.enums().map(|enumeration| enumeration.full_name().to_owned());
        (file.name().to_owned(), messages.chain(enums).collect())
    });
    names.collect()
}

#[test]
fn every_type_of_every_test_schema() {
    let pool = Pool::from_descriptor_set(&all_files()).unwrap();
    let messages: Vec<_> = pool.messages().filter(|message| !message.is_map_entry()).collect();
    assert!(messages.len() > 30, "{} messages", messages.len());
    // Each alone, and all of them, one after the other.
    for message in &messages {
        let alone = types(&declared(std::slice::from_ref(message)));
        assert_eq!(compare(message, &alone[0]), []);
        assert_eq!(compare(&alone[0], message), []);
    }
    let all = types(&declared(&messages));
    assert_eq!(all.len(), messages.len());
    for (message, read) in messages.iter().zip(&all) {
        assert_eq!(message.full_name(), read.full_name());
        assert_eq!(compare(message, read), []);
        assert_eq!(compare(read, message), []);
        assert_eq!(message.options().encoded(), read.options().encoded());
    }
}

#[test]
fn what_the_types_need_and_no_more() {
    let library = |names: &[&str]| {
        let names = names.iter().map(|name| format!("library.v1.{name}")).collect::<Vec<_>>();
        ("library/v1/library.proto".to_owned(), names)
    };
    assert_eq!(files(&declared(&[Loan::descriptor()])), [library(&["Loan"])]);
    let timestamp =
        ("google/protobuf/timestamp.proto".to_owned(), vec!["google.protobuf.Timestamp".to_owned()]);
    let book = [timestamp.clone(), library(&["Book", "Loan", "Genre"])];
    assert_eq!(files(&declared(&[Book::descriptor()])), book);
    let stream = declared(&[Book::descriptor()]);
    let mut reader = Reader::new(&stream[..]);
    assert!(reader.next().unwrap().is_none());
    assert_eq!(reader.pool().services().count(), 0);
    // Types added later are in a separate file.
    let mut second = library(&["Book", "Genre"]);
    second.0 += "#2";
    let mut third = library(&["Shelf"]);
    third.0 += "#3";
    let all = [Loan::descriptor(), Book::descriptor(), Loan::descriptor(), Shelf::descriptor()];
    assert_eq!(files(&declared(&all)), [library(&["Loan"]), timestamp, second, third]);
}

#[test]
fn extensions_are_unknown_fields() {
    use tobu_schemas::corpus::corpus::v2::Extensible;
    let bytes = b"\x08\x01\xa2\x06\x02hi";
    let message = DynamicMessage::decode(&Extensible::descriptor(), bytes).unwrap();
    let mut writer = Writer::new(Vec::new());
    writer.write_dynamic(&message).unwrap();
    writer.finish().unwrap();
    let stream = writer.into_inner();
    let mut reader = Reader::new(&stream[..]);
    let entry = reader.next().unwrap().unwrap();
    assert_eq!(entry.to_dynamic().unwrap().encode_to_vec().unwrap(), bytes);
    assert_eq!(tobu::to_vec(&entry.read::<Extensible>().unwrap()).unwrap(), bytes);
    assert_eq!(reader.pool().extensions().count(), 0);
}

/// A pool of a file with a message, and one that it refers to.
fn pool(file: &str, field: &[u8]) -> Pool {
    let mut bytes = vec![0x0a, file.len() as u8];
    bytes.extend(file.as_bytes());
    // message M { N n = 1; } message N { ... }
    bytes.extend(b"\x12\x01p\x22\x12\x0a\x01M\x12\x0d\x0a\x01n\x18\x01\x28\x0b\x32\x04.p.N");
    bytes.extend([0x22, 3 + 2 + field.len() as u8, 0x0a, 1, b'N', 0x12, field.len() as u8]);
    bytes.extend(field);
    let mut pool = Pool::new();
    pool.add_file(&bytes).unwrap();
    pool
}

#[test]
fn messages_of_one_name_in_several_pools() {
    const INT32: &[u8] = b"\x0a\x01f\x18\x01\x28\x05";
    const INT64: &[u8] = b"\x0a\x01f\x18\x01\x28\x03";
    let message = |pool: &Pool, name: &str| pool.message(name).unwrap();
    let (one, same) = (pool("a.proto", INT32), pool("b.proto", INT32));
    let other = pool("a.proto", INT64);
    let mut writer = Writer::with_options(Vec::new(), fixed());
    for pool in [&one, &same, &one] {
        writer.write_value(&message(pool, "p.M"), &serde_json::json!({"n": {"f": 5}})).unwrap();
    }
    // The message is the same, but not the types of its fields.
    let error = writer.declare(&message(&other, "p.M")).unwrap_err();
    assert_eq!(error.to_string(), "a.proto: p.N: a different declaration with this name was written before");
    let error = writer.write_value(&message(&other, "p.N"), &serde_json::json!({"f": 5})).unwrap_err();
    assert_eq!(error.to_string(), "a.proto: p.N: a different declaration with this name was written before");
    writer.write(&A { n: 1 }).unwrap();
    writer.finish().unwrap();
    let stream = writer.into_inner();
    let mut reader = Reader::new(&stream[..]);
    let read: Vec<_> =
        reader.dynamic_messages().map(|message| message.unwrap().encode_to_vec().unwrap()).collect();
    assert_eq!(read, [&b"\x0a\x02\x08\x05"[..], b"\x0a\x02\x08\x05", b"\x0a\x02\x08\x05", b"\x08\x01"]);
    let names: Vec<_> = reader.types().map(|ty| ty.unwrap().full_name()).collect();
    assert_eq!(names, ["p.M", "d.A"]);
    assert_eq!(
        reader.pool().files().map(|file| file.name().to_owned()).collect::<Vec<_>>(),
        ["a.proto", "tobu/d/A.proto"]
    );
    // A part is there, and more of it is needed under another name of file.
    let mut writer = Writer::with_options(Vec::new(), fixed());
    writer.declare(&message(&one, "p.N")).unwrap();
    writer.declare(&message(&same, "p.M")).unwrap();
    writer.finish().unwrap();
    let names =
        [("a.proto".to_owned(), vec!["p.N".to_owned()]), ("b.proto".to_owned(), vec!["p.M".to_owned()])];
    assert_eq!(files(&writer.into_inner()), names);
}

#[test]
fn limits_of_writers() {
    let mut writer = Writer::with_options(Vec::new(), Options::new().max_types(1));
    writer.write(&A { n: 1 }).unwrap();
    let error = writer.write(&Loan::default()).unwrap_err();
    assert_eq!(error.to_string(), "the stream has more than 1 types");
    let mut writer = Writer::with_options(Vec::new(), Options::new().max_schema(60));
    writer.write(&A { n: 1 }).unwrap();
    let error = writer.write(&Loan::default()).unwrap_err().to_string();
    assert!(
        error.starts_with("schema of ") && error.ends_with(" bytes is larger than the limit of 60 bytes"),
        "{error}"
    );
    assert_eq!(writer.count(), 1);
}

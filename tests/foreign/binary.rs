//! Formats that people do not read take the struct as it is, unknown fields included.

use serde::de::DeserializeOwned;
use std::fmt::Debug;
use tobu::types::{Timestamp, Value};
use tobu_schemas::library::v1::{Book, Genre, Loan, Shelf, book};

fn shelf() -> Shelf {
    let mut shelf = Shelf {
        name: "shelves/1".into(),
        theme: Some(String::new()),
        books: vec![
            Book {
                title: "Dune".into(),
                acquired: Some(Timestamp::new(1_000_000_000, 5)),
                genre: Genre(9),
                place: Some(book::Place::Loan(Loan { reader: "Ann".into(), days: -3, ..Loan::default() })),
                cover: vec![0xfb, 0xff],
                grades: vec![-1, 2],
                ..Book::default()
            },
            Book::default(),
        ],
        copies: [("x".to_owned(), 7)].into(),
        ..Shelf::default()
    };
    shelf.unknown_fields = tobu::UnknownFields::from_bytes(b"\xa0\x06\x01").unwrap();
    shelf
}

fn round_trips<T: serde::Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let bytes = bincode::serialize(value).unwrap();
    assert_eq!(&bincode::deserialize::<T>(&bytes).unwrap(), value, "bincode");

    let bytes = postcard::to_stdvec(value).unwrap();
    assert_eq!(&postcard::from_bytes::<T>(&bytes).unwrap(), value, "postcard");

    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).unwrap();
    assert_eq!(&ciborium::from_reader::<T, _>(&bytes[..]).unwrap(), value, "CBOR");

    let bytes = rmp_serde::to_vec(value).unwrap();
    assert_eq!(&rmp_serde::from_slice::<T>(&bytes).unwrap(), value, "MessagePack, in order");
    let bytes = rmp_serde::to_vec_named(value).unwrap();
    assert_eq!(&rmp_serde::from_slice::<T>(&bytes).unwrap(), value, "MessagePack, by name");
}

#[test]
fn messages_round_trip() {
    round_trips(&Shelf::default());
    round_trips(&shelf());
    round_trips(&Value::from(vec![Value::from(1.5), Value::from("x")]));
    round_trips(&(shelf(), Genre::SCIENCE, Some(book::Place::Position(4))));
}

#[derive(Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[tobu(package = "foreign.binary")]
struct Named {
    #[tobu(1)]
    first_name: String,
    #[tobu(2)]
    #[serde(rename = "AGE")]
    age: u32,
    #[tobu(3)]
    others: Vec<Named>,
    #[tobu(oneof)]
    kind: Option<Kind>,
    #[serde(skip)]
    cache: u8,
}

#[derive(Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
#[serde(rename_all = "camelCase")]
enum Kind {
    #[tobu(6)]
    BigNumber(i64),
    #[tobu(7)]
    #[serde(rename = "text")]
    Words(String),
}

fn cbor(text: &str) -> Vec<u8> {
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    let mut bytes = Vec::new();
    ciborium::into_writer(&value, &mut bytes).unwrap();
    bytes
}

fn from_cbor(text: &str) -> Result<Named, String> {
    ciborium::from_reader(&cbor(text)[..]).map_err(|error| error.to_string())
}

/// The names that serde's attributes give are for formats with separate names.
#[test]
fn members_go_by_serde_names_or_in_order() {
    let named = Named {
        first_name: "a".into(),
        age: 1,
        others: vec![Named::default()],
        kind: Some(Kind::BigNumber(5)),
        cache: 9,
    };
    let tree = ciborium::Value::serialized(&named).unwrap();
    let names: Vec<_> = tree.as_map().unwrap().iter().map(|(name, _)| name.as_text().unwrap()).collect();
    assert_eq!(names, ["first-name", "AGE", "others", "kind"]);
    let read: Named = tree.deserialized().unwrap();
    assert_eq!(read, Named { cache: 0, ..named });

    // A member that is missing is empty, one that is not known is skipped.
    assert_eq!(from_cbor(r#"{"x": [{}], "AGE": 4}"#), Ok(Named { age: 4, ..Named::default() }));
    let error = from_cbor(r#"{"kind": {"no": 1}}"#).unwrap_err();
    assert!(error.contains("not a variant of oneof Kind, expected `bigNumber`, `text`"), "{error}");
    let error =
        rmp_serde::from_slice::<Named>(&rmp_serde::to_vec(&("a", 1)).unwrap()).unwrap_err().to_string();
    assert!(error.contains("invalid length 2, expected struct Named with 4 members"), "{error}");
}

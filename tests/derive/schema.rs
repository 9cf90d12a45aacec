//! The declarations of a type, as its descriptor shows them.

use std::collections::HashMap;
use tobu::{Deserialize, Message, Serialize};

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.schema", name = "Shelf")]
struct RustName {
    #[tobu(1, name = "proto_name", json_name = "json")]
    rust_name: i32,
    #[tobu(2)]
    two_words: Option<i32>,
    #[tobu(3)]
    books: HashMap<String, Book>,
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.schema.sub")]
struct Book {
    #[tobu(1)]
    shelf: Option<Chapter>,
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.schema")]
struct Chapter {
    #[tobu(1)]
    next: Option<Box<Chapter>>,
}

#[test]
fn names() {
    let shelf = RustName::descriptor();
    assert_eq!(shelf.full_name(), "derive.schema.Shelf");
    assert_eq!(shelf.file().name(), "tobu/derive/schema/Shelf.proto");
    assert_eq!(shelf.file().package(), "derive.schema");
    let names: Vec<_> = shelf
        .fields()
        .map(|field| (field.name().to_owned(), field.json_name().to_owned(), field.number()))
        .collect();
    let expected = [("proto_name", "json", 1), ("two_words", "twoWords", 2), ("books", "books", 3)];
    assert_eq!(names, expected.map(|(name, json, number)| (name.to_owned(), json.to_owned(), number)));
    assert_eq!(Book::descriptor().full_name(), "derive.schema.sub.Book");
}

#[derive(Message, Serialize)]
#[tobu(package = "derive.schema", name = "Chapter")]
struct AnotherChapter {
    #[tobu(2)]
    next: i32,
}

#[test]
fn two_types_of_one_name_must_agree() {
    Chapter::descriptor();
    let error = tobu::to_vec(&AnotherChapter { next: 1 }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`Chapter` and `AnotherChapter` both declare `derive.schema.Chapter`, but not in the same way"
    );
}

#[derive(Message, Serialize)]
#[tobu(package = "derive.schema")]
struct NotAField {
    #[tobu(1)]
    list: Option<Vec<i32>>,
}

#[test]
fn a_type_that_no_field_has() {
    let error = tobu::to_vec(&NotAField { list: None }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "member `list` of `NotAField`: a list or a map is never absent, only empty; write it without `Option`"
    );
}

/// A box takes off the allocation of a single value only: lists and maps in one are refused by each verb, whether the
/// type declares its schema, is bound to one, or states it.
#[test]
#[expect(clippy::box_collection, reason = "they are refused")]
fn a_box_of_many() {
    #[derive(Debug, Default, Message, Serialize, Deserialize)]
    #[tobu(package = "derive.schema.boxed")]
    struct Declared {
        #[tobu(1)]
        books: Box<HashMap<String, Book>>,
    }

    #[derive(Debug, Default, Message, Serialize, Deserialize)]
    #[tobu(descriptor = RustName::descriptor(), message = "derive.schema.Shelf")]
    struct Bound {
        #[tobu(3)]
        books: Box<HashMap<String, Book>>,
    }

    #[derive(Debug, Default, Message, Serialize, Deserialize)]
    #[tobu(package = "derive.schema.boxed")]
    struct List {
        #[tobu(1)]
        chapters: Box<Vec<Chapter>>,
    }

    fn refused<T: Default + Message + Serialize + serde::de::DeserializeOwned>(json: &str, error: &str) {
        let error = format!("{error}a list or a map is on the heap already; write it without `Box`");
        let shown = |result: tobu::Result<()>| assert_eq!(result.unwrap_err().to_string(), error);
        shown(tobu::to_vec(&T::default()).map(drop));
        shown(tobu::from_slice::<T>(b"").map(drop));
        shown(tobu::json::to_string(&T::default()).map(drop));
        shown(tobu::json::from_str::<T>(json).map(drop));
        shown(tobu::text::to_string(&T::default()).map(drop));
        shown(tobu::text::from_str::<T>("").map(drop));
    }
    let json = r#"{"books":{"a":{"shelf":{}}}}"#;
    refused::<Declared>(json, "member `books` of `Declared`: ");
    refused::<Bound>(json, "derive.schema.Shelf: Bound.books: ");
    refused::<List>(r#"{"chapters":[{"next":{}}]}"#, "member `chapters` of `List`: ");
}

/// Types that refer to each other, first used from several threads at once.
#[test]
fn declared_once_from_many_threads() {
    #[derive(Message)]
    #[tobu(package = "derive.threads")]
    #[allow(dead_code)]
    struct Here {
        #[tobu(1)]
        there: Option<Box<There>>,
    }

    #[derive(Message)]
    #[tobu(package = "derive.threads")]
    #[allow(dead_code)]
    struct There {
        #[tobu(1)]
        here: Vec<Here>,
    }

    std::thread::scope(|scope| {
        for i in 0..8 {
            scope.spawn(move || {
                let (here, there) = if i % 2 == 0 {
                    (Here::descriptor(), There::descriptor())
                } else {
                    let there = There::descriptor();
                    (Here::descriptor(), there)
                };
                assert_eq!(here.file(), there.file());
                assert_eq!(here.file().name(), "tobu/derive/threads/Here.proto");
            });
        }
    });
}

//! Types of every sort: borrowed, with serde's own derives, trees over a schema known at run time.

use std::borrow::Cow;
use std::collections::HashMap;
use tobu::json::Options;
use tobu::{Deserialize, Message, MessageDescriptorExt};
use tobu_schemas::corpus::corpus::v3::{Choice, Lists, Maps, Scalars, Tree};
use tobu_schemas::library::v1::{Book, Shelf};

const SHELF: &str = r#"{
  "name": "shelves/a\u00e9",
  "books": [
    {"title": "x", "authors": ["a", "b"], "pages": 12, "acquired": "1970-01-01T00:00:01.5Z", "genre": "GENRE_FICTION",
     "loan": {"reader": "r", "days": -3}, "cover": "QUI", "grades": [1, "2", 3e0]},
    {}
  ],
  "copies": {"b": 1, "a": "2"}
}"#;

/// Messages with the derives of serde, or of tobu.
macro_rules! shelf {
    ($types:ident, $package:literal, $($derive:path),+) => {
        mod $types {
            use std::collections::BTreeMap;

            #[derive(Debug, Default, PartialEq, tobu::Message, $($derive),+)]
            #[tobu(package = $package)]
            pub(super) struct Shelf {
                #[tobu(1)]
                pub(super) name: String,
                #[tobu(2)]
                pub(super) theme: Option<String>,
                #[tobu(3)]
                pub(super) books: Vec<Book>,
                #[tobu(4)]
                pub(super) copies: BTreeMap<String, u32>,
            }

            #[derive(Debug, Default, PartialEq, tobu::Message, $($derive),+)]
            #[tobu(package = $package)]
            pub(super) struct Book {
                #[tobu(1)]
                pub(super) title: String,
                #[tobu(2)]
                pub(super) authors: Vec<String>,
                #[tobu(3)]
                pub(super) pages: u32,
                #[tobu(4)]
                pub(super) acquired: Option<tobu::types::Timestamp>,
                #[tobu(oneof)]
                pub(super) place: Option<Place>,
                #[tobu(5)]
                pub(super) genre: i32,
                #[tobu(8)]
                pub(super) cover: Vec<u8>,
                #[tobu(9, sint32)]
                pub(super) grades: Vec<i32>,
            }

            #[derive(Debug, PartialEq, tobu::Oneof, $($derive),+)]
            pub(super) enum Place {
                #[tobu(6)]
                Position(u32),
                #[tobu(7)]
                Loan(Loan),
            }

            #[derive(Debug, Default, PartialEq, tobu::Message, $($derive),+)]
            #[tobu(package = $package)]
            pub(super) struct Loan {
                #[tobu(1)]
                pub(super) reader: String,
                #[tobu(2, sint32)]
                pub(super) days: i32,
            }

            #[test]
            fn is_read() {
                let text = super::SHELF.replace("\"GENRE_FICTION\"", "1");
                let shelf: Shelf = tobu::json::from_str(&text).unwrap();
                assert_eq!(shelf.name, "shelves/aé");
                assert_eq!(shelf.theme, None);
                assert_eq!(shelf.copies.into_iter().collect::<Vec<_>>(), [("a".into(), 2), ("b".into(), 1)]);
                let [book, empty] = &shelf.books[..] else { panic!("{:?}", shelf.books) };
                assert_eq!(*empty, Book::default());
                assert_eq!(book.acquired, Some(tobu::types::Timestamp::new(1, 500_000_000)));
                assert_eq!(book.place, Some(Place::Loan(Loan { reader: "r".into(), days: -3 })));
                assert_eq!((book.genre, &book.cover[..], &book.grades[..]), (1, &b"AB"[..], &[1, 2, 3][..]));
                let error = tobu::json::from_str::<Shelf>(r#"{"books":[{"loan":{"days":"x"}}]}"#).unwrap_err();
                assert_eq!(
                    error.to_string(),
                    concat!($package, ".Shelf.books[0].loan.days: expected a sint32, but found the string \"x\" (at line 1 column 27)")
                );
            }
        }
    };
}

shelf!(derived, "json.derived", tobu::Serialize, tobu::Deserialize);
shelf!(plain, "json.plain", serde::Serialize, serde::Deserialize);

#[test]
fn over_a_schema_known_at_run_time() {
    let descriptor = Shelf::descriptor();
    let tree: serde_json::Value = descriptor.decode_json(SHELF).unwrap();
    assert_eq!(
        tree.to_string(),
        r#"{"name":"shelves/aé","books":[{"title":"x","authors":["a","b"],"pages":12,"acquired":{"seconds":1,"nanos":500000000},"genre":"GENRE_FICTION","loan":{"reader":"r","days":-3},"cover":[65,66],"grades":[1,2,3]},{}],"copies":{"b":1,"a":2}}"#
    );

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Few<'a> {
        copies: HashMap<String, u64>,
        #[serde(borrow)]
        books: Vec<Title<'a>>,
    }
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Title<'a> {
        title: &'a str,
        genre: Genre,
        theme: Option<String>,
    }
    #[derive(Debug, PartialEq, serde::Deserialize)]
    enum Genre {
        #[serde(rename = "GENRE_UNSPECIFIED")]
        Unknown,
        #[serde(rename = "GENRE_FICTION")]
        Fiction,
    }
    let few: Few<'_> = descriptor.decode_json(SHELF).unwrap();
    assert_eq!(few.copies["a"], 2);
    assert_eq!(few.books[0], Title { title: "x", genre: Genre::Fiction, theme: None });
    assert_eq!(few.books[1].genre, Genre::Unknown);

    let ignore = Options::new().ignore_unknown(true);
    let text = r#"{"title":"x","isbn":1}"#;
    let book = Book::descriptor();
    assert!(book.decode_json::<serde_json::Value>(text).is_err());
    assert_eq!(
        book.decode_json_with::<serde_json::Value>(text, &ignore).unwrap().to_string(),
        r#"{"title":"x"}"#
    );
    // A member that the schema does not have.
    #[derive(Debug, serde::Deserialize)]
    struct Wrong {
        #[allow(dead_code)]
        title: u32,
    }
    let error = book.decode_json_with::<Wrong>(text, &ignore).unwrap_err();
    assert_eq!(
        error.to_string(),
        "library.v1.Book.title: the field is a string, but the type wants a number"
    );
}

#[derive(Debug, PartialEq, Message, Deserialize)]
struct Borrows<'a> {
    #[tobu(1)]
    text: &'a str,
    #[tobu(2)]
    either: Cow<'a, str>,
    #[tobu(3)]
    list: Vec<&'a str>,
}

#[test]
fn strings_without_escapes_are_borrowed() {
    let text = String::from(r#"{"text":"plain é","either":"plain","list":["a",""]}"#);
    let read: Borrows<'_> = tobu::json::from_str(&text).unwrap();
    assert_eq!(read, Borrows { text: "plain é", either: "plain".into(), list: vec!["a", ""] });
    assert!(text.as_bytes().as_ptr_range().contains(&read.text.as_ptr()));
    assert!(matches!(read.either, Cow::Borrowed(_)));
    assert_eq!(tobu::json::from_slice::<Borrows<'_>>(text.as_bytes()).unwrap(), read);
    let escaped: Borrows<'_> = tobu::json::from_str(r#"{"either":"\n"}"#).unwrap();
    assert_eq!(escaped.either, Cow::<str>::Owned("\n".into()));
    let error = tobu::json::from_str::<Borrows<'_>>(r#"{"text":"\n"}"#).unwrap_err();
    assert_eq!(error.category(), tobu::Category::Type);
    assert!(error.to_string().ends_with("(at line 1 column 9)"), "{error}");
}

#[test]
fn what_was_used_before_is_used_again() {
    let mut shelf: Shelf = tobu::json::from_str(SHELF).unwrap();
    let before = shelf.name.as_ptr();
    tobu::json::from_str_in_place(&mut shelf, r#"{"name":"short","books":[{"title":"y"}]}"#).unwrap();
    assert_eq!(shelf.name.as_ptr(), before);
    assert_eq!(
        shelf,
        Shelf {
            name: "short".into(),
            books: vec![Book { title: "y".into(), ..Book::default() }],
            ..Shelf::default()
        }
    );
    let error = tobu::json::from_str_in_place(&mut shelf, r#"{"name":"x","books":1}"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "library.v1.Shelf.books: expected a list, but found the number 1 (at line 1 column 21)"
    );
    assert_eq!(shelf, Shelf::default());
}

#[test]
fn merging() {
    let mut tree: Tree =
        tobu::json::from_str(r#"{"name":"a","left":{"name":"b"},"children":[{}],"named":{"x":{}}}"#).unwrap();
    let more = r#"{"name":null,"left":{"leaf":{"a":1}},"children":[{"name":"c"}],"named":{"x":{"name":"d"},"y":{}}}"#;
    tobu::json::merge(&mut tree, more).unwrap();
    let wanted = r#"{"name":"a","left":{"name":"b","leaf":{"a":1}},"children":[{},{"name":"c"}],"named":{"x":{"name":"d"},"y":{}}}"#;
    assert_eq!(tree, tobu::json::from_str(wanted).unwrap());
    let before = tree.clone();
    assert!(tobu::json::merge(&mut tree, r#"{"name":"z","left":1}"#).is_err());
    assert_eq!(tree, before);
    let mut choice: Choice = tobu::json::from_str(r#"{"number":1}"#).unwrap();
    tobu::json::merge(&mut choice, r#"{"text":"x"}"#).unwrap();
    assert_eq!(tobu::json::to_string(&choice).unwrap(), r#"{"text":"x"}"#);
}

#[test]
fn what_the_type_leaves_is_passed_over() {
    use serde::de::IgnoredAny;
    let descriptor = Tree::descriptor();
    let text = r#"{"name":"a","left":{"children":[{},{"leaf":{"c":[1]}}]},"named":{"x":{"name":"d"},"y":{}},"right":{}}"#;
    let _: IgnoredAny = descriptor.decode_json(text).unwrap();
    #[derive(serde::Deserialize)]
    struct Right {
        right: Option<IgnoredAny>,
    }
    assert!(descriptor.decode_json::<Right>(text).unwrap().right.is_some());
    let keys: HashMap<String, IgnoredAny> = descriptor.decode_json(text).unwrap();
    assert_eq!(keys.len(), 4);
    // Keys alone, of maps whose keys are not text.
    let _: HashMap<String, HashMap<i32, IgnoredAny>> =
        Maps::descriptor().decode_json(r#"{"fInt32":{"1":2,"3":4},"fSint32":{"5":6}}"#).unwrap();
    let maps: HashMap<String, HashMap<String, String>> =
        Maps::descriptor().decode_json(r#"{"fString":{"1":"2"}}"#).unwrap();
    assert_eq!(maps["f_string"]["1"], "2");
    let numbers: HashMap<String, Vec<u8>> =
        Lists::descriptor().decode_json(r#"{"fInt32":[1,2],"fUint64":["3"]}"#).unwrap();
    assert_eq!((&numbers["f_int32"][..], &numbers["f_uint64"][..]), (&[1, 2][..], &[3][..]));
    let error = Scalars::descriptor().decode_json::<HashMap<String, u8>>(r#"{"fInt32":256}"#).unwrap_err();
    assert_eq!(error.to_string(), "corpus.v3.Scalars.f_int32: invalid value: integer `256`, expected u8");
}

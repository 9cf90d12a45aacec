//! `Debug` of messages that lead to no extensions and to no `Any`: their files are not registered for it.

use tobu::{Message as _, Pool};
use tobu_generated_tests::library::library::v1::{Book, Shelf, shelf};
use tobu_generated_tests::operations::operations::v1::Login;

/// All in one test: what other tests register would be seen.
#[test]
fn no_descriptor_is_needed() {
    let kinds = [(1, shelf::Kind::FLOOR), (2, shelf::Kind(9))].into();
    let shelf = Shelf { kind: shelf::Kind::WALL, kinds, books: vec![Book::default()], ..Shelf::default() };
    let text = concat!(
        "Shelf { kind: KIND_WALL books {} kinds { key: 1 value: KIND_FLOOR } kinds { key: 2 value: 9 } }",
        " KIND_FLOOR Kind(9)",
    );
    let print = || format!("{shelf:?} {:?} Kind({:?})", shelf::Kind::FLOOR, shelf::Kind(9));
    assert_eq!(print(), text);
    assert!(Pool::global().message("library.v1.Shelf").is_none());
    Shelf::descriptor();
    assert!(Pool::global().message("library.v1.Shelf").is_some());
    assert_eq!(print(), text);

    // A field of another wire type is unknown, and is secret all the same.
    let login: Login = tobu::from_slice(b"\x0a\x03Ann\x10\x07\x18\x01").unwrap();
    let text = "Login { user: \"Ann\" 2: UNKNOWN_VARINT [REDACTED] 3: UNKNOWN_VARINT [REDACTED] }";
    assert_eq!(format!("{login:?}"), text);
    assert!(Pool::global().message("operations.v1.Login").is_none());
    Login::descriptor();
    assert_eq!(format!("{login:?}"), text);
}

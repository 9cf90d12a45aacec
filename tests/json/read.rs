//! Reading.

use tobu_schemas::corpus::corpus::v3::{Leaf, Scalars};
use tobu_schemas::library::v1::Shelf;

#[test]
fn smoke() {
    let shelf: Shelf = tobu::json::from_str(
        r#" {"name":"a\u00e9", "theme" : null, "books":[{"title":"x","authors":["a","b"],"pages":12,"acquired":"1970-01-01T00:00:01.5Z",
        "genre":"GENRE_FICTION","loan":{"reader":"r","days":-3},"cover":"QUI","grades":[1,"2",3e0]},{}],"copies":{"b":1,"a":"2"}} "#,
    )
    .unwrap();
    assert_eq!(shelf.name, "aé");
    assert_eq!(shelf.theme, None);
    assert_eq!(shelf.books.len(), 2);
    let book = &shelf.books[0];
    assert_eq!(book.acquired, Some(tobu::types::Timestamp::new(1, 500_000_000)));
    assert_eq!(book.grades, [1, 2, 3]);
    assert_eq!(book.cover, b"AB");
    assert_eq!(shelf.copies["a"], 2);
    for text in [
        r#"{"fInt32": "x"}"#,
        r#"{"fInt32": 0.5}"#,
        r#"{"fInt32": 3000000000}"#,
        r#"{"a":1}"#,
        r#"{"fInt32":1"#,
        r#"{"fInt32":1} x"#,
        "[1]",
        "",
        "null",
    ] {
        println!("{}", tobu::json::from_str::<Scalars>(text).unwrap_err());
    }
    println!("{}", tobu::json::from_str::<Leaf>(r#"{"c":[1,null]}"#).unwrap_err());
}

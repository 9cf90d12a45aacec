//! Members that are read, and how their types are found.

use tobu_migrate::Level::{Green, Red, Yellow};

use super::{check, check_left};

#[test]
fn plain_members_are_read() {
    check(&[
        (Green, "let n = book.pages;", "let n = book.pages();"),
        (Green, "let n = book.pages + 1;", "let n = book.pages() + 1;"),
        (Green, "let n = (book.pages as f64).sqrt();", "let n = (book.pages() as f64).sqrt();"),
        (Green, "let n = &book.pages;", "let n = &book.pages();"),
        (Green, "let n = book.title.len();", "let n = book.title().len();"),
        (Green, "let t = book.title.as_str();", "let t = book.title();"),
        (Green, "let t = book.title.clone();", "let t = book.title().to_owned();"),
        (Green, "let t = book.title.to_uppercase();", "let t = book.title().to_uppercase();"),
        (Green, "let c = shelf.cover.clone();", "let c = shelf.cover().to_vec();"),
        (Green, "let c = &shelf.cover[1..];", "let c = &shelf.cover()[1..];"),
        (Green, "takes_str(&book.title);", "takes_str(book.title());"),
        (Green, "let is = book.title == \"Dune\";", "let is = book.title() == \"Dune\";"),
        (Green, "let is = book.title == own.title;", "let is = book.title() == own.title();"),
        (Green, "let is = book.title < own.title;", "let is = book.title() < own.title();"),
        (
            Green,
            "match shelf.kind { shelf::Kind::WALL => {} _ => {} }",
            "match shelf.kind() { shelf::Kind::WALL => {} _ => {} }",
        ),
        (Yellow, "let t = &book.title;", "let t = book.title();"),
        (Yellow, "other(&book.title);", "other(book.title());"),
    ]);
    check_left(&[
        ("takes_string(&book.title);", "it is for a parameter with `&String`, which can be a `&str` first"),
        ("let is = book.title == *other;", "it is compared with a `str` or a `[u8]`"),
        ("let is = book.title < state.title;", "it is ordered next to another `String` or `Vec`"),
    ]);
}

#[test]
fn members_in_macros_are_read() {
    check(&[
        (
            Green,
            "println!(\"{} {}\", book.title, book.pages);",
            "println!(\"{} {}\", book.title(), book.pages());",
        ),
        (Green, "println!(\"{title}\", title = book.title);", "println!(\"{title}\", title = book.title());"),
        (
            Green,
            "assert_eq!(book.title, \"Dune\", \"{}\", book.pages);",
            "assert_eq!(book.title(), \"Dune\", \"{}\", book.pages());",
        ),
        (Green, "assert_eq!(shelf.books, []);", "assert_eq!(*shelf.books(), []);"),
        (Green, "assert!(shelf.theme.is_some());", "assert!(shelf.has_theme());"),
        (
            Green,
            "assert_eq!(shelf.address, None);",
            "assert_eq!(shelf.has_address().then(|| shelf.address()), None);",
        ),
        (
            Green,
            "assert_eq!(shelf.address, Some(other()));",
            "assert_eq!(shelf.has_address().then(|| shelf.address()), Some(&other()));",
        ),
        (Green, "let v = vec![book.pages, 2];", "let v = vec![book.pages(), 2];"),
        (Green, "let v = vec![book.pages; 2];", "let v = vec![book.pages(); 2];"),
        (
            Green,
            "let is = matches!(shelf.owner, Some(shelf::Owner::Person(_)));",
            "let is = matches!(shelf.which_owner(), Some(shelf::Owner::Person(_)));",
        ),
    ]);
    check_left(&[("select!(book.title => x);", "it is in a macro that is not read")]);
}

#[test]
fn members_are_moved() {
    check(&[
        (Green, "let t = Book::default().title;", "let t = Book::default().take_title();"),
        (Green, "for b in Shelf::default().books {}", "for b in Shelf::default().take_books() {}"),
        (Green, "let t = std::mem::take(&mut edited.title);", "let t = edited.take_title();"),
        (Green, "let a = std::mem::take(&mut changed.address);", "let a = changed.take_address();"),
        (
            Red,
            "let one = Book::default(); let t = one.title;",
            "let mut one = Book::default(); let t = one.take_title();",
        ),
        (
            Red,
            "let s = Shelf::default(); match s.owner { Some(shelf::Owner::Person(p)) => p, _ => String::new() };",
            "let mut s = Shelf::default(); match s.take_owner() { Some(shelf::Owner::Person(p)) => p, _ => String::new() };",
        ),
        (
            Red,
            "let Book { title, pages, .. } = Book::default();",
            "let mut book_ = Book::default();\n    let title = book_.take_title();\n    let pages = book_.pages();",
        ),
    ]);
    check_left(&[
        ("let Book { title, .. } = book;", "a pattern takes a message apart"),
        ("if let Some(Book { title, .. }) = found {}", "a pattern takes a message apart"),
    ]);
}

#[test]
fn keywords_are_raw() {
    check(&[
        (Green, "let t = address.r#type.len();", "let t = address.r#type().len();"),
        (
            Green,
            "let a = Address { r#type: other(), ..Default::default() };",
            "let a = Address::builder().r#type(other()).build();",
        ),
        (
            Green,
            "other(&state.shelf.address.clone().unwrap_or_default().r#type.len());",
            "other(&state.shelf.address().r#type().len());",
        ),
    ]);
}

#[test]
fn types_are_followed() {
    check(&[
        (Green, "for s in &state.all { other(s.kind); }", "for s in &state.all { other(s.kind()); }"),
        (
            Green,
            "let s = tobu::from_slice::<Shelf>(b\"\").unwrap().kind;",
            "let s = tobu::from_slice::<Shelf>(b\"\").unwrap().kind();",
        ),
        (Green, "let s: Shelf = other(); s.kind;", "let s: Shelf = other(); s.kind();"),
        (Green, "let s = Shelf::decode(bytes)?; s.kind;", "let s = Shelf::decode(bytes)?; s.kind();"),
        (Green, "let f = |b: &Book| b.pages;", "let f = |b: &Book| b.pages();"),
        (Green, "reads(|b| b.pages);", "reads(|b| b.pages());"),
        (
            Green,
            "let l = std::sync::Mutex::new(Shelf::default()); l.lock().unwrap().kind;",
            "let l = std::sync::Mutex::new(Shelf::default()); l.lock().unwrap().kind();",
        ),
        (
            Green,
            "let make = |title: &str| Book { pages: 1, ..Default::default() }; make(\"a\").pages;",
            "let make = |title: &str| Book::builder().pages(1).build(); make(\"a\").pages();",
        ),
        (
            Green,
            "let c: library_client::LibraryClient<Channel> = other(); c.get(ListRequest::default()).await?.into_inner().kind;",
            "let c: library_client::LibraryClient<Channel> = other(); c.get(ListRequest::default()).await?.into_inner().kind();",
        ),
        (
            Yellow,
            "while let Some(s) = other::<tonic::Streaming<Shelf>>(c).message().await? { s.kind; }",
            "while let Some(s) = other::<tonic::Streaming<Shelf>>(c).message().await? { s.kind(); }",
        ),
        // Only messages have a member of this name, and all have it alike.
        (Yellow, "other().pages;", "other().pages();"),
    ]);
    check_left(&[(
        "other().title.len();",
        "the type is not known, and structs of the crate have a member of this name, too",
    )]);
}

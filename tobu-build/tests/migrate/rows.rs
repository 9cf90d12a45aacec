//! One rewrite a row: the level at which it happens, a statement before and after it. At a lower level it is reported.

use tobu_build::migrate::Level::{self, Green, Red, Yellow};

use crate::{LEVELS, is_stable, migration, rewritten};

type Row = (Level, &'static str, &'static str);

/// The statement stands in a function with these variables.
const BEFORE: &str = "\
use crate::library::v1::{Address, Book, ListRequest, Shelf, shelf};
struct State { shelf: Shelf, all: Vec<Shelf>, title: String }
fn takes_str(text: &str) {}
fn takes_string(text: &String) {}
fn reads(with: impl Fn(&Book) -> u32) {}
async fn row(book: &Book, edited: &mut Book, own: Book, address: &Address, shelf: &Shelf, changed: &mut Shelf, taken: Shelf, state: &mut State) {
    ";
const AFTER: &str = "\n}\n";

#[track_caller]
fn check(rows: &[Row]) {
    for (level, before, after) in rows {
        let whole = |statement: &str| format!("{BEFORE}{statement}{AFTER}");
        for tried in LEVELS {
            let migration = migration("library.proto", tried);
            let outcome = rewritten(&migration, &whole(before));
            assert_eq!(outcome.error, None, "{before}");
            let found = outcome.text.strip_prefix(BEFORE).and_then(|text| text.strip_suffix(AFTER));
            if tried >= *level {
                // A variable that is made `mut` stands outside of the statement.
                let found = found
                    .map(str::to_owned)
                    .unwrap_or_else(|| outcome.text[BEFORE.len()..].replace(AFTER, ""));
                assert_eq!(found.trim_start_matches(['{', ' ', '\n']), *after, "{before} at level {tried}");
                is_stable(&migration, &outcome.text);
            } else {
                assert_ne!(found, Some(*after), "at level {tried}");
                is_stable(&migration, &outcome.text);
                assert!(
                    outcome.left.iter().any(|left| left.level == Some(*level)),
                    "{before}: {:?}",
                    outcome.left
                );
            }
        }
    }
}

/// Asserts that a statement is left at all levels, for a reason.
#[track_caller]
fn check_left(rows: &[(&str, &str)]) {
    let migration = migration("library.proto", Red);
    for (statement, reason) in rows {
        let text = format!("{BEFORE}{statement}{AFTER}");
        let outcome = rewritten(&migration, &text);
        assert_eq!((outcome.text, outcome.error), (text, None));
        let reasons: Vec<_> = outcome.left.iter().map(|left| (left.level, left.reason.as_str())).collect();
        assert_eq!(reasons, [(None, *reason)], "{statement}");
    }
}

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
fn members_that_know_whether_they_are_set() {
    check(&[
        (Green, "if shelf.theme.is_some() {}", "if shelf.has_theme() {}"),
        (Green, "if shelf.theme.is_none() && other() {}", "if !shelf.has_theme() && other() {}"),
        (Green, "let n = shelf.theme.is_none().then_some(1);", "let n = (!shelf.has_theme()).then_some(1);"),
        (Green, "if shelf.theme == None {}", "if !shelf.has_theme() {}"),
        (Green, "if None != shelf.theme {}", "if shelf.has_theme() {}"),
        (Green, "if shelf.height == Some(1.5) {}", "if shelf.has_height() && shelf.height() == 1.5 {}"),
        (
            Green,
            "if shelf.height == Some(1.5) || other() {}",
            "if (shelf.has_height() && shelf.height() == 1.5) || other() {}",
        ),
        (Green, "if shelf.height != Some(1.5) {}", "if !shelf.has_height() || shelf.height() != 1.5 {}"),
        (Green, "let t = shelf.theme.as_deref().unwrap_or(\"\");", "let t = shelf.theme();"),
        (Green, "let t = shelf.theme.as_deref().unwrap_or_default();", "let t = shelf.theme();"),
        (Green, "let t = shelf.theme.clone().unwrap_or_default();", "let t = shelf.theme().to_owned();"),
        (
            Green,
            "let t = shelf.theme.as_deref().unwrap_or(\"sea\");",
            "let t = shelf.has_theme().then(|| shelf.theme()).unwrap_or(\"sea\");",
        ),
        (Green, "let h = shelf.height.unwrap_or_default();", "let h = shelf.height();"),
        (Green, "let h = shelf.height.unwrap_or(0.0);", "let h = shelf.height();"),
        (
            Green,
            "let h = shelf.height.unwrap_or(2.5);",
            "let h = shelf.has_height().then(|| shelf.height()).unwrap_or(2.5);",
        ),
        (
            Green,
            "let h: Option<f64> = shelf.height;",
            "let h: Option<f64> = shelf.has_height().then(|| shelf.height());",
        ),
        (
            Green,
            "let t = shelf.theme.clone();",
            "let t = shelf.has_theme().then(|| shelf.theme().to_owned());",
        ),
        (
            Green,
            "let a = shelf.address.clone();",
            "let a = shelf.has_address().then(|| shelf.address().clone());",
        ),
        (
            Green,
            "let n = shelf.address.clone().unwrap_or_default().number;",
            "let n = shelf.address().number();",
        ),
        (Green, "other(&shelf.address.clone().unwrap_or_default());", "other(shelf.address());"),
        (
            Green,
            "let n = shelf.address.as_ref().map(|address| address.number);",
            "let n = shelf.has_address().then(|| shelf.address()).map(|address| address.number());",
        ),
        (
            Green,
            "if let Some(address) = &shelf.address { println!(\"{}\", address.street); }",
            "if shelf.has_address() { let address = shelf.address(); println!(\"{}\", address.street()); }",
        ),
        (
            Green,
            "if let Some(theme) = shelf.theme.as_deref() {\n        takes_str(theme);\n    }",
            "if shelf.has_theme() {\n        let theme = shelf.theme();\n        takes_str(theme);\n    }",
        ),
        (
            Green,
            "if let Some(height) = &shelf.height { other(*height); }",
            "if shelf.has_height() { let height = &shelf.height(); other(*height); }",
        ),
        (
            Green,
            "if let Some(address) = &mut changed.address { address.number = 5; }",
            "if changed.has_address() { let address = changed.address_mut(); address.set_number(5); }",
        ),
        (
            Red,
            "if let Some(address) = &mut changed.address { address.street = changed.name.clone(); }",
            "if changed.has_address() { let address = changed.address_mut(); address.set_street(changed.name().to_owned()); }",
        ),
        (
            Green,
            "let Some(address) = &shelf.address else { return };",
            "let Some(address) = shelf.has_address().then(|| shelf.address()) else { return };",
        ),
        (
            Yellow,
            "match &shelf.height { Some(h) => other(h), None => {} }",
            "match shelf.has_height().then(|| shelf.height()) { Some(h) => other(h), None => {} }",
        ),
        (Green, "let a = changed.address.take();", "let a = changed.take_address();"),
        (
            Green,
            "changed.address.get_or_insert_default().number = 3;",
            "changed.address_mut().set_number(3);",
        ),
        (
            Green,
            "changed.address.get_or_insert_with(Address::default).street.push('a');",
            "changed.address_mut().street_mut().push('a');",
        ),
        (
            Green,
            "changed.address.as_mut().unwrap().number = 3;",
            "changed.has_address().then(|| changed.address_mut()).unwrap().set_number(3);",
        ),
    ]);
    check_left(&[
        ("other(&shelf.theme);", "a reference to an `Option`, which accessors do not have"),
        ("changed.theme.insert(other());", "accessors have no `Option` to change in place"),
        ("let n = state.all[0].address.as_ref().unwrap();", "what the member is of would be evaluated twice"),
    ]);
}

#[test]
fn lists_and_maps() {
    check(&[
        (Green, "let n = shelf.books.len();", "let n = shelf.books().len();"),
        (Green, "let b = &shelf.books;", "let b = shelf.books();"),
        (Green, "let b = shelf.books.clone();", "let b = shelf.books().clone();"),
        (Green, "let t = shelf.books[0].title.len();", "let t = shelf.books()[0].title().len();"),
        (Green, "let n = shelf.by_title[\"a\"].pages;", "let n = shelf.by_title()[\"a\"].pages();"),
        (Green, "changed.books.push(Book::default());", "changed.books_mut().push(Book::default());"),
        (Green, "changed.books.clear();", "changed.clear_books();"),
        (Green, "changed.books[0].pages = 3;", "changed.books_mut()[0].set_pages(3);"),
        (
            Green,
            "changed.books[0].authors.push(other());",
            "changed.books_mut()[0].authors_mut().push(other());",
        ),
        (
            Green,
            "changed.by_title.entry(key).or_default().pages += 1;",
            "*changed.by_title_mut().entry(key).or_default().pages_mut() += 1;",
        ),
        (Green, "for b in &shelf.books { other(b.pages); }", "for b in shelf.books() { other(b.pages()); }"),
        (
            Green,
            "for b in shelf.books.iter() { other(b.pages); }",
            "for b in shelf.books().iter() { other(b.pages()); }",
        ),
        (
            Green,
            "for b in &mut changed.books { b.pages = 1; }",
            "for b in changed.books_mut() { b.set_pages(1); }",
        ),
        (
            Red,
            "for b in &mut changed.books { b.title = changed.name.clone(); }",
            "for b in changed.books_mut() { b.set_title(changed.name().to_owned()); }",
        ),
        (
            Red,
            "for b in &changed.books { changed.name = other(b); }",
            "for b in changed.books() { changed.set_name(other(b)); }",
        ),
        (
            Green,
            "for (title, b) in &shelf.by_title { other(b.pages); }",
            "for (title, b) in shelf.by_title() { other(b.pages()); }",
        ),
        (
            Green,
            "let n: u32 = shelf.books.iter().filter(|b| b.pages > 9).map(|b| b.pages).sum();",
            "let n: u32 = shelf.books().iter().filter(|b| b.pages() > 9).map(|b| b.pages()).sum();",
        ),
        (
            Green,
            "if let Some(b) = shelf.books.first() { other(b.pages); }",
            "if let Some(b) = shelf.books().first() { other(b.pages()); }",
        ),
        (Green, "changed.books.sort_by_key(|b| b.pages);", "changed.books_mut().sort_by_key(|b| b.pages());"),
        (Yellow, "let n = shelf.books.of_a_trait();", "let n = shelf.books().of_a_trait();"),
        (Red, "let b = &mut changed.books;", "let b = changed.books_mut();"),
    ]);
}

#[test]
fn members_are_assigned() {
    check(&[
        (Green, "edited.title = other::<String>();", "edited.set_title(other::<String>());"),
        (Green, "edited.title = \"Dune\".into();", "edited.set_title(\"Dune\");"),
        (Green, "edited.title = Default::default();", "edited.clear_title();"),
        (
            Green,
            "edited.title = format!(\"{} 2\", edited.title);",
            "edited.set_title(format!(\"{} 2\", edited.title()));",
        ),
        (
            Green,
            "edited.title = text.chars().rev().collect();",
            "edited.set_title(text.chars().rev().collect::<String>());",
        ),
        (
            Green,
            "edited.authors = list.iter().cloned().collect();",
            "edited.set_authors(list.iter().cloned().collect::<Vec<_>>());",
        ),
        (Green, "edited.pages = book.pages;", "edited.set_pages(book.pages());"),
        (Green, "edited.pages += book.pages;", "*edited.pages_mut() += book.pages();"),
        (Green, "edited.title += \"!\";", "*edited.title_mut() += \"!\";"),
        (
            Red,
            "changed.name += &changed.books[0].title;",
            "*changed.name_mut() += changed.books()[0].title();",
        ),
        (Green, "changed.theme = Some(book.title.clone());", "changed.set_theme(book.title().to_owned());"),
        (Green, "changed.theme = Some(\"sea\".into());", "changed.set_theme(\"sea\");"),
        (Green, "changed.theme = None;", "changed.clear_theme();"),
        (
            Green,
            "changed.theme = other(book.pages);",
            "match other(book.pages()) { Some(value) => changed.set_theme(value), None => changed.clear_theme() };",
        ),
        (Green, "changed.next = Some(Box::new(taken));", "changed.set_next(taken);"),
        (Green, "changed.address = Some(Address::default());", "changed.set_address(Address::default());"),
        (Green, "state.shelf.name = other();", "state.shelf.set_name(other());"),
        (
            Green,
            "*changed = Shelf { name: other(), ..Default::default() };",
            "*changed = Shelf::builder().name(other()).build();",
        ),
        (Green, "changed.unknown_fields = other();", "*changed.unknown_fields_mut() = other();"),
    ]);
    check_left(&[
        ("edited.title = text.parse().unwrap();", "the type of the value is inferred from the member"),
        ("changed.next = other();", "an `Option` is assigned, and setters take none"),
    ]);
}

#[test]
fn oneofs() {
    check(&[
        (
            Green,
            "changed.owner = Some(shelf::Owner::Person(\"Ann\".to_owned()));",
            "changed.set_person(\"Ann\".to_owned());",
        ),
        (
            Green,
            "changed.owner = Some(shelf::Owner::Person(\"Ann\".into()));",
            "changed.set_person(\"Ann\");",
        ),
        (Green, "changed.owner = Some(shelf::Owner::CompanyId(7));", "changed.set_company_id(7);"),
        (Green, "changed.owner = None;", "changed.clear_owner();"),
        (Green, "changed.owner = other();", "changed.set_owner(other());"),
        (Green, "let is = shelf.owner.is_none();", "let is = !shelf.has_owner();"),
        (
            Green,
            "match &shelf.owner { Some(shelf::Owner::Place(p)) => other(p.number), _ => {} }",
            "match shelf.which_owner() { Some(shelf::Owner::Place(p)) => other(p.number()), _ => {} }",
        ),
        (
            Green,
            "if let Some(shelf::Owner::Person(p)) = &shelf.owner {}",
            "if let Some(shelf::Owner::Person(p)) = shelf.which_owner() {}",
        ),
        (
            Green,
            "match shelf.owner { Some(shelf::Owner::Place(_)) => 1, _ => 2 };",
            "match shelf.which_owner() { Some(shelf::Owner::Place(_)) => 1, _ => 2 };",
        ),
        (
            Green,
            "if let Some(shelf::Owner::Place(p)) = &mut changed.owner { p.number = 1; }",
            "if let Some(shelf::Owner::Place(p)) = changed.owner_mut() { p.set_number(1); }",
        ),
        (Green, "let o = shelf.owner.as_ref();", "let o = shelf.which_owner();"),
        (Green, "let o = shelf.owner.clone();", "let o = shelf.which_owner().cloned();"),
        (Green, "let o = changed.owner.take();", "let o = changed.take_owner();"),
    ]);
}

#[test]
fn literals() {
    check(&[
        (
            Green,
            "let b = Book { title, pages: 3, ..Default::default() };",
            "let b = Book::builder().title(title).pages(3).build();",
        ),
        (
            Green,
            "let b = Book {\n        title: \"Dune\".into(),\n        // About.\n        pages: 412,\n        ..Book::default()\n    };",
            "let b = Book::builder()\n        .title(\"Dune\")\n        // About.\n        .pages(412)\n        .build();",
        ),
        (
            Green,
            "let a = Address {\n        street: other(),\n        number: 3,\n        unknown_fields: Default::default(),\n    };",
            "let a = Address::builder()\n        .street(other())\n        .number(3)\n        .build();",
        ),
        (
            Green,
            "let s = Shelf { theme: Some(other()), height: None, address, owner: Some(shelf::Owner::CompanyId(7)), ..Default::default() };",
            "let s = Shelf::builder().theme(other()).maybe_address(address).company_id(7).build();",
        ),
        (
            Green,
            "let s = Shelf { owner: other(), next: next, books: vec![Book { pages: 1, ..Default::default() }], ..Default::default() };",
            "let s = Shelf::builder().maybe_owner(other()).maybe_next(next.map(|value| *value)).books(vec![Book::builder().pages(1).build()]).build();",
        ),
        (Green, "let a = Address { ..Default::default() };", "let a = Address::default();"),
    ]);
    check_left(&[
        ("let b = Book { #[cfg(unix)] pages: 3, ..Default::default() };", "a member has an attribute"),
        ("let b = Book { pages: 3, ..own };", "the other members come from another message"),
        ("const B: Book = Book { pages: 3, ..Book::default() };", "a builder cannot be called in a constant"),
        (
            "let s = Shelf { by_title: list.into_iter().collect(), ..Default::default() };",
            "the type of the value is inferred from the member",
        ),
    ]);
}

/// Members are borrowed one by one, messages as a whole.
#[test]
fn borrows_that_meet() {
    check(&[
        (Red, "changed.books.push(make(&changed.name));", "changed.books_mut().push(make(changed.name()));"),
        (
            Red,
            "both(&mut changed.books, &mut changed.name);",
            "both(changed.books_mut(), changed.name_mut());",
        ),
        (
            Green,
            "both(&mut changed.books, &mut edited.title);",
            "both(changed.books_mut(), edited.title_mut());",
        ),
        (
            Red,
            "let t = changed.name.as_str(); changed.kind = other(t);",
            "let t = changed.name(); changed.set_kind(other(t));",
        ),
        (
            Green,
            "let t = shelf.name.as_str(); changed.kind = other(t);",
            "let t = shelf.name(); changed.set_kind(other(t));",
        ),
        (
            Green,
            "let n = changed.name.len(); changed.kind = other(n);",
            "let n = changed.name().len(); changed.set_kind(other(n));",
        ),
        (
            Red,
            "match &changed.owner { Some(_) => changed.kind = other(), None => {} }",
            "match changed.which_owner() { Some(_) => changed.set_kind(other()), None => {} }",
        ),
        (
            Red,
            "changed.books.iter_mut().for_each(|b| b.pages += changed.levels());",
            "changed.books_mut().iter_mut().for_each(|b| *b.pages_mut() += changed.levels());",
        ),
        (
            Red,
            "let f = || changed.name.len(); changed.kind = other();",
            "let f = || changed.name().len(); changed.set_kind(other());",
        ),
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

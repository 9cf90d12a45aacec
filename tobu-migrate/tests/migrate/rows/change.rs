//! Members that are changed, literals, and borrows that meet.

use tobu_migrate::Level::{Green, Red, Yellow};

use super::{check, check_left};

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

//! Generated types on the wire.

use tobu::{Enumeration as _, Message as _};
use tobu_generated_tests::built::library::v1::{Address, Book, Color, Shelf, book, shelf};
use tobu_generated_tests::{proto2, recursive, views};

#[test]
fn a_message_with_everything() {
    let shelf = Shelf {
        name: "shelves/1".into(),
        theme: Some(String::new()),
        kind: shelf::Kind::WALL,
        former_kind: Some(shelf::Kind(77)),
        books: vec![Book {
            title: "Dune".into(),
            pages: 412,
            edition: Some(book::Edition { year: 1965, ..Default::default() }),
            ..Default::default()
        }],
        by_title: [("Emma".to_owned(), Book::default())].into(),
        kinds: [(7, shelf::Kind::FLOOR)].into(),
        levels: vec![-1, 2],
        cover: b"\0\xff".to_vec(),
        address: Some(Address { street: "Elm".into(), ..Default::default() }),
        owner: Some(shelf::Owner::CompanyId(9)),
        height: Some(0.5),
        ..Default::default()
    };
    let bytes = tobu::to_vec(&shelf).unwrap();
    assert_eq!(tobu::from_slice::<Shelf>(&bytes).unwrap(), shelf);
    assert_eq!(Shelf::descriptor().full_name(), "library.v1.Shelf");
    assert_eq!(shelf::Kind::WALL.number(), 1);
    assert_eq!(Color::RED, Color::SCARLET);
}

#[test]
fn getters_read_without_unwrapping() {
    let mut shelf = Shelf::default();
    assert_eq!(shelf.address().street, "");
    assert_eq!(shelf.theme(), "");
    assert_eq!(shelf.former_kind(), shelf::Kind::UNSPECIFIED);
    assert_eq!(shelf.person(), "");
    assert_eq!(shelf.place().street, "");
    shelf.owner = Some(shelf::Owner::Person("Ann".into()));
    shelf.address = Some(Address { street: "Elm".into(), ..Default::default() });
    assert_eq!((shelf.person(), shelf.address().street.as_str(), shelf.company_id()), ("Ann", "Elm", 0));
}

#[test]
fn declared_defaults() {
    let defaults = proto2::Defaults::default();
    assert_eq!(defaults.id(), 0);
    assert_eq!(defaults.text(), "a \"quoted\" */ \\ line\n{}\0");
    assert_eq!(defaults.raw(), b"\x00\xff\"'");
    assert_eq!(defaults.level(), proto2::defaults::Level::HIGH);
    assert_eq!(defaults.low(), proto2::defaults::Level::LOW);
    assert_eq!(defaults.inf(), f64::INFINITY);
    assert_eq!(defaults.minus_inf(), f32::NEG_INFINITY);
    assert!(defaults.nan().is_nan());
    assert_eq!(defaults.third(), 0.33333);
    assert_eq!(defaults.least(), i64::MIN);
    assert_eq!(defaults.most(), u64::MAX);
    assert!(defaults.yes());
    assert_eq!(defaults.negative(), -1);
    assert_eq!(defaults.large(), 1e300);
    assert_eq!(defaults.named(), "no one");
    assert_eq!(defaults.pair().right().pair().left(), "");
    assert_eq!(proto2::defaults::Level::default(), proto2::defaults::Level::HIGH);
    let error = tobu::to_vec(&defaults).unwrap_err();
    assert_eq!(error.category(), tobu::Category::Required);
}

#[test]
fn groups_and_extensions() {
    let message = proto2::Defaults {
        id: Some(1),
        pair: Some(Box::new(proto2::defaults::Pair { left: Some("l".into()), ..Default::default() })),
        choice: Some(proto2::defaults::Choice::Chosen(proto2::defaults::Chosen {
            number: Some(-1),
            ..Default::default()
        })),
        unknown_fields: tobu::UnknownFields::from_bytes(b"\xa2\x06\x02hi").unwrap(),
        ..Default::default()
    };
    let bytes = tobu::to_vec(&message).unwrap();
    assert_eq!(tobu::from_slice::<proto2::Defaults>(&bytes).unwrap(), message);
    assert!(bytes.windows(2).any(|pair| pair == b"\x83\x01") && bytes.ends_with(b"\xa2\x06\x02hi"));
}

#[test]
fn unknown_numbers_of_closed_enums_are_unknown_fields() {
    let message: proto2::Defaults = tobu::from_slice(b"\x08\x01\x20\x63").unwrap();
    assert_eq!(message.level, None);
    assert_eq!(message.unknown_fields.as_bytes(), b"\x20\x63");
}

#[test]
fn recursive_messages() {
    use recursive::recursive::{Branches, Expr, Node, Tree, expr};
    let node = Node { next: Some(Box::default()), children: vec![Node::default()], ..Default::default() };
    assert_eq!(tobu::from_slice::<Node>(&tobu::to_vec(&node).unwrap()).unwrap(), node);
    let expr = Expr { kind: Some(expr::Kind::Negated(Box::default())), ..Default::default() };
    assert_eq!(tobu::from_slice::<Expr>(&tobu::to_vec(&expr).unwrap()).unwrap(), expr);
    assert_eq!(expr.binary().left().negated(), &Expr::default());
    let tree = Tree {
        branches: Some(Branches { trees: vec![Tree::default()], ..Default::default() }),
        ..Default::default()
    };
    assert_eq!(tobu::from_slice::<Tree>(&tobu::to_vec(&tree).unwrap()).unwrap(), tree);
}

#[test]
fn views_borrow() {
    use views::views::{Book, Shelf, ShelfView, shelf};
    let owned = Shelf {
        name: "n".into(),
        cover: b"c".to_vec(),
        tags: vec!["t".into()],
        owner: Some(shelf::Owner::Book(Box::new(Book { text: Some(b"x".to_vec()), ..Default::default() }))),
        ..Default::default()
    };
    let bytes = tobu::to_vec(&owned).unwrap();
    let view: ShelfView<'_> = tobu::from_slice(&bytes).unwrap();
    assert!(bytes.as_ptr_range().contains(&view.name.as_ptr()));
    assert_eq!(
        (view.name, view.cover, view.tags.as_slice(), view.book().text()),
        ("n", &b"c"[..], &["t"][..], &b"x"[..])
    );
    assert_eq!(view.best().shelf().theme(), "");
    assert_eq!(tobu::to_vec(&view).unwrap(), bytes);
}

#[test]
fn escaped_names_bind_to_their_fields() {
    use tobu_generated_tests::names::names::r#type::self_::{
        Code, Keywords, Nested, Oneof, Same, Self_, UnknownFields,
    };
    use tobu_generated_tests::names::names::r#type::self_::{keywords, oneof, same};
    let same = Same { foo_bar: Some("2".into()), foo_bar_: Some("1".into()), ..Default::default() };
    assert_eq!(tobu::to_vec(&same).unwrap(), b"\x0a\x011\x12\x012");
    let same = Same {
        choice: Some(same::Choice_::BarBaz("4".into())),
        self_: Some("10".into()),
        ..Default::default()
    };
    assert_eq!(tobu::to_vec(&same).unwrap(), b"\x22\x014\x52\x0210");
    let keywords = Keywords {
        r#type: "t".into(),
        r#struct: Some(keywords::Struct::Where("w".into())),
        ..Default::default()
    };
    assert_eq!(tobu::to_vec(&keywords).unwrap(), b"\x0a\x01t\x92\x01\x01w");
    let oneof = Oneof { oneof: Some(oneof::Oneof::Self_("s".into())), ..Default::default() };
    assert_eq!(tobu::to_vec(&oneof).unwrap(), b"\x0a\x01s");
    let unknown = UnknownFields { unknown_fields_: "u".into(), ..Default::default() };
    assert_eq!(tobu::to_vec(&unknown).unwrap(), b"\x0a\x01u");
    assert_eq!(
        tobu::to_vec(&Self_ { self_: Some(Box::default()), ..Default::default() }).unwrap(),
        b"\x0a\0"
    );
    assert_eq!(
        Nested::descriptor().field_by_number(2).unwrap().kind().as_message().unwrap().full_name(),
        "names.type.self.nested.Thing"
    );
    assert_eq!(Code::descriptor().value_by_number(404).unwrap().name(), "CODE_404");
}

#[test]
fn serde_derives_write_the_same_bytes() {
    use tobu_generated_tests::serde_derives::library::v1 as serde;
    let bytes = tobu::to_vec(&Shelf {
        name: "n".into(),
        books: vec![Book { pages: 7, ..Default::default() }],
        cover: vec![0xFF],
        owner: Some(shelf::Owner::Person("p".into())),
        ..Default::default()
    })
    .unwrap();
    let shelf: serde::Shelf = tobu::from_slice(&bytes).unwrap();
    assert_eq!((shelf.books[0].pages, shelf.cover.as_slice()), (7, &[0xFF][..]));
    assert_eq!(tobu::to_vec(&shelf).unwrap(), bytes);
}

#[test]
fn editions() {
    use tobu_generated_tests::editions::editions::{Closed, Edition, edition};
    let message = Edition {
        required: Some("r".into()),
        delimited: Some(edition::Part { text: "d".into(), ..Default::default() }),
        expanded: vec![1, 2],
        ..Default::default()
    };
    let bytes = tobu::to_vec(&message).unwrap();
    assert_eq!(bytes, b"\x1a\x01r\x23\x0a\x01d\x24\x28\x01\x28\x02");
    assert_eq!(tobu::from_slice::<Edition>(&bytes).unwrap(), message);
    assert_eq!((message.explicit(), message.closed(), Closed::default()), (7, Closed::ONE, Closed(1)));
    assert_eq!(
        tobu::from_slice::<Edition>(b"\x1a\0\x30\x02").unwrap().unknown_fields.as_bytes(),
        b"\x30\x02"
    );
}

/// The package `both.part` has the module that the message `both.Part` would have.
#[test]
fn a_file_per_package() -> tobu::Result<()> {
    use tobu_generated_tests::packages::both::{Part, part, part_};
    let part = Part {
        screw: Some(part_::Screw { length: 3, ..Default::default() }),
        nut: Some(part::Nut { width: 4, ..Default::default() }),
        ..Default::default()
    };
    let bytes = tobu::to_vec(&part)?;
    assert_eq!(bytes, b"\x0a\x02\x08\x03\x12\x02\x08\x04");
    assert_eq!(tobu::from_slice::<Part>(&bytes)?, part);
    Ok(())
}

#[test]
#[allow(deprecated)]
fn rust_enums() {
    use tobu_generated_tests::rust_enums::rust_enums::v1::{Binding, Book, Genre, Old, State, book};

    assert_eq!(
        (Genre::default(), Binding::default(), State::default()),
        (Genre::Unspecified, Binding::Hard, State::Unknown)
    );
    assert_eq!(
        (Genre::NOVEL, Genre::from(-3), Genre::from(9)),
        (Genre::Fiction, Genre::Lost, Genre::Unknown(9))
    );
    assert_eq!((State::from(7), Old::from(7)), (State::Unknown_(7), Old(7)));
    assert_eq!("GENRE_2D".parse::<Genre>().unwrap(), Genre::Genre2d);
    assert_eq!(
        Binding::try_from(7).unwrap_err().to_string(),
        "rust_enums.v1.Binding has no value of number 7"
    );
    assert_eq!((Book::default().binding(), Binding::Hard as i32), (Binding::PaperBack, 1));

    // The number of a closed enum that has no name is an unknown field; that of an open one is a value.
    let book: Book = tobu::from_slice(b"\x08\x09\x10\x09\x18\x09\x20\x09\x38\x09").unwrap();
    assert_eq!(
        book,
        Book {
            genre: Some(Genre::Unknown(9)),
            state: State::Unknown_(9),
            genres: vec![Genre::Unknown(9)],
            mark: Some(book::Mark::Chosen(State::Unknown_(9))),
            unknown_fields: tobu::UnknownFields::from_bytes(b"\x10\x09").unwrap(),
            ..Book::default()
        }
    );
    assert_eq!(tobu::json::to_string(&book).unwrap(), r#"{"genre":9,"state":9,"genres":[9],"chosen":9}"#);
}

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

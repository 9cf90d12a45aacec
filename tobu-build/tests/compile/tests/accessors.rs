//! Accessors: what they read and change, and that the bytes are those of the members.

use tobu_generated_tests::accessors::library::v1::{Address, Book, Shelf, shelf};
use tobu_generated_tests::accessors_of_all::{self as proto2, recursive};

#[test]
fn fields_that_know_whether_they_are_set() {
    let mut shelf = Shelf::default();
    assert!(!shelf.has_theme());
    shelf.set_theme("");
    assert_eq!((shelf.has_theme(), tobu::to_vec(&shelf).unwrap()), (true, b"\x12\x00".to_vec()));
    shelf.theme_mut().push_str("sea");
    assert_eq!(shelf.theme(), "sea");
    assert_eq!(shelf.take_theme().as_deref(), Some("sea"));
    assert_eq!((shelf.has_theme(), shelf.take_theme()), (false, None));

    shelf.address_mut().set_street("Elm");
    assert_eq!((shelf.has_address(), shelf.address().street()), (true, "Elm"));
    assert_eq!(shelf.take_address(), Some(Address { street: "Elm".into(), ..Address::default() }));
    shelf.set_address(Address::default());
    shelf.clear_address();
    assert_eq!(shelf, Shelf::default());
}

#[test]
fn fields_that_are_set_where_they_are_not_their_default() {
    let mut shelf = Shelf::default();
    shelf.set_name("shelves/1");
    shelf.set_kind(shelf::Kind::WALL);
    shelf.cover_mut().extend([0, 255]);
    assert_eq!((shelf.name(), shelf.kind(), shelf.cover()), ("shelves/1", shelf::Kind::WALL, &[0, 255][..]));
    assert_eq!((shelf.take_name(), shelf.take_cover()), ("shelves/1".to_owned(), vec![0, 255]));
    shelf.clear_kind();
    assert_eq!(shelf, Shelf::default());
}

#[test]
fn lists_and_maps() {
    let mut shelf = Shelf::default();
    shelf.set_levels([1, -1]);
    shelf.levels_mut().push(3);
    shelf.by_title_mut().insert("Emma".into(), Book::default());
    shelf.set_kinds([(7, shelf::Kind::FLOOR)]);
    assert_eq!((shelf.levels(), shelf.kinds().len()), (&vec![1, -1, 3], 1));
    assert_eq!(shelf.take_by_title().len(), 1);
    shelf.clear_levels();
    shelf.clear_kinds();
    assert_eq!(shelf, Shelf::default());
}

#[test]
fn fields_of_oneofs() {
    let mut shelf = Shelf::default();
    assert!(!shelf.has_owner());
    shelf.set_person("Ann");
    assert_eq!((shelf.has_owner(), shelf.has_person(), shelf.has_place()), (true, true, false));
    // Another field of the oneof is not touched.
    shelf.clear_place();
    assert_eq!((shelf.take_company_id(), shelf.person()), (None, "Ann"));
    shelf.person_mut().push('a');
    assert_eq!(shelf.owner, Some(shelf::Owner::from("Anna".to_owned())));
    shelf.place_mut().set_street("Elm");
    assert_eq!(shelf.owner, Some(Address { street: "Elm".into(), ..Address::default() }.into()));
    assert_eq!(
        (shelf.take_place().map(|place| place.street).as_deref(), shelf.has_owner()),
        (Some("Elm"), false)
    );
    shelf.set_company_id(0);
    assert_eq!(tobu::to_vec(&shelf).unwrap(), b"\x71\0\0\0\0\0\0\0\0");
    shelf.clear_owner();
    assert_eq!(shelf, Shelf::default());
}

#[test]
fn boxes_are_not_seen() {
    let mut node = recursive::Node::default();
    node.next_mut().leaf_mut().set_value(5);
    assert_eq!(tobu::to_vec(&node).unwrap(), b"\x0a\x04\x22\x02\x08\x05");
    let next: Option<recursive::Node> = node.take_next();
    node.set_next(next.unwrap());
    assert_eq!(node.next().leaf().value(), 5);
    let mut negated = recursive::Expr::default();
    negated.set_leaf(recursive::Leaf::default());
    let mut expression = recursive::Expr::default();
    expression.set_negated(negated.clone());
    assert_eq!(expression.take_negated(), Some(negated));
    assert!(!expression.has_kind());
}

#[test]
fn declared_defaults_are_what_is_changed() {
    let mut defaults = proto2::Defaults::default();
    assert_eq!(defaults.text_mut(), "a \"quoted\" */ \\ line\n{}\0");
    assert_eq!(defaults.raw_mut(), b"\x00\xff\"'");
    *defaults.level_mut() = proto2::defaults::Level::LOW;
    assert_eq!(*defaults.inf_mut(), f64::INFINITY);
    assert!(defaults.has_text() && defaults.has_raw() && defaults.has_inf() && !defaults.has_nan());
    assert_eq!(defaults.take_level(), Some(proto2::defaults::Level::LOW));
}

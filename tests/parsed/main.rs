//! Parsed messages: what they share, what they keep, what they refuse, and into what they convert. That accessors give what a
//! message holds is tested by `tests/corpus/`, row by row, and by `tests/properties/`.

use bytes::{Buf, Bytes};
use std::collections::HashSet;
use tobu::parsed::TypedRef;
use tobu::reflect::Extensions;
use tobu::reuse::{Bounds, MessagePool, Pooled};
use tobu::types::{Any, Timestamp};
use tobu::{DecodeOptions, DynamicMessage, EncodeOptions, Limits, Message, Parsed};
use tobu_schemas::corpus::corpus::{v2, v3};
use tobu_schemas::library::v1::{Book, Genre, Loan, Shelf, book};

fn dune() -> Book {
    Book {
        title: "Dune".into(),
        authors: vec!["Frank Herbert".into()],
        pages: 412,
        acquired: Some(Timestamp { seconds: 9, nanos: 1, ..Timestamp::default() }),
        genre: Genre::FICTION,
        place: Some(book::Place::Loan(Loan { reader: "Ann".into(), days: -2, ..Loan::default() })),
        cover: b"\xff\0".to_vec(),
        grades: vec![-1, 300],
        ..Book::default()
    }
}

/// The range of memory of some bytes contains that of others.
fn contains(all: &[u8], part: &[u8]) -> bool {
    let (all, part) = (all.as_ptr_range(), part.as_ptr_range());
    all.start <= part.start && part.end <= all.end
}

#[test]
fn accessors_of_all_shapes() {
    let parsed = Parsed::<Book>::from_message(&dune()).unwrap();
    let book = parsed.get();
    assert_eq!((book.title(), book.pages(), book.genre()), ("Dune", 412, Genre::FICTION));
    assert_eq!(book.authors(), ["Frank Herbert"]);
    assert_eq!(book.cover(), b"\xff\0");
    assert_eq!(book.grades().iter().sum::<i32>(), 299);
    assert_eq!(book.grades().get(2), None);
    let acquired = book.acquired().unwrap();
    assert_eq!((acquired.seconds(), acquired.nanos()), (9, 1));
    assert_eq!(acquired.to_message().unwrap(), Timestamp { seconds: 9, nanos: 1, ..Timestamp::default() });
    assert_eq!(book.loan().map(|loan| (loan.reader(), loan.days())), Some(("Ann", -2)));
    assert_eq!(book.which_place(), Some(book::PlaceRef::Loan(book.loan_or_default())));
    assert!(book.has_place() && book.has_loan() && !book.has_position());
    assert_eq!(book.position(), 0);

    let parsed = Parsed::<Book>::decode(b"").unwrap();
    let book = parsed.get();
    assert_eq!((book.title(), book.pages(), book.genre()), ("", 0, Genre::UNSPECIFIED));
    assert!(book.authors().is_empty() && book.cover().is_empty() && book.loan().is_none());
    assert!(book.acquired().is_none() && book.which_place().is_none() && !book.has_place());
    // An empty message has empty messages in it.
    assert_eq!((book.loan_or_default().reader(), book.acquired_or_default().seconds()), ("", 0));
    assert_eq!(book.loan_or_default().to_message().unwrap(), Loan::default());
    assert_eq!(tobu::to_vec(&book.loan_or_default().untyped()).unwrap(), b"");
    assert_eq!(format!("{:?}", book.loan_or_default()), "library.v1.Loan {}");
}

#[test]
fn defaults_that_a_schema_declares() {
    let parsed = Parsed::<v2::Defaults>::decode(b"").unwrap();
    let message = parsed.get();
    assert_eq!((message.number(), message.text(), message.raw()), (-7, "a\"b\n", &b"\x01\xff"[..]));
    assert_eq!((message.ratio(), message.level(), message.flag()), (f64::INFINITY, v2::Level::HIGH, true));
    assert!(!message.has_number() && !message.has_text() && !message.has_flag());
    // Zeros that are set are no defaults.
    let parsed = Parsed::<v2::Defaults>::decode(b"\x08\0\x12\0\x30\0").unwrap();
    let message = parsed.get();
    assert_eq!((message.number(), message.text(), message.flag()), (0, "", false));
    assert!(message.has_number() && message.has_text() && message.has_flag());
}

#[test]
fn strings_share_the_input() {
    let input = Bytes::from(tobu::to_vec(&dune()).unwrap());
    let parsed = Parsed::<Book>::decode_bytes(input.clone()).unwrap();
    for part in [
        parsed.get().title().as_bytes(),
        parsed.get().cover(),
        parsed.get().loan().unwrap().reader().as_bytes(),
    ] {
        assert!(contains(&input, part), "nothing is copied");
    }
    let from_buf = Parsed::<Book>::decode_buf(&mut input.clone()).unwrap();
    assert!(contains(&input, from_buf.get().title().as_bytes()));
    let copied = Parsed::<Book>::decode(&input).unwrap();
    assert!(!contains(&input, copied.get().title().as_bytes()));
    let clone = parsed.clone();
    assert_eq!(clone.get().title().as_ptr(), parsed.get().title().as_ptr(), "a clone shares all");
    drop((parsed, input));
    assert_eq!(clone.get().title(), "Dune");

    let mut two = b"\x06\x0a\x04Emma\x06\x0a\x04Dune".chain(&b"rest"[..]);
    for title in ["Emma", "Dune"] {
        assert_eq!(Parsed::<Book>::decode_length_delimited(&mut two).unwrap().get().title(), title);
    }
    assert_eq!(two.remaining(), 4);
}

#[test]
fn it_goes_to_other_threads_and_lives_as_long_as_it_likes() {
    fn check<T: Send + Sync + 'static>() {}
    check::<Parsed<Book>>();
    let parsed = Parsed::<Book>::from_message(&dune()).unwrap();
    let readers: Vec<_> = (0..4)
        .map(|_| {
            let parsed = parsed.clone();
            std::thread::spawn(move || parsed.get().authors().iter().map(str::len).sum::<usize>())
        })
        .collect();
    assert!(readers.into_iter().all(|reader| reader.join().unwrap() == 13));
}

#[test]
fn every_format() {
    let book = dune();
    let parsed = Parsed::<Book>::from_message(&book).unwrap();
    let wire = tobu::to_vec(&book).unwrap();
    assert_eq!(parsed.encode_to_vec().unwrap(), wire);
    assert_eq!(parsed.encoded_len(), wire.len());
    let mut buf = Vec::new();
    parsed.encode(&mut buf).unwrap();
    parsed.encode_length_delimited(&mut buf).unwrap();
    assert_eq!(buf, [&wire[..], &[wire.len() as u8], &wire].concat());
    let json = book.to_json().unwrap();
    assert_eq!(parsed.to_json().unwrap(), json);
    assert_eq!(Parsed::<Book>::from_json(&json).unwrap(), parsed);
    assert_eq!(serde_json::to_string(&parsed).unwrap(), json);
    assert_eq!(serde_json::from_str::<Parsed<Book>>(&json).unwrap(), parsed);
    let packed = rmp_serde::to_vec(&parsed).unwrap();
    assert_eq!(rmp_serde::from_slice::<Parsed<Book>>(&packed).unwrap(), parsed);
    let text = book.to_text().unwrap();
    assert_eq!(parsed.to_text().unwrap(), text);
    assert_eq!(Parsed::<Book>::from_text(&text).unwrap(), parsed);
    assert_eq!(format!("{parsed:?}"), format!("{:?}", DynamicMessage::from(parsed.clone())));
    assert_eq!(parsed.to_message().unwrap(), book);
    // A part of it alone.
    let loan = parsed.get().loan().unwrap();
    assert_eq!(tobu::to_vec(&loan.untyped()).unwrap(), b"\x0a\x03Ann\x10\x03");
    assert_eq!(tobu::encoded_len(&loan.untyped()).unwrap(), 7);
    assert_eq!(tobu::json::to_string(&loan.untyped()).unwrap(), r#"{"reader":"Ann","days":-2}"#);
    assert_eq!(tobu::text::to_string(&loan.untyped()).unwrap(), "reader: \"Ann\"\ndays: -2\n");
    assert_eq!(loan.to_message().unwrap(), Loan { reader: "Ann".into(), days: -2, ..Loan::default() });
}

#[test]
fn any() {
    let parsed = Parsed::<Book>::from_message(&dune()).unwrap();
    let any = Any::from_reflect(&*parsed.reflect()).unwrap();
    assert_eq!(any, Any::pack(&dune()).unwrap());
    assert_eq!(any.unpack_parsed::<Book>().unwrap(), parsed);
    let error = any.unpack_parsed::<Shelf>().unwrap_err();
    assert_eq!(error.to_string(), "the message is of type library.v1.Book, not library.v1.Shelf");
    let packed = Parsed::<Any>::from_message(&any).unwrap();
    assert_eq!(packed.get().unpack::<Book>().unwrap(), parsed);
    assert_eq!(packed.get().unpack::<Shelf>().unwrap_err().to_string(), error.to_string());
}

#[test]
fn equality_is_that_of_messages() {
    let of = |wire: &[u8]| Parsed::<Book>::decode(wire).unwrap();
    assert_eq!(of(b"\x0a\x04Dune\x18\x01"), of(b"\x18\x01\x0a\x04Dune"));
    // A field without presence that is set to its default is not set.
    assert_eq!(of(b"\x18\0"), of(b""));
    for other in [&b"\x0a\x04Emma"[..], b"", b"\x0a\x04Dune\x3a\0", b"\x0a\x04Dune\xa0\x06\x01"] {
        assert_ne!(of(b"\x0a\x04Dune"), of(other));
    }
    let (one, other) = (of(b"\x3a\x05\x0a\x03Ann"), of(b"\x3a\x05\x0a\x03Ann\x18\x05"));
    assert_eq!(one.get().loan(), other.get().loan());
    assert_ne!(one.get(), other.get());
    // An empty message is equal to one that is not there.
    assert_eq!(of(b"\x3a\0").get().loan_or_default(), of(b"").get().loan_or_default());
    assert_ne!(of(b"\x3a\0").get().loan(), of(b"").get().loan());
    // Maps in any order.
    let shelf = |wire: &[u8]| Parsed::<Shelf>::decode(wire).unwrap();
    let one = shelf(b"\x22\x05\x0a\x01a\x10\x01\x22\x05\x0a\x01b\x10\x02");
    let other = shelf(b"\x22\x05\x0a\x01b\x10\x02\x22\x05\x0a\x01a\x10\x01");
    assert_eq!(one.get().copies(), other.get().copies());
    assert_eq!(one, other);
    assert_ne!(one.get().copies(), shelf(b"\x22\x05\x0a\x01b\x10\x02").get().copies());
}

#[test]
fn maps_with_few_and_many_entries() {
    for count in [1, 8, 9, 1000] {
        let books: Vec<(String, u32)> = (0..count).map(|index| (format!("isbn {index}"), index)).collect();
        let shelf = Shelf { copies: books.iter().cloned().collect(), ..Shelf::default() };
        let parsed = Parsed::<Shelf>::decode(&tobu::to_vec(&shelf).unwrap()).unwrap();
        let copies = parsed.get().copies();
        assert_eq!(copies.len(), count as usize);
        for (isbn, index) in &books {
            assert_eq!(copies.get(isbn), Some(*index));
        }
        assert_eq!(copies.get("isbn"), None);
        assert_eq!(copies.keys().collect::<HashSet<_>>().len(), count as usize);
        assert_eq!(copies.values().sum::<u32>(), (0..count).sum::<u32>());
    }
}

#[test]
fn unknown_fields_and_extensions_are_kept() {
    let wire = b"\x08\x01\xa2\x06\x04note\xa8\x46\x05";
    let parsed = Parsed::<v2::Extensible>::decode(wire).unwrap();
    assert_eq!(parsed.get().unknown_bytes(), &wire[2..]);
    assert_eq!(parsed.encode_to_vec().unwrap(), wire);
    assert_eq!(parsed.untyped().extension(&v2::NOTE).unwrap().as_deref(), Some("note"));
    let json = parsed.to_json().unwrap();
    assert_eq!(json, r#"{"a":1,"[corpus.v2.note]":"note"}"#);
    // Through the struct and back.
    let again = Parsed::from_message(&parsed.to_message().unwrap()).unwrap();
    assert_eq!(again, parsed);
}

#[test]
fn changes_go_through_a_dynamic_message() {
    let parsed = Parsed::<Book>::from_message(&dune()).unwrap();
    let kept = parsed.clone();
    let mut message = DynamicMessage::from(parsed);
    message.set_by_name("title", "Emma").unwrap();
    let changed = Parsed::<Book>::try_from(message).unwrap();
    assert_eq!((changed.get().title(), kept.get().title()), ("Emma", "Dune"));
    let mut book = changed.to_message().unwrap();
    assert_eq!(book, Book { title: "Emma".into(), ..dune() });
    book.authors.push("Jane Austen".into());
    assert_eq!(Parsed::from_message(&book).unwrap().get().authors(), ["Frank Herbert", "Jane Austen"]);
    // A message that was changed often has garbage, and fields that were cleared.
    let mut message = DynamicMessage::from(changed);
    for index in 0..100 {
        message.set_by_name("title", format!("a title of no constant length {index}")).unwrap();
        message.clear_by_name(if index % 2 == 0 { "loan" } else { "pages" }).unwrap();
    }
    let parsed = Parsed::<Book>::try_from(message).unwrap();
    assert_eq!((parsed.get().title(), parsed.get().pages()), ("a title of no constant length 99", 0));
    assert!(parsed.get().loan().is_none() && parsed.get().which_place().is_none());
}

#[test]
fn a_change_leaves_clones_and_a_copied_input_as_they_are() {
    for title in ["", "a", "ab", "abc", "abcd"] {
        let wire = tobu::to_vec(&Book { title: title.into(), ..dune() }).unwrap();
        let parsed = Parsed::<Book>::decode(&wire).unwrap();
        let mut message = DynamicMessage::from(parsed.clone());
        // The new list of authors lies behind the copy of the input.
        message.merge(b"\x12\x03Ann\x9a\x3f\x01x").unwrap();
        let changed = Parsed::<Book>::try_from(message).unwrap();
        assert_eq!(changed.get().authors(), ["Frank Herbert", "Ann"]);
        assert_eq!(changed.get().unknown_bytes(), b"\x9a\x3f\x01x");
        assert_eq!((changed.get().title(), changed.get().cover()), (title, &b"\xff\0"[..]));
        assert_eq!(parsed.get().authors(), ["Frank Herbert"]);
        assert_eq!(parsed.encode_to_vec().unwrap(), wire);
    }
}

#[test]
fn messages_of_other_types_are_refused() {
    let loan = DynamicMessage::new(&Loan::descriptor()).unwrap();
    let error = Parsed::<Book>::try_from(loan).unwrap_err();
    assert_eq!(error.to_string(), "library.v1.Book: the dynamic message is a library.v1.Loan");
    // One of another pool is converted.
    let set = tobu::Pool::global().to_descriptor_set();
    let pool = tobu::Pool::from_descriptor_set(&set).unwrap();
    let message = DynamicMessage::decode(&pool.message("library.v1.Book").unwrap(), b"\x0a\x04Dune").unwrap();
    assert_eq!(Parsed::<Book>::try_from(message).unwrap().get().title(), "Dune");
}

/// Strings that a schema does not require to be UTF-8: the accessors do, as the structs do.
#[test]
fn strings_are_utf8_whatever_the_schema_requires() {
    let loose: [&[u8]; 4] =
        [b"\x0a\x01\xff", b"\x12\x02ab\x12\x01\xff", b"\x0a\x02ab\x0a\x01\xff", b"\x12\x01\xff\x12\x01a"];
    for wire in loose {
        let error = Parsed::<v2::Loose>::decode(wire).unwrap_err();
        assert_eq!(error.to_string(), tobu::from_slice::<v2::Loose>(wire).unwrap_err().to_string());
        let dynamic = DynamicMessage::decode(&v2::Loose::descriptor(), wire).unwrap();
        let refused = Parsed::<v2::Loose>::try_from(dynamic);
        // Where the last string wins, the first is not there any more.
        match refused {
            Ok(parsed) => panic!("{parsed:?}"),
            Err(error) => assert!(error.to_string().ends_with("invalid UTF-8 in a string"), "{error}"),
        }
    }
    let parsed = Parsed::<v2::Loose>::decode("\x0a\u{2}é".as_bytes());
    assert_eq!(parsed.unwrap().get().text(), "é");
}

#[test]
fn limits_and_options() {
    let error = |wire: &[u8], options: DecodeOptions| {
        let error = Parsed::<v2::Required>::decode_with(wire, options).unwrap_err().to_string();
        let shared = Parsed::<v2::Required>::decode_bytes_with(Bytes::copy_from_slice(wire), options);
        assert_eq!(shared.unwrap_err().to_string(), error);
        assert_eq!(Parsed::<v2::Required>::decode_buf_with(wire, options).unwrap_err().to_string(), error);
        error
    };
    let options = DecodeOptions::new();
    let of = |limits: Limits| options.limits(limits);
    assert_eq!(error(b"", options), "corpus.v2.Required: required field id has no value");
    assert!(Parsed::<v2::Required>::decode_with(b"", options.partial(true)).is_ok());
    assert_eq!(
        error(b"\x08\x01\x12\x01a", of(Limits::default().input(4))),
        "corpus.v2.Required: input of 5 bytes is larger than the limit of 4 bytes"
    );
    let wire = b"\x08\x01\x12\x01a\x1a\x05\x08\x01\x12\x01a";
    assert_eq!(
        error(wire, of(Limits::default().depth(1))),
        "corpus.v2.Required.child: messages are nested deeper than 1 levels (at byte 6)"
    );
    let partial = Parsed::<v2::Required>::decode_with(b"\x08\x01", options.partial(true)).unwrap();
    let error = partial.encode_to_vec().unwrap_err();
    assert_eq!(error.to_string(), "corpus.v2.Required: required field name has no value");
    let written = EncodeOptions::new().partial(true).to_vec(&partial.untyped()).unwrap();
    assert_eq!(written, b"\x08\x01");
}

/// Messages in messages, in lists and in maps, each read in place.
#[test]
fn trees() {
    let text = r#"
        name: "a" left { name: "b" left { name: "c" } }
        children { name: "d" } children { name: "e" right { name: "f" } } named { key: "g" value { name: "h" } }
    "#;
    let parsed = Parsed::<v3::Tree>::from_text(text).unwrap();
    let tree = parsed.get();
    let left = tree.left().and_then(|left| left.left()).unwrap();
    assert_eq!((tree.name(), left.name(), left.left()), ("a", "c", None));
    let names: Vec<_> = tree.children().iter().map(|child| child.name()).collect();
    assert_eq!(names, ["d", "e"]);
    let last = tree.children().iter().next_back().unwrap();
    assert_eq!(last.right().map(|right| right.name()), Some("f"));
    assert_eq!(tree.named().get("g").map(|tree| tree.name()), Some("h"));
    assert_eq!(parsed.to_message().unwrap(), v3::Tree::from_text(text).unwrap());
}

#[test]
fn pools_keep_the_memory_of_messages() {
    let pool = MessagePool::<Parsed<Book>>::bounded(Bounds::new().count(2));
    let wire = tobu::to_vec(&dune()).unwrap();
    let first = pool.decode(&wire).unwrap();
    assert_eq!(first.to_message().unwrap(), dune());
    let shared = Parsed::clone(&first);
    drop(first);
    assert_eq!(pool.kept(), 0, "a clone shares it");
    assert_eq!(shared.get().title(), "Dune");
    drop(pool.decode(&wire).unwrap());
    assert_eq!(pool.kept(), 1);
    let used = pool.kept_bytes();
    // Whatever it held before, and after an error as well.
    for (wire, other) in [(&b"\x0a\x04Emma"[..], "Emma"), (b"", ""), (b"\x0a\x04Dune\x18\x01", "Dune")] {
        assert!(pool.decode(b"\x0a\x05Dune").is_err());
        let book = pool.decode_bytes(Bytes::copy_from_slice(wire)).unwrap();
        assert_eq!(*book, Parsed::decode(wire).unwrap());
        assert_eq!(book.get().title(), other);
        assert!(book.get().loan().is_none() && book.get().authors().is_empty());
        drop(book);
        assert!(pool.kept() == 1 && pool.kept_bytes() <= used);
    }
    let options = DecodeOptions::new().limits(Limits::default().input(2));
    let error = pool.decode_with(&wire, options).unwrap_err();
    let message =
        format!("library.v1.Book: input of {} bytes is larger than the limit of 2 bytes", wire.len());
    assert_eq!(error.to_string(), message);
    let kept = Pooled::into_inner(pool.decode(&wire).unwrap());
    assert_eq!((kept.get().pages(), pool.kept()), (412, 0));
}

//! Members that are the numbers of enums: `EnumType::I32`.

use tobu::reflect::Extensions as _;
use tobu::{Enumeration, Message};
use tobu_generated_tests::{enum_numbers, enum_numbers_opaque, enum_numbers_with_accessors};

use enum_numbers::enums::v1::open::{Book, Genre};
use enum_numbers::enums::v1::{EXTRA, Grade, Report, Tone, report};

/// As programs with prost write it.
#[test]
fn members_are_numbers_and_getters_return_the_enum() {
    let mut book = Book { genre: Genre::Fiction as i32, others: vec![1, 9], ..Book::default() };
    assert_eq!((book.genre(), book.second()), (Genre::Fiction, Genre::Unspecified));
    book.set_second(Genre::Fiction);
    assert_eq!((book.second, Genre::try_from(book.genre).unwrap()), (Some(1), Genre::Fiction));
    book.set_genre(9);
    assert_eq!((book.genre, book.genre()), (9, Genre::Unspecified), "no value has this number");

    let bytes = book.encode_to_vec().unwrap();
    assert_eq!(bytes, b"\x08\x09\x10\x01\x1a\x02\x01\x09");
    assert_eq!(Book::decode(&bytes[..]).unwrap(), book);
    let json = book.to_json().unwrap();
    assert_eq!(json, r#"{"genre":9,"second":"GENRE_FICTION","others":["GENRE_FICTION",9]}"#);
    assert_eq!(Book::from_json(&json).unwrap(), book);
    assert_eq!(
        tobu::text::to_string(&book).unwrap(),
        "genre: 9\nsecond: GENRE_FICTION\nothers: GENRE_FICTION\nothers: 9\n"
    );
    assert_eq!(book.as_reflect().to_dynamic().unwrap().encode_to_vec().unwrap(), bytes);
    assert_eq!(i32::from(Tone::Low), -1);
}

/// An unknown number of a closed enum is an unknown field, whatever the type of the member.
#[test]
fn closed_enums_keep_unknown_numbers_apart() {
    let bytes = b"\x08\x03\x10\x09\x20\x09\x20\x07\x30\x09";
    let report = Report::decode(&bytes[..]).unwrap();
    assert_eq!((report.grade, &report.grades[..], &report.verdict), (None, &[7][..], &None));
    assert_eq!((report.needed(), report.best(), report.tone()), (Grade::Good, Grade::Best, Tone::Loud));
    assert_eq!(report.unknown_fields.as_bytes(), b"\x10\x09\x20\x09\x30\x09");
    let error = Report::from_json(r#"{"needed":"GRADE_GOOD","grade":9}"#).map(drop);
    let dynamic =
        tobu::DynamicMessage::from_json(&<Report as Message>::descriptor(), r#"{"needed":3,"grade":9}"#)
            .map(drop);
    assert_eq!(error.is_ok(), dynamic.is_ok(), "{error:?} {dynamic:?}");
}

#[test]
fn oneofs_maps_and_extensions_hold_numbers() {
    let mut report = Report { needed: Some(3), verdict: Some(report::Verdict::Last(7)), ..Report::default() };
    report.by_name.insert("a".into(), Grade::Good as i32);
    report.set_extension(&EXTRA, 7).unwrap();
    assert_eq!(report.last(), Grade::Best);
    let json = r#"{"needed":"GRADE_GOOD","byName":{"a":"GRADE_GOOD"},"last":"GRADE_BEST","[enums.v1.extra]":"GRADE_BEST"}"#;
    assert_eq!(report.to_json().unwrap(), json);
    let back = Report::from_json(json).unwrap();
    assert_eq!((back.extension(&EXTRA).unwrap(), back), (Some(7), report));
}

/// With other accessors the methods have the names and types of this setting, too.
#[test]
fn accessors_take_and_return_the_enum() {
    macro_rules! check {
        ($module:ident) => {{
            use $module::enums::v1::{Grade, Report, Tone};
            let mut report = Report::default();
            assert_eq!((report.has_tone(), report.tone(), *report.tone_mut()), (false, Tone::Loud, 2));
            assert_eq!((report.best(), *report.best_mut()), (Grade::Best, 7));
            report.set_needed(Grade::Good);
            report.set_last(Grade::Best);
            assert_eq!(
                (report.needed(), report.last(), report.take_last()),
                (Grade::Good, Grade::Best, Some(7))
            );
            assert_eq!(report.encode_to_vec().unwrap(), b"\x08\x03\x18\x07\x40\x02");
            let mut book = $module::enums::v1::open::Book::default();
            book.set_genre($module::enums::v1::open::Genre::Fiction);
            assert_eq!(book.genre().number(), 1);
        }};
    }
    check!(enum_numbers_with_accessors);
    check!(enum_numbers_opaque);
    let built = enum_numbers_opaque::enums::v1::open::Book::builder().genre(1).build();
    assert_eq!(built.genre().number(), 1);
}

/// `Config::arbitrary`: messages and enums make valid content from bytes.
#[test]
fn generated_types_are_arbitrary() {
    use tobu::arbitrary::{Arbitrary, Unstructured};

    let bytes: Vec<u8> = (0..=255).rev().collect();
    let report = Report::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
    assert!(report.needed.is_some());
    assert_eq!(Report::decode(&report.encode_to_vec().unwrap()[..]).unwrap(), report);
    assert_eq!(Report::arbitrary(&mut Unstructured::new(&[])).unwrap().encode_to_vec().unwrap(), b"\x08\x00");
    let tones: Vec<_> =
        (0..8).map(|byte| Tone::arbitrary(&mut Unstructured::new(&[byte])).unwrap()).collect();
    assert!(tones.contains(&Tone::Loud) && tones.contains(&Tone::Low));
    let mut opaque =
        enum_numbers_opaque::enums::v1::open::Book::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
    let again =
        enum_numbers_opaque::enums::v1::open::Book::decode(&opaque.encode_to_vec().unwrap()[..]).unwrap();
    assert_eq!(opaque, again);
    opaque.clear_second();
    assert!(!opaque.has_second());
}

//! Strings and bytes of types of one's own in generated messages.

use tobu::{Message, json};
use tobu_generated_tests::with::with::v1::{Span, SpanView, span};
use tobu_generated_tests::{Id, Word};

#[test]
fn members_are_of_the_types_that_the_settings_say() {
    let mut span = Span {
        trace_id: Id([1, 2]),
        links: vec![Id([3, 4])],
        by_name: [("a".to_owned(), Id([5, 6]))].into(),
        of: Some(span::Of::Word(Word("w".into()))),
        digest: vec![0xff],
        ..Span::default()
    };
    let bytes = b"\x0a\x02\x01\x02\x1a\x02\x03\x04\x22\x07\x0a\x01a\x12\x02\x05\x06\x32\x01w\x42\x01\xff";
    assert_eq!(span.encode_to_vec().unwrap(), bytes);
    assert_eq!(Span::decode(&bytes[..]).unwrap(), span);
    let text = r#"{"traceId":"0102","links":["0304"],"byName":{"a":"0506"},"word":"w","digest":"ff"}"#;
    assert_eq!(json::to_string(&span).unwrap(), text);
    assert_eq!(json::from_str::<Span>(text).unwrap(), span);
    assert_eq!(span.word().map(|word| &*word.0), Some("w"));
    assert_eq!((span.trace_id(), span.parent()), (&Id([1, 2]), None));
    span.set_parent(Id([7, 8]));
    assert_eq!(span.parent(), Some(&Id([7, 8])));

    let error = json::from_str::<Span>(r#"{"word":"a b"}"#).unwrap_err();
    assert_eq!(error.to_string(), "with.v1.Span.word: expected a word (at line 1 column 9)");
    // A view borrows what there is, whatever that is.
    let view = tobu::from_slice::<SpanView<'_>>(b"\x0a\x01\x09").unwrap();
    assert_eq!(view.trace_id, [9]);
    assert_eq!(json::to_string(&view).unwrap(), r#"{"traceId":"CQ=="}"#);
}

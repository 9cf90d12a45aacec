//! Limits on memory and size, and the content of a message when one is exceeded.

use crate::messages::{derived as strict, plain as plain_strict};
use crate::types::{derived, plain};
use serde_json::Value;
use std::mem::size_of;
use tobu::{Category, DecodeOptions, Limits, Message, MessageDescriptorExt};

#[test]
fn two_million_empty_messages_are_too_much() {
    let wire = b"\x22\x00".repeat(2_000_000);
    let budget = 32 * wire.len();
    let text = |package: &str, root: usize, each: usize| {
        let fit = (budget - root) / each;
        let at = 2 * fit + 1;
        format!(
            "{package}.v3.Tree.children[{fit}]: the decoded message would take more than {budget} bytes of memory (at byte {at})"
        )
    };
    let size = size_of::<derived::Tree>();
    assert!(2_000_000 * size > budget);
    let expected = text("derived", size, size);
    let error = tobu::from_slice::<derived::Tree>(&wire).unwrap_err();
    assert_eq!((error.category(), error.to_string()), (Category::Limit, expected.clone()));
    let error = tobu::from_bytes::<derived::Tree>(&wire.clone().into()).unwrap_err();
    assert_eq!(error.to_string(), expected);
    let error = tobu::from_reader::<derived::Tree>(&wire[..]).unwrap_err();
    assert_eq!(error.to_string(), expected);
    // Through the message of an arena, which fits: the struct that it becomes does not.
    let error = tobu::from_slice::<plain::Tree>(&wire).unwrap_err();
    let text = format!("plain.v3.Tree: the decoded message would take more than {budget} bytes of memory");
    assert_eq!(error.to_string(), text);

    let before = derived::Tree { name: "as it was".into(), ..derived::Tree::default() };
    let mut message = before.clone();
    assert_eq!(tobu::merge(&mut message, &wire).unwrap_err().to_string(), expected);
    assert_eq!(message, before);
    assert_eq!(tobu::from_slice_in_place(&mut message, &wire).unwrap_err().to_string(), expected);
    assert_eq!(message, derived::Tree::default());

    // A tree of values has no fixed size: an estimate is used.
    let error = derived::Tree::descriptor().decode::<Value>(&wire).unwrap_err();
    assert_eq!(error.category(), Category::Limit);
    // Read grouped, the same.
    let grouped = [b"\x0a\x00\x0a\x00", &wire[..wire.len() - 4]].concat();
    let error = tobu::from_slice::<plain::Tree>(&grouped).unwrap_err();
    assert_eq!(error.message(), format!("the decoded message would take more than {budget} bytes of memory"));
}

#[test]
fn the_memory_is_as_set() {
    let size = size_of::<derived::Tree>() as u64;
    let decode = |wire: &[u8], memory| {
        let options = DecodeOptions::new().limits(Limits::default().memory(memory));
        options.from_slice::<derived::Tree>(wire).map(drop).map_err(|error| error.to_string())
    };
    let too_much = |field: &str, memory: u64, at: usize| {
        Err(format!(
            "derived.v3.Tree{field}: the decoded message would take more than {memory} bytes of memory (at byte {at})"
        ))
    };
    assert_eq!(decode(b"", size), Ok(()));
    assert_eq!(decode(b"", size - 1), too_much("", size - 1, 0));
    // As a member, as an element, in a map, absent from a map entry.
    assert_eq!(decode(b"\x12\x00", 2 * size), Ok(()));
    assert_eq!(decode(b"\x12\x00", 2 * size - 1), too_much(".left", 2 * size - 1, 1));
    assert_eq!(decode(b"\x22\x00", 2 * size), Ok(()));
    assert_eq!(decode(b"\x22\x00", 2 * size - 1), too_much(".children[0]", 2 * size - 1, 1));
    assert_eq!(decode(b"\x2a\x04\x0a\x00\x12\x00", 2 * size), Ok(()));
    let in_map = too_much(".named[\"\"]", 2 * size - 1, 5);
    assert_eq!(decode(b"\x2a\x04\x0a\x00\x12\x00", 2 * size - 1), in_map);
    assert_eq!(decode(b"\x2a\x00", 2 * size), Ok(()));
    assert!(decode(b"\x2a\x00", 2 * size - 1).is_err());
}

#[test]
fn the_size_is_as_set() {
    let options = DecodeOptions::new().limits(Limits::default().input(4));
    assert!(options.from_slice::<derived::Tree>(b"\x0a\x02ab").is_ok());
    let error = options.from_slice::<derived::Tree>(b"\x0a\x03abc").unwrap_err();
    assert_eq!(error.to_string(), "derived.v3.Tree: input of 5 bytes is larger than the limit of 4 bytes");
    let mut message = derived::Tree { name: "as it was".into(), ..derived::Tree::default() };
    assert!(options.merge(&mut message, b"\x0a\x03abc").is_err());
    assert_eq!(message.name, "as it was");
    assert!(options.from_slice_in_place(&mut message, b"\x0a\x03abc").is_err());
    assert_eq!(message, derived::Tree::default());
    let error = derived::Tree::descriptor().decode_with::<Value>(b"\x0a\x03abc", options).unwrap_err();
    assert_eq!(error.to_string(), "derived.v3.Tree: input of 5 bytes is larger than the limit of 4 bytes");
    assert_eq!(Limits::default().max_input(), 2_147_483_647);
    assert_eq!(Limits::default().input(u64::MAX).max_input(), 2_147_483_647);
    // Two gigabytes that are never touched.
    let large = vec![0u8; 1 << 31];
    let error = tobu::from_slice::<derived::Tree>(&large).unwrap_err();
    assert_eq!(
        error.to_string(),
        "derived.v3.Tree: input of 2147483648 bytes is larger than the limit of 2147483647 bytes"
    );
}

#[test]
fn an_error_leaves_no_half_of_a_message() {
    // The error is last, in each kind of member.
    let good = b"\x0a\x01n\x12\x03\x0a\x01l\x22\x00\x2a\x00\x32\x02\x08\x01\x50\x01";
    let bad: [&[u8]; 7] = [
        b"\x0a\x01\xff",
        b"\x12\x02\x0a\x05",
        b"\x22\x04\x12\x02\x0a\x05",
        b"\x2a\x04\x12\x02\x0a\x05",
        b"\x32\x02\x08\x80",
        b"\x53\x08\x01",
        b"\x07",
    ];
    let before = derived::Tree {
        name: "before".into(),
        children: vec![derived::Tree::default(); 3],
        leaf: Some(derived::Leaf { a: 7, c: vec![1, 2], ..derived::Leaf::default() }),
        ..derived::Tree::default()
    };
    for bad in bad {
        let wire = [good, bad].concat();
        let mut message = before.clone();
        let error = tobu::merge(&mut message, &wire).unwrap_err();
        assert_eq!(error.category(), Category::Malformed);
        assert_eq!(message, before);
        tobu::merge(&mut message, good).unwrap();
        assert_eq!(message.leaf.as_ref().unwrap().a, 1);
        assert_eq!(message.children.len(), 4);
        assert!(tobu::from_slice_in_place(&mut message, &wire).is_err());
        assert_eq!(message, derived::Tree::default());
        tobu::from_slice_in_place(&mut message, good).unwrap();
        assert_eq!(message, tobu::from_slice(good).unwrap());
    }
}

#[test]
fn required_fields_may_be_missing_when_asked() {
    let partial = DecodeOptions::new().partial(true);
    let wire = b"\x12\x04\x12\x00\x1a\x00\x1a\x01n";
    for (path, error) in [
        ("derived", tobu::from_slice::<strict::Strict>(wire).map(drop)),
        ("plain", tobu::from_slice::<plain_strict::Strict>(wire).map(drop)),
        ("derived", strict::Strict::descriptor().decode::<Value>(wire).map(drop)),
        ("derived", tobu::from_slice_in_place(&mut strict::Strict::default(), wire)),
    ] {
        let error = error.unwrap_err();
        assert_eq!(error.category(), Category::Required);
        let expected =
            format!("{path}.hostile.Strict.inner.inner: required field id has no value (at byte 4)");
        assert_eq!(error.to_string(), expected);
    }
    let message: strict::Strict = partial.from_slice(wire).unwrap();
    assert_eq!((message.note.as_str(), message.inner.unwrap().inner.is_some()), ("n", true));
    let message: plain_strict::Strict = partial.from_slice(wire).unwrap();
    assert_eq!((message.note.as_str(), message.inner.unwrap().inner.is_some()), ("n", true));
    let tree: Value = strict::Strict::descriptor().decode_with(wire, partial).unwrap();
    assert_eq!(tree, serde_json::json!({"inner": {"inner": {}, "note": ""}, "note": "n"}));
    // A merge takes parts of a message anyway.
    let mut message = strict::Strict::default();
    tobu::merge(&mut message, wire).unwrap();
    assert_eq!(message.note, "n");
}

//! The verbs of the formats for messages that are seen through their descriptors: as those of typed messages.

use super::support::error;
use bytes::Buf;
use tobu::{Deserialize, Serialize};
use tobu::{DynamicMessage, Message, Reflect, text};
use tobu_schemas::corpus::corpus::v2::Required;
use tobu_schemas::corpus::corpus::v3::{Choice, Tree};

/// `name: "n"`, two children, an entry of a map, an unknown field.
const TREE: &[u8] = b"\x0a\x01n\x22\x00\x22\x03\x0a\x01c\x2a\x05\x0a\x01k\x12\x00\xa0\x06\x01";

/// The same message as a struct and as a dynamic one.
fn both(wire: &[u8], mut test: impl FnMut(&mut dyn Reflect)) {
    test(tobu::from_slice::<Tree>(wire).unwrap().as_reflect_mut());
    test(&mut DynamicMessage::decode(&Tree::descriptor(), wire).unwrap());
}

#[test]
fn encoding() {
    both(TREE, |message| {
        assert_eq!(message.encode_to_vec().unwrap(), TREE);
        assert_eq!(message.encoded_len(), TREE.len());
        let mut buf = b"before".to_vec();
        message.encode(&mut buf).unwrap();
        message.encode_length_delimited(&mut buf).unwrap();
        assert_eq!(buf, [b"before", TREE, &[TREE.len() as u8], TREE].concat());
        let (mut room, size) = ([0; 19], TREE.len());
        let text = |room| format!("the buffer has room for {room} bytes, but the message takes {size}");
        assert_eq!(error(message.encode(&mut &mut room[..])), text(19));
        assert_eq!(room, [0; 19]);
    });
}

#[test]
fn a_length_is_no_error() {
    // Required fields that are absent take no bytes.
    let required = Required { id: Some(1), ..Required::default() };
    assert_eq!(required.encoded_len(), 2);
    let deep = (0..99).fold(Tree::default(), |tree, _| Tree { children: vec![tree], ..Tree::default() });
    assert_eq!(deep.encoded_len(), tobu::to_vec(&deep).unwrap().len());
    let deeper = Tree { children: vec![deep], ..Tree::default() };
    assert_eq!(deeper.encoded_len(), 0);
    let children = ".children[0]".repeat(100);
    let text = format!("corpus.v3.Tree{children}: messages are nested deeper than 100 levels");
    assert_eq!(error(tobu::to_vec(&deeper)), text);
    assert_eq!(error(tobu::encoded_len(&deeper)), text);
}

#[test]
fn buffers() {
    let tree = Tree::descriptor();
    let stream = [&[TREE.len() as u8], TREE, b"\x03\x0a\x01x\x00\x05\x0a"].concat();
    // In two slices, cut within the first message.
    let mut buf = stream[..9].chain(&stream[9..]);
    let mut next = || DynamicMessage::decode_length_delimited(&tree, &mut buf);
    assert_eq!(next().unwrap().encode_to_vec().unwrap(), TREE);
    assert_eq!(next().unwrap().encode_to_vec().unwrap(), b"\x0a\x01x");
    assert_eq!(next().unwrap().encode_to_vec().unwrap(), b"");
    assert_eq!(error(next()), "length of 5 bytes, but only 1 bytes are left (at byte 1)");
    assert_eq!(
        error(DynamicMessage::decode_length_delimited(&tree, &b"\x80"[..])),
        "input ends inside a varint (at byte 0)"
    );
    assert_eq!(
        error(DynamicMessage::decode_buf(&tree, b"\x0a\x05".chain(&b"n"[..]))),
        "corpus.v3.Tree.name: length of 5 bytes, but only 1 bytes are left (at byte 2)"
    );
    // Shared bytes are not copied.
    let shared = bytes::Bytes::from_static(b"\x0a\x0clonger names");
    let message = DynamicMessage::decode_buf(&tree, shared.clone()).unwrap();
    let name = message.get_by_name("name").unwrap();
    assert_eq!(name.as_str().unwrap().as_ptr(), shared[2..].as_ptr());
}

#[test]
fn merging_bytes() {
    let rows: [(&[u8], &[u8]); 6] = [
        (b"", TREE),
        // A default replaces a value, and messages are merged.
        (b"\x0a\x00", b"\x22\x00\x22\x03\x0a\x01c\x2a\x05\x0a\x01k\x12\x00\xa0\x06\x01"),
        (b"\x0a\x01m\x22\x00", b"\x0a\x01m\x22\x00\x22\x03\x0a\x01c\x22\x00\x2a\x05\x0a\x01k\x12\x00\xa0\x06\x01"),
        // An entry of a map is replaced, and not merged.
        (
            b"\x2a\x08\x0a\x01k\x12\x03\x0a\x01v",
            b"\x0a\x01n\x22\x00\x22\x03\x0a\x01c\x2a\x08\x0a\x01k\x12\x03\x0a\x01v\xa0\x06\x01",
        ),
        (b"\x12\x03\x0a\x01l\x12\x02\x12\x00", b"\x0a\x01n\x12\x05\x0a\x01l\x12\x00\x22\x00\x22\x03\x0a\x01c\x2a\x05\x0a\x01k\x12\x00\xa0\x06\x01"),
        (b"\xa0\x06\x02", &[TREE, b"\xa0\x06\x02"].concat()),
    ];
    for (wire, wanted) in rows {
        both(TREE, |message| {
            message.merge(wire).unwrap();
            assert_eq!(message.encode_to_vec().unwrap(), wanted, "{wire:02x?}");
        });
    }
    both(TREE, |message| {
        assert_eq!(
            error(message.merge(b"\x0a\x01m\x22\x00\x0a\x05x")),
            "corpus.v3.Tree.name: length of 5 bytes, but only 1 bytes are left (at byte 7)"
        );
        assert_eq!(message.encode_to_vec().unwrap(), TREE);
    });
}

#[test]
fn members_of_a_oneof_that_replace_each_other_in_the_bytes() {
    // The number voids the leaf that was there, and the second leaf does not get the fields of the first.
    let (first, then) = (b"\x2a\x02\x08\x01\x0a\x01b", b"\x10\x05\x2a\x03\x12\x01x");
    let mut typed: Choice = tobu::from_slice(first).unwrap();
    let mut by_reflection = typed.clone();
    tobu::merge(&mut typed, then).unwrap();
    by_reflection.as_reflect_mut().merge(then).unwrap();
    assert_eq!(by_reflection, typed);
    assert_eq!(by_reflection.encode_to_vec().unwrap(), b"\x0a\x01b\x2a\x03\x12\x01x");
}

#[test]
fn types_without_a_member_for_unknown_fields() {
    #[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
    #[tobu(package = "reflect.verbs")]
    struct Bare {
        #[tobu(1)]
        name: String,
        #[tobu(2)]
        inner: Option<Box<Bare>>,
    }

    let wire = b"\x0a\x01n\x12\x06\x0a\x01i\xa0\x06\x01\xa0\x06\x01";
    let (mut by_reflection, mut typed) = (Bare::default(), Bare::default());
    by_reflection.as_reflect_mut().merge(wire).unwrap();
    tobu::merge(&mut typed, wire).unwrap();
    assert_eq!(by_reflection, typed);
    assert_eq!(typed.encode_to_vec().unwrap(), b"\x0a\x01n\x12\x03\x0a\x01i");
}

#[test]
fn merging_text() {
    let options = text::Options::new();
    let wanted = b"\x12\x00\x22\x00\x22\x03\x0a\x01c\x22\x00\x2a\x05\x0a\x01k\x12\x00\xa0\x06\x01";
    both(TREE, |message| {
        message.merge_text("name: '' left { name: '' } children {}", &options).unwrap();
        assert_eq!(message.encode_to_vec().unwrap(), wanted);
        assert_eq!(
            error(message.merge_text("name: 'm' nom: 1", &options)),
            "corpus.v3.Tree: unknown field \"nom\" (at line 1 column 11)"
        );
        assert_eq!(message.encode_to_vec().unwrap(), wanted);
    });
    let mut message = DynamicMessage::decode(&Tree::descriptor(), TREE).unwrap();
    message.merge_text("name: 'm'", &options).unwrap();
    assert_eq!(message.get_by_name("name").unwrap().as_str(), Some("m"));
}

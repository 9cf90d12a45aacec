//! Between Rust types and dynamic messages.

use crate::{decode, descriptor, empty};
use tobu::{DynamicMessage, Message, MessageDescriptorExt, Pool};
use tobu_schemas::corpus::corpus::{v2, v3};
use tobu_schemas::library::v1::Book;

fn there_and_back<T>(message: &T)
where
    T: Message + serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let dynamic = DynamicMessage::from_message(message).unwrap();
    let sorted = tobu::EncodeOptions::new().deterministic(true);
    assert_eq!(sorted.to_vec(&dynamic).unwrap(), sorted.to_vec(message).unwrap());
    assert_eq!(dynamic, DynamicMessage::decode(&T::descriptor(), &tobu::to_vec(message).unwrap()).unwrap());
    assert_eq!(&dynamic.absorb::<T>().unwrap(), message);
}

#[test]
fn the_same_comes_back() {
    let leaf: v3::Leaf = tobu::from_slice(b"\x08\x01\x12\x01b\x1a\x02\x01\x02\xa0\x06\x01").unwrap();
    there_and_back(&leaf);
    let tree = v3::Tree {
        name: "root".into(),
        left: Some(Box::new(v3::Tree { leaf: Some(leaf.clone()), ..v3::Tree::default() })),
        children: vec![v3::Tree::default(), v3::Tree { name: "child".into(), ..v3::Tree::default() }],
        named: [("k".to_owned(), v3::Tree::default())].into(),
        ..v3::Tree::default()
    };
    there_and_back(&tree);
    there_and_back(&v3::Choice {
        before: "b".into(),
        kind: Some(v3::choice::Kind::Leaf(leaf)),
        ..v3::Choice::default()
    });
    there_and_back(&v3::Choice {
        kind: Some(v3::choice::Kind::Number(0)),
        after: "a".into(),
        ..v3::Choice::default()
    });
    there_and_back(&v3::Scalars {
        f_double: -0.0,
        f_sint32: -1,
        f_string: "x".into(),
        ..v3::Scalars::default()
    });
    there_and_back(&tobu::from_slice::<v2::Groups>(b"\x0b\x08\x01\x0c\x1b\x22\x01x\x1c\x1b\x1c").unwrap());
    there_and_back(
        &tobu::from_slice::<v2::Closed>(b"\x08\x01\x08\x02\x10\x03\x22\x05\x0a\x01k\x10\x01").unwrap(),
    );
}

#[test]
fn members_share_the_input() {
    #[derive(Debug, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "dynamic.share")]
    struct Picture {
        #[tobu(1)]
        pixels: bytes::Bytes,
        #[tobu(2)]
        name: String,
    }
    let input = bytes::Bytes::from(b"\x0a\x03rgb\x12\x01n".to_vec());
    let message = DynamicMessage::decode_bytes(&Picture::descriptor(), input.clone()).unwrap();
    let picture: Picture = message.absorb().unwrap();
    assert_eq!(picture, Picture { pixels: "rgb".into(), name: "n".into() });
    assert_eq!(picture.pixels.as_ptr(), input[2..].as_ptr(), "nothing was copied");
}

#[test]
fn what_is_not_the_same_message_is_refused() {
    let error = empty("v3.Tree").absorb::<Book>().unwrap_err();
    assert_eq!(error.to_string(), "library.v1.Book: the dynamic message is a corpus.v3.Tree");
    // Of another pool it is the same message when it fits.
    let pool = Pool::from_descriptor_set(&Pool::global().to_descriptor_set()).unwrap();
    let twin = pool.message("corpus.v3.Leaf").unwrap();
    let message = DynamicMessage::decode(&twin, b"\x08\x01\x12\x01b").unwrap();
    assert_ne!(message, decode("v3.Leaf", b"\x08\x01\x12\x01b"));
    let mut tree = empty("v3.Tree");
    tree.set_by_name("leaf", message.clone()).unwrap();
    assert_eq!(tree.encode_to_vec().unwrap(), b"\x32\x05\x08\x01\x12\x01b");
    assert_eq!(message.absorb::<v3::Leaf>().unwrap().b, "b");
    assert_eq!(descriptor("v3.Leaf").full_name(), twin.full_name());
}

#[test]
fn a_schema_of_another_pool_is_that_of_the_type() {
    let (leaf, pool) = (descriptor("v3.Leaf"), Pool::global().to_descriptor_set());
    let pool = Pool::from_descriptor_set(&pool).unwrap();
    let twin = pool.message(leaf.full_name()).unwrap();
    let leaf = v3::Leaf { a: 1, b: "b".into(), ..v3::Leaf::default() };
    let bytes = tobu::to_vec(&leaf).unwrap();
    assert_eq!(twin.encode(&leaf).unwrap(), bytes);
    assert_eq!(twin.decode::<v3::Leaf>(&bytes).unwrap(), leaf);
    assert_eq!(twin.encode_json(&leaf).unwrap(), r#"{"a":1,"b":"b"}"#);
    assert_eq!(twin.decode_json::<v3::Leaf>(r#"{"a":1,"b":"b"}"#).unwrap(), leaf);
    let options = tobu::text::Options::default();
    assert_eq!(twin.encode_text(&leaf, &options).unwrap(), "a: 1\nb: \"b\"\n");
    assert_eq!(twin.decode_text::<v3::Leaf>("a: 1 b: 'b'", &options).unwrap(), leaf);
    let mut serializer = tobu::Serializer::new(&twin, tobu::EncodeOptions::new()).unwrap();
    serde::Serialize::serialize(&leaf, &mut serializer).unwrap();
    assert_eq!(serializer.finish().unwrap(), bytes);
    let mut deserializer = tobu::Deserializer::new(&twin, &bytes, tobu::DecodeOptions::new()).unwrap();
    assert_eq!(<v3::Leaf as serde::Deserialize>::deserialize(&mut deserializer).unwrap(), leaf);
    // The limits of the options apply, not those by default.
    let deep = format!("{}name: 'x'{}", "left { ".repeat(120), " }".repeat(120));
    let tree = pool.message("corpus.v3.Tree").unwrap();
    assert!(tree.decode_text::<v3::Tree>(&deep, &options).unwrap_err().to_string().contains("100 levels"));
    let options = options.limits(tobu::Limits::default().depth(200));
    let tree = tree.decode_text::<v3::Tree>(&deep, &options).unwrap();
    assert_eq!(std::iter::successors(Some(&tree), |tree| tree.left.as_deref()).last().unwrap().name, "x");
    // Malformed input is an error of the schema, and another message is refused.
    let error = twin.decode_json::<v3::Leaf>(r#"{"a":"x"}"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"corpus.v3.Leaf.a: expected an int32, but found the string "x" (at line 1 column 6)"#
    );
    let error = descriptor("v3.Tree").decode::<v3::Leaf>(b"").unwrap_err();
    assert_eq!(error.to_string(), "corpus.v3.Tree: the type is a corpus.v3.Leaf");
    let error = descriptor("v3.Tree").encode(&leaf).unwrap_err();
    assert_eq!(error.to_string(), "corpus.v3.Tree: the type is a corpus.v3.Leaf");
}

#[test]
fn required_fields_are_not_asked_for() {
    let empty: v2::Required = empty("v2.Required").absorb().unwrap();
    let empty = DynamicMessage::from_message(&empty).unwrap();
    assert_eq!(tobu::EncodeOptions::new().partial(true).to_vec(&empty).unwrap(), b"");
}

//! Messages with presence bits and lazy members.

use bytes::Bytes;
use tobu::Presence;
use tobu::lazy::Lazy;
use tobu::reuse::MessagePool;

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "pools", direct)]
struct Opaque {
    #[tobu(presence)]
    presence: Presence<1>,
    #[tobu(1, bit = 0)]
    text: String,
    #[tobu(2, bit = 1)]
    shared: Bytes,
    #[tobu(3)]
    inner: Lazy<Part>,
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "pools", direct)]
struct Part {
    #[tobu(1)]
    text: String,
}

/// A message with all members, of the bytes of an input that others have, too.
const INPUT: &[u8] = b"\x0a\x04four\x12\x03abc\x1a\x06\x0a\x04part";

#[test]
fn a_value_with_a_presence_bit_counts_and_is_emptied() {
    let pool = MessagePool::<Opaque>::new();
    drop(pool.decode(INPUT).unwrap());
    assert_eq!(pool.kept_bytes(), size_of::<Opaque>() + 4);
    let empty = pool.decode(b"").unwrap();
    assert_eq!(*empty, Opaque::default());
    assert_eq!(tobu::to_vec(&*empty).unwrap(), b"");
    drop(empty);
    assert_eq!(pool.kept_bytes(), size_of::<Opaque>() + 4, "the text has its memory, and is not set");
    drop(pool.decode(INPUT).unwrap());
    assert_eq!(*pool.lend(), Opaque::default());
}

#[test]
fn lazy_members_are_let_go() {
    let pool = MessagePool::<Opaque>::new();
    let input = Bytes::from(INPUT.to_vec());
    let message = pool.decode_bytes(&input).unwrap();
    assert_eq!(message.inner.get().unwrap().text, "part");
    assert_eq!(tobu::to_vec(&*message).unwrap(), INPUT);
    assert!(!input.is_unique());
    drop(message);
    assert!(input.is_unique(), "a message that is kept does not keep the input");
    assert_eq!(pool.kept_bytes(), size_of::<Opaque>() + 4);
}

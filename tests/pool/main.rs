//! Pools of messages and buffers: what they keep, what they lend, and what cannot go wrong.

mod bounds;
mod opaque;
mod sharing;

use bytes::Bytes;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use tobu::member::Convert;
use tobu::reuse::{BufferPool, MessagePool, Pooled};
use tobu::{Category, DecodeOptions, Limits, UnknownFields, VecMap};

/// A member in each kind of storage that can hold memory.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "pools")]
struct Everything {
    #[tobu(1)]
    text: String,
    #[tobu(2)]
    bytes: Vec<u8>,
    #[tobu(3)]
    shared: Bytes,
    #[tobu(4)]
    option: Option<String>,
    #[tobu(5)]
    numbers: Vec<u64>,
    #[tobu(6)]
    texts: Vec<String>,
    #[tobu(7)]
    nested: Option<Box<Everything>>,
    #[tobu(8)]
    list: Vec<Everything>,
    #[tobu(9)]
    hashed: HashMap<u32, String>,
    #[tobu(10)]
    sorted: BTreeMap<u32, Everything>,
    #[tobu(11)]
    few: VecMap<u32, u64>,
    #[tobu(12)]
    boxed: Box<str>,
    #[tobu(oneof)]
    choice: Option<Choice>,
    #[tobu(unknown)]
    unknown_fields: UnknownFields,
    /// What a server may note on a request.
    #[tobu(skip)]
    user: String,
}

#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum Choice {
    #[tobu(20)]
    Line(String),
    #[tobu(21)]
    Count(u32),
    #[tobu(22)]
    Inner(Box<Everything>),
}

/// A message of which decoding says how it may grow: nothing in it is skipped, shared or of a user's type.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "pools")]
struct Plain {
    #[tobu(1)]
    text: String,
    #[tobu(2)]
    numbers: Vec<u64>,
    #[tobu(3)]
    texts: Vec<String>,
    #[tobu(4)]
    list: Vec<Plain>,
    #[tobu(5)]
    map: HashMap<u32, String>,
}

#[test]
fn a_message_is_reused() {
    let pool = MessagePool::<Everything>::new();
    let first = pool.decode(b"\x0a\x0alonger one").unwrap();
    let address = first.text.as_ptr();
    assert_eq!(first.text, "longer one");
    drop(first);
    let second = pool.decode(b"\x0a\x05short").unwrap();
    assert_eq!(second.text, "short");
    assert_eq!(second.text.as_ptr(), address, "it has the memory of the first");
    assert_eq!(pool.kept(), 0, "there was one message");
    let third = pool.decode(b"\x0a\x05third").unwrap();
    assert_ne!(third.text.as_ptr(), address, "two borrowers never have one message");
    drop((second, third));
    assert_eq!(pool.kept(), 2);
    pool.clear();
    assert_eq!((pool.kept(), pool.kept_bytes()), (0, 0));
}

#[test]
fn nothing_of_one_borrower_comes_to_the_next() {
    let pool = MessagePool::<Everything>::new();
    let full = || Everything {
        text: "secret".into(),
        shared: Bytes::from_static(b"secret"),
        option: Some("secret".into()),
        numbers: vec![1],
        texts: vec!["secret".into()],
        nested: Some(Box::default()),
        list: vec![Everything { user: "secret".into(), ..Everything::default() }],
        hashed: [(1, "secret".into())].into(),
        sorted: [(1, Everything::default())].into(),
        few: [(1, 1)].into_iter().collect(),
        boxed: "secret".into(),
        choice: Some(Choice::Line("secret".into())),
        unknown_fields: UnknownFields::from_bytes(b"\xf8\x06\x01").unwrap(),
        user: "secret".into(),
        ..Everything::default()
    };
    *pool.lend() = full();
    assert_eq!(*pool.decode(b"").unwrap(), Everything::default());
    *pool.lend() = full();
    // The element is reused, with its member that no input replaces.
    let decoded = pool.decode(b"\x42\x00").unwrap();
    assert_eq!(decoded.list, [Everything::default()]);
    drop(decoded);
    *pool.lend() = full();
    assert_eq!(*pool.lend(), Everything::default());
    assert_eq!(pool.kept(), 1);
}

#[test]
fn a_failed_decoding_leaves_no_half_filled_message() {
    let pool = MessagePool::<Everything>::new();
    let error = pool.decode(b"\x0a\x05first\x12\x09cut").unwrap_err();
    assert_eq!(
        error.to_string(),
        "pools.Everything.bytes: length of 9 bytes, but only 3 bytes are left (at byte 9)"
    );
    assert_eq!(pool.kept(), 1);
    assert_eq!(*pool.lend(), Everything::default());
    assert_eq!(pool.decode(b"\x12\x01x").unwrap().text, "");
    assert_eq!(pool.kept(), 1);
}

#[test]
fn options_are_honored() {
    let pool = MessagePool::<Everything>::new();
    let options = DecodeOptions::new().limits(Limits::default().input(3));
    let error = pool.decode_with(b"\x0a\x02hi", options).unwrap_err();
    assert_eq!(error.category(), Category::Limit);
    assert_eq!(pool.decode_with(b"\x0a\x01h", options).unwrap().text, "h");
    let error = pool.decode_bytes_with(&Bytes::from_static(b"\x0a\x02hi"), options).unwrap_err();
    assert_eq!(error.category(), Category::Limit);
}

#[test]
fn shared_bytes_are_let_go() {
    let pool = MessagePool::<Everything>::new();
    let input = Bytes::from(b"\x1a\x04part".to_vec());
    let message = pool.decode_bytes(&input).unwrap();
    assert_eq!(message.shared.as_ptr(), input[2..].as_ptr(), "nothing was copied");
    assert!(!input.is_unique());
    drop(message);
    assert!(input.is_unique(), "a message that is kept does not keep the input");
    let message = pool.decode(&input).unwrap();
    assert!(input.is_unique() && message.shared == "part");
}

#[test]
fn a_message_may_leave_its_pool() {
    let pool = MessagePool::<Everything>::new();
    let message: Everything = Pooled::into_inner(pool.decode(b"\x0a\x02hi").unwrap());
    assert_eq!((message.text.as_str(), pool.kept()), ("hi", 0));
    let message = pool.decode(b"\x0a\x02hi").unwrap();
    drop(pool);
    assert_eq!(message.text, "hi", "it outlives the handle");
}

#[test]
fn a_message_of_a_panic_is_not_given_back() {
    let pool = MessagePool::<Everything>::new();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let mut message = pool.lend();
        message.text = "half".into();
        panic_any(());
    }));
    assert!(panicked.is_err());
    assert_eq!(pool.kept(), 0);
    assert_eq!(*pool.lend(), Everything::default());
    assert_eq!(pool.kept(), 1);
}

thread_local! {
    static PANICS: Cell<bool> = const { Cell::new(false) };
    static POOL: MessagePool<Named> = MessagePool::new();
}

/// A type of a user whose `drop` panics, or uses the pool.
#[derive(Clone, Debug, Default, PartialEq)]
struct Name(String);

impl Drop for Name {
    fn drop(&mut self) {
        if self.0 == "reentrant" {
            self.0.clear();
            assert_eq!(POOL.with(|pool| pool.decode(b"\x0a\x05inner").unwrap().name.0.clone()), "inner");
        }
        if PANICS.take() {
            panic_any("drop");
        }
    }
}

impl Convert<Name> for Name {
    type Proto = str;
    const EXPECTED: &'static str = "a name";

    fn as_proto(name: &Name) -> &str {
        &name.0
    }

    fn from_proto(text: &str) -> Option<Name> {
        Some(Name(text.to_owned()))
    }
}

#[derive(Default, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "pools")]
struct Named {
    #[tobu(1, with = Name)]
    name: Name,
    #[tobu(2, with = Name)]
    names: Vec<Name>,
}

#[test]
fn a_drop_that_uses_the_pool_does_not_wait_for_it() {
    POOL.with(|pool| {
        pool.lend().name = Name("reentrant".into());
        // Replacing the name drops the old one, inside of the pool.
        assert_eq!(pool.decode(b"\x0a\x05outer").unwrap().name.0, "outer");
        assert_eq!(pool.kept(), 2, "that of the drop, and the other");
        pool.lend().name = Name("reentrant".into());
        pool.clear();
        assert_eq!(pool.kept(), 1, "that of the drop");
    });
}

#[test]
fn a_drop_that_panics_leaves_the_pool_usable() {
    let pool = MessagePool::<Named>::new();
    pool.lend().names = vec![Name("a".into()), Name("b".into())];
    PANICS.set(true);
    let panicked = catch_unwind(AssertUnwindSafe(|| pool.decode(b"\x12\x01c")));
    assert!(panicked.is_err());
    assert_eq!(pool.kept(), 0, "the message is gone");
    assert_eq!(pool.decode(b"\x12\x01c").unwrap().names, [Name("c".into())]);
    assert_eq!(pool.kept(), 1);
    PANICS.set(true);
    assert!(catch_unwind(AssertUnwindSafe(|| pool.clear())).is_err());
    assert_eq!((pool.kept(), pool.kept_bytes()), (0, 0));
}

#[test]
fn buffers() {
    let pool = BufferPool::new();
    let message = Everything { text: "hi".into(), ..Everything::default() };
    let first = pool.encode(&message).unwrap();
    assert_eq!(*first, b"\x0a\x02hi");
    let address = first.as_ptr();
    drop(first);
    assert_eq!(pool.kept(), 1);
    let again = pool.lend();
    assert_eq!((again.len(), again.as_ptr()), (0, address));
    drop(again);
    let body = Bytes::from_owner(pool.encode(&message).unwrap());
    let clone = body.clone();
    drop(body);
    assert_eq!(pool.kept(), 0, "a clone of the bytes is still there");
    drop(clone);
    assert_eq!(pool.kept(), 1);
}

//! What is taken out of a message is dropped by its storage: once, and by the `Drop` of types that have their own. Short
//! enough for Miri, which finds what is leaked.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;
use tobu::reflect::ValueMut;
use tobu::{Message, Presence, UnknownFields, VecMap};

thread_local! {
    static DROPPED: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    DROPPED.set(DROPPED.get() + 1);
}

/// How many values with a `Drop` of their own are dropped by a function.
fn dropped_by(run: impl FnOnce()) -> usize {
    let before = DROPPED.get();
    run();
    DROPPED.get() - before
}

/// A message with a `Drop` of its own.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "drops")]
struct Own {
    #[tobu(1)]
    name: String,
}

impl Drop for Own {
    fn drop(&mut self) {
        count();
    }
}

/// A member that no format has.
#[derive(Clone, Debug, Default, PartialEq)]
struct Hidden(Box<i32>);

impl Drop for Hidden {
    fn drop(&mut self) {
        count();
    }
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "drops")]
struct Hiding {
    #[tobu(1)]
    name: String,
    #[serde(skip)]
    hidden: Hidden,
}

#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum Pick {
    #[tobu(10)]
    Own(Own),
    #[tobu(11)]
    Name(String),
    #[tobu(12)]
    Deep(Box<Holder>),
    #[tobu(13)]
    Number(i32),
}

/// A oneof with a `Drop` of its own.
#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum OwnPick {
    #[tobu(14)]
    Word(String),
    #[tobu(15)]
    Count(i32),
}

impl Drop for OwnPick {
    fn drop(&mut self) {
        count();
    }
}

/// A oneof with a variant that no format has.
#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum HidingPick {
    #[tobu(16)]
    Note(String),
    #[serde(skip)]
    Hidden(Hidden),
}

/// A oneof that takes more bytes than others.
#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
#[expect(clippy::large_enum_variant, reason = "it is what is tested")]
enum LargePick {
    #[tobu(30)]
    Texts(Large),
    #[tobu(31)]
    Own(Own),
    #[tobu(32)]
    Flag(bool),
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "drops")]
struct Large {
    #[tobu(1)]
    first: Texts,
    #[tobu(2)]
    second: Texts,
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "drops")]
struct LargeHolder {
    #[tobu(oneof)]
    pick: Option<LargePick>,
}

/// Everything that can be dropped, and some that cannot.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "drops")]
struct Holder {
    #[tobu(1)]
    one: Option<Own>,
    #[tobu(2)]
    boxed: Option<Box<Own>>,
    #[tobu(3)]
    list: Vec<Own>,
    #[tobu(4)]
    map: BTreeMap<i32, Own>,
    #[tobu(5)]
    hash: HashMap<String, Hiding>,
    #[tobu(6)]
    entries: VecMap<String, Own>,
    #[tobu(7)]
    hiding: Option<Hiding>,
    #[tobu(oneof)]
    pick: Option<Pick>,
    #[tobu(oneof)]
    own_pick: Option<OwnPick>,
    #[tobu(oneof)]
    hiding_pick: Option<HidingPick>,
    #[tobu(20)]
    inner: Option<Box<Holder>>,
    #[tobu(21)]
    holders: Vec<Holder>,
    #[tobu(22)]
    texts: Texts,
    #[tobu(23)]
    maybe: Option<i64>,
    #[tobu(24)]
    numbers: Vec<u32>,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

/// Messages that own nothing but unknown fields: lists drop them by code of their type.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "drops")]
struct Plain {
    #[tobu(1)]
    number: i64,
    #[tobu(2)]
    mark: Option<Mark>,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

/// One that has a `Drop` of its own.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "drops")]
struct Mark {
    #[tobu(1)]
    number: Option<u32>,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

impl Drop for Mark {
    fn drop(&mut self) {
        count();
    }
}

/// One with a skipped member, which is kept in a message that is used again.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "drops")]
struct Kept {
    #[tobu(1)]
    number: Option<u32>,
    #[tobu(skip)]
    #[serde(skip)]
    note: u8,
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "drops")]
struct Plains {
    #[tobu(1)]
    plain: Vec<Plain>,
    #[tobu(2)]
    marks: Vec<Mark>,
    #[tobu(3)]
    kept: Vec<Kept>,
    #[tobu(4)]
    picked: Vec<Picked>,
}

/// The same where a oneof is before it, which owns nothing.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "drops")]
struct Picked {
    #[tobu(oneof)]
    pick: Option<Count>,
    #[tobu(skip)]
    #[serde(skip)]
    note: u8,
}

#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum Count {
    #[tobu(1)]
    Some(u32),
    #[tobu(2)]
    All(bool),
}

/// Strings of every type.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "drops")]
struct Texts {
    #[tobu(1)]
    string: String,
    #[tobu(2)]
    boxed: Box<str>,
    #[tobu(3)]
    shared: Arc<[u8]>,
    #[tobu(4)]
    local: Vec<Rc<str>>,
    #[tobu(5)]
    arc: Option<Arc<str>>,
    #[tobu(6)]
    bytes: bytes::Bytes,
    #[tobu(7)]
    boxed_option: Option<Box<str>>,
    #[tobu(8)]
    lists: BTreeMap<String, Vec<u8>>,
    #[tobu(9, bit = 0)]
    bit: String,
    #[tobu(presence)]
    presence: Presence<1>,
}

fn own(name: &str) -> Own {
    Own { name: name.into() }
}

fn hiding() -> Hiding {
    Hiding { name: "h".into(), hidden: Hidden::default() }
}

fn texts() -> Texts {
    let mut texts = Texts {
        string: "a".into(),
        boxed: "b".into(),
        shared: b"c"[..].into(),
        local: vec!["d".into(), "e".into()],
        arc: Some("f".into()),
        bytes: vec![1, 2, 3].into(),
        boxed_option: Some("g".into()),
        lists: [("h".into(), vec![1])].into(),
        bit: "i".into(),
        ..Texts::default()
    };
    texts.presence.set(0);
    texts
}

/// Values with a `Drop` of their own in [`leaf`].
const IN_LEAF: usize = 11;

fn leaf() -> Holder {
    Holder {
        one: Some(own("a")),
        boxed: Some(own("b").into()),
        list: vec![own("c"), own("d")],
        map: [(1, own("e"))].into(),
        hash: [("f".into(), hiding())].into(),
        entries: [("g".into(), own("h"))].into_iter().collect(),
        hiding: Some(hiding()),
        pick: Some(Pick::Own(own("i"))),
        own_pick: Some(OwnPick::Word("j".into())),
        hiding_pick: Some(HidingPick::Hidden(Hidden::default())),
        texts: texts(),
        maybe: Some(7),
        numbers: vec![1, 2],
        unknown: UnknownFields::from_bytes(b"\xa0\x06\x01").unwrap(),
        ..Holder::default()
    }
}

fn holder() -> Holder {
    let deep = Holder { pick: Some(Pick::Deep(leaf().into())), ..Holder::default() };
    Holder { inner: Some(deep.into()), holders: vec![leaf(), leaf()], ..leaf() }
}

const IN_HOLDER: usize = 4 * IN_LEAF;

#[test]
fn what_the_compiler_drops() {
    let (leaf, holder) = (leaf(), holder());
    assert_eq!(dropped_by(|| drop(leaf)), IN_LEAF);
    assert_eq!(dropped_by(|| drop(holder)), IN_HOLDER);
}

#[test]
fn containers_that_are_cleared() {
    // Each by itself, by reflection.
    for (field, dropped) in [
        ("one", 1),
        ("boxed", 1),
        ("list", 2),
        ("map", 1),
        ("hash", 1),
        ("entries", 1),
        ("hiding", 1),
        ("own", 1),
        ("inner", IN_LEAF),
        ("holders", 2 * IN_LEAF),
        ("texts", 0),
        ("maybe", 0),
        ("numbers", 0),
    ] {
        let mut message = holder();
        let cleared = dropped_by(|| message.as_reflect_mut().clear_by_name(field).unwrap());
        assert_eq!(cleared, dropped, "{field}");
        assert_eq!(dropped_by(|| drop(message)), IN_HOLDER - dropped, "{field}");
    }
}

#[test]
fn elements_that_are_removed() {
    let mut message = holder();
    let removed = dropped_by(|| {
        let reflect = message.as_reflect_mut();
        let Ok(ValueMut::List(mut list)) = reflect.get_mut_by_name("holders") else { panic!("a list") };
        list.remove(0).unwrap();
    });
    assert_eq!((removed, message.holders.len()), (IN_LEAF, 1));
    assert_eq!(message.holders[0], leaf());
}

#[test]
fn messages_that_are_filled_again() {
    // What the next message has not is dropped, now or with the message.
    let mut message = holder();
    let refilled = dropped_by(|| tobu::from_slice_in_place(&mut message, b"\x1a\x03\x0a\x01z").unwrap());
    assert_eq!((message.list.len(), &*message.list[0].name), (1, "z"));
    assert_eq!(message, Holder { list: vec![own("z")], ..Holder::default() });
    assert_eq!(dropped_by(|| drop(message)) + refilled, IN_HOLDER);
}

#[test]
fn plain_messages_that_are_read_again() {
    let wire = b"\x0a\x0b\x08\x07\x12\x05\x08\x01\x3a\x01a\x18\x01\x0a\x02\x12\x00\x12\x00\x12\x02\x08\x05\x1a\x02\x08\x09\x1a\x00";
    let mut message: Plains = tobu::from_slice(wire).unwrap();
    assert_eq!((message.plain.len(), message.marks.len(), message.kept.len()), (2, 2, 2));
    assert!(!message.plain[0].unknown.is_empty());
    assert!(!message.plain[0].mark.as_ref().unwrap().unknown.is_empty());
    let whole = message.clone();
    // Elements are emptied where they are, and what is in their options is kept.
    message.kept[1].note = 1;
    assert_eq!(dropped_by(|| tobu::from_slice_in_place(&mut message, wire).unwrap()), 0);
    assert_eq!(message.kept[1].note, 1, "a skipped member is kept");
    message.kept[1].note = 0;
    assert_eq!(message, whole);
    // A shorter list, and none.
    let read = |message: &mut Plains, wire: &[u8]| tobu::from_slice_in_place(message, wire).unwrap();
    assert_eq!(dropped_by(|| read(&mut message, b"\x0a\x02\x12\x00\x1a\x00")), 3);
    assert_eq!((message.plain.len(), message.marks.len(), message.kept.len()), (1, 0, 1));
    assert_eq!(dropped_by(|| read(&mut message, b"")), 1);
    assert_eq!(message, Plains::default());
}

#[test]
fn skipped_members_beside_a_oneof_that_owns_nothing() {
    let wire = b"\x22\x02\x08\x05\x22\x02\x10\x01";
    let mut message: Plains = tobu::from_slice(wire).unwrap();
    message.picked[1].note = 7;
    tobu::from_slice_in_place(&mut message, wire).unwrap();
    let wanted = [(Some(Count::Some(5)), 0), (Some(Count::All(true)), 7)];
    assert_eq!(message.picked, wanted.map(|(pick, note)| Picked { pick, note }));
}

#[test]
fn variants_that_are_replaced() {
    let replace = |message: &mut Holder, field: &[u8]| tobu::merge(message, field).unwrap();
    let mut message = Holder { pick: Some(Pick::Deep(holder().into())), ..Holder::default() };
    assert_eq!(dropped_by(|| replace(&mut message, b"\x5a\x01a")), IN_HOLDER);
    assert_eq!(message.pick, Some(Pick::Name("a".into())));
    assert_eq!(dropped_by(|| replace(&mut message, b"\x68\x07")), 0);
    assert_eq!(message.pick, Some(Pick::Number(7)));
    message.own_pick = Some(OwnPick::Word("b".into()));
    replace(&mut message, b"\x78\x07");
    assert_eq!(message.own_pick, Some(OwnPick::Count(7)));
    message.hiding_pick = Some(HidingPick::Hidden(Hidden::default()));
    assert_eq!(dropped_by(|| replace(&mut message, b"\x82\x01\x01c")), 1);
    assert_eq!(message.hiding_pick, Some(HidingPick::Note("c".into())));
}

#[test]
fn large_variants_that_are_replaced() {
    let words = |bytes: usize| bytes / size_of::<usize>();
    assert!(words(size_of::<Option<LargePick>>()) > 32 && words(size_of::<Option<Pick>>()) <= 32);
    let large = Large { first: texts(), second: texts() };
    let mut message = LargeHolder { pick: Some(LargePick::Texts(large.clone())) };
    tobu::merge(&mut message, b"\xfa\x01\x03\x0a\x01a").unwrap();
    assert_eq!(message.pick, Some(LargePick::Own(own("a"))));
    let wire = tobu::to_vec(&LargeHolder { pick: Some(LargePick::Texts(large)) }).unwrap();
    assert_eq!(dropped_by(|| tobu::merge(&mut message, &wire).unwrap()), 1);
    tobu::merge(&mut message, b"\x80\x02\x01").unwrap();
    assert_eq!(message.pick, Some(LargePick::Flag(true)));
}

#[test]
fn entries_that_are_replaced() {
    let mut message = leaf();
    let entry = b"\x22\x07\x08\x01\x12\x03\x0a\x01y";
    let merged = dropped_by(|| tobu::merge(&mut message, entry).unwrap());
    assert_eq!(&*message.map[&1].name, "y");
    // One entry of the message, and the one that was read first into a scratch message.
    assert_eq!(merged, 2);
}

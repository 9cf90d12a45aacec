//! Panics in the code of users: at the first call, at the second, and so on until there is none. In every state of the
//! library nothing is dropped twice or used after it was dropped, and a message passed to it stays valid.

mod fuse;

use fuse::{Blown, Hashers, Tracked, alive, arm, disarm, is_blown, step};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use tobu::member::Convert;
use tobu::reflect::{MapKey, MapKeyRef, Value, ValueMut, Visit};
use tobu::reuse::MessagePool;
use tobu::{DynamicMessage, Message, MessageDescriptorExt, MessageReader, UnknownFields, VecMap, json, text};

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "panics")]
struct Part {
    #[tobu(1)]
    number: i32,
    #[tobu(2)]
    text: String,
    #[tobu(3)]
    numbers: Vec<i32>,
    #[serde(skip)]
    tracked: Tracked,
}

#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum Kind {
    #[tobu(11)]
    Part(Part),
    #[tobu(12)]
    Text(String),
    #[tobu(13, with = Name)]
    Nick(Name),
}

/// A string by a conversion of the user's.
#[derive(Clone, Debug, Default, PartialEq)]
struct Name {
    text: String,
    tracked: Tracked,
}

impl Convert<Name> for Name {
    type Proto = str;
    const EXPECTED: &'static str = "a name";

    fn as_proto(name: &Name) -> &str {
        name.tracked.check();
        step();
        &name.text
    }

    fn from_proto(text: &str) -> Option<Name> {
        step();
        Some(Name { text: text.to_owned(), tracked: Tracked::default() })
    }
}

fn name(text: &str) -> Name {
    Name { text: text.to_owned(), tracked: Tracked::default() }
}

/// A part in everything that can hold one.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "panics")]
struct Whole {
    #[tobu(1)]
    option: Option<Part>,
    #[tobu(2)]
    boxed: Option<Box<Part>>,
    #[tobu(3)]
    list: Vec<Part>,
    #[tobu(4)]
    hashed: HashMap<String, Part, Hashers>,
    #[tobu(5)]
    sorted: BTreeMap<i32, Part>,
    #[tobu(6)]
    few: VecMap<String, Part>,
    #[tobu(7)]
    numbers: HashMap<i32, i32, Hashers>,
    #[tobu(8)]
    nested: Option<Box<Whole>>,
    #[tobu(9)]
    strings: Vec<String>,
    #[tobu(14, with = Name)]
    name: Name,
    #[tobu(15, with = Name)]
    maybe_name: Option<Name>,
    #[tobu(16, with = Name)]
    names: Vec<Name>,
    #[tobu(17, with = Name)]
    named: BTreeMap<i32, Name>,
    #[tobu(oneof)]
    kind: Option<Kind>,
    #[tobu(unknown)]
    unknown_fields: UnknownFields,
    #[serde(skip)]
    tracked: Tracked,
}

/// Two of everything, one level deep.
fn whole() -> Whole {
    let part =
        |number| Part { number, text: "text".into(), numbers: vec![1, 2], tracked: Tracked::default() };
    let inner = Whole {
        option: Some(part(1)),
        boxed: Some(Box::new(part(2))),
        list: vec![part(3), part(4)],
        hashed: [("a", 5), ("b", 6)]
            .map(|(key, number)| (key.to_owned(), part(number)))
            .into_iter()
            .collect(),
        sorted: [(1, part(7)), (2, part(8))].into(),
        few: [("a".to_owned(), part(9)), ("b".to_owned(), part(10))].into_iter().collect(),
        numbers: [(1, 1), (2, 2)].into_iter().collect(),
        strings: vec!["a".into(), "b".into()],
        name: name("a"),
        maybe_name: Some(name("b")),
        names: vec![name("c"), name("d")],
        named: [(1, name("e")), (2, name("f"))].into(),
        kind: Some(Kind::Part(part(11))),
        ..Whole::default()
    };
    Whole { nested: Some(Box::new(inner.clone())), kind: Some(Kind::Nick(name("g"))), ..inner }
}

fn wire() -> Vec<u8> {
    // Maps in one order, so that every run makes the same calls.
    tobu::EncodeOptions::new().deterministic(true).to_vec(&whole()).unwrap()
}

/// The same with two occurrences of each message, and with entries whose fields are in unusual order.
fn pieces() -> Vec<u8> {
    let parts = b"\x0a\x02\x08\x05\x12\x00\x62\x01a";
    let entries = b"\x22\x07\x12\x02\x08\x05\x0a\x01k\x2a\x06\x12\x02\x08\x05\x12\x00\x32\x00";
    [&parts[..], entries, &wire(), &wire()].concat()
}

/// The bytes of the remaining message, which must be valid.
fn check(message: &Whole) -> Vec<u8> {
    let copy = message.clone();
    let bytes = tobu::EncodeOptions::new().deterministic(true).to_vec(&copy).unwrap();
    assert!(copy.as_reflect().equals(message.as_reflect()));
    let again: Whole = tobu::from_slice(&bytes).unwrap();
    assert!(again.as_reflect().equals(message.as_reflect()));
    bytes
}

/// Runs an operation on a message repeatedly, with a panic at each call of user code. Nothing is leaked unless `drop`
/// panics: then the maps and lists of the standard library leak their remaining elements.
#[track_caller]
fn at_every_call(run: impl Fn(&mut Whole)) {
    for calls in 0.. {
        let before = alive();
        let mut message = whole();
        arm(calls);
        let done = catch_unwind(AssertUnwindSafe(|| run(&mut message)));
        let blown = disarm();
        if let Err(panic) = done
            && (!is_blown(&*panic) || blown == Blown::No)
        {
            resume_unwind(panic);
        }
        check(&message);
        drop(message);
        let left = alive() - before;
        assert!(blown == Blown::InDrop || left == 0, "{left} values leaked after {calls} calls");
        if blown == Blown::No {
            assert!(calls > 0, "no code of a user was called");
            return;
        }
    }
}

#[test]
fn decoding() {
    let (whole, pieces) = (wire(), pieces());
    for wire in [&whole, &pieces] {
        at_every_call(|_| drop(tobu::from_slice::<Whole>(wire).unwrap()));
        at_every_call(|message| tobu::from_slice_in_place(message, wire).unwrap());
        at_every_call(|message| tobu::merge(message, wire).unwrap());
        // Malformed at the end: the values read are dropped.
        let cut = [wire, &b"\x08"[..]].concat();
        at_every_call(|message| drop(tobu::from_slice_in_place(message, &cut).unwrap_err()));
        at_every_call(|message| drop(tobu::merge(message, &cut).unwrap_err()));
    }
}

#[test]
fn pooling() {
    let wire = wire();
    at_every_call(|message| {
        let pool = MessagePool::<Whole>::new();
        std::mem::swap(&mut *pool.lend(), message);
        drop(pool.decode(&wire).unwrap());
        drop(pool.lend());
        assert_eq!(pool.kept(), 1);
    });
}

#[test]
fn parsing() {
    let (json, text) = (json::to_string(&whole()).unwrap(), text::to_string(&whole()).unwrap());
    at_every_call(|_| drop(json::from_str::<Whole>(&json).unwrap()));
    at_every_call(|message| json::from_str_in_place(message, &json).unwrap());
    at_every_call(|message| json::merge(message, &json).unwrap());
    at_every_call(|_| drop(text::from_str::<Whole>(&text).unwrap()));
    at_every_call(|message| text::merge(message, &text).unwrap());
    at_every_call(|_| drop(serde_json::from_str::<Whole>(&json).unwrap()));
}

#[test]
fn dropping_and_cloning() {
    at_every_call(|message| drop(std::mem::take(message)));
    at_every_call(|message| drop(message.clone()));
    at_every_call(|message| assert!(message.clone().as_reflect().equals(message.as_reflect())));
}

/// `==` asks every member, and those of every list and map.
#[test]
fn comparing() {
    let other = whole();
    let dynamic = DynamicMessage::from_message(&other).unwrap();
    at_every_call(|message| assert!(*message == other));
    at_every_call(|message| {
        // Equal but for the last of its lists.
        message.names.last_mut().unwrap().text.clear();
        assert!(*message != other);
    });
    at_every_call(|message| {
        step();
        assert!(message.as_reflect().equals(&dynamic));
    });
}

/// A key of a map, all of whose methods are the user's.
#[derive(Clone, Debug)]
struct Key(u32, Tracked);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        self.1.check();
        other.1.check();
        step();
        self.0.cmp(&other.0)
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.1.check();
        step();
        self.0.hash(state);
    }
}

/// A map of views: as a list, as a list that ascends, and as a table, which it becomes in the middle of an insertion.
#[test]
fn keys_of_maps() {
    let key = |number| Key(number, Tracked::default());
    let change = |numbers: &[u32]| {
        let mut map: VecMap<Key, Tracked> = VecMap::default();
        for &number in numbers {
            map.insert(key(number), Tracked::default());
        }
        assert_eq!(map.len(), numbers.len());
        assert!(map == map.clone());
        let last = key(numbers[numbers.len() - 1]);
        assert!(map.insert(last.clone(), Tracked::default()).is_some());
        map.entry(last.clone()).or_default().check();
        map.entry(key(100)).or_default().check();
        map.get(&last).unwrap().check();
        assert!(map.remove(&last).is_some() && map.remove(&last).is_none());
        assert_eq!(map.into_iter().count(), numbers.len());
    };
    at_every_call(|_| change(&[3, 1, 2]));
    at_every_call(|_| change(&(0..18).collect::<Vec<_>>()));
    at_every_call(|_| change(&(0..18).rev().collect::<Vec<_>>()));
}

#[test]
fn changing_by_reflection() {
    at_every_call(|message| message.as_reflect_mut().clear_all());
    for field in Whole::descriptor().fields() {
        let field = &field;
        if field.name() != "strings" {
            at_every_call(|message| {
                step();
                message.as_reflect_mut().clear(field).unwrap();
            });
            let other = whole();
            let value = || other.as_reflect().get(field).unwrap().to_value().unwrap();
            at_every_call(|message| {
                step();
                message.as_reflect_mut().set(field, value()).unwrap();
            });
        }
        at_every_call(|message| {
            step();
            match message.as_reflect_mut().get_mut(field) {
                Ok(ValueMut::Message(mut message)) => message.clear_all(),
                Ok(ValueMut::List(mut list)) => {
                    if field.name() == "list" {
                        list.push_message().unwrap().set_by_name("number", 5).unwrap();
                    }
                    list.remove(0).unwrap();
                    list.truncate(1);
                }
                Ok(ValueMut::Map(mut map)) => {
                    map.visit_mut(&mut |_, mut message| {
                        step();
                        message.clear_all();
                        true
                    });
                    map.remove(MapKeyRef::Str("a"));
                    map.remove(MapKeyRef::I32(2));
                    if field.name() == "hashed" {
                        map.get_mut(MapKey::String("new".into())).unwrap().set_by_name("number", 5).unwrap();
                    }
                    map.clear();
                }
                // A single value that is no message can only be set.
                Err(_) => {}
            }
        });
    }
}

#[test]
fn what_is_done_with_messages() {
    let other = whole();
    let dynamic = DynamicMessage::from_message(&other).unwrap();
    at_every_call(|message| message.as_reflect_mut().merge_from(other.as_reflect()).unwrap());
    at_every_call(|message| message.as_reflect_mut().merge_from(&dynamic).unwrap());
    at_every_call(|message| {
        message
            .as_reflect()
            .visit(|_, _, _| {
                step();
                Visit::Continue
            })
            .unwrap();
    });
    at_every_call(|message| {
        message
            .as_reflect_mut()
            .visit_mut(|place| {
                step();
                match place.field().name() {
                    "number" => place.set(5)?,
                    "boxed" | "few" => place.clear()?,
                    _ => {}
                }
                Ok(Visit::Continue)
            })
            .unwrap();
    });
    at_every_call(|message| {
        let mut hasher = std::hash::BuildHasher::build_hasher(&message.hashed.hasher().clone());
        message.as_reflect().stable_hash(&mut hasher);
    });
    at_every_call(|message| {
        step();
        assert!(message.as_reflect().diff(other.as_reflect()).is_empty());
    });
    at_every_call(|_| drop(dynamic.clone().absorb::<Whole>().unwrap()));
    at_every_call(|message| {
        step();
        drop(DynamicMessage::from_message(message).unwrap());
    });
    at_every_call(|message| {
        step();
        let bytes = tobu::to_vec(message).unwrap();
        assert_eq!(tobu::encoded_len(message).unwrap(), bytes.len());
        json::to_string(message).unwrap();
        text::to_string(message).unwrap();
    });
}

/// A stream of the user's.
struct Stream<'a>(&'a [u8]);

impl Read for Stream<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        step();
        let len = buf.len().min(7);
        self.0.read(&mut buf[..len])
    }
}

impl Write for Stream<'_> {
    fn write(&mut self, buf: &[u8]) -> std::io::Result<usize> {
        step();
        Ok(buf.len().min(7))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        step();
        Ok(())
    }
}

#[test]
fn streams() {
    let wire = wire();
    let mut framed = tobu::wire::Writer::new();
    framed.len_prefixed(&wire);
    let framed = framed.finish().unwrap();
    at_every_call(|_| drop(tobu::from_reader::<Whole>(Stream(&wire)).unwrap()));
    at_every_call(|_| {
        MessageReader::<_, Whole>::new(Stream(&framed)).next().unwrap().unwrap();
    });
    at_every_call(|message| {
        tobu::to_writer(message, Stream(b"")).unwrap();
        json::to_writer(message, Stream(b"")).unwrap();
    });
}

/// A type with hand-written impls of serde's traits.
#[derive(Default)]
struct ByHand(Vec<Tracked>);

impl serde::Serialize for ByHand {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        step();
        serializer.collect_seq(self.0.iter().map(|_| {
            step();
            5
        }))
    }
}

impl<'de> serde::Deserialize<'de> for ByHand {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        step();
        let all = Vec::<i32>::deserialize(deserializer)?;
        Ok(ByHand(all.iter().map(|_| Tracked::default()).collect()))
    }
}

#[derive(Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
struct Partly {
    numbers: ByHand,
    number: i32,
    #[serde(skip)]
    tracked: Tracked,
}

#[test]
fn impls_by_hand() {
    let part = Part::descriptor();
    let wire = b"\x08\x05\x1a\x03\x01\x02\x03\x1a\x01\x04";
    at_every_call(|_| assert_eq!(part.decode::<Partly>(wire).unwrap().numbers.0.len(), 4));
    at_every_call(|_| {
        let value =
            Partly { numbers: ByHand(vec![Tracked::default(), Tracked::default()]), ..Partly::default() };
        assert_eq!(part.encode(&value).unwrap(), b"\x1a\x02\x05\x05");
        assert_eq!(part.encode_json(&value).unwrap(), r#"{"numbers":[5,5]}"#);
    });
}

/// A value is one that a closure gives.
#[test]
fn values_that_are_set() {
    at_every_call(|message| {
        message
            .as_reflect_mut()
            .redact_with(|_| {
                step();
                Some(Value::I32(1))
            })
            .unwrap();
        step();
    });
}

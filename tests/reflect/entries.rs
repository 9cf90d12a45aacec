//! Entries of maps by their keys, in messages of types to which only one way leads.

use std::collections::{BTreeMap, HashMap};
use std::sync::Barrier;
use tobu::lazy::{Lazy, LazyList};
use tobu::member::Convert;
use tobu::reflect::{MapKey, MapKeyRef, MapMut, ValueMut, ValueRef};
use tobu::{Message, Oneof, Reflect, VecMap};

/// A weight, as bytes.
#[derive(Clone, Debug, Default, PartialEq)]
struct Weight(Vec<u8>);

impl Convert<Weight> for Weight {
    type Proto = [u8];
    const EXPECTED: &'static str = "a weight";

    fn as_proto(weight: &Weight) -> &[u8] {
        &weight.0
    }

    fn from_proto(bytes: &[u8]) -> Option<Weight> {
        Some(Weight(bytes.to_vec()))
    }
}

type Labels = HashMap<String, i32>;

macro_rules! messages {
    ($($name:ident: $map:ty;)*) => {
        $(
            #[derive(Clone, Debug, Default, PartialEq, Message)]
            #[tobu(package = "entries")]
            struct $name {
                #[tobu(1)]
                before: BTreeMap<String, i32>,
                #[tobu(2)]
                map: $map,
                #[tobu(3)]
                after: String,
            }

            impl $name {
                fn new() -> Self {
                    let map = [("a".into(), 1), ("b".into(), 2)].into_iter().collect();
                    $name { before: BTreeMap::from([("z".into(), 0)]), map, ..Self::default() }
                }
            }
        )*
    };
}

messages! {
    InOption: Labels;
    InBox: HashMap<String, i32>;
    InList: BTreeMap<String, i32>;
    InHashMap: VecMap<String, i32>;
    InBTreeMap: HashMap<Box<str>, i32>;
    InVecMap: Labels;
    InOneof: BTreeMap<Box<str>, i32>;
    InLazy: Labels;
    InLazyList: HashMap<String, i32>;
    InItself: Labels;
}

mod names {
    use tobu::Message;

    /// A message may be called so, and is spelled like a string then.
    #[derive(Clone, Debug, Default, PartialEq, Message)]
    #[tobu(package = "entries")]
    pub(super) struct String {
        #[tobu(1)]
        pub(super) map: std::collections::BTreeMap<i32, i32>,
    }

    #[derive(Clone, Debug, Default, PartialEq, Message)]
    #[tobu(package = "entries")]
    pub(super) struct InString {
        #[tobu(1)]
        pub(super) map: std::collections::BTreeMap<i32, i32>,
    }

    pub(super) mod variant {
        /// The same, of a variant.
        pub(crate) type String = super::InString;

        #[derive(Clone, Debug, PartialEq, tobu::Oneof)]
        pub(crate) enum Choice {
            #[tobu(3)]
            Text(String),
        }
    }

    #[derive(Debug, Default, PartialEq, Message)]
    #[tobu(package = "entries")]
    pub(super) struct Strings {
        #[tobu(1)]
        pub(super) one: String,
        #[tobu(2)]
        pub(super) list: Vec<String>,
        #[tobu(oneof)]
        pub(super) choice: Option<variant::Choice>,
    }
}

#[derive(Debug, Default, PartialEq, Message)]
#[tobu(package = "entries")]
struct Borrowed<'a> {
    #[tobu(1)]
    map: HashMap<&'a str, i32>,
    #[tobu(2)]
    inner: Option<Box<Borrowed<'a>>>,
}

#[derive(Clone, Debug, PartialEq, Oneof)]
enum Choice {
    #[tobu(8)]
    Text(String),
    #[tobu(9)]
    InOneof(InOneof),
}

#[derive(Debug, Default, PartialEq, Message)]
#[tobu(package = "entries")]
struct Root {
    #[tobu(1)]
    option: Option<InOption>,
    #[tobu(2)]
    boxed: Option<Box<InBox>>,
    #[tobu(3)]
    list: Vec<InList>,
    #[tobu(4)]
    hash_map: HashMap<i32, InHashMap>,
    #[tobu(5)]
    btree_map: BTreeMap<i32, InBTreeMap>,
    #[tobu(6)]
    vec_map: VecMap<i32, InVecMap>,
    #[tobu(oneof)]
    choice: Option<Choice>,
    #[tobu(10)]
    lazy: Lazy<InLazy>,
    #[tobu(11)]
    lazy_list: LazyList<InLazyList>,
    #[tobu(12, with = Weight)]
    weights: HashMap<i32, Weight>,
    #[tobu(13)]
    root: Option<Box<Root>>,
    #[tobu(14)]
    last: Option<InItself>,
}

impl Root {
    fn new(root: Option<Box<Root>>) -> Self {
        Root {
            option: Some(InOption::new()),
            boxed: Some(Box::new(InBox::new())),
            list: vec![InList::new()],
            hash_map: HashMap::from([(5, InHashMap::new())]),
            btree_map: BTreeMap::from([(5, InBTreeMap::new())]),
            vec_map: [(5, InVecMap::new())].into_iter().collect(),
            choice: Some(Choice::InOneof(InOneof::new())),
            lazy: InLazy::new().into(),
            lazy_list: vec![InLazyList::new()].into(),
            weights: HashMap::from([(5, Weight(vec![7]))]),
            root,
            last: Some(InItself::new()),
        }
    }
}

fn key(key: &str) -> MapKeyRef<'_> {
    MapKeyRef::Str(key)
}

fn map<'a>(message: &'a mut dyn Reflect, name: &str) -> MapMut<'a> {
    match message.get_mut_by_name(name) {
        Ok(ValueMut::Map(map)) => map,
        _ => panic!("{name}"),
    }
}

/// Finds, changes and removes entries of both maps of a message.
fn change(message: &mut dyn Reflect) {
    let ValueRef::Map(labels) = message.get_by_name("map").unwrap() else { panic!("it is a map") };
    assert_eq!((labels.get(key("a")), labels.get(key("c"))), (Some(ValueRef::I32(1)), None));
    let mut labels = map(message, "map");
    labels.insert(MapKey::from("c"), 3.into()).unwrap();
    assert_eq!((labels.remove(key("a")), labels.remove(key("a"))), (true, false));
    assert_eq!(
        (labels.get(key("b")), labels.get(key("c"))),
        (Some(ValueRef::I32(2)), Some(ValueRef::I32(3)))
    );
    assert_eq!((labels.get(key("a")), labels.len()), (None, 2));
    // The two maps of a message are told from each other.
    assert!(map(message, "before").remove(key("z")));
    assert!(map(message, "before").is_empty());
}

fn change_all(root: &mut dyn Reflect) {
    for name in ["option", "boxed", "in_oneof", "lazy", "last"] {
        match root.get_mut_by_name(name) {
            Ok(ValueMut::Message(mut message)) => change(&mut *message),
            _ => panic!("{name}"),
        }
    }
    for name in ["list", "lazy_list"] {
        match root.get_mut_by_name(name) {
            Ok(ValueMut::List(mut list)) => change(&mut *list.get_mut(0).unwrap()),
            _ => panic!("{name}"),
        }
    }
    for name in ["hash_map", "btree_map", "vec_map"] {
        change(&mut *map(root, name).get_mut(MapKey::I32(5)).unwrap());
        // Where there is none, one is made.
        map(root, name).get_mut(MapKey::I32(6)).unwrap().set_by_name("after", "made").unwrap();
        let mut seen = 0;
        map(root, name).visit_mut(&mut |_, _| {
            seen += 1;
            true
        });
        assert_eq!(seen, 2);
    }
    let mut weights = map(root, "weights");
    assert_eq!(weights.get(MapKeyRef::I32(5)), Some(ValueRef::Bytes(&[7])));
    assert_eq!((weights.remove(MapKeyRef::I32(5)), weights.remove(MapKeyRef::I32(5))), (true, false));
}

#[test]
fn entries_are_found_in_every_type_that_a_message_leads_to() {
    // All threads reflect the types for the first time.
    let start = Barrier::new(8);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut root = Root::new(Some(Box::new(Root::new(None))));
                start.wait();
                change_all(&mut root);
                match root.as_reflect_mut().get_mut_by_name("root") {
                    Ok(ValueMut::Message(mut root)) => change_all(&mut *root),
                    _ => panic!("root"),
                }
                let inner = root.root.unwrap();
                assert_eq!(inner.option, root.option);
                let expected = Labels::from([("b".into(), 2), ("c".into(), 3)]);
                assert_eq!(root.option.unwrap().map, expected);
                assert_eq!(root.hash_map[&6].after, "made");
                assert!(root.weights.is_empty());
            });
        }
    });
}

#[test]
fn entries_are_found_in_messages_that_are_called_as_strings_are() {
    use names::{InString, String, Strings, variant};
    let map = BTreeMap::from([(1, 2)]);
    let strings = Strings {
        one: String { map: map.clone() },
        list: vec![String { map: map.clone() }],
        choice: Some(variant::Choice::Text(InString { map })),
    };
    let message = strings.as_reflect();
    for name in ["one", "list", "text"] {
        let message = match message.get_by_name(name).unwrap() {
            ValueRef::Message(message) => message,
            ValueRef::List(list) => list.get(0).unwrap().as_message().unwrap(),
            _ => panic!("{name}"),
        };
        let map = message.get_by_name("map").unwrap().as_map().unwrap();
        assert_eq!(map.get(MapKeyRef::I32(1)), Some(ValueRef::I32(2)), "{name}");
    }
}

#[test]
fn entries_are_found_in_what_borrows() {
    let text = std::string::String::from("a");
    let inner = Borrowed { map: HashMap::from([(text.as_str(), 1)]), inner: None };
    let mut borrowed = Borrowed { map: HashMap::new(), inner: Some(Box::new(inner)) };
    let ValueMut::Message(mut inner) = borrowed.as_reflect_mut().get_mut_by_name("inner").unwrap() else {
        panic!("it is a message")
    };
    let mut map = map(&mut *inner, "map");
    assert_eq!(map.get(key("a")), Some(ValueRef::I32(1)));
    assert_eq!((map.remove(key("a")), map.remove(key("a"))), (true, false));
}

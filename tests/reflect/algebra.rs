//! The verbs on any messages, typed with typed, dynamic with dynamic, and one with the other.

use super::support::{error, shown};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use tobu::reflect::{Equality, Reflect, Value, Visit};
use tobu::types::{Any, FieldMask};
use tobu::{DynamicMessage, Message, Pool};
use tobu_schemas::corpus::corpus::v3::{Choice, Leaf, Maps, Optionals, Scalars, Tree, choice};

/// A message as it is and as a dynamic one.
fn forms<T: Message + Clone + 'static>(message: &T) -> Vec<Box<dyn Reflect>> {
    let dynamic = message.as_reflect().to_dynamic().unwrap();
    vec![Box::new(message.clone()), Box::new(dynamic)]
}

fn leaf(a: i32) -> Leaf {
    Leaf { a, ..Leaf::default() }
}

fn tree() -> Tree {
    Tree {
        name: "root".into(),
        left: Some(Box::new(Tree { name: "left".into(), leaf: Some(leaf(1)), ..Tree::default() })),
        children: vec![Tree { name: "child".into(), ..Tree::default() }],
        named: HashMap::from([("x".into(), Tree { leaf: Some(leaf(2)), ..Tree::default() })]),
        ..Tree::default()
    }
}

#[test]
fn merge() {
    let more = Tree {
        left: Some(Box::new(Tree {
            leaf: Some(Leaf { b: "new".into(), ..Leaf::default() }),
            ..Tree::default()
        })),
        children: vec![Tree::default()],
        named: HashMap::from([
            ("x".into(), Tree { name: "X".into(), ..Tree::default() }),
            ("y".into(), Tree::default()),
        ]),
        unknown_fields: tobu::UnknownFields::from_bytes(b"\x50\x01").unwrap(),
        ..Tree::default()
    };
    for mut into in forms(&tree()) {
        for from in forms(&more) {
            into.clear_all();
            into.merge_from(tree().as_reflect()).unwrap();
            into.merge_from(&*from).unwrap();
            assert_eq!(
                shown(&*into),
                "name: \"root\" left { name: \"left\" leaf { a: 1 b: \"new\" } } children { name: \"child\" } \
                 children {} named { key: \"x\" value { name: \"X\" } } named { key: \"y\" value {} } 10: UNKNOWN_VARINT [REDACTED]"
            );
        }
        assert_eq!(
            error(into.merge_from(leaf(1).as_reflect())),
            "corpus.v3.Tree: the other message is a corpus.v3.Leaf, not a corpus.v3.Tree"
        );
    }
    let mut choice = Choice { kind: Some(choice::Kind::Number(1)), ..Choice::default() };
    let other = Choice { kind: Some(choice::Kind::Text("x".into())), ..Choice::default() };
    choice.as_reflect_mut().merge_from(other.as_reflect()).unwrap();
    assert_eq!(choice, other);
}

#[test]
fn equal() {
    let nan = Scalars { f_double: f64::NAN, f_float: f32::NAN, ..Scalars::default() };
    let unknown =
        |bytes| Leaf { unknown_fields: tobu::UnknownFields::from_bytes(bytes).unwrap(), ..Leaf::default() };
    for a in forms(&nan) {
        for b in forms(&nan) {
            assert!(!a.equals(&*b));
            assert!(a.equals_with(&*b, Equality::new().nan(true)));
        }
    }
    let rows = [
        (unknown(b"\x50\x01\x58\x01"), unknown(b"\x58\x01\x50\x01"), true),
        (unknown(b"\x50\x01\x50\x02"), unknown(b"\x50\x02\x50\x01"), false),
        (unknown(b"\x50\x01\x55\0\0\0\0"), unknown(b"\x55\0\0\0\0\x50\x01"), true),
        (unknown(b"\x53\x08\x01\x10\x01\x54"), unknown(b"\x53\x10\x01\x08\x01\x54"), true),
        (unknown(b"\x50\x01"), unknown(b"\x50\x81\x00"), true),
        (unknown(b"\x50\x01"), unknown(b""), false),
    ];
    for (a, b, equal) in &rows {
        for (a, b) in forms(a).iter().zip(forms(b).iter().rev()) {
            assert_eq!(a.equals(&**b), *equal, "{a:?} {b:?}");
            assert!(a.equals_with(&**b, Equality::new().unknown_fields(false)));
            assert_eq!(a.diff(&**b).is_empty(), *equal);
        }
    }
    // Presence counts, and so does the sign of a zero that has none.
    let zero = Optionals { f_int32: Some(0), ..Optionals::default() };
    assert!(!zero.as_reflect().equals(Optionals::default().as_reflect()));
    let minus = Scalars { f_double: -0.0, ..Scalars::default() };
    assert!(!minus.as_reflect().equals(Scalars::default().as_reflect()));
    let (plus, minus) = (
        Optionals { f_double: Some(0.0), ..Optionals::default() },
        Optionals { f_double: Some(-0.0), ..Optionals::default() },
    );
    assert!(plus.as_reflect().equals(minus.as_reflect()));
    assert_eq!(hash(plus.as_reflect()), hash(minus.as_reflect()));
    assert!(!leaf(0).as_reflect().equals(Tree::default().as_reflect()));
    for (a, b) in forms(&tree()).iter().zip(forms(&tree()).iter().rev()) {
        assert!(a.equals(&**b));
        assert_eq!(hash(&**a), hash(&**b));
    }
}

fn hash(message: &dyn Reflect) -> u64 {
    let mut hasher = DefaultHasher::new();
    message.stable_hash(&mut hasher);
    hasher.finish()
}

#[test]
fn a_hash_is_the_same_for_ever() {
    /// FNV-1a.
    struct Fnv(u64);
    impl Hasher for Fnv {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    for message in forms(&tree()) {
        let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
        message.stable_hash(&mut hasher);
        assert_eq!(hasher.finish(), HASH);
    }
}

const HASH: u64 = 5_874_801_007_417_990_346;

#[test]
fn diff() {
    let mut new = tree();
    new.name = String::new();
    new.right = Some(Box::new(Tree { name: "r".into(), ..Tree::default() }));
    new.left.as_mut().unwrap().leaf.as_mut().unwrap().c.push(7);
    new.children[0].name.push('!');
    new.children.push(Tree::default());
    new.named = HashMap::from([("y".into(), Tree::default())]);
    new.unknown_fields = tobu::UnknownFields::from_bytes(b"\x50\x01").unwrap();
    for (old, new) in forms(&tree()).iter().zip(forms(&new).iter().rev()) {
        let diff = old.diff(&**new);
        assert_eq!(
            diff.to_string(),
            "name: \"root\" -> none\n\
             left.leaf.c[0]: none -> 7\n\
             right: none -> { name: \"r\" }\n\
             children[0].name: \"child\" -> \"child!\"\n\
             children[1]: none -> {}\n\
             named[\"x\"]: { leaf { a: 2 } } -> none\n\
             named[\"y\"]: none -> {}\n\
             (unknown fields): none -> [REDACTED]\n"
        );
        assert_eq!(diff.changes().len(), 8);
        assert!(old.diff(&**old).is_empty());
    }
    let nan = Scalars { f_double: f64::NAN, ..Scalars::default() };
    assert!(nan.as_reflect().diff(nan.as_reflect()).is_empty());
}

#[test]
fn masks() {
    for message in forms(&tree()) {
        let part = message.get_masked(&["left.leaf", "named"]).unwrap();
        assert_eq!(shown(&part), r#"left { leaf { a: 1 } } named { key: "x" value { leaf { a: 2 } } }"#);
        assert_eq!(
            shown(&message.get_masked(&["left.name", "left"]).unwrap()),
            r#"left { name: "left" leaf { a: 1 } }"#
        );
        assert_eq!(
            shown(&message.get_masked(&["left", "left.name"]).unwrap()),
            r#"left { name: "left" leaf { a: 1 } }"#
        );
        assert_eq!(shown(&message.get_masked(&["right.name"]).unwrap()), "");
        assert_eq!(shown(&message.get_masked::<&str>(&[]).unwrap()), "");
    }
    for mut message in forms(&tree()) {
        message.set_unknown_fields(b"\x50\x01").unwrap();
        message.trim(&["name", "left.leaf.b"]).unwrap();
        assert_eq!(shown(&*message), r#"name: "root" left { leaf {} }"#);
    }
    let source = Tree {
        left: Some(Box::new(Tree { name: "new".into(), ..Tree::default() })),
        children: vec![Tree { name: "second".into(), ..Tree::default() }],
        ..Tree::default()
    };
    for mut message in forms(&tree()) {
        message.merge_masked(source.as_reflect(), &["left.name", "name", "children"]).unwrap();
        let text = shown(&*message);
        assert!(text.starts_with(r#"name: "root" left { name: "new" leaf { a: 1 } } children { name: "child" } children { name: "second" }"#), "{text}");
        message.apply_masked(source.as_reflect(), &["name", "children", "left.leaf", "named"]).unwrap();
        assert_eq!(shown(&*message), r#"left { name: "new" } children { name: "second" }"#);
        assert_eq!(
            error(message.merge_masked(source.as_reflect(), &["children.name"])),
            "corpus.v3.Tree: the path \"children.name\" goes into corpus.v3.Tree.children, which is not a single message"
        );
        assert_eq!(
            error(message.trim(&["left.nothing"])),
            "corpus.v3.Tree: the path \"left.nothing\": corpus.v3.Tree has no field \"nothing\""
        );
    }
    let descriptor = <Tree as Message>::descriptor();
    FieldMask::from_paths(["left.right.name", "named"]).validate(&descriptor).unwrap();
    FieldMask::from_paths(["named.x"]).validate(&descriptor).unwrap_err();
}

#[test]
fn visit() {
    for message in forms(&tree()) {
        let mut paths = Vec::new();
        message
            .visit(|path, field, _| {
                paths.push(path.to_string());
                if field.name() == "left" { Visit::Skip } else { Visit::Continue }
            })
            .unwrap();
        assert_eq!(
            paths,
            [
                "name",
                "left",
                "children[0]",
                "children[0].name",
                "named[\"x\"]",
                "named[\"x\"].leaf",
                "named[\"x\"].leaf.a"
            ]
        );
        let mut count = 0;
        message
            .visit(|_, _, _| {
                count += 1;
                if count == 3 { Visit::Stop } else { Visit::Continue }
            })
            .unwrap();
        assert_eq!(count, 3);
    }
    for mut message in forms(&tree()) {
        message
            .visit_mut(|place| {
                if place.value().is_some_and(|value| value.as_i32().is_some()) {
                    place.set(9)?;
                } else if place.path().to_string() == "children[0]" || place.field().name() == "name" {
                    place.clear()?;
                    assert!(place.value().is_none());
                    assert_eq!(error(place.clear()), "the value was taken away");
                    assert_eq!(error(place.set(1)), "the value was taken away");
                }
                Ok(Visit::Continue)
            })
            .unwrap();
        assert_eq!(shown(&*message), r#"left { leaf { a: 9 } } named { key: "x" value { leaf { a: 9 } } }"#);
        let failed = message.visit_mut(|place| {
            if place.field().name() == "a" {
                place.set("x")?;
            }
            Ok(Visit::Continue)
        });
        assert_eq!(
            error(failed),
            "corpus.v3.Tree.left.leaf.a: the field is an int32, but the value is a string"
        );
    }
    let mut maps = Maps {
        f_string: HashMap::from([("a".into(), "1".into()), ("b".into(), "2".into())]),
        ..Maps::default()
    };
    maps.as_reflect_mut()
        .visit_mut(|place| {
            let first = place.path().to_string() == "f_string[\"a\"]";
            if first {
                place.clear()?
            } else {
                place.set("two")?
            }
            Ok(Visit::Continue)
        })
        .unwrap();
    assert_eq!(maps.f_string, HashMap::from([("b".into(), "two".into())]));
}

#[test]
fn depth_is_bounded() {
    let mut deep = Tree::default();
    for _ in 0..99 {
        deep = Tree { left: Some(Box::new(deep)), ..Tree::default() };
    }
    assert!(deep.as_reflect().equals(deep.as_reflect()));
    assert!(deep.as_reflect().to_dynamic().is_ok());
    deep = Tree { left: Some(Box::new(deep)), ..Tree::default() };
    let message = deep.as_reflect_mut();
    let limit = "messages are nested deeper than 100 levels";
    assert!(error(message.to_dynamic()).ends_with(limit));
    assert!(error(message.visit(|_, _, _| Visit::Continue)).ends_with(limit));
    assert!(error(message.visit_mut(|_| Ok(Visit::Continue))).ends_with(limit));
    assert!(error(message.redact()).ends_with(limit));
    assert!(error(Tree::default().as_reflect_mut().merge_from(message)).ends_with(limit));
    assert!(!message.equals(message));
    assert!(!message.diff(message).is_empty());
    assert!(format!("{message}").contains("{ ... }"));
    hash(message);
}

#[test]
fn any() {
    let any = Any::from_reflect(tree().as_reflect()).unwrap();
    assert_eq!(any.type_url, "type.googleapis.com/corpus.v3.Tree");
    assert_eq!(any.unpack::<Tree>().unwrap(), tree());
    let pool = Pool::global();
    for any in forms(&any) {
        let message = tobu::reflect::unpack_any(&*any, &pool).unwrap();
        assert!((&message as &dyn Reflect).equals(tree().as_reflect()));
    }
    assert_eq!(
        error(tobu::reflect::unpack_any(tree().as_reflect(), &pool)),
        "the message is a corpus.v3.Tree, not a google.protobuf.Any"
    );
    assert_eq!(
        error(Any::new("corpus.v3.Tree", []).resolve(&pool)),
        "the type URL \"corpus.v3.Tree\" has no name of a type after a slash"
    );
    assert_eq!(
        error(Any::new("x/no.Such", []).resolve(&pool)),
        "there is no message named \"no.Such\" in the pool"
    );
}

/// A file with `message Secret { string open = 1; string hidden = 2 [debug_redact = true]; repeated Secret inner = 3;
/// map<string, string> hidden_map = 4 [debug_redact = true]; }`.
fn secret() -> DynamicMessage {
    let source = "syntax = \"proto3\"; package redact; message Secret { string open = 1; \
                  string hidden = 2 [debug_redact = true]; repeated Secret inner = 3; \
                  map<string, string> hidden_map = 4 [debug_redact = true]; }";
    let pool = super::support::pool("redact.proto", source);
    let mut message = DynamicMessage::new(&pool.message("redact.Secret").unwrap()).unwrap();
    let inner = fill(message.clone());
    message = fill(message);
    message.set_by_name("inner", vec![Value::Message(inner)]).unwrap();
    message
}

fn fill(mut message: DynamicMessage) -> DynamicMessage {
    message.set_by_name("open", "o").unwrap();
    message.set_by_name("hidden", "h").unwrap();
    message.set_by_name("hidden_map", HashMap::from([("k".into(), "v".into())])).unwrap();
    message
}

#[test]
fn redact() {
    let message = secret();
    assert_eq!(
        shown(&message),
        "open: \"o\" hidden: [REDACTED] inner { open: \"o\" hidden: [REDACTED] hidden_map: [REDACTED] } \
         hidden_map: [REDACTED]"
    );
    let mut cleared = message.clone();
    cleared.redact().unwrap();
    assert_eq!(shown(&cleared), "open: \"o\" inner { open: \"o\" }");
    let mut replaced = message;
    replaced.redact_with(|_| Some("***".into())).unwrap();
    assert_eq!(replaced.get_by_name("hidden").unwrap().as_str(), Some("***"));
    let map = replaced.get_by_name("hidden_map").unwrap().as_map().unwrap();
    assert_eq!(map.get("k").unwrap().as_str(), Some("***"));
}

#[test]
fn debug_over_lines() {
    assert_eq!(
        format!("{:#?}", tree().as_reflect()),
        "corpus.v3.Tree {\n  name: \"root\"\n  left {\n    name: \"left\"\n    leaf {\n      a: 1\n    }\n  }\n  \
         children {\n    name: \"child\"\n  }\n  named {\n    key: \"x\"\n    value {\n      leaf {\n        a: 2\n      }\n    }\n  }\n}"
    );
}

//! Exact errors; nothing is changed then.

use super::support::{both, error, get, shown};
use std::collections::HashMap;
use tobu::reflect::{MapKey, Value};
use tobu::{DynamicMessage, Message, Pool};
use tobu_schemas::corpus::corpus::{v2, v3};

#[test]
fn wrong_kinds() {
    let leaf = || DynamicMessage::new(&<v3::Leaf as Message>::descriptor()).unwrap();
    let map = |key: MapKey, value: Value| Value::Map(HashMap::from([(key, value)]));
    both::<v3::Tree>(|message| {
        let rows: Vec<(&str, Value, &str)> = vec![
            ("name", 1.into(), "name: the field is a string, but the value is an int32"),
            ("left", 1.into(), "left: the field is a message corpus.v3.Tree, but the value is an int32"),
            (
                "left",
                leaf().into(),
                "left: the field is a message corpus.v3.Tree, but the value is a message corpus.v3.Leaf",
            ),
            (
                "children",
                "x".into(),
                "children: the field is a repeated corpus.v3.Tree, but the value is a string",
            ),
            (
                "children",
                vec![Value::Bool(true)].into(),
                "children[0]: the field is a message corpus.v3.Tree, but the value is a bool",
            ),
            (
                "named",
                Vec::<Value>::new().into(),
                "named: the field is a map<string, corpus.v3.Tree>, but the value is a list",
            ),
            ("named", map(1.into(), 1.into()), "named: the keys are of kind string, but the key is an int32"),
            (
                "named",
                map("x".into(), 1.into()),
                "named[\"x\"]: the field is a message corpus.v3.Tree, but the value is an int32",
            ),
        ];
        for (name, value, text) in rows {
            assert_eq!(error(message.set_by_name(name, value)), format!("corpus.v3.Tree.{text}"));
        }
        assert_eq!(shown(message), "");
    });
    both::<v3::Scalars>(|message| {
        let rows: Vec<(&str, Value, &str)> = vec![
            ("f_uint32", 1.into(), "f_uint32: the field is a uint32, but the value is an int32"),
            ("f_fixed64", 1u32.into(), "f_fixed64: the field is a fixed64, but the value is a uint32"),
            ("f_double", 1f32.into(), "f_double: the field is a double, but the value is a float"),
            ("f_bytes", "x".into(), "f_bytes: the field is bytes, but the value is a string"),
            ("f_string", vec![1].into(), "f_string: the field is a string, but the value is bytes"),
            ("f_color", 1.into(), "f_color: the field is an enum corpus.v3.Color, but the value is an int32"),
            ("f_int32", Value::Enum(1), "f_int32: the field is an int32, but the value is an enum value"),
        ];
        for (name, value, text) in rows {
            let found = error(message.set_by_name(name, value));
            assert_eq!(found, format!("corpus.v3.Scalars.{text}"));
        }
        assert_eq!(
            error(message.get_mut_by_name("f_bool").map(|_| ())),
            "corpus.v3.Scalars.f_bool: the field is a bool, which cannot be changed in place: set it"
        );
        assert_eq!(shown(message), "");
    });
}

#[test]
fn closed_enums() {
    both::<v2::Closed>(|message| {
        for (name, value, place) in [
            ("level", Value::Enum(2), "level"),
            ("either", Value::Enum(2), "either"),
            ("levels", vec![Value::Enum(1), Value::Enum(2)].into(), "levels[1]"),
        ] {
            assert_eq!(
                error(message.set_by_name(name, value)),
                format!("corpus.v2.Closed.{place}: the closed enum corpus.v2.Level has no value of number 2")
            );
        }
        message.set_by_name("level", Value::Enum(3)).unwrap();
        assert_eq!(shown(message), "level: HIGH");
    });
}

#[test]
fn elements() {
    both::<v3::Lists>(|message| {
        let mut list = message.get_mut_by_name("f_int32").unwrap().into_list().unwrap();
        list.push(1.into()).unwrap();
        let place = "corpus.v3.Lists.f_int32";
        let past = format!("{place}: index 1 is past the end of a list of 1 element");
        assert_eq!(error(list.set(1, 1.into())), past);
        assert_eq!(error(list.remove(1)), past);
        let text = "the field is an int32, but the value is a string";
        assert_eq!(error(list.push("x".into())), format!("{place}[1]: {text}"));
        assert_eq!(error(list.set(0, "x".into())), format!("{place}[0]: {text}"));
        assert_eq!(error(list.push_message().map(|_| ())), format!("{place}: the elements are not messages"));
        assert_eq!(error(list.get_mut(0).map(|_| ())), format!("{place}: the elements are not messages"));
        assert_eq!(get(message, "f_int32"), vec![Value::I32(1)].into());
    });
}

#[test]
fn entries() {
    both::<v3::Maps>(|message| {
        let mut map = message.get_mut_by_name("f_int32").unwrap().into_map().unwrap();
        let place = "corpus.v3.Maps.f_int32";
        assert_eq!(
            error(map.insert("x".into(), 1.into())),
            format!("{place}: the keys are of kind int32, but the key is a string")
        );
        assert_eq!(
            error(map.insert(1.into(), "x".into())),
            format!("{place}[\"1\"]: the field is an int32, but the value is a string")
        );
        assert_eq!(error(map.get_mut(1.into()).map(|_| ())), format!("{place}: the values are not messages"));
        assert!(map.get("x".into()).is_none());
        assert!(map.is_empty());
    });
}

#[test]
fn foreign_descriptors() {
    let set = { Pool::global().to_descriptor_set() };
    let other = Pool::from_descriptor_set(&set).unwrap();
    let own = <v3::Leaf as Message>::descriptor();
    let twin = other.message("corpus.v3.Leaf").unwrap().field_by_name("a").unwrap();
    both::<v3::Leaf>(|message| {
        let tree = <v3::Tree as Message>::descriptor().field_by_name("name").unwrap();
        let text = "corpus.v3.Leaf: the field corpus.v3.Tree.name is not one of this message";
        assert_eq!(error(message.get(&tree).map(|_| ())), text);
        assert_eq!(error(message.has(&tree)), text);
        assert_eq!(error(message.set(&tree, 1.into())), text);
        assert_eq!(error(message.clear(&tree)), text);
        assert_eq!(error(message.get_mut(&tree).map(|_| ())), text);
        let text = "corpus.v3.Leaf: the field corpus.v3.Leaf.a is from another pool than the message";
        assert_eq!(error(message.set(&twin, 1.into())), text);
        let oneof = <v3::Choice as Message>::descriptor().oneofs().next().unwrap();
        let text = "corpus.v3.Leaf: the oneof corpus.v3.Choice.kind is not one of this message";
        assert_eq!(error(message.which_oneof(&oneof)), text);
        assert_eq!(error(message.has_by_number(9)), "corpus.v3.Leaf: there is no field of number 9");
        message.set(&own.field_by_name("a").unwrap(), 1.into()).unwrap();
    });
}

#[test]
fn extensions_are_no_fields() {
    let note = tobu_schemas::corpus::corpus::v2::NOTE.full_name();
    both::<v2::Extensible>(|message| {
        let field = Pool::global().extension(note).unwrap().field().clone();
        assert_eq!(
            error(message.get(&field).map(|_| ())),
            "corpus.v2.Extensible: corpus.v2.note is an extension of corpus.v2.Extensible, not a field"
        );
    });
}

//! Visiting: which fields are visited, in which order, and when it ends.

use super::support::{both, seen};
use std::collections::HashMap;
use tobu::descriptor::{FieldDescriptor, MessageDescriptor, OneofDescriptor};
use tobu::reflect::{FieldRef, MessageRef, Reflect, Value, ValueMut, ValueRef};
use tobu::{DynamicMessage, Message};
use tobu_schemas::corpus::corpus::{v2, v3};

/// The numbers of the first `most` fields visited.
fn first(message: &dyn Reflect, most: usize) -> Vec<u32> {
    let mut numbers = Vec::new();
    message.visit_fields(&mut |field, _| {
        numbers.push(field.number());
        numbers.len() < most
    });
    let mut others = Vec::new();
    MessageRef::new(message).visit_fields(|field, _| {
        others.push(field.number());
        others.len() < most
    });
    assert_eq!(numbers, others);
    numbers
}

#[test]
fn fields_come_in_the_order_of_their_numbers() {
    both::<v3::Numbers>(|message| {
        assert_eq!(seen(message), []);
        for field in message.descriptor().fields().collect::<Vec<_>>().into_iter().rev() {
            message.set(&field, 1.into()).unwrap();
        }
        let all = [1, 15, 16, 2047, 2048, 18999, 20000, 536_870_911];
        assert_eq!(seen(message), all);
        for most in 1..=all.len() {
            assert_eq!(first(message, most), all[..most]);
        }
        message.clear_by_number(2048).unwrap();
        assert_eq!(seen(message), [1, 15, 16, 2047, 18999, 20000, 536_870_911]);
    });
}

#[test]
fn there_is_nothing_in_what_is_empty() {
    both::<v3::Empty>(|message| assert_eq!(seen(message), []));
    both::<v3::Tree>(|message| {
        // An unset message, and its fields.
        let left = message.get_by_name("left").unwrap().as_message().unwrap();
        assert_eq!(seen(&*left), []);
        left.visit_fields(|_, _| panic!("nothing is set"));
        assert_eq!(left.fields().count(), 0);
        let children = left.get_by_name("children").unwrap().as_list().unwrap();
        children.visit(|_| panic!("there are no elements"));
        assert_eq!(children.iter().count(), 0);
        left.get_by_name("named").unwrap().as_map().unwrap().visit(|_, _| panic!("there are no entries"));
        // A list that was touched is as empty as before.
        message.get_mut_by_name("children").unwrap();
        message.get_mut_by_name("named").unwrap();
        assert_eq!(seen(message), []);
    });
}

#[test]
fn declared_defaults_are_not_set() {
    both::<v2::Defaults>(|message| {
        assert_eq!(seen(message), []);
        let default = message.get_by_name("number").unwrap().to_value().unwrap();
        message.set_by_name("number", default).unwrap();
        assert_eq!(seen(message).len(), 1);
    });
    // The zero of a field without presence is not set, that of one with presence is.
    both::<v3::Scalars>(|message| {
        message.set_by_name("f_int32", 0).unwrap();
        message.set_by_name("f_string", "").unwrap();
        message.set_by_name("f_double", -0.0).unwrap();
        assert_eq!(seen(message), [1]);
    });
    both::<v3::Optionals>(|message| {
        message.set_by_name("f_int32", 0).unwrap();
        message.set_by_name("f_string", "").unwrap();
        assert_eq!(seen(message), [3, 14]);
    });
}

#[test]
fn one_field_of_a_oneof_comes() {
    both::<v3::Choice>(|message| {
        message.set_by_name("after", "a").unwrap();
        assert_eq!(seen(message), [8]);
        message.set_by_name("before", "b").unwrap();
        let rows: [(&str, Value, u32); 5] = [
            ("zigzag", 0i64.into(), 7),
            ("number", 0.into(), 2),
            ("text", "".into(), 3),
            ("raw", vec![1].into(), 4),
            ("color", Value::Enum(0), 6),
        ];
        for (name, value, number) in rows {
            message.set_by_name(name, value).unwrap();
            assert_eq!(seen(message), [1, number, 8], "{name}");
            assert_eq!(first(message, 2), [1, number]);
        }
        message.get_mut_by_name("leaf").unwrap();
        assert_eq!(seen(message), [1, 5, 8]);
    });
}

#[test]
fn lists_of_every_kind() {
    both::<v3::Lists>(|message| {
        let fields: Vec<FieldDescriptor> = message.descriptor().fields().collect();
        for field in &fields {
            let ValueMut::List(mut list) = message.get_mut(field).unwrap() else { panic!("{field:?}") };
            for round in 0..3u8 {
                let number = i32::from(round) - 1;
                match field.name() {
                    "f_leaf" => list.push_message().unwrap().set_by_name("a", number).unwrap(),
                    "f_double" => list.push(f64::from(number).into()).unwrap(),
                    "f_float" => list.push(f32::from(round).into()).unwrap(),
                    "f_int64" | "f_sint64" | "f_sfixed64" => list.push(i64::from(number).into()).unwrap(),
                    "f_uint32" | "f_fixed32" => list.push(u32::from(round).into()).unwrap(),
                    "f_uint64" | "f_fixed64" => list.push(u64::from(round).into()).unwrap(),
                    "f_bool" => list.push((round == 1).into()).unwrap(),
                    "f_string" => list.push("ä".repeat(round.into()).into()).unwrap(),
                    "f_bytes" => list.push(vec![255; round.into()].into()).unwrap(),
                    "f_color" => list.push(Value::Enum(number)).unwrap(),
                    _ => list.push(number.into()).unwrap(),
                }
            }
            // A list for changes is read in the same way.
            let mut visited = 0;
            list.visit(&mut |value| {
                let same = list.get(visited).unwrap().to_value().unwrap();
                assert_eq!(value.to_value().unwrap(), same);
                visited += 1;
                visited < 2
            });
            assert_eq!(visited, 2);
        }
        assert_eq!(seen(message), (1..=18).collect::<Vec<_>>());
        let colors = message.get_by_name("f_color").unwrap().as_list().unwrap();
        assert_eq!(colors.iter().map(|color| color.as_enum()).collect::<Vec<_>>(), [-1, 0, 1].map(Some));
    });
}

#[test]
fn maps_of_messages() {
    both::<v3::Tree>(|message| {
        let mut named = message.get_mut_by_name("named").unwrap().into_map().unwrap();
        for name in ["a", "b", "ä"] {
            named.get_mut(name.into()).unwrap().set_by_name("name", name).unwrap();
        }
        let number = message.descriptor().field_by_name("named").unwrap().number();
        assert_eq!(seen(message), [number]);
    });
}

#[test]
fn extensions_and_other_unknown_fields_do_not_come() {
    both::<v2::Extensible>(|message| {
        message.set_unknown_fields(b"\xa2\x06\x01x").unwrap();
        assert_eq!(seen(message), []);
        assert_eq!(message.unknown_fields(), b"\xa2\x06\x01x");
    });
}

#[test]
fn text_that_is_not_utf8_comes_as_bytes() {
    let loose = DynamicMessage::decode(&<v2::Loose as Message>::descriptor(), b"\x0a\x02\xffx").unwrap();
    let mut values = Vec::new();
    loose.visit_fields(&mut |_, value| {
        values.push(value.to_value().unwrap());
        true
    });
    assert_eq!(values, [Value::Bytes(b"\xffx".as_slice().into())]);
}

/// Its members are in no order, and its oneofs are members; by number a field is between those of
/// one.
#[derive(Debug, Default, PartialEq, tobu::Message)]
#[tobu(package = "reflect.visit")]
struct Unordered {
    #[tobu(9)]
    nine: i32,
    #[tobu(4)]
    four: String,
    #[tobu(oneof)]
    early: Option<Early>,
    #[tobu(2)]
    two: Option<bool>,
    #[tobu(7)]
    seven: HashMap<u32, u32>,
    #[tobu(skip)]
    skipped: u8,
    #[tobu(1)]
    one: Vec<u64>,
}

#[derive(Debug, PartialEq, tobu::Oneof)]
enum Early {
    #[tobu(6)]
    Six(i32),
    #[tobu(5)]
    Five(String),
}

/// As before, but that a field is between those of the oneof.
#[derive(Debug, Default, PartialEq, tobu::Message)]
#[tobu(package = "reflect.visit")]
struct Between {
    #[tobu(3)]
    three: i32,
    #[tobu(oneof)]
    around: Option<Around>,
    #[tobu(1)]
    one: i32,
}

#[derive(Debug, PartialEq, tobu::Oneof)]
enum Around {
    #[tobu(2)]
    Two(i32),
    #[tobu(4)]
    Four(String),
}

#[test]
fn members_in_any_order_come_by_number() {
    let five = || Some(Early::Five("x".into()));
    let (four, seven) = (|| "y".into(), || HashMap::from([(1, 2)]));
    let rows = [
        (Unordered::default(), vec![]),
        (Unordered { nine: 1, two: Some(false), ..Unordered::default() }, vec![2, 9]),
        (Unordered { early: Some(Early::Six(0)), one: vec![0], ..Unordered::default() }, vec![1, 6]),
        (
            Unordered {
                nine: 1,
                four: four(),
                early: five(),
                two: Some(true),
                seven: seven(),
                skipped: 1,
                one: vec![3],
            },
            vec![1, 2, 4, 5, 7, 9],
        ),
    ];
    for (message, numbers) in rows {
        assert_eq!(seen(message.as_reflect()), numbers, "{message:?}");
        assert_eq!(seen(&message.as_reflect().to_dynamic().unwrap()), numbers);
        for most in 1..=numbers.len() {
            assert_eq!(first(message.as_reflect(), most), numbers[..most]);
        }
    }
    let rows = [
        (Between { one: 1, around: Some(Around::Two(0)), three: 3 }, [1, 2, 3]),
        (Between { one: 1, around: Some(Around::Four(String::new())), three: 3 }, [1, 3, 4]),
    ];
    for (message, numbers) in rows {
        assert_eq!(seen(message.as_reflect()), numbers);
        assert_eq!(first(message.as_reflect(), 2), numbers[..2]);
    }
}

/// A message of another crate, which says no more than it must.
struct Wrapped(DynamicMessage);

impl Reflect for Wrapped {
    fn message_descriptor(&self) -> MessageDescriptor {
        self.0.message_descriptor()
    }

    fn has(&self, field: &FieldDescriptor) -> tobu::Result<bool> {
        self.0.has(field)
    }

    fn get(&self, field: &FieldDescriptor) -> tobu::Result<ValueRef<'_>> {
        self.0.get(field)
    }

    fn get_mut(&mut self, field: &FieldDescriptor) -> tobu::Result<ValueMut<'_>> {
        self.0.get_mut(field)
    }

    fn set(&mut self, field: &FieldDescriptor, value: Value) -> tobu::Result<()> {
        self.0.set(field, value)
    }

    fn clear(&mut self, field: &FieldDescriptor) -> tobu::Result<()> {
        self.0.clear(field)
    }

    fn which_oneof(&self, oneof: &OneofDescriptor) -> tobu::Result<Option<FieldDescriptor>> {
        self.0.which_oneof(oneof)
    }

    fn next_field(&self, number: u32) -> Option<(FieldDescriptor, ValueRef<'_>)> {
        self.0.next_field(number)
    }

    fn unknown_fields(&self) -> &[u8] {
        self.0.unknown_fields()
    }

    fn set_unknown_fields(&mut self, fields: &[u8]) -> tobu::Result<()> {
        self.0.set_unknown_fields(fields)
    }

    fn clear_all(&mut self) {
        self.0.clear_all();
    }
}

#[test]
fn messages_of_other_crates_are_visited() {
    let mut message = Wrapped(DynamicMessage::new(&<v3::Numbers as Message>::descriptor()).unwrap());
    assert_eq!(seen(&message), []);
    (&mut message as &mut dyn Reflect).set_by_name("largest", 1).unwrap();
    (&mut message as &mut dyn Reflect).set_by_name("sixteen", 1).unwrap();
    assert_eq!(seen(&message), [16, 536_870_911]);
    assert_eq!(first(&message, 1), [16]);
    let field = message.message_descriptor().field_by_name("one").unwrap();
    assert_eq!(FieldRef::from(&field).name(), "one");
}

#[test]
fn a_view_of_a_dynamic_message_tells_the_same() {
    let tree = v3::Tree { name: "x".into(), left: Some(Box::default()), ..Default::default() };
    let dynamic = tree.into_dynamic().unwrap();
    let view = MessageRef::from(&dynamic);
    assert_eq!(seen(&*view), seen(&dynamic));
    // It lives as long as the message, not as long as the view.
    let name = { view }.get(&dynamic.descriptor().field_by_name("name").unwrap()).unwrap();
    assert_eq!(name.as_str(), Some("x"));
}

#[test]
fn fields_of_large_messages() {
    let fields: String = (1..=200).map(|number| format!("int32 f{number} = {number};")).collect();
    let pool =
        super::support::pool("large.proto", &format!("syntax = \"proto3\"; message Large {{ {fields} }}"));
    let mut message = DynamicMessage::new(&pool.message("Large").unwrap()).unwrap();
    let numbers = [1, 63, 64, 65, 128, 129, 191, 192, 193, 200];
    for number in numbers {
        message.set_by_number(number, 1).unwrap();
    }
    assert_eq!(seen(&message), numbers);
    assert_eq!(first(&message, 4), numbers[..4]);
}

#[test]
fn fields_outlive_the_pool_and_the_message() {
    let source = "syntax = \"proto3\"; package outlive; message M { M m = 1; string s = 2; }";
    let pool = super::support::pool("outlive.proto", source);
    let bytes = b"\x0a\x03\x12\x01x\x12\x01y";
    let message = DynamicMessage::decode(&pool.message("outlive.M").unwrap(), bytes).unwrap();
    drop(pool);
    let mut fields = Vec::new();
    message.visit_fields(&mut |field, value| {
        fields.push(field.descriptor());
        if let ValueRef::Message(inner) = value {
            inner.visit_fields(|field, _| {
                fields.push(field.descriptor());
                true
            });
        }
        true
    });
    assert_eq!(seen(&message), [1, 2]);
    drop(message);
    assert_eq!(
        fields.iter().map(|field| field.full_name()).collect::<Vec<_>>(),
        ["outlive.M.m", "outlive.M.s", "outlive.M.s"]
    );
}

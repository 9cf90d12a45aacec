//! Runs a test over a typed message and over a dynamic one.

use tobu::descriptor::FieldDescriptor;
use tobu::reflect::{MessageRef, Reflect, ReflectList, Value, ValueRef};
use tobu::{DynamicMessage, Message};

/// Runs `test` on an empty message of type `T`, as it is and as a dynamic message.
#[track_caller]
pub(super) fn both<T: Message + Default + 'static>(test: impl Fn(&mut dyn Reflect)) {
    test(&mut T::default());
    test(&mut DynamicMessage::new(&<T as Message>::descriptor()).unwrap());
}

/// The value of a field, to be compared.
#[track_caller]
pub(super) fn get(message: &dyn Reflect, name: &str) -> Value {
    message.get_by_name(name).unwrap().to_value().unwrap()
}

/// The printed form of a message.
pub(super) fn shown(message: &dyn Reflect) -> String {
    format!("{message}")
}

/// The text of the error.
#[track_caller]
pub(super) fn error<T>(result: tobu::Result<T>) -> String {
    match result {
        Ok(_) => panic!("no error"),
        Err(error) => error.to_string(),
    }
}

/// A pool of one file.
pub(super) fn pool(name: &str, source: &str) -> tobu::Pool {
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("reflect");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join(name), source).unwrap();
    let mut compiler = protox::Compiler::new([&dir]).unwrap();
    compiler.include_imports(true).open_file(name).unwrap();
    tobu::Pool::from_descriptor_set(&compiler.encode_file_descriptor_set()).unwrap()
}

/// The set fields by number, after making sure that every way to read the message shows the same content.
#[track_caller]
pub(super) fn seen(message: &dyn Reflect) -> Vec<u32> {
    let mut fields = Vec::new();
    message.visit_fields(&mut |field, value| {
        let descriptor = field.descriptor();
        assert_eq!((field.number(), field.name()), (descriptor.number(), descriptor.name()));
        assert_eq!(format!("{field:?}"), format!("{descriptor:?}"));
        assert!(message.has(&descriptor).unwrap());
        let same = message.get(&descriptor).unwrap().to_value().unwrap();
        assert_eq!(value.to_value().unwrap(), same);
        inside(value);
        fields.push((descriptor, value.to_value().unwrap()));
        true
    });
    let view = MessageRef::new(message);
    assert_eq!(visited(view), fields);
    assert_eq!(listed(view), fields);
    // From each field on, set or not, and from numbers that no field has.
    for field in message.descriptor().fields() {
        for number in [field.number() - 1, field.number()] {
            let next = fields.iter().find(|(field, _)| field.number() > number);
            let found = message.next_field(number);
            assert_eq!(found.map(|(field, value)| (field, value.to_value().unwrap())).as_ref(), next);
        }
    }
    fields.iter().map(|(field, _)| field.number()).collect()
}

fn visited(message: MessageRef<'_>) -> Vec<(FieldDescriptor, Value)> {
    let mut fields = Vec::new();
    message.visit_fields(|field, value| {
        fields.push((field.descriptor(), value.to_value().unwrap()));
        true
    });
    fields
}

fn listed(message: MessageRef<'_>) -> Vec<(FieldDescriptor, Value)> {
    message.fields().map(|(field, value)| (field, value.to_value().unwrap())).collect()
}

/// The same for the content of a value.
#[track_caller]
fn inside(value: ValueRef<'_>) {
    let owned = |value: ValueRef<'_>| value.to_value().unwrap();
    match value {
        ValueRef::Message(message) => {
            seen(&*message);
            assert_eq!(visited(message), listed(message));
        }
        ValueRef::List(list) => {
            let all: Vec<Value> = (0..list.len()).map(|index| owned(list.get(index).unwrap())).collect();
            let (mut visited, mut as_object, mut folded) = (Vec::new(), Vec::new(), Vec::new());
            list.visit(|value| {
                inside(value);
                visited.push(owned(value));
                true
            });
            let object: &dyn ReflectList = &*list;
            object.visit(&mut |value| {
                as_object.push(owned(value));
                true
            });
            list.iter().for_each(|value| folded.push(owned(value)));
            let mut iter = list.iter();
            let one_by_one: Vec<Value> = std::iter::from_fn(|| iter.next().map(owned)).collect();
            assert_eq!([&visited, &as_object, &folded, &one_by_one], [&all; 4]);
            // The elements after the first.
            let mut rest = list.iter();
            let first = rest.next().map(owned);
            let rest = rest.fold(Vec::from_iter(first), |mut values, value| {
                values.push(owned(value));
                values
            });
            assert_eq!(rest, all);
            let mut first = Vec::new();
            list.visit(|value| {
                first.push(owned(value));
                false
            });
            assert_eq!(first, all[..first.len()]);
            assert_eq!(first.len(), all.len().min(1));
        }
        ValueRef::Map(map) => {
            let (mut visited, mut first) = (Vec::new(), 0);
            map.visit(|key, value| {
                inside(value);
                assert_eq!(map.get(key).map(owned), Some(owned(value)));
                visited.push((key, owned(value)));
                true
            });
            visited.sort_by_key(|(key, _)| *key);
            let entries: Vec<_> = map.entries().into_iter().map(|(key, value)| (key, owned(value))).collect();
            assert_eq!(visited, entries);
            map.visit(|_, _| {
                first += 1;
                false
            });
            assert_eq!(first, map.len().min(1));
        }
        _ => {}
    }
}

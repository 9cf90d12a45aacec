//! An encoder writes the encoding of a dynamic message with the disabled fields cleared.

use crate::entropy::Entropy;
use crate::{DETERMINISTIC, config, entropy, random_schema, tree};
use proptest::prelude::*;
use tobu::dynamic::{Encoder, Field, FieldType, KeyType, List, Map, Nested, Record};
use tobu::reflect::{MapKeyRef, MapRef, MessageRef, Reflect, ValueRef};
use tobu::{
    DynamicMessage, FieldDescriptor, FieldShape, Kind, Message, MessageDescriptor, MessageDescriptorExt,
};
use tobu_schemas::corpus::corpus::v3;

proptest! {
    #![proptest_config(config(800))]

    /// Random messages of random schemas.
    #[test]
    fn encoders_write_what_messages_are(
        schema in entropy(120),
        content in entropy(300),
        disabled in entropy(12),
    ) {
        agrees(&random_schema(&schema), &content, &disabled)?;
    }

    /// Random messages of the schemas of the corpus.
    #[test]
    fn encoders_write_what_corpus_messages_are(
        which in 0usize..8,
        content in entropy(300),
        disabled in entropy(12),
    ) {
        v3::Tree::descriptor();
        let names = ["Scalars", "Optionals", "Lists", "Maps", "Choice", "Tree", "Numbers", "Leaf"];
        let descriptor = tobu::Pool::global().message(&format!("corpus.v3.{}", names[which]));
        agrees(&descriptor.unwrap(), &content, &disabled)?;
    }
}

fn agrees(descriptor: &MessageDescriptor, content: &[u8], disabled: &[u8]) -> Result<(), TestCaseError> {
    let tree = tree::message(descriptor, &mut Entropy::new(content), 4);
    let bytes = descriptor.encode(&tree).unwrap();
    let mut message = DynamicMessage::decode(descriptor, &bytes).unwrap();
    let mut encoder = Encoder::new(descriptor).unwrap();
    let mut choices = Entropy::new(disabled);
    while !choices.is_empty() {
        disable(&mut encoder, &mut message, &mut choices);
    }
    // The disabled fields are put as well.
    let whole = DynamicMessage::decode(descriptor, &bytes).unwrap();
    // A required field that is disabled is missing.
    if let Err(error) = message.encode_to_vec() {
        let mut out = Vec::new();
        let mut record = encoder.record(&mut out);
        put(&mut record, MessageRef::new(&whole), false);
        prop_assert_eq!(record.finish().unwrap_err().to_string(), error.to_string());
    }
    let wanted = DETERMINISTIC().partial(true).to_vec(&message).unwrap();
    let mut encoder = encoder.partial(true);
    let mut written = b"before".to_vec();
    let mut record = encoder.record(&mut written);
    put(&mut record, MessageRef::new(&whole), false);
    record.finish().unwrap();
    prop_assert_eq!(written.strip_prefix(b"before").unwrap(), &wanted);
    // In any order, and with their length before them.
    let mut encoder = encoder.by_number(true);
    for backwards in [true, false] {
        let mut written = b"before".to_vec();
        let mut record = encoder.record_delimited(&mut written);
        put(&mut record, MessageRef::new(&whole), backwards);
        record.finish().unwrap();
        let mut reader = tobu::wire::Reader::new(&written[6..]);
        prop_assert_eq!(reader.len_prefixed().unwrap(), &wanted);
        prop_assert!(reader.is_empty());
    }
    Ok(())
}

/// Disables a field of the message, or one of a message in it.
fn disable(encoder: &mut Encoder, message: &mut DynamicMessage, choices: &mut Entropy<'_>) {
    let path = clear(message, choices, String::new());
    if let Some(path) = path {
        encoder.disable(&path).unwrap();
    }
}

/// Clears a field, and gives the path to it; nothing where there is none.
fn clear(within: &mut dyn Reflect, choices: &mut Entropy<'_>, before: String) -> Option<String> {
    let descriptor = within.message_descriptor();
    let field = descriptor.field(choices.below(descriptor.field_count()))?;
    let path = format!("{before}{}", field.name());
    let is_single = matches!(field.shape(), FieldShape::Singular(Kind::Message(_)));
    if !is_single || !choices.chance(2) {
        within.clear(&field).unwrap();
        return Some(path);
    }
    if !within.has(&field).unwrap() {
        // There is nothing to be cleared inside.
        return Some(format!("{path}.{}", field.message_type()?.field(0)?.name()));
    }
    let mut slot = within.get_mut(&field).unwrap().into_message().unwrap();
    clear(&mut *slot, choices, path + ".")
}

/// The handle of a field: of any encoder of its message.
fn handle<T: FieldType + ?Sized>(field: &FieldDescriptor) -> Field<T> {
    Encoder::new(&field.message()).unwrap().field(field.number()).unwrap()
}

fn put(record: &mut Record<'_>, message: MessageRef<'_>, backwards: bool) {
    let mut fields: Vec<_> = message.fields().collect();
    if backwards {
        fields.reverse();
    }
    for (field, value) in fields {
        match value {
            ValueRef::Bool(value) => record.put(&handle::<bool>(&field), value),
            ValueRef::I32(value) | ValueRef::Enum(value) => record.put(&handle::<i32>(&field), value),
            ValueRef::I64(value) => record.put(&handle::<i64>(&field), value),
            ValueRef::U32(value) => record.put(&handle::<u32>(&field), value),
            ValueRef::U64(value) => record.put(&handle::<u64>(&field), value),
            ValueRef::F32(value) => record.put(&handle::<f32>(&field), value),
            ValueRef::F64(value) => record.put(&handle::<f64>(&field), value),
            ValueRef::Str(value) => record.put(&handle::<str>(&field), value),
            ValueRef::Bytes(value) => record.put(&handle::<[u8]>(&field), value),
            ValueRef::Message(value) => {
                record.put_message(&handle(&field), |record| put(record, value, backwards));
            }
            ValueRef::List(list) => put_list(record, &field, list.iter().collect(), backwards),
            ValueRef::Map(map) => put_map(record, &field, map, backwards),
        }
    }
}

fn put_list(record: &mut Record<'_>, field: &FieldDescriptor, values: Vec<ValueRef<'_>>, backwards: bool) {
    macro_rules! list {
        ($ty:ty, $as:ident) => {
            record.put_list(&handle::<List<$ty>>(field), values.iter().map(|value| value.$as().unwrap()))
        };
    }
    match &values[0] {
        ValueRef::Bool(_) => list!(bool, as_bool),
        ValueRef::I32(_) => list!(i32, as_i32),
        ValueRef::Enum(_) => list!(i32, as_enum),
        ValueRef::I64(_) => list!(i64, as_i64),
        ValueRef::U32(_) => list!(u32, as_u32),
        ValueRef::U64(_) => list!(u64, as_u64),
        ValueRef::F32(_) => list!(f32, as_f32),
        ValueRef::F64(_) => list!(f64, as_f64),
        ValueRef::Str(_) => list!(str, as_str),
        ValueRef::Bytes(_) => list!([u8], as_bytes),
        ValueRef::Message(_) => {
            record.put_messages(&handle(field), &values, |record, value| {
                put(record, value.as_message().unwrap(), backwards);
            });
        }
        ValueRef::List(_) | ValueRef::Map(_) => unreachable!("a list holds single values"),
    }
}

fn put_map(record: &mut Record<'_>, field: &FieldDescriptor, map: MapRef<'_>, backwards: bool) {
    let entries = map.entries();
    macro_rules! keys {
        ($variant:ident, $ty:ty) => {{
            let key =
                |key: &MapKeyRef<'_>| if let MapKeyRef::$variant(key) = *key { key } else { unreachable!() };
            let entries = entries.iter().map(|(at, value)| (key(at), value));
            put_entries::<$ty>(record, field, entries.collect(), backwards)
        }};
    }
    match &entries[0].0 {
        MapKeyRef::Bool(_) => keys!(Bool, bool),
        MapKeyRef::I32(_) => keys!(I32, i32),
        MapKeyRef::I64(_) => keys!(I64, i64),
        MapKeyRef::U32(_) => keys!(U32, u32),
        MapKeyRef::U64(_) => keys!(U64, u64),
        MapKeyRef::Str(_) => {
            let key = |key: &MapKeyRef<'_>| {
                if let MapKeyRef::Str(key) = key { (*key).to_owned() } else { unreachable!() }
            };
            let keys: Vec<String> = entries.iter().map(|(at, _)| key(at)).collect();
            let entries = keys.iter().map(String::as_str).zip(entries.iter().map(|(_, value)| value));
            put_entries::<str>(record, field, entries.collect(), backwards);
        }
    }
}

fn put_entries<'k, K: KeyType + ?Sized>(
    record: &mut Record<'_>,
    field: &FieldDescriptor,
    entries: Vec<(K::Value<'k>, &ValueRef<'_>)>,
    backwards: bool,
) {
    macro_rules! map {
        ($ty:ty, $as:ident) => {
            record.put_map(
                &handle::<Map<K, $ty>>(field),
                entries.into_iter().map(|(key, value)| (key, value.$as().unwrap())),
            )
        };
    }
    match entries[0].1 {
        ValueRef::Bool(_) => map!(bool, as_bool),
        ValueRef::I32(_) => map!(i32, as_i32),
        ValueRef::Enum(_) => map!(i32, as_enum),
        ValueRef::I64(_) => map!(i64, as_i64),
        ValueRef::U32(_) => map!(u32, as_u32),
        ValueRef::U64(_) => map!(u64, as_u64),
        ValueRef::F32(_) => map!(f32, as_f32),
        ValueRef::F64(_) => map!(f64, as_f64),
        ValueRef::Str(_) => map!(str, as_str),
        ValueRef::Bytes(_) => map!([u8], as_bytes),
        ValueRef::Message(_) => {
            record.put_message_map(&handle::<Map<K, Nested>>(field), entries, |record, value| {
                put(record, value.as_message().unwrap(), backwards);
            });
        }
        ValueRef::List(_) | ValueRef::Map(_) => unreachable!("a map holds single values"),
    }
}

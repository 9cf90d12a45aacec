//! An encoder of the test's own: a tree of values as plain wire bytes, or in any other form that means the same.

use crate::entropy::Entropy;
use crate::tree::is_default;
use serde_json::{Map, Value};
use tobu::wire::{WireType, zigzag32, zigzag64};
use tobu::{FieldDescriptor, FieldShape, Kind, MessageDescriptor};

/// How a message is put on the wire.
pub(crate) enum Form<'a> {
    /// Fields in the order of the tree, everything in its shortest form.
    Plain,
    /// Fields in another order, lists and messages in several occurrences, values that are replaced later, fields
    /// that the schema does not know, varints longer than they need be.
    Scrambled(Entropy<'a>),
}

impl Form<'_> {
    /// True once in `n` times, never in plain form.
    fn chance(&mut self, n: u8) -> bool {
        match self {
            Form::Plain => false,
            Form::Scrambled(entropy) => entropy.chance(n),
        }
    }

    fn below(&mut self, end: usize) -> usize {
        match self {
            Form::Plain => 0,
            Form::Scrambled(entropy) => entropy.below(end),
        }
    }

    /// A varint; with up to `most` bytes when scrambled.
    fn varint(&mut self, value: u64, most: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut rest = value;
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
        if bytes.len() < most && self.chance(8) {
            let longer = bytes.len() + 1 + self.below(most - bytes.len());
            *bytes.last_mut().unwrap() |= 0x80;
            bytes.resize(longer - 1, 0x80);
            bytes.push(0);
        }
        bytes
    }

    fn tag(&mut self, number: u32, wire_type: WireType) -> Vec<u8> {
        self.varint(u64::from(number << 3 | wire_type as u32), 5)
    }

    fn delimited(&mut self, content: &[u8]) -> Vec<u8> {
        let mut bytes = self.varint(content.len() as u64, 10);
        bytes.extend(content);
        bytes
    }

    /// Bits of a 32-bit number that no reader looks at.
    fn high_bits(&mut self, number: u64) -> u64 {
        if self.chance(6) { number & 0xffff_ffff | (self.below(256) as u64) << 40 } else { number }
    }
}

/// A message as wire bytes.
pub(crate) fn encode(message: &MessageDescriptor, tree: &Value, form: &mut Form<'_>) -> Vec<u8> {
    pieces(message, tree, form).concat()
}

/// The fields of a message, one by one, in an order that means the same.
fn pieces(message: &MessageDescriptor, tree: &Value, form: &mut Form<'_>) -> Vec<Vec<u8>> {
    let mut queues: Vec<Vec<Vec<u8>>> = Vec::new();
    let mut fields: Vec<_> = tree.as_object().unwrap().iter().collect();
    fields.sort_by_key(|(name, _)| message.field_by_name(name).unwrap().number());
    for (name, value) in fields {
        queues.push(field(&message.field_by_name(name).unwrap(), value, form));
    }
    while form.chance(3) {
        queues.push(vec![unknown(message, form)]);
    }
    queues.retain(|queue| !queue.is_empty());
    let mut pieces = Vec::new();
    while !queues.is_empty() {
        let which = form.below(queues.len());
        pieces.push(queues[which].remove(0));
        if queues[which].is_empty() {
            queues.remove(which);
        }
    }
    pieces
}

/// The wire form of a field: records whose order matters.
pub(crate) fn field(field: &FieldDescriptor, value: &Value, form: &mut Form<'_>) -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    match field.shape() {
        FieldShape::List(_) if field.kind().ty().is_packable() => {
            list(field, value.as_array().unwrap(), form, &mut out);
        }
        FieldShape::List(_) => {
            for element in value.as_array().unwrap() {
                out.push(tagged(field, &single(field, element, form), form));
            }
        }
        FieldShape::Map { key, value: of } => {
            for (text, value) in value.as_object().unwrap() {
                let key_value = key_value(&key, text);
                let partial = of.message_type().is_some_and(|m| m.fields().any(|field| field.is_required()));
                if !partial && form.chance(5) {
                    // The same key before: its value is replaced, but has to be whole.
                    let earlier = [half(&key, &key_value, form), half(&of, &sample(&of), form)].concat();
                    out.push([form.tag(field.number(), WireType::Len), form.delimited(&earlier)].concat());
                }
                let entry = entry(&key, &key_value, &of, value, form);
                out.push([form.tag(field.number(), WireType::Len), form.delimited(&entry)].concat());
            }
        }
        FieldShape::Singular(_) => {
            if let Some(oneof) = field.oneof()
                && form.chance(3)
            {
                let others: Vec<_> = oneof.fields().filter(|other| other != field).collect();
                if !others.is_empty() {
                    let other = &others[form.below(others.len())];
                    // The same field before that would be merged with.
                    if form.chance(2) {
                        out.push(tagged(field, &single(field, &sample(field), form), form));
                    }
                    out.push(tagged(other, &single(other, &sample(other), form), form));
                }
            }
            match field.message_type() {
                Some(message) => {
                    let mut inner = pieces(&message, value, form);
                    while form.chance(3) {
                        let rest = inner.split_off(form.below(inner.len() + 1));
                        out.push(tagged(field, &content(field, &inner.concat(), form), form));
                        inner = rest;
                    }
                    out.push(tagged(field, &content(field, &inner.concat(), form), form));
                }
                None => {
                    if form.chance(5) {
                        out.push(tagged(field, &single(field, &sample(field), form), form));
                    }
                    out.push(tagged(field, &single(field, value, form), form));
                }
            }
        }
    }
    out
}

/// A list of numbers: a run and single elements where the form is free, as declared where it is plain.
fn list(field: &FieldDescriptor, elements: &[Value], form: &mut Form<'_>, out: &mut Vec<Vec<u8>>) {
    let mut rest = elements;
    while !rest.is_empty() {
        let packed = match form {
            Form::Plain => field.is_packed(),
            Form::Scrambled(entropy) => entropy.chance(2),
        };
        let len = match (packed, &mut *form) {
            (false, _) => 1,
            (true, Form::Plain) => rest.len(),
            (true, Form::Scrambled(entropy)) => entropy.below(rest.len() + 1),
        };
        let (run, after) = rest.split_at(len);
        rest = after;
        if !packed {
            out.push(tagged(field, &single(field, &run[0], form), form));
            continue;
        }
        let mut bytes = Vec::new();
        for element in run {
            if field.enum_type().is_some_and(|ty| ty.is_closed() && ty.value_by_number(77).is_none())
                && form.chance(4)
            {
                bytes.extend(form.varint(77, 10));
            }
            bytes.extend(single(field, element, form));
        }
        out.push([form.tag(field.number(), WireType::Len), form.delimited(&bytes)].concat());
    }
}

fn entry(
    key: &FieldDescriptor,
    key_value: &Value,
    of: &FieldDescriptor,
    value: &Value,
    form: &mut Form<'_>,
) -> Vec<u8> {
    let mut queues = vec![Vec::new(), Vec::new()];
    if !(is_default(key, key_value) && form.chance(2)) {
        if form.chance(6) {
            queues[0].push(half(key, &sample(key), form));
        }
        queues[0].push(half(key, key_value, form));
    }
    match of.message_type() {
        Some(message) => {
            let mut inner = pieces(&message, value, form);
            while form.chance(3) {
                let rest = inner.split_off(form.below(inner.len() + 1));
                queues[1].push(tagged(of, &content(of, &inner.concat(), form), form));
                inner = rest;
            }
            if !(inner.is_empty() && form.chance(2)) {
                queues[1].push(tagged(of, &content(of, &inner.concat(), form), form));
            }
        }
        None if is_default(of, value) && form.chance(2) => {}
        None => {
            if form.chance(6) {
                queues[1].push(half(of, &sample(of), form));
            }
            queues[1].push(half(of, value, form));
        }
    }
    if form.chance(6) {
        queues.push(vec![[form.tag(3, WireType::Varint), vec![1]].concat()]);
    }
    queues.retain(|queue: &Vec<Vec<u8>>| !queue.is_empty());
    let mut bytes = Vec::new();
    while !queues.is_empty() {
        let which = if form.chance(3) { form.below(queues.len()) } else { 0 };
        bytes.extend(queues[which].remove(0));
        if queues[which].is_empty() {
            queues.remove(which);
        }
    }
    bytes
}

fn half(field: &FieldDescriptor, value: &Value, form: &mut Form<'_>) -> Vec<u8> {
    tagged(field, &single(field, value, form), form)
}

/// The wire type of one value.
fn wire_type(field: &FieldDescriptor) -> WireType {
    if field.is_delimited() { WireType::StartGroup } else { field.kind().wire_type() }
}

fn tagged(field: &FieldDescriptor, value: &[u8], form: &mut Form<'_>) -> Vec<u8> {
    [&form.tag(field.number(), wire_type(field))[..], value].concat()
}

/// The content of a message with its delimiters.
fn content(field: &FieldDescriptor, inner: &[u8], form: &mut Form<'_>) -> Vec<u8> {
    match field.is_delimited() {
        true => [inner, &form.tag(field.number(), WireType::EndGroup)[..]].concat(),
        false => form.delimited(inner),
    }
}

/// One value, without its tag.
fn single(field: &FieldDescriptor, value: &Value, form: &mut Form<'_>) -> Vec<u8> {
    let signed = || value.as_i64().unwrap();
    let unsigned = || value.as_u64().unwrap();
    match field.kind() {
        Kind::Double => value.as_f64().unwrap().to_le_bytes().into(),
        Kind::Float => (value.as_f64().unwrap() as f32).to_le_bytes().into(),
        Kind::Int32 => {
            let number = form.high_bits(signed() as u64);
            form.varint(number, 10)
        }
        Kind::Int64 => form.varint(signed() as u64, 10),
        Kind::UInt32 => {
            let number = form.high_bits(unsigned());
            form.varint(number, 10)
        }
        Kind::UInt64 => form.varint(unsigned(), 10),
        Kind::SInt32 => {
            let number = form.high_bits(u64::from(zigzag32(signed() as i32)));
            form.varint(number, 10)
        }
        Kind::SInt64 => form.varint(zigzag64(signed()), 10),
        Kind::Fixed32 => (unsigned() as u32).to_le_bytes().into(),
        Kind::Fixed64 => unsigned().to_le_bytes().into(),
        Kind::SFixed32 => (signed() as i32).to_le_bytes().into(),
        Kind::SFixed64 => signed().to_le_bytes().into(),
        Kind::Bool => {
            let number = u64::from(value.as_bool().unwrap());
            let number = if number == 1 && form.chance(6) { 1 << form.below(64) } else { number };
            form.varint(number, 10)
        }
        Kind::String => form.delimited(value.as_str().unwrap().as_bytes()),
        Kind::Bytes => {
            let bytes: Vec<u8> =
                value.as_array().unwrap().iter().map(|byte| byte.as_u64().unwrap() as u8).collect();
            form.delimited(&bytes)
        }
        Kind::Enum(enumeration) => {
            let number = match value {
                Value::String(name) => enumeration.value_by_name(name).unwrap().number(),
                number => number.as_i64().unwrap() as i32,
            };
            let number = form.high_bits(i64::from(number) as u64);
            form.varint(number, 10)
        }
        Kind::Message(message) => {
            let inner = encode(&message, value, form);
            content(field, &inner, form)
        }
    }
}

/// Some value of a field's kind.
fn sample(field: &FieldDescriptor) -> Value {
    match field.kind() {
        Kind::String => "sample".into(),
        Kind::Bytes => vec![1, 2, 3].into(),
        Kind::Bool => true.into(),
        Kind::Double | Kind::Float => 1.5.into(),
        Kind::Enum(enumeration) => enumeration.values().last().unwrap().name().into(),
        Kind::Message(_) => Value::Object(Map::new()),
        _ => 42.into(),
    }
}

fn key_value(key: &FieldDescriptor, text: &str) -> Value {
    match key.kind() {
        Kind::String => text.into(),
        _ => text.parse().unwrap(),
    }
}

/// A field that the schema does not have, or has with another wire type.
fn unknown(message: &MessageDescriptor, form: &mut Form<'_>) -> Vec<u8> {
    let known: Vec<_> = message.fields().collect();
    if let Some(field) = known.get(form.below(known.len() + 1)) {
        return match field.kind().wire_type() {
            WireType::Fixed32 => [form.tag(field.number(), WireType::Fixed64), vec![7; 8]].concat(),
            _ => [form.tag(field.number(), WireType::Fixed32), vec![7; 4]].concat(),
        };
    }
    let free = |number: &u32| known.iter().all(|field| field.number() != *number);
    let number = (1 + form.below(256) as u32..).find(free).unwrap();
    match form.below(5) {
        0 => [form.tag(number, WireType::Varint), form.varint(300, 10)].concat(),
        1 => [form.tag(number, WireType::Fixed64), vec![0x0b; 8]].concat(),
        2 => [form.tag(number, WireType::Len), form.delimited(b"\x0c\xff")].concat(),
        3 => [form.tag(number, WireType::Fixed32), vec![0x0c; 4]].concat(),
        _ => {
            let inner = [form.tag(1, WireType::StartGroup), form.tag(1, WireType::EndGroup)].concat();
            [form.tag(number, WireType::StartGroup), inner, form.tag(number, WireType::EndGroup)].concat()
        }
    }
}

/// The same tree with the entries of every map in the reverse order.
pub(crate) fn reverse_maps(message: &MessageDescriptor, tree: &Value) -> Value {
    let members = tree.as_object().unwrap().iter().map(|(name, value)| {
        let field = message.field_by_name(name).unwrap();
        let value = match (field.shape(), value) {
            (FieldShape::Map { value: of, .. }, Value::Object(entries)) => {
                let inner = |value| match of.message_type() {
                    Some(message) => reverse_maps(&message, value),
                    None => value.clone(),
                };
                entries.iter().rev().map(|(key, value)| (key.clone(), inner(value))).collect()
            }
            (_, Value::Array(all)) if field.message_type().is_some() => {
                all.iter().map(|one| reverse_maps(&field.message_type().unwrap(), one)).collect()
            }
            (_, value) => match field.message_type() {
                Some(message) => reverse_maps(&message, value),
                None => value.clone(),
            },
        };
        (name.clone(), value)
    });
    Value::Object(members.collect())
}

//! prost-reflect decodes messages of a schema that is known at run time, whose values are put into builders.

use crate::columns::*;
use prost_reflect::{DynamicMessage, MessageDescriptor, Value};
use std::borrow::Cow;

fn get(message: &DynamicMessage, number: u32) -> Cow<'_, Value> {
    message.get_field_by_number(number).expect("a field")
}

fn list(value: &Value) -> &[Value] {
    value.as_list().expect("a list")
}

fn message(value: &Value) -> &DynamicMessage {
    value.as_message().expect("a message")
}

fn decode(descriptor: &MessageDescriptor, bytes: &[u8]) -> DynamicMessage {
    DynamicMessage::decode(descriptor.clone(), bytes).expect("a message")
}

fn attributes(columns: &mut Attributes, all: &Value) {
    for attribute in list(all) {
        let attribute = message(attribute);
        let (key, value) = (get(attribute, 1), get(attribute, 2));
        let value = message(&value);
        let member = |number| value.has_field_by_number(number).then(|| get(value, number));
        let (string, bool, int, double) = (member(1), member(2), member(3), member(4));
        columns.push(
            key.as_str().expect("a string"),
            attribute.has_field_by_number(2),
            string.as_ref().and_then(|value| value.as_str()),
            bool.as_ref().and_then(|value| value.as_bool()),
            int.as_ref().and_then(|value| value.as_i64()),
            double.as_ref().and_then(|value| value.as_f64()),
        );
    }
    columns.end();
}

pub fn traces(descriptor: &MessageDescriptor, bytes: &[u8], columns: &mut TraceColumns) {
    let traces = decode(descriptor, bytes);
    for resource in list(&get(&traces, 1)) {
        let resource = message(resource);
        columns.resource.append(resource.has_field_by_number(1));
        attributes(&mut columns.resource_attributes, &get(message(&get(resource, 1)), 1));
        for scope in list(&get(resource, 2)) {
            let scope = message(scope);
            columns.scope.append(scope.has_field_by_number(1));
            let info = get(scope, 1);
            columns.scope_name.append_value(get(message(&info), 1).as_str().expect("a string"));
            columns.scope_version.append_value(get(message(&info), 2).as_str().expect("a string"));
            for span in list(&get(scope, 2)) {
                let span = message(span);
                columns.trace_id.append_value(get(span, 1).as_bytes().expect("bytes"));
                columns.span_id.append_value(get(span, 2).as_bytes().expect("bytes"));
                columns.parent.append_value(get(span, 4).as_bytes().expect("bytes"));
                columns.name.append_value(get(span, 5).as_str().expect("a string"));
                columns.kind.append_value(get(span, 6).as_i32().expect("a number"));
                columns.start.append_value(get(span, 7).as_u64().expect("a number"));
                columns.end.append_value(get(span, 8).as_u64().expect("a number"));
                attributes(&mut columns.attributes, &get(span, 9));
                columns.status.append(span.has_field_by_number(15));
                let status = get(span, 15);
                columns.message.append_value(get(message(&status), 2).as_str().expect("a string"));
                columns.code.append_value(get(message(&status), 3).as_i32().expect("a number"));
            }
            columns.spans.0.push(columns.kind.values_slice().len() as i32);
        }
        columns.scopes.0.push(columns.scope.len() as i32);
    }
    columns.resources.0.push(columns.resource.len() as i32);
}

pub fn flows(descriptor: &MessageDescriptor, bytes: &[u8], columns: &mut FlowColumns) {
    let flows = decode(descriptor, bytes);
    for flow in list(&get(&flows, 1)) {
        for (number, (kind, at)) in (1..).zip(FLOW) {
            let value = get(message(flow), number);
            match kind {
                0 => columns.longs[at].append_value(value.as_u64().expect("a number")),
                1 => columns.ints[at].append_value(value.as_u32().expect("a number")),
                _ => columns.bytes[at].append_value(value.as_bytes().expect("bytes")),
            }
        }
    }
    columns.ends.0.push(columns.ints[0].values_slice().len() as i32);
}

pub fn write(descriptor: &MessageDescriptor, bytes: &[u8], columns: &mut WriteColumns) {
    let write = decode(descriptor, bytes);
    let mut labels = columns.labels.0.last().copied().unwrap_or(0);
    for series in list(&get(&write, 1)) {
        for label in list(&get(message(series), 1)) {
            columns.name.append_value(get(message(label), 1).as_str().expect("a string"));
            columns.text.append_value(get(message(label), 2).as_str().expect("a string"));
            labels += 1;
        }
        columns.labels.0.push(labels);
        for sample in list(&get(message(series), 2)) {
            columns.value.append_value(get(message(sample), 1).as_f64().expect("a number"));
            columns.timestamp.append_value(get(message(sample), 2).as_i64().expect("a number"));
        }
        columns.samples.0.push(columns.value.values_slice().len() as i32);
    }
    columns.series.0.push(columns.labels.0.len() as i32 - 1);
}

pub fn logs(descriptor: &MessageDescriptor, bytes: &[u8], columns: &mut LogColumns) {
    let logs = decode(descriptor, bytes);
    columns.host.append_value(get(&logs, 1).as_str().expect("a string"));
    let mut tags = columns.tags.0.last().copied().unwrap_or(0);
    for line in list(&get(&logs, 2)) {
        let line = message(line);
        columns.time.append_value(get(line, 1).as_u64().expect("a number"));
        columns.severity.append_value(get(line, 2).as_i32().expect("a number"));
        columns.body.append_value(get(line, 3).as_str().expect("a string"));
        let map = get(line, 4);
        let map = map.as_map().expect("a map");
        // In the order of the keys, as the others have them.
        let mut entries: Vec<_> =
            map.iter().filter_map(|(key, value)| Some((key.as_str()?, value.as_str()?))).collect();
        entries.sort_unstable();
        for (key, value) in entries {
            columns.key.append_value(key);
            columns.value.append_value(value);
            tags += 1;
        }
        columns.tags.0.push(tags);
        for frame in list(&get(line, 5)) {
            columns.file.append_value(get(message(frame), 1).as_str().expect("a string"));
            columns.line.append_value(get(message(frame), 2).as_u32().expect("a number"));
        }
        columns.stacks.0.push(columns.line.values_slice().len() as i32);
    }
    columns.lines.0.push(columns.time.values_slice().len() as i32);
}

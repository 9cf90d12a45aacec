//! prost decodes messages, whose members are put into builders.

use crate::columns::*;
use crate::types::*;
use prost::Message;

fn attributes(columns: &mut Attributes, all: &[KeyValue]) {
    for attribute in all {
        let value = attribute.value.as_ref().and_then(|value| value.value.as_ref());
        let (mut string, mut bool, mut int, mut double) = (None, None, None, None);
        match value {
            Some(Value::String(value)) => string = Some(value.as_str()),
            Some(Value::Bool(value)) => bool = Some(*value),
            Some(Value::Int(value)) => int = Some(*value),
            Some(Value::Double(value)) => double = Some(*value),
            None => {}
        }
        columns.push(&attribute.key, attribute.value.is_some(), string, bool, int, double);
    }
    columns.end();
}

pub fn traces(bytes: &[u8], columns: &mut TraceColumns) {
    let traces = Traces::decode(bytes).unwrap();
    for resource in &traces.resource_spans {
        columns.resource.append(resource.resource.is_some());
        attributes(
            &mut columns.resource_attributes,
            resource.resource.as_ref().map_or(&[], |resource| &resource.attributes),
        );
        for scope in &resource.scope_spans {
            columns.scope.append(scope.scope.is_some());
            columns.scope_name.append_value(scope.scope.as_ref().map_or("", |scope| &scope.name));
            columns.scope_version.append_value(scope.scope.as_ref().map_or("", |scope| &scope.version));
            for span in &scope.spans {
                columns.trace_id.append_value(&span.trace_id);
                columns.span_id.append_value(&span.span_id);
                columns.parent.append_value(&span.parent_span_id);
                columns.name.append_value(&span.name);
                columns.kind.append_value(span.kind);
                columns.start.append_value(span.start_time_unix_nano);
                columns.end.append_value(span.end_time_unix_nano);
                attributes(&mut columns.attributes, &span.attributes);
                columns.status.append(span.status.is_some());
                columns.message.append_value(span.status.as_ref().map_or("", |status| &status.message));
                columns.code.append_value(span.status.as_ref().map_or(0, |status| status.code));
            }
            columns.spans.0.push(columns.kind.values_slice().len() as i32);
        }
        columns.scopes.0.push(columns.scope.len() as i32);
    }
    columns.resources.0.push(columns.resource.len() as i32);
}

pub fn flows(bytes: &[u8], columns: &mut FlowColumns) {
    let flows = Flows::decode(bytes).unwrap();
    for flow in &flows.flows {
        let longs = [
            flow.time_received_ns,
            flow.sampling_rate,
            flow.time_flow_start_ns,
            flow.time_flow_end_ns,
            flow.bytes,
            flow.packets,
            flow.src_mac,
            flow.dst_mac,
        ];
        let ints = [
            flow.sequence_num,
            flow.etype,
            flow.proto,
            flow.src_port,
            flow.dst_port,
            flow.in_if,
            flow.out_if,
            flow.tcp_flags,
            flow.src_as,
            flow.dst_as,
        ];
        columns.longs.iter_mut().zip(longs).for_each(|(column, value)| column.append_value(value));
        columns.ints.iter_mut().zip(ints).for_each(|(column, value)| column.append_value(value));
        columns.bytes[0].append_value(&flow.sampler_address);
        columns.bytes[1].append_value(&flow.src_addr);
        columns.bytes[2].append_value(&flow.dst_addr);
    }
    columns.ends.0.push(columns.ints[0].values_slice().len() as i32);
}

pub fn write(bytes: &[u8], columns: &mut WriteColumns) {
    let write = Write::decode(bytes).unwrap();
    let mut labels = columns.labels.0.last().copied().unwrap_or(0);
    for series in &write.timeseries {
        for label in &series.labels {
            columns.name.append_value(&label.name);
            columns.text.append_value(&label.value);
        }
        labels += series.labels.len() as i32;
        columns.labels.0.push(labels);
        for sample in &series.samples {
            columns.value.append_value(sample.value);
            columns.timestamp.append_value(sample.timestamp);
        }
        columns.samples.0.push(columns.value.values_slice().len() as i32);
    }
    columns.series.0.push(columns.labels.0.len() as i32 - 1);
}

pub fn logs(bytes: &[u8], columns: &mut LogColumns) {
    let logs = Logs::decode(bytes).unwrap();
    columns.host.append_value(&logs.host);
    let mut tags = columns.tags.0.last().copied().unwrap_or(0);
    for line in &logs.lines {
        columns.time.append_value(line.time);
        columns.severity.append_value(line.severity);
        columns.body.append_value(&line.body);
        for (key, value) in &line.tags {
            columns.key.append_value(key);
            columns.value.append_value(value);
        }
        tags += line.tags.len() as i32;
        columns.tags.0.push(tags);
        for frame in &line.stack {
            columns.file.append_value(&frame.file);
            columns.line.append_value(frame.line);
        }
        columns.stacks.0.push(columns.line.values_slice().len() as i32);
    }
    columns.lines.0.push(columns.time.values_slice().len() as i32);
}

//! Decoders written by hand for these messages alone, as programs that leave messages out have them.

use crate::columns::*;

/// The fields of a message.
struct Fields<'a>(&'a [u8]);

enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Value<'a> {
    #[inline(always)]
    fn bytes(self) -> &'a [u8] {
        match self {
            Value::Bytes(bytes) => bytes,
            Value::Number(_) => panic!("wrong wire type"),
        }
    }

    #[inline(always)]
    fn text(self) -> &'a str {
        std::str::from_utf8(self.bytes()).expect("UTF-8")
    }

    #[inline(always)]
    fn number(self) -> u64 {
        match self {
            Value::Number(number) => number,
            Value::Bytes(_) => panic!("wrong wire type"),
        }
    }
}

impl<'a> Fields<'a> {
    #[inline(always)]
    fn varint(&mut self) -> u64 {
        let first = self.0[0];
        if first < 0x80 {
            self.0 = &self.0[1..];
            return first.into();
        }
        let mut value = 0;
        for (index, byte) in self.0.iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * index);
            if *byte < 0x80 {
                self.0 = &self.0[index + 1..];
                return value;
            }
        }
        panic!("a varint without end");
    }

    #[inline(always)]
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (u64, Value<'a>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let tag = self.varint();
        let value = match tag & 7 {
            0 => Value::Number(self.varint()),
            1 => Value::Number(u64::from_le_bytes(self.take(8).try_into().expect("eight bytes"))),
            2 => {
                let count = self.varint() as usize;
                Value::Bytes(self.take(count))
            }
            5 => Value::Number(u32::from_le_bytes(self.take(4).try_into().expect("four bytes")).into()),
            other => panic!("wire type {other}"),
        };
        Some((tag >> 3, value))
    }
}

fn attribute(columns: &mut Attributes, bytes: &[u8]) {
    let (mut key, mut is_there) = ("", false);
    let (mut string, mut bool, mut int, mut double) = (None, None, None, None);
    for (number, value) in Fields(bytes) {
        match number {
            1 => key = value.text(),
            2 => {
                is_there = true;
                for (number, value) in Fields(value.bytes()) {
                    (string, bool, int, double) = (None, None, None, None);
                    match number {
                        1 => string = Some(value.text()),
                        2 => bool = Some(value.number() != 0),
                        3 => int = Some(value.number() as i64),
                        4 => double = Some(f64::from_bits(value.number())),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    columns.push(key, is_there, string, bool, int, double);
}

pub fn traces(bytes: &[u8], columns: &mut TraceColumns) {
    for (number, value) in Fields(bytes) {
        if number == 1 {
            resource_spans(value.bytes(), columns);
        }
    }
    columns.resources.0.push(columns.resource.len() as i32);
}

fn resource_spans(bytes: &[u8], columns: &mut TraceColumns) {
    let mut is_there = false;
    for (number, value) in Fields(bytes) {
        match number {
            1 => {
                is_there = true;
                for (number, value) in Fields(value.bytes()) {
                    if number == 1 {
                        attribute(&mut columns.resource_attributes, value.bytes());
                    }
                }
            }
            2 => scope_spans(value.bytes(), columns),
            _ => {}
        }
    }
    columns.resource.append(is_there);
    columns.resource_attributes.end();
    columns.scopes.0.push(columns.scope.len() as i32);
}

fn scope_spans(bytes: &[u8], columns: &mut TraceColumns) {
    let (mut is_there, mut name, mut version) = (false, "", "");
    for (number, value) in Fields(bytes) {
        match number {
            1 => {
                is_there = true;
                for (number, value) in Fields(value.bytes()) {
                    match number {
                        1 => name = value.text(),
                        2 => version = value.text(),
                        _ => {}
                    }
                }
            }
            2 => span(value.bytes(), columns),
            _ => {}
        }
    }
    columns.scope.append(is_there);
    columns.scope_name.append_value(name);
    columns.scope_version.append_value(version);
    columns.spans.0.push(columns.kind.values_slice().len() as i32);
}

fn span(bytes: &[u8], columns: &mut TraceColumns) {
    let (mut trace_id, mut span_id, mut parent, mut name): (&[u8], &[u8], &[u8], &str) = (&[], &[], &[], "");
    let (mut kind, mut start, mut end, mut status, mut message, mut code) = (0, 0, 0, false, "", 0);
    for (number, value) in Fields(bytes) {
        match number {
            1 => trace_id = value.bytes(),
            2 => span_id = value.bytes(),
            4 => parent = value.bytes(),
            5 => name = value.text(),
            6 => kind = value.number() as i32,
            7 => start = value.number(),
            8 => end = value.number(),
            9 => attribute(&mut columns.attributes, value.bytes()),
            15 => {
                status = true;
                for (number, value) in Fields(value.bytes()) {
                    match number {
                        2 => message = value.text(),
                        3 => code = value.number() as i32,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    columns.trace_id.append_value(trace_id);
    columns.span_id.append_value(span_id);
    columns.parent.append_value(parent);
    columns.name.append_value(name);
    columns.kind.append_value(kind);
    columns.start.append_value(start);
    columns.end.append_value(end);
    columns.attributes.end();
    columns.status.append(status);
    columns.message.append_value(message);
    columns.code.append_value(code);
}

pub fn flows(bytes: &[u8], columns: &mut FlowColumns) {
    for (number, value) in Fields(bytes) {
        if number != 1 {
            continue;
        }
        let (mut longs, mut ints, mut bytes) = ([0; 8], [0; 10], [&[][..]; 3]);
        for (number, value) in Fields(value.bytes()) {
            match FLOW.get((number as usize).wrapping_sub(1)) {
                Some((0, at)) => longs[*at] = value.number(),
                Some((1, at)) => ints[*at] = value.number() as u32,
                Some((_, at)) => bytes[*at] = value.bytes(),
                None => {}
            }
        }
        columns.longs.iter_mut().zip(longs).for_each(|(column, value)| column.append_value(value));
        columns.ints.iter_mut().zip(ints).for_each(|(column, value)| column.append_value(value));
        columns.bytes.iter_mut().zip(bytes).for_each(|(column, value)| column.append_value(value));
    }
    columns.ends.0.push(columns.ints[0].values_slice().len() as i32);
}

pub fn write(bytes: &[u8], columns: &mut WriteColumns) {
    let mut labels = columns.labels.0.last().copied().unwrap_or(0);
    for (_, series) in Fields(bytes).filter(|(number, _)| *number == 1) {
        for (number, value) in Fields(series.bytes()) {
            match number {
                1 => {
                    let (mut name, mut text) = ("", "");
                    for (number, value) in Fields(value.bytes()) {
                        match number {
                            1 => name = value.text(),
                            2 => text = value.text(),
                            _ => {}
                        }
                    }
                    columns.name.append_value(name);
                    columns.text.append_value(text);
                    labels += 1;
                }
                2 => {
                    let (mut sample, mut timestamp) = (0.0, 0);
                    for (number, value) in Fields(value.bytes()) {
                        match number {
                            1 => sample = f64::from_bits(value.number()),
                            2 => timestamp = value.number() as i64,
                            _ => {}
                        }
                    }
                    columns.value.append_value(sample);
                    columns.timestamp.append_value(timestamp);
                }
                _ => {}
            }
        }
        columns.labels.0.push(labels);
        columns.samples.0.push(columns.value.values_slice().len() as i32);
    }
    columns.series.0.push(columns.labels.0.len() as i32 - 1);
}

pub fn logs(bytes: &[u8], columns: &mut LogColumns) {
    let mut host = "";
    let mut tags = columns.tags.0.last().copied().unwrap_or(0);
    for (number, value) in Fields(bytes) {
        match number {
            1 => host = value.text(),
            2 => line(value.bytes(), columns, &mut tags),
            _ => {}
        }
    }
    columns.host.append_value(host);
    columns.lines.0.push(columns.time.values_slice().len() as i32);
}

fn line(bytes: &[u8], columns: &mut LogColumns, tags: &mut i32) {
    let (mut time, mut severity, mut body) = (0, 0, "");
    for (number, value) in Fields(bytes) {
        match number {
            1 => time = value.number(),
            2 => severity = value.number() as i32,
            3 => body = value.text(),
            4 => {
                let (mut key, mut text) = ("", "");
                for (number, value) in Fields(value.bytes()) {
                    match number {
                        1 => key = value.text(),
                        2 => text = value.text(),
                        _ => {}
                    }
                }
                columns.key.append_value(key);
                columns.value.append_value(text);
                *tags += 1;
            }
            5 => {
                let (mut file, mut line) = ("", 0);
                for (number, value) in Fields(value.bytes()) {
                    match number {
                        1 => file = value.text(),
                        2 => line = value.number() as u32,
                        _ => {}
                    }
                }
                columns.file.append_value(file);
                columns.line.append_value(line);
            }
            _ => {}
        }
    }
    columns.time.append_value(time);
    columns.severity.append_value(severity);
    columns.body.append_value(body);
    columns.tags.0.push(*tags);
    columns.stacks.0.push(columns.line.values_slice().len() as i32);
}

//! Columns of each kind of messages, on Arrow's builders: what those fill who write it by hand.

use arrow_array::builder::*;
use arrow_array::*;
use arrow_buffer::{NullBufferBuilder, OffsetBuffer};
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema};
use std::sync::Arc;

/// Where the elements of each list end.
pub struct Ends(pub Vec<i32>);

impl Default for Ends {
    fn default() -> Self {
        Ends(vec![0])
    }
}

impl Ends {
    fn list(&mut self, field: &Field, items: ArrayRef) -> ArrayRef {
        let DataType::List(item) = field.data_type() else { panic!("{field} is not a list") };
        let offsets = OffsetBuffer::new(std::mem::take(&mut self.0).into());
        self.0.push(0);
        Arc::new(ListArray::new(item.clone(), offsets, items, None))
    }
}

/// The fields of the struct, of which a list may be.
fn fields(field: &Field) -> &Fields {
    match field.data_type() {
        DataType::Struct(fields) => fields,
        DataType::List(item) => fields(item),
        DataType::Map(entries, _) => fields(entries),
        other => panic!("{other} has no fields"),
    }
}

fn structs(field: &Field, arrays: Vec<ArrayRef>, nulls: &mut NullBufferBuilder) -> ArrayRef {
    Arc::new(StructArray::new(fields(field).clone(), arrays, nulls.finish()))
}

fn whole(field: &Field, arrays: Vec<ArrayRef>) -> ArrayRef {
    Arc::new(StructArray::new(fields(field).clone(), arrays, None))
}

fn done(builder: &mut impl ArrayBuilder) -> ArrayRef {
    builder.finish()
}

/// Keys and values of attributes.
pub struct Attributes {
    pub ends: Ends,
    pub key: StringBuilder,
    pub value: NullBufferBuilder,
    pub string: StringBuilder,
    pub bool: BooleanBuilder,
    pub int: Int64Builder,
    pub double: Float64Builder,
}

impl Default for Attributes {
    fn default() -> Self {
        Attributes {
            ends: Ends::default(),
            key: StringBuilder::new(),
            value: NullBufferBuilder::new(0),
            string: StringBuilder::new(),
            bool: BooleanBuilder::new(),
            int: Int64Builder::new(),
            double: Float64Builder::new(),
        }
    }
}

impl Attributes {
    pub fn push(
        &mut self,
        key: &str,
        is_there: bool,
        string: Option<&str>,
        bool: Option<bool>,
        int: Option<i64>,
        double: Option<f64>,
    ) {
        self.key.append_value(key);
        self.value.append(is_there);
        self.string.append_option(string);
        self.bool.append_option(bool);
        self.int.append_option(int);
        self.double.append_option(double);
    }

    pub fn end(&mut self) {
        self.ends.0.push(self.key.len() as i32);
    }

    fn finish(&mut self, field: &FieldRef) -> ArrayRef {
        let value = &fields(field)[1];
        let members =
            vec![done(&mut self.string), done(&mut self.bool), done(&mut self.int), done(&mut self.double)];
        let value = structs(value, members, &mut self.value);
        self.ends.list(field, whole(field, vec![done(&mut self.key), value]))
    }
}

pub struct TraceColumns {
    pub resources: Ends,
    pub resource: NullBufferBuilder,
    pub resource_attributes: Attributes,
    pub scopes: Ends,
    pub scope: NullBufferBuilder,
    pub scope_name: StringBuilder,
    pub scope_version: StringBuilder,
    pub spans: Ends,
    pub trace_id: BinaryBuilder,
    pub span_id: BinaryBuilder,
    pub parent: BinaryBuilder,
    pub name: StringBuilder,
    pub kind: Int32Builder,
    pub start: UInt64Builder,
    pub end: UInt64Builder,
    pub attributes: Attributes,
    pub status: NullBufferBuilder,
    pub message: StringBuilder,
    pub code: Int32Builder,
}

impl Default for TraceColumns {
    fn default() -> Self {
        TraceColumns {
            resources: Ends::default(),
            resource: NullBufferBuilder::new(0),
            resource_attributes: Attributes::default(),
            scopes: Ends::default(),
            scope: NullBufferBuilder::new(0),
            scope_name: StringBuilder::new(),
            scope_version: StringBuilder::new(),
            spans: Ends::default(),
            trace_id: BinaryBuilder::new(),
            span_id: BinaryBuilder::new(),
            parent: BinaryBuilder::new(),
            name: StringBuilder::new(),
            kind: Int32Builder::new(),
            start: UInt64Builder::new(),
            end: UInt64Builder::new(),
            attributes: Attributes::default(),
            status: NullBufferBuilder::new(0),
            message: StringBuilder::new(),
            code: Int32Builder::new(),
        }
    }
}

impl TraceColumns {
    pub fn finish(&mut self, schema: &Arc<Schema>) -> RecordBatch {
        let resource_spans = schema.field(0);
        let [resource, scope_spans] = &fields(resource_spans)[..] else { panic!("two columns") };
        let [scope, spans] = &fields(scope_spans)[..] else { panic!("two columns") };
        let inner = fields(spans);
        let status = vec![done(&mut self.message), done(&mut self.code)];
        let span = vec![
            done(&mut self.trace_id),
            done(&mut self.span_id),
            done(&mut self.parent),
            done(&mut self.name),
            done(&mut self.kind),
            done(&mut self.start),
            done(&mut self.end),
            self.attributes.finish(&inner[7]),
            structs(&inner[8], status, &mut self.status),
        ];
        let span_lists = self.spans.list(spans, whole(spans, span));
        let scope_members = vec![done(&mut self.scope_name), done(&mut self.scope_version)];
        let scopes = structs(scope, scope_members, &mut self.scope);
        let scope_lists = self.scopes.list(scope_spans, whole(scope_spans, vec![scopes, span_lists]));
        let attributes = self.resource_attributes.finish(&fields(resource)[0]);
        let resources = structs(resource, vec![attributes], &mut self.resource);
        let rows = whole(resource_spans, vec![resources, scope_lists]);
        RecordBatch::try_new(schema.clone(), vec![self.resources.list(resource_spans, rows)]).unwrap()
    }
}

/// One builder for each field of a flow.
#[derive(Default)]
pub struct FlowColumns {
    pub ends: Ends,
    pub longs: [UInt64Builder; 8],
    pub ints: [UInt32Builder; 10],
    pub bytes: [BinaryBuilder; 3],
}

/// For each field of a flow, in which of those builders it is: 0 for `longs`, 1 for `ints`, 2 for `bytes`.
pub const FLOW: [(u8, usize); 21] = [
    (0, 0),
    (1, 0),
    (0, 1),
    (2, 0),
    (0, 2),
    (0, 3),
    (0, 4),
    (0, 5),
    (2, 1),
    (2, 2),
    (1, 1),
    (1, 2),
    (1, 3),
    (1, 4),
    (1, 5),
    (1, 6),
    (0, 6),
    (0, 7),
    (1, 7),
    (1, 8),
    (1, 9),
];

impl FlowColumns {
    pub fn finish(&mut self, schema: &Arc<Schema>) -> RecordBatch {
        let field = schema.field(0);
        let columns = FLOW.map(|(kind, at)| match kind {
            0 => done(&mut self.longs[at]),
            1 => done(&mut self.ints[at]),
            _ => done(&mut self.bytes[at]),
        });
        let list = self.ends.list(field, whole(field, columns.to_vec()));
        RecordBatch::try_new(schema.clone(), vec![list]).unwrap()
    }
}

#[derive(Default)]
pub struct WriteColumns {
    pub series: Ends,
    pub labels: Ends,
    pub name: StringBuilder,
    pub text: StringBuilder,
    pub samples: Ends,
    pub value: Float64Builder,
    pub timestamp: Int64Builder,
}

impl WriteColumns {
    pub fn finish(&mut self, schema: &Arc<Schema>) -> RecordBatch {
        let series = schema.field(0);
        let [labels, samples] = &fields(series)[..] else { panic!("two columns") };
        let all_labels = whole(labels, vec![done(&mut self.name), done(&mut self.text)]);
        let all_samples = whole(samples, vec![done(&mut self.value), done(&mut self.timestamp)]);
        let columns = vec![self.labels.list(labels, all_labels), self.samples.list(samples, all_samples)];
        let list = self.series.list(series, whole(series, columns));
        RecordBatch::try_new(schema.clone(), vec![list]).unwrap()
    }
}

#[derive(Default)]
pub struct LogColumns {
    pub host: StringBuilder,
    pub lines: Ends,
    pub time: UInt64Builder,
    pub severity: Int32Builder,
    pub body: StringBuilder,
    pub tags: Ends,
    pub key: StringBuilder,
    pub value: StringBuilder,
    pub stacks: Ends,
    pub file: StringBuilder,
    pub line: UInt32Builder,
}

impl LogColumns {
    pub fn finish(&mut self, schema: &Arc<Schema>) -> RecordBatch {
        let lines = schema.field(1);
        let inner = fields(lines);
        let DataType::Map(entries, _) = inner[3].data_type() else { panic!("a map") };
        let pairs = vec![done(&mut self.key), done(&mut self.value)];
        let pairs = StructArray::new(fields(entries).clone(), pairs, None);
        let ends = OffsetBuffer::new(std::mem::take(&mut self.tags).0.into());
        let tags = MapArray::new(entries.clone(), ends, pairs, None, false);
        let frames = whole(&inner[4], vec![done(&mut self.file), done(&mut self.line)]);
        let columns = vec![
            done(&mut self.time),
            done(&mut self.severity),
            done(&mut self.body),
            Arc::new(tags) as ArrayRef,
            self.stacks.list(&inner[4], frames),
        ];
        let list = self.lines.list(lines, whole(lines, columns));
        RecordBatch::try_new(schema.clone(), vec![done(&mut self.host), list]).unwrap()
    }
}

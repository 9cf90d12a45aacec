//! The messages of `columns.proto`, as prost generates them.

use prost::{Message, Oneof};
use std::collections::BTreeMap;

macro_rules! messages {
    ($($name:ident { $($(#[$attribute:meta])* $field:ident: $ty:ty,)* })*) => {
        $(
            #[derive(Clone, PartialEq, Message)]
            pub struct $name { $($(#[$attribute])* pub $field: $ty,)* }
        )*
    };
}

messages! {
    Traces {
        #[prost(message, repeated, tag = "1")]
        resource_spans: Vec<ResourceSpans>,
    }
    ResourceSpans {
        #[prost(message, optional, tag = "1")]
        resource: Option<Resource>,
        #[prost(message, repeated, tag = "2")]
        scope_spans: Vec<ScopeSpans>,
    }
    Resource {
        #[prost(message, repeated, tag = "1")]
        attributes: Vec<KeyValue>,
    }
    ScopeSpans {
        #[prost(message, optional, tag = "1")]
        scope: Option<Scope>,
        #[prost(message, repeated, tag = "2")]
        spans: Vec<Span>,
    }
    Scope {
        #[prost(string, tag = "1")]
        name: String,
        #[prost(string, tag = "2")]
        version: String,
    }
    Span {
        #[prost(bytes = "vec", tag = "1")]
        trace_id: Vec<u8>,
        #[prost(bytes = "vec", tag = "2")]
        span_id: Vec<u8>,
        #[prost(bytes = "vec", tag = "4")]
        parent_span_id: Vec<u8>,
        #[prost(string, tag = "5")]
        name: String,
        #[prost(int32, tag = "6")]
        kind: i32,
        #[prost(fixed64, tag = "7")]
        start_time_unix_nano: u64,
        #[prost(fixed64, tag = "8")]
        end_time_unix_nano: u64,
        #[prost(message, repeated, tag = "9")]
        attributes: Vec<KeyValue>,
        #[prost(message, optional, tag = "15")]
        status: Option<Status>,
    }
    Status {
        #[prost(string, tag = "2")]
        message: String,
        #[prost(int32, tag = "3")]
        code: i32,
    }
    KeyValue {
        #[prost(string, tag = "1")]
        key: String,
        #[prost(message, optional, tag = "2")]
        value: Option<AnyValue>,
    }
    AnyValue {
        #[prost(oneof = "Value", tags = "1, 2, 3, 4")]
        value: Option<Value>,
    }
    Flows {
        #[prost(message, repeated, tag = "1")]
        flows: Vec<Flow>,
    }
    Flow {
        #[prost(uint64, tag = "1")]
        time_received_ns: u64,
        #[prost(uint32, tag = "2")]
        sequence_num: u32,
        #[prost(uint64, tag = "3")]
        sampling_rate: u64,
        #[prost(bytes = "vec", tag = "4")]
        sampler_address: Vec<u8>,
        #[prost(uint64, tag = "5")]
        time_flow_start_ns: u64,
        #[prost(uint64, tag = "6")]
        time_flow_end_ns: u64,
        #[prost(uint64, tag = "7")]
        bytes: u64,
        #[prost(uint64, tag = "8")]
        packets: u64,
        #[prost(bytes = "vec", tag = "9")]
        src_addr: Vec<u8>,
        #[prost(bytes = "vec", tag = "10")]
        dst_addr: Vec<u8>,
        #[prost(uint32, tag = "11")]
        etype: u32,
        #[prost(uint32, tag = "12")]
        proto: u32,
        #[prost(uint32, tag = "13")]
        src_port: u32,
        #[prost(uint32, tag = "14")]
        dst_port: u32,
        #[prost(uint32, tag = "15")]
        in_if: u32,
        #[prost(uint32, tag = "16")]
        out_if: u32,
        #[prost(uint64, tag = "17")]
        src_mac: u64,
        #[prost(uint64, tag = "18")]
        dst_mac: u64,
        #[prost(uint32, tag = "19")]
        tcp_flags: u32,
        #[prost(uint32, tag = "20")]
        src_as: u32,
        #[prost(uint32, tag = "21")]
        dst_as: u32,
    }
    Write {
        #[prost(message, repeated, tag = "1")]
        timeseries: Vec<Series>,
    }
    Series {
        #[prost(message, repeated, tag = "1")]
        labels: Vec<Label>,
        #[prost(message, repeated, tag = "2")]
        samples: Vec<Sample>,
    }
    Label {
        #[prost(string, tag = "1")]
        name: String,
        #[prost(string, tag = "2")]
        value: String,
    }
    Sample {
        #[prost(double, tag = "1")]
        value: f64,
        #[prost(int64, tag = "2")]
        timestamp: i64,
    }
    Logs {
        #[prost(string, tag = "1")]
        host: String,
        #[prost(message, repeated, tag = "2")]
        lines: Vec<Line>,
    }
    Line {
        #[prost(fixed64, tag = "1")]
        time: u64,
        #[prost(int32, tag = "2")]
        severity: i32,
        #[prost(string, tag = "3")]
        body: String,
        #[prost(btree_map = "string, string", tag = "4")]
        tags: BTreeMap<String, String>,
        #[prost(message, repeated, tag = "5")]
        stack: Vec<Frame>,
    }
    Frame {
        #[prost(string, tag = "1")]
        file: String,
        #[prost(uint32, tag = "2")]
        line: u32,
    }
}

#[derive(Clone, PartialEq, Oneof)]
pub enum Value {
    #[prost(string, tag = "1")]
    String(String),
    #[prost(bool, tag = "2")]
    Bool(bool),
    #[prost(int64, tag = "3")]
    Int(i64),
    #[prost(double, tag = "4")]
    Double(f64),
}

//! Sums up the same requests with prost. The structs have the fields that prost's generator gives them.

use crate::Totals;
use prost::Message;

/// Declares structs like those that prost generates.
macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident { $(#[prost($($attribute:tt)*)] $field:ident: $ty:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, PartialEq, Message)]
            #[allow(missing_docs, reason = "the schema documents them")]
            pub struct $name { $(#[prost($($attribute)*)] pub $field: $ty,)* }
        )*
    };
}

messages! {
    /// A request of an exporter.
    Request { #[prost(message, repeated, tag = "1")] resource_spans: Vec<ResourceSpans>, }
    /// The spans of a service.
    ResourceSpans {
        #[prost(message, optional, tag = "1")] resource: Option<Resource>,
        #[prost(message, repeated, tag = "2")] scope_spans: Vec<ScopeSpans>,
    }
    /// The resource that recorded the spans, here a service.
    Resource { #[prost(message, repeated, tag = "1")] attributes: Vec<KeyValue>, }
    /// The spans of one instrumentation library.
    ScopeSpans {
        #[prost(message, optional, tag = "1")] scope: Option<Scope>,
        #[prost(message, repeated, tag = "2")] spans: Vec<Span>,
    }
    /// An instrumentation library.
    Scope { #[prost(string, tag = "1")] name: String, #[prost(string, tag = "2")] version: String, }
    /// One operation.
    Span {
        #[prost(bytes = "vec", tag = "1")] trace_id: Vec<u8>,
        #[prost(bytes = "vec", tag = "2")] span_id: Vec<u8>,
        #[prost(bytes = "vec", tag = "4")] parent_span_id: Vec<u8>,
        #[prost(string, tag = "5")] name: String,
        #[prost(int32, tag = "6")] kind: i32,
        #[prost(fixed64, tag = "7")] start_time_unix_nano: u64,
        #[prost(fixed64, tag = "8")] end_time_unix_nano: u64,
        #[prost(message, repeated, tag = "9")] attributes: Vec<KeyValue>,
        #[prost(message, optional, tag = "15")] status: Option<Status>,
    }
    /// The status with which a span ended.
    Status { #[prost(string, tag = "2")] message: String, #[prost(int32, tag = "3")] code: i32, }
    /// An attribute.
    KeyValue {
        #[prost(string, tag = "1")] key: String,
        #[prost(message, optional, tag = "2")] value: Option<AnyValue>,
    }
    /// The value of an attribute. Here, every value is a string.
    AnyValue { #[prost(string, optional, tag = "1")] string_value: Option<String>, }
}

/// Adds the spans of a request to `totals`.
///
/// # Errors
/// The bytes are not a valid request.
pub fn add(request: &[u8], totals: &mut Totals) -> Result<(), prost::DecodeError> {
    for resource in Request::decode(request)?.resource_spans {
        for scope in resource.scope_spans {
            let name = scope.scope.map(|scope| scope.name).unwrap_or_default();
            for span in scope.spans {
                let total = totals.entry((name.clone(), span.name)).or_default();
                total.spans += 1;
                total.errors += u64::from(span.status.is_some_and(|status| status.code == 2));
                total.nanoseconds += span.end_time_unix_nano.saturating_sub(span.start_time_unix_nano);
            }
        }
    }
    Ok(())
}

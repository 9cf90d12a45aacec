//! Collects spans, and sends them in batches.

use crate::proto::telemetry::v1::any_value::Value;
use crate::proto::telemetry::v1::traces_client::TracesClient;
use crate::proto::telemetry::v1::{self, AnyValue, KeyValue, PartialSuccess, Resource, ResourceSpans, Span, status};
use tonic::transport::Channel;

pub struct Exporter {
    client: TracesClient<Channel>,
    resource: Resource,
    batch: Vec<Span>,
    pub dropped: i64,
}

impl Exporter {
    pub fn new(client: TracesClient<Channel>, service: &str) -> Self {
        let mut resource = Resource::default();
        resource.attributes.push(attribute("service.name", Value::Text(service.to_owned())));
        Exporter { client, resource, batch: Vec::new(), dropped: 0 }
    }

    /// Takes a span that has ended.
    pub fn end(&mut self, mut span: Span, now: u64) {
        span.end_nanos = now;
        if span.status.is_none() {
            span.status = Some(v1::Status { code: status::Code::OK, ..Default::default() });
        }
        if span.parent.as_deref() == Some("") {
            span.parent = None;
        }
        for attribute in &mut span.attributes {
            attribute.key.make_ascii_lowercase();
            if attribute.key.starts_with("secret.") {
                attribute.value = None;
            }
        }
        span.attributes.retain(|attribute| attribute.value.is_some());
        self.batch.push(span);
    }

    /// Sends what was collected.
    pub async fn flush(&mut self) -> Result<(), tonic::Status> {
        let spans = std::mem::take(&mut self.batch);
        let request = v1::ExportRequest {
            resource_spans: vec![ResourceSpans {
                resource: Some(self.resource.clone()),
                spans,
                ..Default::default()
            }],
            ..Default::default()
        };
        let response = self.client.export(request).await?.into_inner();
        match response.partial_success {
            Some(PartialSuccess { rejected_spans: 0, .. }) | None => Ok(()),
            Some(partial) => {
                self.dropped += partial.rejected_spans;
                Err(tonic::Status::data_loss(partial.error_message))
            }
        }
    }
}

pub fn attribute(key: &str, value: Value) -> KeyValue {
    KeyValue { key: key.to_owned(), value: Some(AnyValue { value: Some(value), ..Default::default() }), ..Default::default() }
}

/// What an attribute says, for people.
pub fn shown(value: &AnyValue) -> String {
    match &value.value {
        Some(Value::Text(text)) => text.clone(),
        Some(Value::Is(is)) => is.to_string(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Array(array)) => array.values.iter().map(shown).collect::<Vec<_>>().join(", "),
        None => String::new(),
    }
}

pub fn describe(span: &Span) -> String {
    let code = span.status.as_ref().map(|status| status.code).unwrap_or_default();
    let mut line = format!("{} in {} ns: {code}", span.name, span.end_nanos - span.start_nanos);
    if let Some(parent) = &span.parent {
        line += parent;
    }
    for KeyValue { key, .. } in &span.attributes {
        line.push_str(key);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_without_a_status_are_fine() {
        let span = Span { trace_id: vec![1; 16], name: "GET /".into(), ..Default::default() };
        assert_eq!(describe(&span), "GET / in 0 ns: UNSET");
        assert_eq!((span.trace_id.len(), span.parent), (16, None));
    }
}

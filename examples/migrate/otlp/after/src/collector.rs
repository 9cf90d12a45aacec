//! A collector that stores the traces that it receives, in the form of an OTLP file.

use crate::proto::collector::trace::v1::trace_service_server::TraceService;
use crate::proto::collector::trace::v1::{
    ExportTracePartialSuccess, ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use crate::proto::trace::v1::{ResourceSpans, TracesData};
use std::sync::{Arc, Mutex};
use tonic::{Request, Response, Status};

#[derive(Clone, Default)]
pub struct Collector {
    traces: Arc<Mutex<TracesData>>,
}

impl Collector {
    pub fn traces(&self) -> TracesData {
        self.traces.lock().unwrap().clone()
    }
}

impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        if request.metadata().get("authorization").is_none_or(|token| token != "Bearer secret") {
            return Err(Status::unauthenticated("who are you?"));
        }
        let request = request.into_inner();
        let rejected = request.resource_spans.iter().map(nameless).sum();
        self.traces.lock().unwrap().resource_spans.extend(request.resource_spans);
        let partial_success = (rejected > 0).then(|| ExportTracePartialSuccess {
            rejected_spans: rejected,
            error_message: "spans have names".to_owned(),
            ..Default::default()
        });
        Ok(Response::new(ExportTraceServiceResponse { partial_success, ..Default::default() }))
    }
}

fn nameless(resource: &ResourceSpans) -> i64 {
    let spans = resource.scope_spans.iter().flat_map(|scope| &scope.spans);
    spans.filter(|span| span.name.is_empty()).count() as i64
}

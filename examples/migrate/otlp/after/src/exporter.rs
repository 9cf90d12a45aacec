//! Collects spans, and sends them in batches.

use crate::proto::collector::trace::v1::ExportTraceServiceRequest;
use crate::proto::collector::trace::v1::trace_service_client::TraceServiceClient;
use crate::proto::trace::v1::Span;
use crate::spans::resource_spans;
use tobu::Message;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

type Authorize = fn(Request<()>) -> Result<Request<()>, Status>;

pub struct Exporter {
    client: TraceServiceClient<InterceptedService<Channel, Authorize>>,
    batch: Vec<Span>,
    batch_size: usize,
    /// The number of bytes of all messages that were sent.
    pub sent: usize,
}

impl Exporter {
    pub async fn connect(address: String, batch_size: usize) -> Result<Self, tonic::transport::Error> {
        let channel = Endpoint::from_shared(address)?.connect().await?;
        let client = TraceServiceClient::with_interceptor(channel, authorize as Authorize);
        Ok(Self { client, batch: Vec::new(), batch_size, sent: 0 })
    }

    /// Adds a span to the batch, and sends the batch if it is full.
    pub async fn end(&mut self, span: Span) -> Result<(), Status> {
        self.batch.push(span);
        if self.batch.len() == self.batch_size { self.flush().await } else { Ok(()) }
    }

    /// Sends the spans that are still in the batch.
    pub async fn flush(&mut self) -> Result<(), Status> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let spans = std::mem::take(&mut self.batch);
        let request =
            ExportTraceServiceRequest { resource_spans: vec![resource_spans(spans)], ..Default::default() };
        self.sent += request.encoded_len();
        let response = self.client.export(request).await?.into_inner();
        match response.partial_success {
            Some(partial) if partial.rejected_spans > 0 => Err(Status::data_loss(partial.error_message)),
            _ => Ok(()),
        }
    }
}

fn authorize(mut request: Request<()>) -> Result<Request<()>, Status> {
    request.metadata_mut().insert("authorization", "Bearer secret".parse().unwrap());
    Ok(request)
}

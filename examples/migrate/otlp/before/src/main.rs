//! Records spans, sends them to a collector in batches, and writes what the collector received as OTLP/JSON.

mod collector;
mod exporter;
mod json;
mod spans;

pub mod proto {
    pub mod common {
        pub mod v1 {
            tonic::include_proto!("opentelemetry.proto.common.v1");
        }
    }
    pub mod resource {
        pub mod v1 {
            tonic::include_proto!("opentelemetry.proto.resource.v1");
        }
    }
    pub mod trace {
        pub mod v1 {
            tonic::include_proto!("opentelemetry.proto.trace.v1");
        }
    }
    pub mod collector {
        pub mod trace {
            pub mod v1 {
                tonic::include_proto!("opentelemetry.proto.collector.trace.v1");
            }
        }
    }
}

use collector::Collector;
use exporter::Exporter;
use prost::Message;
use proto::collector::trace::v1::trace_service_server::TraceServiceServer;
use proto::trace::v1::TracesData;
use serde_json::{Value, json};
use std::error::Error;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let collector = Collector::default();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let service = TraceServiceServer::new(collector.clone());
    tokio::spawn(
        Server::builder().add_service(service).serve_with_incoming(TcpListenerStream::new(listener)),
    );

    let mut exporter = Exporter::connect(format!("http://{address}"), 2).await?;
    for span in spans::record() {
        println!("{}", spans::describe(&span));
        exporter.end(span).await?;
    }
    exporter.flush().await?;

    let traces = collector.traces();
    let recorded =
        [&spans::record()[..2], &spans::record()[2..]].map(|batch| spans::resource_spans(batch.to_vec()));
    assert_eq!(traces.resource_spans, recorded);

    // The traces, written as a file, have the same bytes as the messages that were sent.
    let bytes = traces.encode_to_vec();
    assert_eq!(bytes.len(), exporter.sent);
    assert_eq!(TracesData::decode(bytes.as_slice())?, traces);

    let text = serde_json::to_string(&traces)?;
    assert_eq!(serde_json::from_str::<TracesData>(&text)?, traces);
    let value: Value = serde_json::from_str(&text)?;
    let spans = &value["resourceSpans"][0]["scopeSpans"][0]["spans"];
    assert_eq!(spans[0]["traceId"], "01010101010101010101010101010101");
    assert_eq!(spans[0]["parentSpanId"], "0101010101010101");
    assert_eq!(spans[0]["startTimeUnixNano"], "1700000000001000000");
    assert_eq!(spans[0]["kind"], 3);
    assert_eq!(spans[1]["attributes"][1], json!({"key": "server.port", "value": {"intValue": "8080"}}));
    println!("{} spans, {} bytes", spans::record().len(), bytes.len());
    println!("{text}");
    Ok(())
}

//! Reads trace requests of OpenTelemetry in two ways: as rows, with a derive of tobu, and as messages of prost.

pub mod by_prost;
pub mod request;
pub mod rows;

use std::collections::BTreeMap;
use std::path::Path;
use tobu::source::Compiler;

/// The totals of each operation. The key is the scope and the name of the span.
pub type Totals = BTreeMap<(String, String), Total>;

/// The totals of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// The number of spans.
    pub spans: u64,
    /// The number of spans with an error.
    pub errors: u64,
    /// The sum of the durations of the spans, in nanoseconds.
    pub nanoseconds: u64,
}

/// Compiles the schema, and returns the descriptor of the request that exporters send.
///
/// # Errors
/// The .proto files do not exist, or do not compile.
pub fn message() -> Result<tobu::MessageDescriptor, Box<dyn std::error::Error>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrate/otlp/after/proto");
    let file = "opentelemetry/proto/collector/trace/v1/trace_service.proto";
    let pool = Compiler::new().include(&directory).compile(&[directory.join(file)])?.into_pool();
    let name = "opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest";
    pool.message(name).ok_or_else(|| format!("{file} has no {name}").into())
}

//! Trace requests of OpenTelemetry as rows: by a derive of tobu, and by prost.

pub mod by_prost;
pub mod request;
pub mod rows;

use std::collections::BTreeMap;
use std::path::Path;
use tobu::source::Compiler;

/// The spans and the nanoseconds of each operation, by scope and name.
pub type Totals = BTreeMap<(String, String), Total>;

/// The sums of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// How many spans there are.
    pub spans: u64,
    /// How many of them are errors.
    pub errors: u64,
    /// How long they took.
    pub nanoseconds: u64,
}

/// The message that exporters send.
///
/// # Errors
/// The sources are not there, or do not compile.
pub fn message() -> Result<tobu::MessageDescriptor, Box<dyn std::error::Error>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrate/otlp/after/proto");
    let file = "opentelemetry/proto/collector/trace/v1/trace_service.proto";
    let pool = Compiler::new().include(&directory).compile(&[directory.join(file)])?.into_pool();
    let name = "opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest";
    pool.message(name).ok_or_else(|| format!("{file} has no {name}").into())
}

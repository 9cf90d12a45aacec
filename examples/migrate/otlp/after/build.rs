fn main() -> tobu_build::Result<()> {
    let mut config = tobu_build::Config::new();
    // OTLP/JSON writes ids in hexadecimal.
    for field in ["trace_id", "span_id", "parent_span_id"] {
        config.with(
            format!("opentelemetry.proto.trace.v1.Span.{field}"),
            "::std::vec::Vec<u8>",
            "::tobu::member::Hex",
        );
    }
    config
        .client(true)
        .server(true)
        .compile(&["opentelemetry/proto/collector/trace/v1/trace_service.proto"], &["proto"])
}

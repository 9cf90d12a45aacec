fn main() -> tobu_build::Result<()> {
    tobu_build::Config::new()
        .client(true)
        .server(true)
        .compile(&["opentelemetry/proto/collector/trace/v1/trace_service.proto"], &["proto"])
}

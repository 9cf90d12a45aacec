const TRACE: &str = "opentelemetry.proto.trace.v1";
const COMMON: &str = "opentelemetry.proto.common.v1";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // protox replaces protoc, which prost-build would otherwise need.
    let files = protox::compile(["opentelemetry/proto/collector/trace/v1/trace_service.proto"], ["proto"])?;

    let mut config = tonic_prost_build::configure()
        .type_attribute(".", "#[derive(serde::Serialize, serde::Deserialize)]")
        .type_attribute(".", "#[serde(rename_all = \"camelCase\")]")
        .message_attribute(".", "#[serde(default)]")
        .field_attribute(format!("{COMMON}.AnyValue.value"), "#[serde(flatten)]");
    // OTLP/JSON writes ids in hexadecimal, and 64-bit numbers as strings.
    for field in ["trace_id", "span_id", "parent_span_id"] {
        config =
            config.field_attribute(format!("{TRACE}.Span.{field}"), "#[serde(with = \"crate::json::hex\")]");
    }
    for field in ["Span.start_time_unix_nano", "Span.end_time_unix_nano", "Span.Event.time_unix_nano"] {
        config =
            config.field_attribute(format!("{TRACE}.{field}"), "#[serde(with = \"crate::json::number\")]");
    }
    config = config.field_attribute(
        format!("{COMMON}.AnyValue.value.int_value"),
        "#[serde(with = \"crate::json::number\")]",
    );
    config.compile_fds(files)?;
    Ok(())
}

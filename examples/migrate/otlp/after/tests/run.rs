//! The example runs to its end: it checks what it does by itself.

#[test]
fn it_runs() {
    let program = env!("CARGO_BIN_EXE_example-migrate-otlp");
    let output = std::process::Command::new(program).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "asked SELECT books in 2 ms: STATUS_CODE_UNSET",
            "answered GET /books/1 in 5 ms: STATUS_CODE_UNSET",
            "answered GET /shelves/9 in 5 ms: STATUS_CODE_ERROR",
            "3 spans, 489 bytes",
        ]
    );
    // The names, ids, numbers and enum values of OTLP/JSON.
    let traces: serde_json::Value = serde_json::from_str(lines[4]).expect("JSON");
    assert_eq!(
        traces["resourceSpans"][1]["scopeSpans"][0]["spans"][0],
        serde_json::json!({
            "traceId": "02020202020202020202020202020202",
            "spanId": "0202020202020202",
            "name": "GET /shelves/9",
            "kind": 2,
            "startTimeUnixNano": "1700000000000000000",
            "endTimeUnixNano": "1700000000005000000",
            "attributes": [
                {"key": "http.request.method", "value": {"stringValue": "GET"}},
                {"key": "server.port", "value": {"intValue": "8080"}},
            ],
            "events": [{
                "timeUnixNano": "1700000000002000000",
                "name": "exception",
                "attributes": [{"key": "exception.type", "value": {"stringValue": "NotFound"}}],
            }],
            "status": {"message": "no such shelf", "code": 2},
        })
    );
}

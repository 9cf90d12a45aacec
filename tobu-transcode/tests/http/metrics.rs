//! Metrics for Prometheus.

use std::time::Duration;

use tobu_transcode::Metrics;

use super::serve::Server;

#[tokio::test]
async fn requests_are_counted() {
    let metrics = Metrics::new();
    let server = Server::with(|builder| builder.observer(metrics.clone())).await;
    for line in
        ["GET /v1/shelves/1", "GET /v1/shelves/1", "GET /v1/shelves/denied", "GET /v2", "MKCOL /v1/shelves/1"]
    {
        server.ask(line, "").await;
    }
    let ended = |text: &str| -> u64 {
        let counts = text.lines().filter(|line| line.starts_with("tobu_transcode_requests_total{"));
        counts.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
    };
    // A call ends after the client has its answer.
    while ended(&metrics.text()) < 5 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let text = metrics.text();
    for line in [
        r#"tobu_transcode_requests_total{grpc_method="library.v1.Library.GetShelf",http_method="GET",code="OK"} 2"#,
        r#"tobu_transcode_requests_total{grpc_method="library.v1.Library.GetShelf",http_method="GET",code="PERMISSION_DENIED"} 1"#,
        r#"tobu_transcode_requests_total{grpc_method="",http_method="GET",code="NOT_FOUND"} 1"#,
        r#"tobu_transcode_requests_total{grpc_method="",http_method="other",code="UNIMPLEMENTED"} 1"#,
        r#"tobu_transcode_responses_total{status="200"} 2"#,
        r#"tobu_transcode_responses_total{status="403"} 1"#,
        r#"tobu_transcode_request_seconds_bucket{grpc_method="library.v1.Library.GetShelf",http_method="GET",le="10"} 3"#,
        r#"tobu_transcode_request_seconds_bucket{grpc_method="library.v1.Library.GetShelf",http_method="GET",le="+Inf"} 3"#,
        r#"tobu_transcode_request_seconds_count{grpc_method="library.v1.Library.GetShelf",http_method="GET"} 3"#,
        r#"tobu_transcode_reloads_total{result="changed"} 0"#,
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    // Each metric has its type once, before its values, as the format demands.
    let types = text.lines().filter(|line| line.starts_with("# TYPE ")).count();
    let helps = text.lines().filter(|line| line.starts_with("# HELP ")).count();
    assert_eq!((types, helps), (4, 4));
    assert!(text.ends_with('\n'));
}

//! Requests as a reader of OpenTelemetry sees them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use opentelemetry::metrics::MeterProvider;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::metrics::data::{AggregatedMetrics, Metric, MetricData, ResourceMetrics};
use opentelemetry_sdk::metrics::exporter::PushMetricExporter;
use opentelemetry_sdk::metrics::{SdkMeterProvider, Temporality};
use tobu_transcode::{Error, Observer, Telemetry};

use super::serve::Server;

/// The name, the unit and the points of each instrument that was exported.
type Told = Arc<Mutex<Vec<(String, String, Vec<String>)>>>;

struct Exporter(Told);

impl PushMetricExporter for Exporter {
    async fn export(&self, metrics: &ResourceMetrics) -> OTelSdkResult {
        let all = metrics.scope_metrics().flat_map(|scope| scope.metrics());
        *self.0.lock().unwrap() = all.map(told).collect();
        Ok(())
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }

    fn temporality(&self) -> Temporality {
        Temporality::Cumulative
    }
}

fn told(metric: &Metric) -> (String, String, Vec<String>) {
    let mut points: Vec<String> = match metric.data() {
        AggregatedMetrics::F64(MetricData::Histogram(histogram)) => histogram
            .data_points()
            .map(|point| {
                assert_eq!(point.bounds().count(), 14);
                format!("{} {}", text(point.attributes()), point.count())
            })
            .collect(),
        AggregatedMetrics::U64(MetricData::Sum(sum)) => {
            sum.data_points().map(|point| format!("{} {}", text(point.attributes()), point.value())).collect()
        }
        other => panic!("{other:?}"),
    };
    points.sort();
    (metric.name().to_owned(), metric.unit().to_owned(), points)
}

#[tokio::test]
async fn durations_and_their_attributes() {
    let told = Told::default();
    let provider = SdkMeterProvider::builder().with_periodic_exporter(Exporter(Arc::clone(&told))).build();
    let telemetry = Telemetry::new(&provider.meter("test"));
    let server = Server::with(|builder| builder.observer(telemetry.clone())).await;
    for line in ["GET /v1/shelves/1", "GET /v1/shelves/2", "GET /v1/shelves/missing", "BREW /v1/nothing"] {
        server.ask(line, "").await;
    }
    let json = [("content-type", "application/json")];
    server.send("POST /library.v1.Library/Count", &json, b"{}").await;
    telemetry.reloaded(Err(&Error::schema("no")));
    provider.force_flush().unwrap();

    let mut told = told.lock().unwrap().clone();
    told.sort();
    let strings = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let wanted = vec![
        (
            "http.server.request.duration".to_owned(),
            "s".to_owned(),
            strings(&[
                "http.request.method=GET http.response.status_code=200 http.route=/v1/{name=shelves/*} 2",
                "http.request.method=GET http.response.status_code=404 http.route=/v1/{name=shelves/*} 1",
                "http.request.method=POST http.response.status_code=200 http.route=/library.v1.Library/Count 1",
                "http.request.method=_OTHER http.response.status_code=404 1",
            ]),
        ),
        (
            "rpc.server.call.duration".to_owned(),
            "s".to_owned(),
            strings(&[
                "rpc.method=library.v1.Library/Count rpc.response.status_code=OK rpc.system.name=grpc 1",
                "rpc.method=library.v1.Library/GetShelf rpc.response.status_code=NOT_FOUND rpc.system.name=grpc 1",
                "rpc.method=library.v1.Library/GetShelf rpc.response.status_code=OK rpc.system.name=grpc 2",
                "rpc.response.status_code=NOT_FOUND rpc.system.name=grpc 1",
            ]),
        ),
        ("tobu.transcode.reloads".to_owned(), String::new(), strings(&["result=refused 1"])),
    ];
    assert_eq!(told, wanted);
}

fn text<'a>(attributes: impl Iterator<Item = &'a opentelemetry::KeyValue>) -> String {
    let mut all: Vec<String> =
        attributes.map(|attribute| format!("{}={}", attribute.key, attribute.value)).collect();
    all.sort();
    all.join(" ")
}

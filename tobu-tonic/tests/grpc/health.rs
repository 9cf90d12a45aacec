//! The health checking service, over a network.

use tobu_tonic::HealthService;
use tobu_tonic::health::ServingStatus;
use tobu_tonic::health::v1::health_client::HealthClient;
use tobu_tonic::health::v1::{HealthCheckRequest, HealthListRequest};
use tokio_stream::StreamExt;
use tonic::Code;
use tonic::transport::{Channel, Server};

use super::serve;

async fn client(health: &HealthService) -> HealthClient<Channel> {
    HealthClient::new(serve(Server::builder().add_service(health.server())).await)
}

fn of(service: &str) -> HealthCheckRequest {
    HealthCheckRequest { service: service.to_owned(), ..Default::default() }
}

#[tokio::test]
async fn a_status_is_checked_and_listed() {
    let health = HealthService::new();
    let mut client = client(&health).await;
    health.set("p.A", ServingStatus::NOT_SERVING);
    assert_eq!(client.check(of("")).await.unwrap().into_inner().status, ServingStatus::SERVING);
    assert_eq!(client.check(of("p.A")).await.unwrap().into_inner().status, ServingStatus::NOT_SERVING);
    let error = client.check(of("p.B")).await.unwrap_err();
    assert_eq!((error.code(), error.message()), (Code::NotFound, "there is no service \"p.B\""));

    let statuses = client.list(HealthListRequest::default()).await.unwrap().into_inner().statuses;
    let mut statuses: Vec<_> = statuses.into_iter().map(|(name, answer)| (name, answer.status)).collect();
    statuses.sort_by(|a, b| a.0.cmp(&b.0));
    let expected = [(String::new(), ServingStatus::SERVING), ("p.A".to_owned(), ServingStatus::NOT_SERVING)];
    assert_eq!(statuses, expected);
}

#[tokio::test]
async fn a_watch_reports_each_change() {
    let health = HealthService::new();
    let mut client = client(&health).await;
    let mut watch = client.watch(of("p.A")).await.unwrap().into_inner();
    let mut next = async || watch.next().await.unwrap().unwrap().status;
    assert_eq!(next().await, ServingStatus::SERVICE_UNKNOWN);
    health.set("p.A", ServingStatus::SERVING);
    assert_eq!(next().await, ServingStatus::SERVING);
    // Nothing changes: no report.
    health.set("p.A", ServingStatus::SERVING);
    health.set("p.B", ServingStatus::SERVING);
    health.remove("p.A");
    assert_eq!(next().await, ServingStatus::SERVICE_UNKNOWN);
    health.set("p.A", ServingStatus::SERVING);
    assert_eq!(next().await, ServingStatus::SERVING);
    health.shutdown();
    assert_eq!(next().await, ServingStatus::NOT_SERVING);
    health.set("p.A", ServingStatus::SERVING);
    assert_eq!(client.check(of("p.A")).await.unwrap().into_inner().status, ServingStatus::NOT_SERVING);
    assert_eq!(client.check(of("")).await.unwrap().into_inner().status, ServingStatus::NOT_SERVING);
}

/// A thousand watches that nobody reads any more leave nothing behind.
#[tokio::test]
async fn closed_watches_are_forgotten() {
    use std::future::poll_fn;
    use std::pin::pin;
    use std::task::Poll;
    use tobu_tonic::health::v1::health_server::Health;
    use tokio_stream::Stream;

    let health = HealthService::new();
    for _ in 0..1_000 {
        let watch = health.watch(tonic::Request::new(of(""))).await.unwrap().into_inner();
        let mut watch = pin!(watch);
        assert!(watch.next().await.unwrap().is_ok());
        let pending = poll_fn(|context| Poll::Ready(watch.as_mut().poll_next(context).is_pending())).await;
        assert!(pending);
        assert_eq!(health.open_watches(), 1);
    }
    assert_eq!(health.open_watches(), 0);
}

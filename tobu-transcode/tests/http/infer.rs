//! The types of bodies follow from a request, around a server that takes requests of any body.

use http::{Request, Response};
use http_body_util::Full;
use tobu_transcode::{Body, Live, TranscodeService, Transcoder, TranscoderBuilder};
use tonic::service::Routes;
use tower::{Layer, Service, ServiceBuilder, ServiceExt};

const PATH: &str = "/v1/shelves/1";

/// A server of gRPC that has no methods, and is generic over the bodies of requests.
fn server() -> Routes {
    Routes::default()
}

fn builder() -> TranscoderBuilder {
    Transcoder::builder().pool(&tobu_transcode_schemas::pool()).service("library.v1.Library")
}

fn check(response: Response<Body>) {
    assert_eq!(response.status(), 501);
}

#[tokio::test]
async fn of_a_service_that_is_called() {
    let mut service = builder().build().unwrap().layer(server());
    let request = Request::get(PATH).body(Body::empty()).unwrap();
    check(service.ready().await.unwrap().call(request).await.unwrap());
    // Of another body, on the same service.
    let request = Request::get(PATH).body(Full::new(bytes::Bytes::new())).unwrap();
    check(service.ready().await.unwrap().call(request).await.unwrap());
    std::future::poll_fn(|cx| service.poll_ready(cx)).await.unwrap();
    check(service.call(Request::get(PATH).body(String::new()).unwrap()).await.unwrap());
    check(service.oneshot(Request::get(PATH).body(Body::empty()).unwrap()).await.unwrap());
}

#[tokio::test]
async fn of_services_in_other_hands() {
    let live = Live::new(builder()).unwrap();
    let service: TranscodeService<_> = ServiceBuilder::new().layer(live).service(server());
    check(service.oneshot(Request::get(PATH).body(Body::empty()).unwrap()).await.unwrap());
    let service = tower::service_fn(|request: Request<_>| {
        server().oneshot(request.map(|body: Body| tonic::body::Body::new(body)))
    });
    let mut service = builder().build().unwrap().layer(service);
    let request = Request::get(PATH).body(Body::empty()).unwrap();
    check(service.ready().await.unwrap().call(request).await.unwrap());
}

//! Calls as a server behind a connection sees them.

use http::Request;
use http_body_util::BodyExt;
use tobu_transcode::{Body, Transcoder};
use tonic::transport::Endpoint;
use tower::{Layer, ServiceBuilder, ServiceExt};

use super::serve::Server;

/// The headers of a request are metadata for its service, so there are none that a client of gRPC would not send.
#[tokio::test]
async fn have_the_headers_of_a_client() {
    let upstream = Server::http2().await;
    let channel = Endpoint::from_shared(format!("http://{}", upstream.address)).unwrap().connect_lazy();
    let channel = ServiceBuilder::new()
        .map_request(|request: Request<Body>| request.map(tonic::body::Body::new))
        .service(channel);
    let pool = tobu_transcode_schemas::pool();
    let transcoder = Transcoder::builder().pool(&pool).service("library.v1.Library").build().unwrap();
    let front = transcoder.layer(channel);
    for (line, body, kind) in [
        ("GET /v1/shelves/1", "", ""),
        ("POST /v1/shelves/1/books", r#"{"title":"Dune"}"#, "application/json"),
        ("POST /v1/shelves/1/books:import", r#"{"title":"Dune"}"#, "application/json"),
        ("GET /v1/shelves/1/books:watch", "", ""),
    ] {
        let (method, path) = line.split_once(' ').unwrap();
        let mut request = Request::builder().method(method).uri(path).header("content-length", body.len());
        if !kind.is_empty() {
            request = request.header("content-type", kind);
        }
        let response = front.clone().oneshot(request.body(Body::full(body)).unwrap()).await.unwrap();
        assert_eq!(response.status(), 200, "{line}");
        assert!(response.headers().keys().all(|name| !name.as_str().contains("-length")), "{line}");
        response.into_body().collect().await.unwrap();
        let headers = upstream.desk.headers();
        let mut names: Vec<&str> = headers.keys().map(|name| name.as_str()).collect();
        names.sort_unstable();
        // The channel names itself.
        assert_eq!(names, ["content-type", "te", "user-agent"], "{line}");
    }
}

//! Calls by Connect whose message is in the URL.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use http::{Request, Response};
use tobu_tonic::Connect;
use tobu_tonic::codegen::{Caller, Service, no_side_effects};
use tobu_tonic_service::reading::v1::{Book, BorrowRequest};
use tonic::IntoRequest;
use tonic::body::Body;
use tonic::codec::CompressionEncoding;

use super::borrow;

/// Notes the head of each request, and answers with a book without a title.
#[derive(Clone, Default)]
struct Http(Arc<Mutex<Vec<http::request::Parts>>>);

impl Service<Request<Body>> for Http {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        self.0.lock().unwrap().push(request.into_parts().0);
        let response = Response::builder().header("content-type", "application/proto");
        ready(Ok(response.body(Body::default()).unwrap()))
    }
}

/// The HTTP method, the URL and the headers of a call.
async fn sent(
    connect: impl FnOnce(Connect<Http>) -> Connect<Http>,
    request: tonic::Request<BorrowRequest>,
    gzip: bool,
) -> (String, Vec<String>) {
    let http = Http::default();
    let origin = "http://127.0.0.1:8080".parse().unwrap();
    let mut caller = Caller::with_origin(connect(Connect::new(http.clone())), origin);
    if gzip {
        caller =
            caller.send_compressed(CompressionEncoding::Gzip).accept_compressed(CompressionEncoding::Gzip);
    }
    let book: Book = caller
        .unary::<BorrowRequest, _>("/reading.v1.ReadingRoom/Borrow", request)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(book, Book::default());
    let head = http.0.lock().unwrap().pop().unwrap();
    let headers = head.headers.iter().filter(|(name, _)| *name != "user-agent");
    let mut headers: Vec<_> =
        headers.map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
    headers.sort();
    (format!("{} {}", head.method, head.uri), headers)
}

fn marked(title: &str) -> tonic::Request<BorrowRequest> {
    no_side_effects(borrow(title)).into_request()
}

fn dune() -> tonic::Request<BorrowRequest> {
    let mut request = marked("Dune");
    request.metadata_mut().insert("tenant", "7".parse().unwrap());
    request.set_timeout(std::time::Duration::from_secs(5));
    request
}

const PATH: &str = "http://127.0.0.1:8080/reading.v1.ReadingRoom/Borrow";

#[tokio::test]
async fn the_message_is_in_the_url() {
    let (line, headers) = sent(|connect| connect.get_up_to(8000), dune(), false).await;
    assert_eq!(line, format!("GET {PATH}?connect=v1&base64=1&encoding=proto&message=CgREdW5l"));
    assert_eq!(headers, ["accept-encoding: identity", "connect-timeout-ms: 5000", "tenant: 7"]);
    // One without content is there, too.
    let (line, _) = sent(|connect| connect.get_up_to(8000), marked(""), false).await;
    assert_eq!(line, format!("GET {PATH}?connect=v1&base64=1&encoding=proto&message="));
}

#[tokio::test]
async fn the_message_may_be_compressed() {
    let title = "a".repeat(20_000);
    let request = || marked(&title);
    let (line, headers) = sent(|connect| connect.get_up_to(8000), request(), true).await;
    let start = format!("GET {PATH}?connect=v1&base64=1&compression=gzip&encoding=proto&message=H4sI");
    assert!(line.starts_with(&start) && line.len() < 300, "{line}");
    assert_eq!(headers, ["accept-encoding: gzip,identity"]);
    let (line, headers) = sent(|connect| connect.get_up_to(150), request(), true).await;
    assert_eq!(line, format!("POST {PATH}"));
    assert!(headers.contains(&"content-encoding: gzip".to_owned()), "{headers:?}");
}

/// Without the setting, of a method that may have side effects, and with a URL that is too long.
#[tokio::test]
async fn other_calls_are_posts() {
    let headers = [
        "accept-encoding: identity",
        "connect-protocol-version: 1",
        "connect-timeout-ms: 5000",
        "content-type: application/proto",
        "tenant: 7",
    ];
    let post = (format!("POST {PATH}"), headers.map(str::to_owned).to_vec());
    assert_eq!(sent(|connect| connect, dune(), false).await, post);
    let mut unmarked = dune();
    unmarked.extensions_mut().clear();
    assert_eq!(sent(|connect| connect.get_up_to(8000), unmarked, false).await, post);
    let longest = format!("{PATH}?connect=v1&base64=1&encoding=proto&message=CgREdW5l").len();
    assert_eq!(sent(|connect| connect.get_up_to(longest - 1), dune(), false).await, post);
    assert!(sent(|connect| connect.get_up_to(longest), dune(), false).await.0.starts_with("GET "));
    // `http::Uri` has a limit of its own.
    let long = marked(&"a".repeat(70_000));
    assert_eq!(sent(|connect| connect.get_up_to(usize::MAX), long, false).await.0, format!("POST {PATH}"));
}

//! A gRPC service that is nothing but HTTP: what it does depends on the names that it is asked for.

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body::{Body as _, Frame};
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tobu_transcode::{Body, BoxError, FrameDecoder, frame_header};
use tower::Service;

#[derive(Clone, Default)]
pub(crate) struct Desk {
    calls: Arc<Mutex<Vec<(String, HeaderMap)>>>,
    /// How many calls were given up.
    pub(crate) given_up: Arc<AtomicUsize>,
}

impl Desk {
    /// The calls that came, as method and message.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.calls.lock().unwrap().iter().map(|(call, _)| call.clone()).collect()
    }

    /// The headers of the last call.
    pub(crate) fn headers(&self) -> HeaderMap {
        self.calls.lock().unwrap().last().unwrap().1.clone()
    }

    /// Waits until so many calls were given up, for ten seconds at the most.
    pub(crate) async fn wait_given_up(&self, count: usize) -> bool {
        for _ in 0..1000 {
            if self.given_up.load(Ordering::SeqCst) == count {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        false
    }

    fn note(&self, call: String, headers: &HeaderMap) {
        self.calls.lock().unwrap().push((call, headers.clone()));
    }
}

impl Service<Request<Body>> for Desk {
    type Response = Response<Answer>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Answer>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let desk = self.clone();
        Box::pin(async move { Ok(desk.answer(request).await) })
    }
}

impl Desk {
    async fn answer(self, request: Request<Body>) -> Response<Answer> {
        let (head, mut body) = request.into_parts();
        let path = head.uri.path().to_owned();
        let kind = head.headers.get("content-type").map_or("", |kind| kind.to_str().unwrap());
        if path == "/page" {
            let steps = vec![Step::Data(Bytes::from_static(b"a page"))];
            return Response::builder().header("content-type", "text/plain").body(Answer::of(steps)).unwrap();
        }
        let Some(method) =
            path.strip_prefix("/library.v1.Library/").filter(|_| kind.starts_with("application/grpc"))
        else {
            return failed(12, "unknown", &[]);
        };
        if method == "Sort" {
            self.note("Sort".into(), &head.headers);
            return grpc(vec![Step::Echo(body, self.given_up.clone())]);
        }
        let mut frames = FrameDecoder::new(1 << 24);
        let mut messages = Vec::new();
        let guard = Counted(Some(self.given_up.clone()));
        loop {
            match std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
                None => break,
                Some(Ok(frame)) => frames.push(frame.into_data().unwrap()),
                Some(Err(_)) => {
                    drop(guard);
                    return failed(1, "the request broke off", &[]);
                }
            }
            while let Some(frame) = frames.next_frame().unwrap() {
                messages.push(to_json(method, &frame.message));
            }
        }
        guard.done();
        let message = messages.join(" ");
        self.note(format!("{method} {message}"), &head.headers);
        self.reply(method, &message).await
    }

    async fn reply(self, method: &str, message: &str) -> Response<Answer> {
        let asks = |name: &str| message.contains(&format!("shelves/{name}"));
        let book = |title: &str| data("library.v1.Book", &format!(r#"{{"title":"{title}"}}"#));
        if asks("slow") {
            let guard = Counted(Some(self.given_up.clone()));
            tokio::time::sleep(Duration::from_secs(20)).await;
            guard.done();
        }
        match method {
            _ if asks("missing") => {
                failed(5, "no such shelf", &[("grpc-status-details-bin", DETAILS), ("extra", "1")])
            }
            _ if asks("denied") => failed(7, "not%20for you", &[]),
            _ if asks("html") => Response::builder().status(502).body(Answer::of(vec![])).unwrap(),
            _ if asks("nothing") => grpc(vec![Step::Trailers(ok())]),
            _ if asks("bad") => {
                grpc(vec![Step::Data(Bytes::from_static(b"\0\0\0\0\x02\x0a\x09")), Step::Trailers(ok())])
            }
            _ if asks("cut") => grpc(vec![book("Dune")]),
            _ if asks("broken") => grpc(vec![Step::Data(Bytes::from_static(b"\0\0\0\0\x09ab")), Step::Fail]),
            "WatchBooks" if asks("none") => failed(0, "", &[]),
            "WatchBooks" if asks("half") => grpc(vec![book("Dune"), Step::Trailers(status(14, "too busy"))]),
            "WatchBooks" if asks("second") => {
                let bad = Step::Data(Bytes::from_static(b"\0\0\0\0\x02\x0a\x09"));
                grpc(vec![book("Dune"), bad, Step::Trailers(ok())])
            }
            "WatchBooks" if asks("forever") => {
                grpc(vec![book("Dune"), Step::Wait(Counted(Some(self.given_up)))])
            }
            "WatchBooks" => grpc(vec![book("Dune"), book("Emma"), Step::Trailers(ok())]),
            "GetShelf" if asks("two") => grpc(vec![book("a"), book("b"), Step::Trailers(ok())]),
            "GetShelf" => {
                let shelf = data("library.v1.Shelf", r#"{"name":"shelves/1","theme":"Fiction"}"#);
                let mut trailers = ok();
                trailers.insert("cost", HeaderValue::from_static("3"));
                let mut response = grpc(vec![shelf, Step::Trailers(trailers)]);
                response.headers_mut().insert("served-by", HeaderValue::from_static("desk"));
                response.headers_mut().insert("connection", HeaderValue::from_static("close"));
                response
            }
            "ListBooks" if asks("long") => {
                let books = vec![r#"{"title":"Dune"}"#; 10_000].join(",");
                let books = data("library.v1.ListBooksResponse", &format!(r#"{{"books":[{books}]}}"#));
                grpc(if asks("longcut") { vec![books] } else { vec![books, Step::Trailers(ok())] })
            }
            "ListBooks" => {
                let title = "A long title. ".repeat(200);
                let json = format!(r#"{{"books":[{{"title":"{title}"}}]}}"#);
                grpc(vec![data("library.v1.ListBooksResponse", &json), Step::Trailers(ok())])
            }
            "ImportBooks" => {
                let json = format!(r#"{{"nextPageToken":"{} books"}}"#, message.matches("title").count());
                grpc(vec![data("library.v1.ListBooksResponse", &json), Step::Trailers(ok())])
            }
            "GetCover" => {
                let cover = data("google.api.HttpBody", r#"{"contentType":"image/png","data":"iVBORw=="}"#);
                grpc(vec![cover, Step::Trailers(ok())])
            }
            "DeleteBook" => grpc(vec![Step::Data(Bytes::from_static(b"\0\0\0\0\0")), Step::Trailers(ok())]),
            _ => grpc(vec![book("Dune"), Step::Trailers(ok())]),
        }
    }
}

/// A `google.rpc.Status` with an ErrorInfo of the reason LENT, and a detail of a type that nobody knows.
const DETAILS: &str = "CAUSDW5vIHN1Y2ggc2hlbGYaMgoodHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUucnBjLkVycm9ySW5mbxIGCgRMRU5UGiYKIHR5cGUuZ29vZ2xlYXBpcy5jb20vdW5rbm93bi5UeXBlEgIIAQ";

fn status(code: u8, message: &str) -> HeaderMap {
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", HeaderValue::from(u16::from(code)));
    trailers.insert("grpc-message", HeaderValue::from_str(message).unwrap());
    trailers
}

fn ok() -> HeaderMap {
    status(0, "")
}

/// A response that has its status among its headers.
fn failed(code: u8, message: &str, more: &[(&'static str, &'static str)]) -> Response<Answer> {
    let mut response = grpc(vec![]);
    response.headers_mut().extend(status(code, message));
    for (name, value) in more {
        response.headers_mut().insert(*name, HeaderValue::from_static(value));
    }
    response
}

fn grpc(steps: Vec<Step>) -> Response<Answer> {
    Response::builder().header("content-type", "application/grpc").body(Answer::of(steps)).unwrap()
}

fn data(message: &str, json: &str) -> Step {
    let descriptor = tobu_transcode_schemas::pool().message(message).unwrap();
    let mut out = vec![0; 5];
    tobu::convert::json_to_wire(&descriptor, json.as_bytes(), &mut out).unwrap();
    let header = frame_header(out.len() - 5).unwrap();
    out[..5].copy_from_slice(&header);
    Step::Data(out.into())
}

fn to_json(method: &str, wire: &[u8]) -> String {
    let pool = tobu_transcode_schemas::pool();
    let input = pool.method(&format!("library.v1.Library.{method}")).unwrap().input();
    let mut json = Vec::new();
    tobu::convert::wire_to_json(&input, wire, &mut json).unwrap();
    String::from_utf8(json).unwrap()
}

/// Counts when it goes before its time.
pub(crate) struct Counted(Option<Arc<AtomicUsize>>);

impl Counted {
    fn done(mut self) {
        self.0 = None;
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if let Some(count) = &self.0 {
            count.fetch_add(1, Ordering::SeqCst);
        }
    }
}

enum Step {
    Data(Bytes),
    Trailers(HeaderMap),
    Fail,
    Wait(#[allow(dead_code, reason = "counts when it is dropped")] Counted),
    /// Sends back each piece of the request as it comes.
    Echo(Body, Arc<AtomicUsize>),
}

/// The body of a response: one step after the other.
pub(crate) struct Answer {
    steps: std::collections::VecDeque<Step>,
}

impl Answer {
    fn of(steps: Vec<Step>) -> Self {
        Answer { steps: steps.into() }
    }
}

impl http_body::Body for Answer {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match self.steps.front_mut() {
            None => return Poll::Ready(None),
            Some(Step::Wait(_)) => return Poll::Pending,
            Some(Step::Echo(body, given_up)) => match std::task::ready!(Pin::new(body).poll_frame(cx)) {
                Some(Ok(frame)) => return Poll::Ready(Some(Ok(frame))),
                Some(Err(error)) => {
                    given_up.fetch_add(1, Ordering::SeqCst);
                    return Poll::Ready(Some(Err(error)));
                }
                None => {
                    self.steps.clear();
                    return Poll::Ready(Some(Ok(Frame::trailers(ok()))));
                }
            },
            Some(_) => {}
        }
        Poll::Ready(match self.steps.pop_front() {
            Some(Step::Data(data)) => Some(Ok(Frame::data(data))),
            Some(Step::Trailers(trailers)) => Some(Ok(Frame::trailers(trailers))),
            Some(Step::Fail) => Some(Err("the connection broke".into())),
            _ => None,
        })
    }
}

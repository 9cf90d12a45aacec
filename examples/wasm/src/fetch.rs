//! An HTTP client that sends requests by the browser's `fetch`.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use http_body_util::BodyExt;
use http_body_util::channel::{Channel, Sender};
use js_sys::{Array, Reflect, Uint8Array};
use tonic::body::Body;
use tower_service::Service;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortController, Headers, ReadableStreamDefaultReader, RequestInit};

/// The error of a request, as text, because errors of JavaScript cannot leave their thread.
type Error = Box<dyn std::error::Error + Send + Sync>;

#[wasm_bindgen]
extern "C" {
    // Pages and workers have it, each as a function of its own global object.
    #[wasm_bindgen(js_name = fetch)]
    fn fetch(url: &str, init: &RequestInit) -> js_sys::Promise;
}

/// Sends requests by `fetch`.
#[derive(Clone, Debug)]
pub(crate) struct Fetch;

impl Service<http::Request<Body>> for Fetch {
    type Response = http::Response<Channel<Bytes, Error>>;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Error>>>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(send(request))
    }
}

async fn send(request: http::Request<Body>) -> Result<http::Response<Channel<Bytes, Error>>, Error> {
    let (head, body) = request.into_parts();
    let init = RequestInit::new();
    let headers = Headers::new().map_err(text)?;
    for (name, value) in &head.headers {
        headers.append(name.as_str(), value.to_str()?).map_err(text)?;
    }
    init.set_method(head.method.as_str());
    init.set_headers(&headers);
    // Browsers send the whole body before they read the response.
    let body = body.collect().await?.to_bytes();
    if !body.is_empty() {
        init.set_body(&Uint8Array::from(&body[..]));
    }
    let abort = Abort(AbortController::new().map_err(text)?);
    init.set_signal(Some(&abort.0.signal()));

    let answer = JsFuture::from(fetch(&head.uri.to_string(), &init)).await.map_err(text)?;
    let answer: web_sys::Response = answer.unchecked_into();
    let (sender, channel) = Channel::new(1);
    let mut response = http::Response::new(channel);
    *response.status_mut() = http::StatusCode::from_u16(answer.status())?;
    *response.headers_mut() = headers_of(&answer.headers())?;
    if let Some(body) = answer.body() {
        let reader = body.get_reader().unchecked_into();
        spawn_local(pass_on(reader, sender, abort));
    }
    Ok(response)
}

/// Ends a request when its future or its response is dropped.
struct Abort(AbortController);

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Sends the pieces of a body of JavaScript to a body that is `Send`, until that body is dropped.
async fn pass_on(reader: ReadableStreamDefaultReader, mut sender: Sender<Bytes, Error>, _abort: Abort) {
    loop {
        match next(&reader).await {
            Ok(Some(piece)) => {
                if sender.send_data(piece).await.is_err() {
                    return;
                }
            }
            Ok(None) => return,
            Err(error) => return sender.abort(text(error)),
        }
    }
}

async fn next(reader: &ReadableStreamDefaultReader) -> Result<Option<Bytes>, JsValue> {
    let piece = JsFuture::from(reader.read()).await?;
    match Reflect::get(&piece, &"done".into())?.is_truthy() {
        true => Ok(None),
        false => {
            let value: Uint8Array = Reflect::get(&piece, &"value".into())?.unchecked_into();
            Ok(Some(value.to_vec().into()))
        }
    }
}

fn headers_of(headers: &Headers) -> Result<HeaderMap, Error> {
    let mut map = HeaderMap::new();
    for entry in headers.entries() {
        let entry: Array = entry.map_err(text)?.unchecked_into();
        let part = |index| entry.get(index).as_string().unwrap_or_default();
        map.append(HeaderName::try_from(part(0))?, HeaderValue::try_from(part(1))?);
    }
    // `fetch` has decompressed the body.
    map.remove(http::header::CONTENT_ENCODING);
    Ok(map)
}

fn text(error: JsValue) -> Error {
    format!("{error:?}").into()
}

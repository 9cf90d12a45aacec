//! Sends the requests of the smoke test over HTTP.

use std::error::Error;
use std::net::SocketAddr;

use bytes::Bytes;
use http::{Request, header};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

use super::same;
use crate::examples::{Example, REFUSED, SHOWN};
use crate::serve::Done;

/// Sends the requests over one connection. The library must have no books.
pub(super) async fn play(address: SocketAddr) -> Done {
    let (mut client, connection) = http1::handshake(TokioIo::new(TcpStream::connect(address).await?)).await?;
    let connection = tokio::spawn(connection);
    for example in SHOWN.iter().chain(REFUSED) {
        if !example.title.is_empty() {
            println!("\n{}", example.title);
        }
        let mut request = Request::builder().method(example.method).uri(example.path);
        request = request.header(header::HOST, address.to_string());
        for (name, value) in example.headers {
            request = request.header(*name, *value);
        }
        client.ready().await?;
        let response = client.send_request(request.body(Full::from(example.body))?).await?;
        let (head, body) = response.into_parts();
        let mut headers = Vec::new();
        for (name, value) in head.headers.iter().filter(|(name, _)| *name != header::DATE) {
            headers.push((name.as_str(), value.to_str()?));
        }
        headers.sort_unstable();
        let body = body.collect().await?.to_bytes();
        let found = shown(head.status.as_u16(), &headers, &String::from_utf8_lossy(&body));
        let Example { status, answer_headers, answer, .. } = example;
        same(&example.curl(""), &shown(*status, answer_headers, answer), &found)?;
    }
    println!("\nDocuments");
    let (kind, text) = document(&mut client, address, "/openapi.json").await?;
    let described: Value = serde_json::from_str(&text)?;
    let info = format!("{} {}", described["info"]["title"], described["info"]["version"]);
    let found = format!("{kind}\n{info}\n{}", operations(&described));
    same("curl '/openapi.json'", OPERATIONS, &found)?;
    let (kind, text) = document(&mut client, address, "/").await?;
    same("curl '/'", "text/html; charset=utf-8", &kind)?;
    if !text.contains(r#"href="/openapi.json""#) {
        return Err("the page is not the expected page".into());
    }
    drop(client);
    Ok(connection.await??)
}

/// Returns the content type and the text of a document.
async fn document(
    client: &mut http1::SendRequest<Full<Bytes>>,
    address: SocketAddr,
    path: &str,
) -> Result<(String, String), Box<dyn Error + Send + Sync>> {
    client.ready().await?;
    let request = Request::get(path).header(header::HOST, address.to_string());
    let response = client.send_request(request.body(Full::default())?).await?;
    let kind = response.headers().get(header::CONTENT_TYPE).ok_or("the document has no type")?;
    let kind = kind.to_str()?.to_owned();
    let text = String::from_utf8(response.into_body().collect().await?.to_bytes().to_vec())?;
    Ok((kind, text))
}

/// The expected OpenAPI document: its content type, title, version and operations.
const OPERATIONS: &str = "application/json
\"library.v1.Library\" \"v1\"
GET /v1/shelves Library_ListShelves
POST /v1/shelves Library_CreateShelf
GET /v1/shelves/{shelf} Library_GetShelf
GET /v1/shelves/{shelvesId}/books Library_ListBooks
POST /v1/shelves/{shelvesId}/books Library_CreateBook
DELETE /v1/shelves/{shelvesId}/books/{booksId} Library_DeleteBook
GET /v1/shelves/{shelvesId}/books/{booksId} Library_GetBook
PATCH /v1/shelves/{shelvesId}/books/{booksId} Library_UpdateBook
GET /v1/shelves/{shelvesId}/books/{booksId}/cover Library_GetCover
PUT /v1/shelves/{shelvesId}/books/{booksId}/cover Library_SetCover
POST /v1/shelves/{shelvesId}/books/{booksId}:move Library_MoveBook
GET /v1/shelves/{shelvesId}/books:stream Library_StreamBooks";

/// Lists the operations of an OpenAPI document, one a line, sorted by path and method.
fn operations(document: &Value) -> String {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let id = operation["operationId"].as_str().unwrap_or_default();
            found.push((path, method.to_uppercase(), id));
        }
    }
    // The members of a JSON object have no order, so the lines are sorted.
    found.sort_unstable();
    let lines: Vec<_> = found.iter().map(|(path, method, id)| format!("{method} {path} {id}")).collect();
    lines.join("\n")
}

fn shown(status: u16, headers: &[(&str, &str)], body: &str) -> String {
    let headers: Vec<_> = headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    format!("{status}\n{}\n{}", headers.join("\n"), body)
}

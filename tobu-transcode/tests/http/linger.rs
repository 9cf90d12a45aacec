//! Requests over HTTP/1.1 that are answered before their bodies have come.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::serve::{Server, read_until};

const SHELF: &str = "GET /v1/shelves/1 HTTP/1.1\r\nhost: x\r\n\r\n";

/// The head of a request that is refused for its type, with a body of so many bytes.
fn refused(len: usize, more: &str) -> String {
    format!(
        "POST /library.v1.Library/GetShelf HTTP/1.1\r\nhost: x\r\ncontent-type: image/jpeg\r\n\
         content-length: {len}\r\n{more}\r\n"
    )
}

/// Sends a body as far as the server takes it, and then another request; what comes back.
async fn after(stream: &mut TcpStream, len: usize) -> String {
    for _ in 0..len / 1000 {
        if stream.write_all(&[b'x'; 1000]).await.is_err() {
            return String::new();
        }
        tokio::task::yield_now().await;
    }
    match stream.write_all(SHELF.as_bytes()).await {
        Ok(()) => read_until(stream, "Fiction").await,
        Err(_) => String::new(),
    }
}

#[tokio::test]
async fn the_rest_is_thrown_away() {
    let server = Server::start().await;
    let mut stream = server.raw(refused(200_000, "").as_bytes()).await;
    let head = read_until(&mut stream, "image/jpeg").await;
    assert!(head.starts_with("HTTP/1.1 415 "), "{head}");
    let next = after(&mut stream, 200_000).await;
    assert!(next.starts_with("HTTP/1.1 200 ") && next.contains("\"Fiction\""), "{next}");
    // A body in chunks, of which the first is malformed JSON.
    let head = "POST /v1/shelves/1/books:import HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                transfer-encoding: chunked\r\n\r\n2\r\n{\n\r\n";
    let mut stream = server.raw(head.as_bytes()).await;
    let head = read_until(&mut stream, "details").await;
    assert!(head.starts_with("HTTP/1.1 400 "), "{head}");
    stream.write_all(b"3\r\nabc\r\n0\r\n\r\n").await.unwrap();
    let next = after(&mut stream, 0).await;
    assert!(next.contains("HTTP/1.1 200 "), "{next}");
}

#[tokio::test]
async fn not_all_of_a_long_one() {
    let server = Server::start().await;
    let mut stream = server.raw(refused(50_000_000, "").as_bytes()).await;
    let head = read_until(&mut stream, "image/jpeg").await;
    assert!(head.starts_with("HTTP/1.1 415 "), "{head}");
    assert_eq!(after(&mut stream, 50_000_000).await, "");
    // A client that asks before it sends is not told to.
    let mut stream = server.raw(refused(1000, "expect: 100-continue\r\n").as_bytes()).await;
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    assert!(text.starts_with("HTTP/1.1 415 "), "{text}");
}

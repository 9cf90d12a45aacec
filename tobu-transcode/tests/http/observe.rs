//! What is told of requests.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::serve::{Server, read_until};

/// A request of a shelf or of its books, in its frame.
fn call(name: &str) -> Vec<u8> {
    [&[0, 0, 0, 0, name.len() as u8 + 2, 0x0a, name.len() as u8], name.as_bytes()].concat()
}

#[tokio::test]
async fn every_call_ends_once() {
    let server = Server::start().await;
    let watch = "/v1/{parent=shelves/*}/books:watch";
    let rows = [
        ("GET /v1/shelves/1", "GET /v1/{name=shelves/*} 200", "GET /v1/{name=shelves/*} Ok"),
        (
            "GET /v1/shelves/denied",
            "GET /v1/{name=shelves/*} 403",
            "GET /v1/{name=shelves/*} PermissionDenied",
        ),
        ("GET /v2", "GET - 404", "GET - NotFound"),
        ("PUT /v1/shelves/1", "PUT - 405", "PUT - Unimplemented"),
        ("GET /v1/shelves/1?x=y", "GET /v1/{name=shelves/*} 400", "GET /v1/{name=shelves/*} InvalidArgument"),
        ("GET /v1/shelves/1/books:watch", &format!("GET {watch} 200"), &format!("GET {watch} Ok")),
        (
            "GET /v1/shelves/half/books:watch",
            &format!("GET {watch} 200"),
            &format!("GET {watch} Unavailable"),
        ),
        ("GET /v1/shelves/second/books:watch", &format!("GET {watch} 200"), &format!("GET {watch} Internal")),
        (
            "GET /v1/shelves/denied/books:watch",
            &format!("GET {watch} 403"),
            &format!("GET {watch} PermissionDenied"),
        ),
    ];
    for (count, (line, outcome, ending)) in rows.into_iter().enumerate() {
        server.ask(line, "").await;
        assert_eq!(server.endings(count + 1).await[count..], [ending], "{line}");
        assert_eq!(server.outcomes()[count..], [outcome], "{line}");
    }
    // A path of the service behind is not told of.
    server.ask("GET /page", "").await;
    assert_eq!((server.endings(0).await.len(), server.outcomes().len()), (rows.len(), rows.len()));
}

#[tokio::test]
async fn a_client_that_goes_away_is_told_of() {
    let server = Server::start().await;
    let mut stream = server.raw(b"GET /v1/shelves/forever/books:watch HTTP/1.1\r\nhost: a\r\n\r\n").await;
    read_until(&mut stream, "Dune").await;
    assert_eq!(server.endings(0).await, [] as [&str; 0]);
    drop(stream);
    let watch = "GET /v1/{parent=shelves/*}/books:watch";
    assert_eq!(server.endings(1).await, [format!("{watch} Cancelled")]);
    assert_eq!(server.outcomes(), [format!("{watch} 200")]);

    // Before there is an answer.
    let stream = server.raw(b"GET /v1/shelves/slow HTTP/1.1\r\nhost: a\r\n\r\n").await;
    while server.desk.calls().len() < 2 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    drop(stream);
    assert_eq!(server.endings(2).await[1], "GET /v1/{name=shelves/*} Cancelled");
    assert_eq!(server.outcomes().len(), 1);
}

/// Calls of gRPC go through as they are; their ends are those of their trailers.
#[tokio::test]
async fn calls_that_are_forwarded_end_once() {
    for connect in [true, false] {
        let server = Server::with(|builder| builder.connect(connect)).await;
        let rows = [
            ("GetShelf", "shelves/1", "200", "Ok"),
            // Its status is among the headers.
            ("GetShelf", "shelves/denied", "200", "PermissionDenied"),
            ("WatchBooks", "shelves/half", "200", "Unavailable"),
            ("GetShelf", "shelves/cut", "200", "Unknown"),
        ];
        let mut count = 0;
        for (method, name, status, code) in rows {
            for kind in ["application/grpc", "application/grpc-web", "application/grpc-web-text"] {
                let body = match kind.ends_with("text") {
                    true => STANDARD.encode(call(name)).into_bytes(),
                    false => call(name),
                };
                let path = format!("/library.v1.Library/{method}");
                server.send(&format!("POST {path}"), &[("content-type", kind)], &body).await;
                assert_eq!(
                    server.endings(count + 1).await[count..],
                    [format!("POST {path} {code}")],
                    "{kind}"
                );
                assert_eq!(server.outcomes()[count..], [format!("POST {path} {status}")], "{kind}");
                count += 1;
            }
        }
    }
}

#[tokio::test]
async fn calls_that_are_not_answered_by_grpc_end_once() {
    let server = Server::start().await;
    // The body of the service breaks off, which HTTP/1.1 tells by closing the connection.
    let (path, body) = ("/library.v1.Library/GetShelf", call("shelves/broken"));
    server.send(&format!("POST {path}"), &[("content-type", "application/grpc-web")], &body).await;
    // Browsers send gRPC-Web by POST alone.
    server.send(&format!("PUT {path}"), &[("content-type", "application/grpc-web")], &body).await;
    server.send("POST /page", &[("content-type", "application/grpc")], b"").await;
    let wanted =
        [format!("POST {path} Unavailable"), format!("PUT {path} Unknown"), "POST - Unknown".to_owned()];
    assert_eq!(server.endings(3).await, wanted);
    let wanted = [format!("POST {path} 200"), format!("PUT {path} 405"), "POST - 200".to_owned()];
    assert_eq!(server.outcomes(), wanted);
}

#[tokio::test]
async fn a_client_of_grpc_that_goes_away_is_told_of() {
    let server = Server::start().await;
    let body = call("shelves/forever");
    let path = "/library.v1.Library/WatchBooks";
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/grpc\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = server.raw(&[head.as_bytes(), &body].concat()).await;
    read_until(&mut stream, "Dune").await;
    assert_eq!(server.endings(0).await, [] as [&str; 0]);
    drop(stream);
    assert_eq!(server.endings(1).await, [format!("POST {path} Cancelled")]);
    assert_eq!(server.outcomes(), [format!("POST {path} 200")]);
}

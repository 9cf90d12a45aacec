//! What is told of requests.

use super::serve::{Server, read_until};

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
    // What goes through is not told of.
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

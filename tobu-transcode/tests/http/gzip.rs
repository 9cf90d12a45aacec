//! Bodies that are compressed with gzip: of one message, and of streams of them.

use std::io::{Read, Write};

use tokio::io::AsyncWriteExt;

use super::serve::{Server, read_until};

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn of_requests() {
    let server = Server::with(|builder| builder.max_body(1000)).await;
    let headers = [("content-type", "application/json"), ("content-encoding", "gzip")];
    let line = "POST /v1/shelves/1/books";
    let answer = server.send(line, &headers, &compressed(br#"{"title":"Dune"}"#)).await;
    assert_eq!(answer.status, 200);
    assert_eq!(server.desk.calls(), [r#"CreateBook {"book":{"title":"Dune"},"parent":"shelves/1"}"#]);

    // Small as it comes, too large as it is meant.
    let large = format!(r#"{{"title":"{}"}}"#, "a".repeat(100_000));
    let answer = server.send(line, &headers, &compressed(large.as_bytes())).await;
    assert_eq!(
        answer.text(),
        r#"413 {"code":8,"message":"the body is longer than the limit of 1000 bytes","details":[]}"#
    );
    let answer = server.send(line, &headers, b"this is not gzip").await;
    assert_eq!(answer.text(), r#"400 {"code":3,"message":"the compressed body is malformed","details":[]}"#);
    // What is compressed in another way, or twice, is not looked at.
    let json = ("content-type", "application/json");
    let unknown = |name: &str| {
        format!(r#"415 {{"code":3,"message":"\"{name}\" is not a known compression","details":[]}}"#)
    };
    for name in ["br", "deflate", "gzip, gzip"] {
        let answer = server.send(line, &[json, ("content-encoding", name)], b"x").await;
        assert_eq!(answer.text(), unknown(name));
    }
    let twice = [json, ("content-encoding", "gzip"), ("content-encoding", "gzip")];
    assert_eq!(
        server.send(line, &twice, b"x").await.text(),
        r#"415 {"code":3,"message":"the body is compressed more than once","details":[]}"#
    );
    assert_eq!(server.desk.calls().len(), 1);
}

#[tokio::test]
async fn of_responses() {
    let server = Server::start().await;
    let line = "GET /v1/shelves/1/books";
    let plain = server.ask(line, "").await;
    assert_eq!((plain.header("content-encoding"), plain.body.len()), ("", 2824));
    let answer = server.send(line, &[("accept-encoding", "br, gzip;q=0.5")], b"").await;
    assert_eq!((answer.header("content-encoding"), answer.header("vary")), ("gzip", "accept-encoding"));
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(&answer.body[..]).read_to_end(&mut text).unwrap();
    assert_eq!(text, plain.body);

    for (line, accept) in [(line, "gzip;q=0"), ("GET /v1/shelves/1", "gzip")] {
        let answer = server.send(line, &[("accept-encoding", accept)], b"").await;
        assert_eq!(answer.header("content-encoding"), "", "{line} {accept}");
    }
    let server = Server::with(|builder| builder.compress(false)).await;
    let answer = server.send(line, &[("accept-encoding", "gzip")], b"").await;
    assert_eq!(answer.header("content-encoding"), "");
}

const IMPORT: &str = "POST /v1/shelves/1/books:import";
const LINES: &[u8] = b"{\"title\":\"Dune\"}\n{\"title\":\"Emma\"}\n";
const HEADERS: &[(&str, &str)] = &[("content-type", "application/x-ndjson"), ("content-encoding", "gzip")];

#[tokio::test]
async fn of_streams_of_requests() {
    let server = Server::with(|builder| builder.max_body(1000)).await;
    let (first, second) = LINES.split_at(20);
    let members = [compressed(first), compressed(second)].concat();
    let many = compressed(&LINES.repeat(1000));
    let blanks = compressed(&[&vec![b'\n'; 1 << 20], LINES].concat());
    let none = compressed(b"");
    let rows =
        [(&compressed(LINES), 2), (&members, 2), (&many, 2000), (&blanks, 2), (&none, 0), (&Vec::new(), 0)];
    for (body, books) in rows {
        let answer = server.send(IMPORT, HEADERS, body).await;
        assert_eq!(answer.text(), format!(r#"200 {{"nextPageToken":"{books} books"}}"#));
    }
    let calls = server.desk.calls();
    assert_eq!(
        calls[1],
        r#"ImportBooks {"book":{"title":"Dune"},"parent":"shelves/1"} {"book":{"title":"Emma"}}"#
    );
    let wrong = r#"400 {"code":3,"message":"the compressed body is malformed","details":[]}"#.to_owned();
    let whole = compressed(LINES);
    let mut other = whole.clone();
    *other.last_mut().unwrap() ^= 1;
    // A line of sixteen megabytes, which nobody waits for the end of.
    let bomb = compressed(&vec![b'a'; 16 << 20]);
    assert!(bomb.len() < 20 << 10);
    let long =
        r#"413 {"code":8,"message":"a line is longer than the limit of 1000 bytes","details":[]}"#.to_owned();
    let rows = [
        (&whole[..whole.len() - 1], &wrong),
        (&whole[..20], &wrong),
        (&other, &wrong),
        (LINES, &wrong),
        (&bomb, &long),
    ];
    for (body, wanted) in rows {
        assert_eq!(server.send(IMPORT, HEADERS, body).await.text(), *wanted);
    }
    assert_eq!(server.desk.calls().len(), calls.len());
}

/// What was flushed is answered before more is sent.
#[tokio::test]
async fn of_both_ways_at_once() {
    let server = Server::start().await;
    let head = "POST /v1/books:sort HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n";
    let mut stream = server.raw(head.as_bytes()).await;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for title in ["Dune", "Emma"] {
        let line = format!("{{\"title\":\"{title}\"}}\n");
        encoder.write_all(line.as_bytes()).unwrap();
        encoder.flush().unwrap();
        // In pieces of one byte.
        for byte in std::mem::take(encoder.get_mut()) {
            stream.write_all(&[b"1\r\n", &[byte][..], b"\r\n"].concat()).await.unwrap();
        }
        let text = read_until(&mut stream, title).await;
        assert!(text.contains(&line), "{text}");
    }
}

//! Bodies that are compressed with zstd: of one message, and of streams of them.

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::serve::Server;

fn compressed(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

#[tokio::test]
async fn of_requests() {
    let server = Server::with(|builder| builder.max_body(1000)).await;
    let headers = [("content-type", "application/json"), ("content-encoding", "zstd")];
    let line = "POST /v1/shelves/1/books";
    assert_eq!(server.send(line, &headers, &compressed(br#"{"title":"Dune"}"#)).await.status, 200);
    let large = compressed(&[b' '; 100_000]);
    assert!(large.len() < 1000);
    let answer = server.send(line, &headers, &large).await;
    assert_eq!(
        answer.text(),
        r#"413 {"code":8,"message":"the body is longer than the limit of 1000 bytes","details":[]}"#
    );
    assert_eq!(server.send(line, &headers, b"this is not zstd").await.status, 400);
    assert_eq!(server.desk.calls(), [r#"CreateBook {"book":{"title":"Dune"},"parent":"shelves/1"}"#]);
}

const IMPORT: &str = "POST /v1/shelves/1/books:import";
const LINES: &[u8] = b"{\"title\":\"Dune\"}\n{\"title\":\"Emma\"}\n";
const HEADERS: &[(&str, &str)] = &[("content-type", "application/x-ndjson"), ("content-encoding", "zstd")];

/// A frame that says nothing.
const SKIPPED: &[u8] = b"\x5a\x2a\x4d\x18\x03\0\0\0abc";

/// A frame of blocks that each say: 128 KiB of line ends.
fn blank(blocks: usize) -> Vec<u8> {
    // A window of 8 MiB; a block is repetition where the second bit of its header is set, and the last one by the first.
    let header = (128_u32 << 10 << 3 | 1 << 1).to_le_bytes();
    let block = [header[0], header[1], header[2], b'\n'];
    let mut frame = [b"\x28\xb5\x2f\xfd\x00\x68", &block.repeat(blocks)[..]].concat();
    frame.extend([header[0] | 1, header[1], header[2], b'\n']);
    frame
}

#[tokio::test]
async fn of_streams_of_requests() {
    let server = Server::with(|builder| builder.max_body(1000)).await;
    let (first, second) = LINES.split_at(20);
    let frames = [SKIPPED, &compressed(first), SKIPPED, &compressed(second)].concat();
    let many = compressed(&LINES.repeat(1000));
    let blanks = compressed(&[&vec![b'\n'; 1 << 20], LINES].concat());
    let rows = [(&compressed(LINES), 2), (&frames, 2), (&many, 2000), (&blanks, 2), (&Vec::new(), 0)];
    for (body, books) in rows {
        let answer = server.send(IMPORT, HEADERS, body).await;
        assert_eq!(answer.text(), format!(r#"200 {{"nextPageToken":"{books} books"}}"#));
    }
    let calls = server.desk.calls().len();

    let wrong = r#"400 {"code":3,"message":"the compressed body is malformed","details":[]}"#;
    let whole = compressed(LINES);
    // A frame of one raw block, with a checksum that is another one.
    let other = b"\x28\xb5\x2f\xfd\x24\x01\x09\0\0\nabcd";
    // 16 MiB: more than HTTP's windows have.
    let wide = b"\x28\xb5\x2f\xfd\x00\x70\x01\0\0";
    let bomb = compressed(&vec![b'a'; 16 << 20]);
    let long = r#"413 {"code":8,"message":"a line is longer than the limit of 1000 bytes","details":[]}"#;
    let window = r#"400 {"code":3,"message":"the compressed body: a window of 16777216 bytes is over the limit of 8388608 bytes","details":[]}"#;
    // Within 400 kilobytes are 13 gigabytes of blank lines.
    let expands = r#"413 {"code":8,"message":"the decompressed body is more than 1000 times as long as the compressed body","details":[]}"#;
    let rows = [
        (&whole[..whole.len() - 1], wrong),
        (&whole[..7], wrong),
        (&SKIPPED[..10], wrong),
        (other, wrong),
        (wide, window),
        (LINES, wrong),
        (&bomb, long),
        (&blank(100_000), expands),
    ];
    for (body, wanted) in rows {
        assert_eq!(server.send(IMPORT, HEADERS, body).await.text(), wanted);
    }
    assert_eq!(server.desk.calls().len(), calls);
}

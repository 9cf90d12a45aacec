//! Tests request bodies that are small when compressed and gigabytes long when decompressed.

use super::Target;
use crate::serve::Guards;

/// The transcoder reads the whole body of both requests before it calls the service.
const REQUESTS: &[&str] = &[
    "POST /v1/shelves HTTP/1.1\r\ncontent-type: application/json",
    "PUT /v1/shelves/a/books/b/cover HTTP/1.1\r\ncontent-type: image/png",
];

/// Returns a zstd frame with a window of 8 MiB. Each block takes four bytes, and repeats a space 128 Ki times.
///
/// Specification: <https://www.rfc-editor.org/rfc/rfc8878#name-blocks>.
fn repeated(blocks: usize) -> Vec<u8> {
    // The header of a block has three bytes: the flag of the last block, the block type (RLE), and the size.
    let header: u32 = (128 << 10) << 3 | 1 << 1;
    let block = |last: u32| [&(header | last).to_le_bytes()[..3], b" "].concat();
    [b"\x28\xb5\x2f\xfd\x00\x68", &block(0).repeat(blocks - 1)[..], &block(1)].concat()
}

/// Returns a zstd frame with one compressed block: eight letters, and 30,000 copies of at least 65,539 bytes. This is two
/// gigabytes, although a block may be at most 128 KiB long.
fn copied() -> Vec<u8> {
    const COPIES: u16 = 30_000;
    let [high, low] = COPIES.to_be_bytes();
    // The block has the literals, the number of copies, one code for all lengths and distances, and then the bits of each copy.
    let block =
        [&b"\x40abcdefgh"[..], &[128 + high, low, 0x54, 0, 0, 52], &[0xff; 2 * COPIES as usize], &[1]]
            .concat();
    let header = (block.len() as u32) << 3 | 2 << 1 | 1;
    [b"\x28\xb5\x2f\xfd\x00\x50", &header.to_le_bytes()[..3], &block].concat()
}

async fn ask(target: &Target, request: &str, body: &[u8]) -> String {
    let len = body.len();
    let head = format!(
        "{request}\r\nhost: a\r\nconnection: close\r\ncontent-encoding: zstd\r\ncontent-length: {len}\r\n\r\n"
    );
    let answer = target.talk([head.as_bytes(), body].concat()).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    format!("{} {body}", head.split(' ').nth(1).unwrap_or_default())
}

#[tokio::test]
async fn go_no_further_than_the_limit() {
    let target = Target::library(Guards::default()).await;
    // The body has 400 kilobytes, and 13 gigabytes when decompressed.
    let long = repeated(100_000);
    assert_eq!(long.len(), 400_006);
    let too_long =
        r#"413 {"code":8,"message":"the body is longer than the limit of 4194304 bytes","details":[]}"#;
    let malformed = r#"400 {"code":3,"message":"the compressed body is malformed","details":[]}"#;
    for request in REQUESTS {
        assert_eq!(ask(&target, request, &long).await, too_long, "{request}");
        assert_eq!(ask(&target, request, &copied()).await, malformed, "{request}");
        target.is_well().await;
    }
    // A valid small body is accepted.
    let shelf = r#"{"name":"shelves/a"}"#;
    let frame = [b"\x28\xb5\x2f\xfd\x00\x68\xa1\0\0", shelf.as_bytes()].concat();
    assert_eq!(ask(&target, REQUESTS[0], &frame).await, format!("200 {shelf}"));
}

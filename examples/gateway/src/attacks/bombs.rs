//! Bodies that are small as they come, and gigabytes decompressed.

use super::Target;
use crate::serve::Guards;

/// Both ask for all of their body before there is a call.
const REQUESTS: &[&str] = &[
    "POST /v1/shelves HTTP/1.1\r\ncontent-type: application/json",
    "PUT /v1/shelves/a/books/b/cover HTTP/1.1\r\ncontent-type: image/png",
];

/// A frame of zstd with a window of 8 MiB: blocks that each say 128 KiB of spaces in four bytes.
///
/// Specification: <https://www.rfc-editor.org/rfc/rfc8878#name-blocks>.
fn repeated(blocks: usize) -> Vec<u8> {
    // Three bytes: whether it is the last one, the type of repetition, a size.
    let header: u32 = (128 << 10) << 3 | 1 << 1;
    let block = |last: u32| [&(header | last).to_le_bytes()[..3], b" "].concat();
    [b"\x28\xb5\x2f\xfd\x00\x68", &block(0).repeat(blocks - 1)[..], &block(1)].concat()
}

/// One block of eight letters and 30,000 copies of 65,539 bytes and more: two gigabytes, where no block may be longer
/// than 128 KiB.
fn copied() -> Vec<u8> {
    const COPIES: u16 = 30_000;
    let [high, low] = COPIES.to_be_bytes();
    // The literals, the number of copies, and one code for all lengths and distances; then the bits of each.
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
    // 400 kilobytes of 13 gigabytes.
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
    // What is no bomb is taken.
    let shelf = r#"{"name":"shelves/a"}"#;
    let frame = [b"\x28\xb5\x2f\xfd\x00\x68\xa1\0\0", shelf.as_bytes()].concat();
    assert_eq!(ask(&target, REQUESTS[0], &frame).await, format!("200 {shelf}"));
}

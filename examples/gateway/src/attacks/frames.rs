//! Tests attacks with single HTTP/2 frames: calls that the client cancels at once, header blocks without an end, and floods of
//! frames.
//!
//! Specification: <https://www.rfc-editor.org/rfc/rfc9113>.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{PATIENCE, Target};
use crate::limits::Limits;
use crate::serve::Guards;

pub(super) const HEADERS: u8 = 1;
const RESET: u8 = 3;
pub(super) const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GO_AWAY: u8 = 7;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;

pub(super) const END_STREAM: u8 = 1;
pub(super) const END_HEADERS: u8 = 4;

const REFUSED_STREAM: u32 = 7;
const ENHANCE_YOUR_CALM: u32 = 11;

pub(super) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let len = (payload.len() as u32).to_be_bytes();
    [&len[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// Opens a connection and sends the preface, but no request.
async fn connect(target: &Target) -> TcpStream {
    target.send([PREFACE, &frame(SETTINGS, 0, 0, &[])].concat()).await
}

pub(super) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Returns the header block of a request for the shelves: `:method`, `:scheme`, `:path` and `:authority`. `method` is `GET` or
/// `POST`.
fn head(method: u8) -> Vec<u8> {
    head_of(method, "/v1/shelves")
}

pub(super) fn head_of(method: u8, path: &str) -> Vec<u8> {
    [&[method, 0x86, 0x04, path.len() as u8][..], path.as_bytes(), &[0x01, 1], b"a"].concat()
}

pub(super) const GET: u8 = 0x82;
const POST: u8 = 0x83;

/// Waits for the first frame of the kind `wanted`. Returns its stream and payload, or `None` if the connection ends before.
async fn wait_for(stream: &mut TcpStream, wanted: u8) -> Option<(u32, Vec<u8>)> {
    let read = async {
        loop {
            let mut head = [0; 9];
            stream.read_exact(&mut head).await.ok()?;
            let [_, a, b, c] = [0, head[0], head[1], head[2]];
            let mut payload = vec![0; u32::from_be_bytes([0, a, b, c]) as usize];
            stream.read_exact(&mut payload).await.ok()?;
            if head[3] == wanted {
                return Some((u32::from_be_bytes([head[5], head[6], head[7], head[8]]), payload));
            }
        }
    };
    tokio::time::timeout(PATIENCE, read).await.expect("nothing comes")
}

/// Sends `first`, and then the output of `next` over and over. Returns the error code with which the server closes the
/// connection.
async fn given_up(target: &Target, first: Vec<u8>, mut next: impl FnMut(u32) -> Vec<u8>) -> u32 {
    let mut stream = connect(target).await;
    stream.write_all(&first).await.unwrap();
    // When the server stops reading, writing fails. The loop then ends.
    for turn in 0..20_000 {
        if stream.write_all(&next(turn)).await.is_err() {
            break;
        }
    }
    let (_, payload) = wait_for(&mut stream, GO_AWAY).await.expect("the connection ends without a word");
    u32::from_be_bytes(payload[4..8].try_into().unwrap())
}

/// CVE-2023-44487.
#[tokio::test]
async fn calls_that_are_given_up_at_once() {
    let target = Target::library(Guards::default()).await;
    let code = given_up(&target, vec![], |turn| {
        let stream = 2 * turn + 1;
        let call = frame(HEADERS, END_HEADERS | END_STREAM, stream, &head(GET));
        [call, frame(RESET, 0, stream, &8u32.to_be_bytes())].concat()
    })
    .await;
    assert_eq!(code, ENHANCE_YOUR_CALM);
    target.is_well().await;
}

/// CVE-2025-8671: the client makes the server cancel the calls.
#[tokio::test]
async fn calls_that_the_server_must_give_up() {
    let target = Target::library(Guards::default()).await;
    let code = given_up(&target, vec![], |turn| {
        let stream = 2 * turn + 1;
        let call = frame(HEADERS, END_HEADERS, stream, &head(POST));
        // A window may not exceed 31 bits, so this frame is an error, and the server resets the stream.
        [call, frame(WINDOW_UPDATE, 0, stream, &0x7fff_ffffu32.to_be_bytes())].concat()
    })
    .await;
    assert_eq!(code, ENHANCE_YOUR_CALM);
    target.is_well().await;
}

/// CVE-2024-27316 and similar attacks.
#[tokio::test]
async fn heads_without_an_end() {
    let target = Target::library(Guards::default()).await;
    let first = frame(HEADERS, END_STREAM, 1, &head(GET));
    // Each frame has either headers of two bytes each, or nothing.
    for piece in [&[0, 1, b'a', 1, b'b'][..], &[]] {
        let code = given_up(&target, first.clone(), |_| frame(CONTINUATION, 0, 1, &piece.repeat(100))).await;
        assert_eq!(code, ENHANCE_YOUR_CALM, "{piece:?}");
    }
    target.is_well().await;
}

/// With HPACK, one byte can stand for a header of four thousand bytes.
#[tokio::test]
async fn heads_that_grow() {
    let target = Target::library(Guards::default()).await;
    // Adds one header to the table, and then refers to it `times` times. The index 0xbe is the newest entry.
    let grown = |times: usize| {
        let entry = [&[0x40, 1, b'a', 0x7f, 0xa1, 0x1e][..], &[b'b'; 4000]].concat();
        let bytes = [head(GET), entry, vec![0xbe; times]].concat();
        frame(HEADERS, END_HEADERS | END_STREAM, 1, &bytes)
    };
    let mut stream = connect(&target).await;
    stream.write_all(&grown(5)).await.unwrap();
    let (_, payload) = wait_for(&mut stream, HEADERS).await.expect("no answer");
    // The header `:status` with the value 431.
    assert_eq!(payload[..5], [0x48, 0x83, 0x69, 0x90, 0xff], "{payload:?}");

    let mut stream = connect(&target).await;
    stream.write_all(&grown(1000)).await.unwrap();
    let (_, payload) = wait_for(&mut stream, GO_AWAY).await.expect("no answer");
    assert_eq!(payload[4..8], ENHANCE_YOUR_CALM.to_be_bytes());
    target.is_well().await;
}

#[tokio::test]
async fn too_many_calls_at_once() {
    let limits = Limits { streams: 5, ..Limits::default() };
    let target = Target::library(Guards { limits, ..Guards::default() }).await;
    let mut stream = connect(&target).await;
    // Wait until the client has received the limit in the server's settings.
    wait_for(&mut stream, SETTINGS).await.unwrap();
    stream.write_all(&frame(SETTINGS, 1, 0, &[])).await.unwrap();
    for n in 0..6 {
        stream.write_all(&frame(HEADERS, END_HEADERS, 2 * n + 1, &head(POST))).await.unwrap();
    }
    let (stream, payload) = wait_for(&mut stream, RESET).await.expect("the connection ends");
    assert_eq!((stream, payload), (11, REFUSED_STREAM.to_be_bytes().to_vec()));
    target.is_well().await;
}

/// CVE-2019-9512 and CVE-2019-9515: the server must answer each frame, but the client does not read the answers.
#[tokio::test]
async fn frames_that_want_answers_nobody_reads() {
    let limits = Limits { stall: std::time::Duration::from_millis(300), ..Limits::default() };
    let target = Target::library(Guards { limits, ..Guards::default() }).await;
    for bytes in [frame(PING, 0, 0, &[7; 8]), frame(SETTINGS, 0, 0, &[])] {
        let bytes = bytes.repeat(10_000);
        let mut stream = connect(&target).await;
        // While the client does not read the answers, the server stops reading. After a timeout, it closes the connection.
        let flood = async { while stream.write_all(&bytes).await.is_ok() {} };
        tokio::time::timeout(PATIENCE, flood).await.expect("the server takes it for ever");
    }
    target.is_well().await;
}

//! Tests what attackers may try on a server that is open to the internet, over real connections.
//!
//! For some attacks, only hyper and h2 have a defense. The tests fail if a new version of hyper or h2 loses this defense.

mod access;
mod bombs;
mod frames;
mod heads;
mod slow;
mod uploads;
mod upstream;

use std::future::pending;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

use crate::serve::{self, Done, Guards};
use crate::store::Store;

/// The longest time that a step of a test may take on a slow machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running server. Dropping the target stops the server.
struct Target {
    address: SocketAddr,
    server: AbortHandle,
}

impl Target {
    /// Starts a library without books, with the given guards.
    async fn library(guards: Guards) -> Self {
        let store = Arc::new(Store::open(None).unwrap());
        Self::start(|listener| serve::library(listener, store, guards, pending())).await
    }

    async fn start<F: Future<Output = Done> + Send + 'static>(serve: impl FnOnce(TcpListener) -> F) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn(serve(listener)).abort_handle();
        Target { address, server }
    }

    /// Opens a connection, and sends the bytes. If the server stops reading, the rest is not sent.
    async fn send(&self, bytes: impl AsRef<[u8]>) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // A server may refuse a request and stop reading early. Its answer can still be read, so an error is ignored here.
        drop(stream.write_all(bytes.as_ref()).await);
        stream
    }

    /// Sends the bytes, and returns everything that the server sends until the connection ends.
    async fn talk(&self, bytes: impl AsRef<[u8]>) -> String {
        rest(&mut self.send(bytes).await).await
    }

    /// Sends one request. Returns the status, the values of the named headers, and the body of the answer.
    async fn ask(&self, head: &str, body: &str, headers: &[&str]) -> (u16, Vec<String>, String) {
        let len = body.len();
        let text = format!("{head}\r\nhost: a\r\nconnection: close\r\ncontent-length: {len}\r\n\r\n{body}");
        let answer = self.talk(text).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).unwrap_or_default().parse().unwrap();
        let value = |name: &&str| {
            let prefix = format!("{name}: ");
            head.lines().find_map(|line| line.strip_prefix(&prefix)).unwrap_or_default().to_owned()
        };
        (status, headers.iter().map(value).collect(), body.to_owned())
    }

    /// Checks that the server still answers requests.
    async fn is_well(&self) {
        assert_eq!(self.ask("GET /v1/shelves HTTP/1.1", "", &[]).await, (200, vec![], "{}".to_owned()));
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// Reads until the connection ends, normally or with an error.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let read = stream.read_to_end(&mut bytes);
    drop(tokio::time::timeout(PATIENCE, read).await.expect("the connection stays open"));
    String::from_utf8_lossy(&bytes).into_owned()
}

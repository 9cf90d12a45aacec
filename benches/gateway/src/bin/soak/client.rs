//! Clients, well-behaved and not.

use std::convert::Infallible;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, header};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Frame;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tobu_gateway_bench::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::kinds::{Exchange, Manner};

type Outgoing = UnsyncBoxBody<Bytes, Infallible>;

/// Between the bytes of a slow client.
const PAUSE: Duration = Duration::from_millis(1);
/// The size of body chunks, unless the body is large.
const PIECE: usize = 23;

/// The response: a status and a body. `None` if the client did not wait for it.
pub type Came = Option<(u16, Vec<u8>)>;

/// A client, with a connection that stays open.
pub struct Client {
    address: String,
    open: Option<SendRequest<Outgoing>>,
}

impl Client {
    /// A client of a server.
    pub fn new(address: &str) -> Self {
        Client { address: address.to_owned(), open: None }
    }

    /// Sends a request in its manner, and reads the answer where the client waits for it.
    ///
    /// # Errors
    /// The connection ends without an answer.
    pub async fn exchange(&mut self, exchange: &Exchange) -> Result<Came, Error> {
        match exchange.manner {
            Manner::Plain | Manner::Pieces => self.send(exchange).await.map(Some),
            _ => misbehave(&self.address, exchange).await,
        }
    }

    async fn send(&mut self, exchange: &Exchange) -> Result<(u16, Vec<u8>), Error> {
        let mut sender = match self.open.take() {
            Some(sender) if !sender.is_closed() => sender,
            _ => {
                let stream = TcpStream::connect(&self.address).await?;
                stream.set_nodelay(true)?;
                let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
                // Its errors are also errors of the request.
                tokio::spawn(connection);
                sender
            }
        };
        let mut request = Request::builder().method(exchange.method).uri(&exchange.path);
        request = request.header(header::HOST, &self.address);
        for (name, value) in &exchange.headers {
            request = request.header(*name, *value);
        }
        let body = match exchange.manner {
            Manner::Pieces => pieces(&exchange.body),
            _ => Full::new(Bytes::from(exchange.body.clone())).boxed_unsync(),
        };
        sender.ready().await?;
        let response = sender.send_request(request.body(body)?).await?;
        let status = response.status().as_u16();
        let body = response.into_body().collect().await?.to_bytes();
        // A server that did not read all of a body closes the connection.
        if exchange.manner == Manner::Plain || status == 200 {
            self.open = Some(sender);
        }
        Ok((status, body.to_vec()))
    }
}

/// A body without a declared length.
fn pieces(body: &[u8]) -> Outgoing {
    let size = PIECE.max(body.len() / 16);
    let pieces: Vec<_> =
        body.chunks(size).map(|piece| Ok(Frame::data(Bytes::copy_from_slice(piece)))).collect();
    StreamBody::new(tokio_stream::iter(pieces)).boxed_unsync()
}

/// A client on a separate connection.
async fn misbehave(address: &str, exchange: &Exchange) -> Result<Came, Error> {
    let Exchange { method, path, headers, body, manner, .. } = exchange;
    let length = if *manner == Manner::Boasts { crate::front::MAX_BODY + 1 } else { body.len() };
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
    if !body.is_empty() {
        head += &format!("content-length: {length}\r\n");
    }
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += "\r\n";
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    if *manner == Manner::CutHead {
        stream.write_all(&head.as_bytes()[..head.len() / 2]).await?;
        return Ok(None);
    }
    stream.write_all(head.as_bytes()).await?;
    match manner {
        Manner::Slow => {
            for byte in body {
                stream.write_all(&[*byte]).await?;
                tokio::time::sleep(PAUSE).await;
            }
        }
        Manner::Cut => {
            stream.write_all(&body[..body.len() / 2]).await?;
            // So that the server is at it.
            tokio::time::sleep(PAUSE).await;
            return Ok(None);
        }
        Manner::Stops => stream.write_all(&body[..body.len() / 2]).await?,
        _ => stream.write_all(body).await?,
    }
    let mut answer = Vec::new();
    if *manner == Manner::HangsUp {
        while answer.len() < 4096 && stream.read_buf(&mut answer).await? > 0 {}
        if answer.starts_with(b"HTTP/1.1 200 OK\r\n") {
            return Ok(None);
        }
    }
    // Nothing more is received if the stream could not begin.
    stream.read_to_end(&mut answer).await?;
    parse(&answer).map(Some)
}

/// An answer whose end is that of the connection.
fn parse(answer: &[u8]) -> Result<(u16, Vec<u8>), Error> {
    let malformed = || format!("the answer is {:?}", String::from_utf8_lossy(answer));
    let at = answer.windows(4).position(|four| four == b"\r\n\r\n").ok_or_else(malformed)?;
    let status = answer.strip_prefix(b"HTTP/1.1 ").and_then(|rest| rest.get(..3)).ok_or_else(malformed)?;
    Ok((std::str::from_utf8(status)?.parse()?, answer[at + 4..].to_vec()))
}

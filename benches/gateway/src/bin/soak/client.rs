//! Clients, well-behaved and not.

use std::convert::Infallible;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderMap, Request, Response, header};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tobu_gateway_bench::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;

use crate::calls::frame;
use crate::kinds::{Exchange, Manner, Wire};

type Outgoing = UnsyncBoxBody<Bytes, Infallible>;

/// Between the bytes of a slow client.
const PAUSE: Duration = Duration::from_millis(1);
/// The size of body chunks, unless the body is large.
const PIECE: usize = 23;

/// The response: a status and a body. `None` if the client did not wait for it.
pub type Came = Option<(u16, Vec<u8>)>;

/// A client, with a connection of each version of HTTP that stays open.
pub struct Client {
    address: String,
    http1: Option<http1::SendRequest<Outgoing>>,
    http2: Option<http2::SendRequest<Outgoing>>,
}

impl Client {
    /// A client of a server.
    pub fn new(address: &str) -> Self {
        Client { address: address.to_owned(), http1: None, http2: None }
    }

    /// Sends a request in its manner, and reads the answer where the client waits for it.
    ///
    /// # Errors
    /// The connection ends without an answer.
    pub async fn exchange(&mut self, exchange: &Exchange) -> Result<Came, Error> {
        match (exchange.wire, exchange.manner) {
            (Wire::Grpc, _) => self.call(exchange).await,
            (_, Manner::Plain | Manner::Pieces) => self.send(exchange).await.map(Some),
            _ => misbehave(&self.address, exchange).await,
        }
    }

    async fn send(&mut self, exchange: &Exchange) -> Result<(u16, Vec<u8>), Error> {
        let mut sender = match self.http1.take() {
            Some(sender) if !sender.is_closed() => sender,
            _ => {
                let (sender, connection) = http1::handshake(connect(&self.address).await?).await?;
                // Its errors are also errors of the request.
                tokio::spawn(connection);
                sender
            }
        };
        let body = match exchange.manner {
            Manner::Pieces => pieces(&exchange.body),
            _ => Full::new(Bytes::from(exchange.body.clone())).boxed_unsync(),
        };
        let request = self.request(exchange, &exchange.path).body(body)?;
        sender.ready().await?;
        let response = sender.send_request(request).await?;
        let (head, body) = response.into_parts();
        let status = head.status.as_u16();
        let body = body.collect().await?.to_bytes();
        // A server that did not read all of a body closes the connection.
        if exchange.manner == Manner::Plain || status == 200 {
            self.http1 = Some(sender);
        }
        Ok((status, as_frames(exchange.wire, &head.headers, body.to_vec())?))
    }

    /// Sends a call over HTTP/2, and reads it to its trailers.
    async fn call(&mut self, exchange: &Exchange) -> Result<Came, Error> {
        let mut sender = match self.http2.take() {
            Some(sender) if !sender.is_closed() => sender,
            _ => {
                let io = connect(&self.address).await?;
                let (sender, connection) = http2::handshake(TokioExecutor::new(), io).await?;
                tokio::spawn(connection);
                sender
            }
        };
        let url = format!("http://{}{}", self.address, exchange.path);
        let request = self.request(exchange, &url).header(header::TE, "trailers");
        sender.ready().await?;
        self.http2 = Some(sender.clone());
        if exchange.manner == Manner::Cut {
            let (half, rest) = mpsc::unbounded_channel();
            drop(
                half.send(Ok(Frame::data(Bytes::copy_from_slice(&exchange.body[..exchange.body.len() / 2])))),
            );
            let body = StreamBody::new(UnboundedReceiverStream::new(rest)).boxed_unsync();
            let call = sender.send_request(request.body(body)?);
            // The call is reset when it is dropped: soon, but the service should have begun.
            drop(tokio::time::timeout(PAUSE * 3, call).await);
            return Ok(None);
        }
        let response = match sender.send_request(request.body(pieces(&exchange.body))?).await {
            Ok(response) => response,
            Err(error) => return Ok(Some((200, reset(&error)))),
        };
        let status = response.status().as_u16();
        if exchange.manner == Manner::HangsUp && !response.headers().contains_key("grpc-status") {
            return Ok(match response.into_body().frame().await {
                Some(Ok(_)) => None,
                Some(Err(error)) => Some((status, reset(&error))),
                None => return Err("the stream has no beginning".into()),
            });
        }
        Ok(Some((status, read_call(response).await)))
    }

    fn request(&self, exchange: &Exchange, uri: &str) -> http::request::Builder {
        let mut request = Request::builder().method(exchange.method).uri(uri);
        if exchange.wire != Wire::Grpc {
            request = request.header(header::HOST, &self.address);
        }
        for (name, value) in &exchange.headers {
            request = request.header(*name, *value);
        }
        request
    }
}

async fn connect(address: &str) -> Result<TokioIo<TcpStream>, Error> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(TokioIo::new(stream))
}

/// What a client makes of a stream that is reset.
fn reset(error: &hyper::Error) -> Vec<u8> {
    frame(0x80, format!("grpc-status: 14\r\nreset: {error:?}\r\n").as_bytes())
}

/// The frames of a response of gRPC, with its trailers as the last one.
async fn read_call(response: Response<Incoming>) -> Vec<u8> {
    let (head, mut body) = response.into_parts();
    let mut frames = Vec::new();
    let mut trailers = head.headers;
    while let Some(came) = body.frame().await {
        match came.map(Frame::into_data) {
            Ok(Ok(data)) => frames.extend_from_slice(&data),
            Ok(Err(frame)) => trailers = frame.into_trailers().unwrap_or_default(),
            Err(error) => {
                frames.extend(reset(&error));
                return frames;
            }
        }
    }
    frames.extend(trailer_frame(&trailers));
    frames
}

/// The status of a call, as the frame that it is in gRPC-Web.
fn trailer_frame(trailers: &HeaderMap) -> Vec<u8> {
    let mut text = Vec::new();
    for (name, value) in trailers.iter().filter(|(name, _)| name.as_str().starts_with("grpc-")) {
        text.extend_from_slice(&[name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    frame(0x80, &text)
}

/// A body of gRPC-Web as its frames, with a status among the headers as the last one.
fn as_frames(wire: Wire, headers: &HeaderMap, body: Vec<u8>) -> Result<Vec<u8>, Error> {
    if wire == Wire::Http {
        return Ok(body);
    }
    let kind = if wire == Wire::WebText { "application/grpc-web-text" } else { "application/grpc-web+" };
    let found = headers.get(header::CONTENT_TYPE).map_or(&[][..], |kind| kind.as_bytes());
    if !found.starts_with(kind.as_bytes()) {
        return Err(format!("the answer has the type {:?}", String::from_utf8_lossy(found)).into());
    }
    let mut frames = Vec::new();
    match wire {
        // Each segment of the server is padded for itself.
        Wire::WebText => {
            for segment in body.chunks(4) {
                STANDARD.decode_vec(segment, &mut frames)?;
            }
        }
        _ => frames = body,
    }
    if headers.contains_key("grpc-status") {
        frames.extend(trailer_frame(headers));
    }
    Ok(frames)
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
    let mut stream = connect(address).await?.into_inner();
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

/// An answer whose end is that of the connection, without its headers.
fn parse(answer: &[u8]) -> Result<(u16, Vec<u8>), Error> {
    let malformed = || format!("the answer is {:?}", String::from_utf8_lossy(answer));
    let at = answer.windows(4).position(|four| four == b"\r\n\r\n").ok_or_else(malformed)?;
    let status = answer.strip_prefix(b"HTTP/1.1 ").and_then(|rest| rest.get(..3)).ok_or_else(malformed)?;
    Ok((std::str::from_utf8(status)?.parse()?, answer[at + 4..].to_vec()))
}

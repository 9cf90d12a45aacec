//! Requests over connections that stay open, one after the other on each, and how long they take.

use std::time::{Duration, Instant};

use bytes::Bytes;
use hdrhistogram::Histogram;
use http::{Method, Request, header};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tobu::json;
use tokio::net::TcpStream;
use tonic::transport::{Channel, Endpoint};

use crate::Error;
use crate::library::books;
use crate::process;
use crate::proto::library::v1::library_client::LibraryClient;
use crate::proto::library::v1::*;

/// The kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// One book.
    Small,
    /// As many books as make 6 KB of JSON.
    Large,
    /// As many books, and the same back.
    Echo,
}

/// The protocol of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Messages over HTTP/2.
    Grpc,
    /// JSON over HTTP/1.1, by the rules of the methods.
    Json,
    /// JSON by Connect over HTTP/1.1.
    Connect,
}

/// The result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// How many requests there were.
    pub requests: u64,
    /// How long they took altogether.
    pub elapsed: Duration,
    /// Nanoseconds of each of them.
    pub times: Histogram<u64>,
    /// Seconds of processor time that this process took for it.
    pub client_cpu: f64,
}

/// How many books make 6 KB of JSON.
const BOOKS: u32 = 20;
const SHELF: &str = "shelves/fiction";

impl Task {
    /// All of them.
    pub const ALL: [Task; 3] = [Task::Small, Task::Large, Task::Echo];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Task::Small => "one book",
            Task::Large => "20 books",
            Task::Echo => "20 books both ways",
        }
    }

    /// The request as REST: method, path and body.
    fn rest(self) -> Result<(Method, String, Bytes), Error> {
        Ok(match self {
            Task::Small => (Method::GET, format!("/v1/{SHELF}/books/dune"), Bytes::new()),
            Task::Large => (Method::GET, format!("/v1/{SHELF}/books?pageSize={BOOKS}"), Bytes::new()),
            Task::Echo => (Method::POST, "/v1/books".to_owned(), json::to_vec(&shelf())?.into()),
        })
    }

    /// The request as Connect.
    fn connect(self) -> Result<(Method, String, Bytes), Error> {
        let (method, body) = match self {
            Task::Small => ("GetBook", json::to_vec(&small_request())?),
            Task::Large => ("ListBooks", json::to_vec(&large_request())?),
            Task::Echo => ("CreateBooks", json::to_vec(&shelf())?),
        };
        Ok((Method::POST, format!("/library.v1.Library/{method}"), body.into()))
    }

    /// The answer, as JSON.
    ///
    /// # Errors
    /// None, where messages are valid.
    pub fn answer(self) -> Result<serde_json::Value, Error> {
        Ok(serde_json::from_slice(&match self {
            Task::Small => json::to_vec(&crate::library::book(&format!("{SHELF}/books/dune")))?,
            Task::Large | Task::Echo => json::to_vec(&shelf())?,
        })?)
    }
}

fn shelf() -> ListBooksResponse {
    ListBooksResponse { books: books(SHELF, BOOKS).collect(), ..ListBooksResponse::default() }
}

/// A connection to a server.
enum Connection {
    Grpc(LibraryClient<Channel>),
    Http { sender: SendRequest<Full<Bytes>>, address: String, protocol: Protocol },
}

impl Connection {
    async fn open(protocol: Protocol, address: &str) -> Result<Self, Error> {
        match protocol {
            Protocol::Grpc => {
                let endpoint = Endpoint::from_shared(format!("http://{address}"))?;
                Ok(Connection::Grpc(LibraryClient::new(endpoint.connect().await?)))
            }
            Protocol::Json | Protocol::Connect => {
                let stream = TcpStream::connect(address).await?;
                stream.set_nodelay(true)?;
                let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
                // Its errors are also errors of the request.
                tokio::spawn(connection);
                Ok(Connection::Http { sender, address: address.to_owned(), protocol })
            }
        }
    }

    /// Sends a request, and returns the answer as JSON.
    async fn look(&mut self, task: Task) -> Result<Vec<u8>, Error> {
        match self {
            Connection::Grpc(client) => Ok(match task {
                Task::Small => json::to_vec(&small(client).await?)?,
                Task::Large => json::to_vec(&large(client).await?)?,
                Task::Echo => json::to_vec(&echo(client, shelf()).await?)?,
            }),
            Connection::Http { protocol, .. } => {
                let prepared = Prepared::of(*protocol, task)?;
                Ok(self.ask(&prepared).await?.to_vec())
            }
        }
    }

    /// Sends a request over HTTP, and returns the body of the answer, whose status is 200.
    async fn ask(&mut self, prepared: &Prepared) -> Result<Bytes, Error> {
        let Connection::Http { sender, address, protocol } = self else { return Err("not over HTTP".into()) };
        let Prepared { method, path, body } = prepared;
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, &**address);
        if !body.is_empty() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        if *protocol == Protocol::Connect {
            request = request.header("connect-protocol-version", "1");
        }
        sender.ready().await?;
        let response = sender.send_request(request.body(Full::new(body.clone()))?).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        match status.as_u16() {
            200 => Ok(body),
            _ => Err(format!("{path}: {status}: {}", String::from_utf8_lossy(&body)).into()),
        }
    }
}

/// A request over HTTP.
struct Prepared {
    method: Method,
    path: String,
    body: Bytes,
}

impl Prepared {
    fn of(protocol: Protocol, task: Task) -> Result<Self, Error> {
        let (method, path, body) = match protocol {
            Protocol::Connect => task.connect()?,
            Protocol::Json | Protocol::Grpc => task.rest()?,
        };
        Ok(Prepared { method, path, body })
    }
}

fn small_request() -> GetBookRequest {
    GetBookRequest { name: format!("{SHELF}/books/dune"), ..GetBookRequest::default() }
}

fn large_request() -> ListBooksRequest {
    ListBooksRequest { parent: SHELF.to_owned(), page_size: BOOKS, ..ListBooksRequest::default() }
}

async fn small(client: &mut LibraryClient<Channel>) -> Result<Book, Error> {
    Ok(client.get_book(small_request()).await?.into_inner())
}

async fn large(client: &mut LibraryClient<Channel>) -> Result<ListBooksResponse, Error> {
    Ok(client.list_books(large_request()).await?.into_inner())
}

async fn echo(
    client: &mut LibraryClient<Channel>,
    books: ListBooksResponse,
) -> Result<ListBooksResponse, Error> {
    Ok(client.create_books(books).await?.into_inner())
}

/// Compares the answer of a server with the expected one.
///
/// # Errors
/// The server answers otherwise.
pub async fn check(protocol: Protocol, address: &str, task: Task) -> Result<(), Error> {
    let found = Connection::open(protocol, address).await?.look(task).await?;
    // Not bytes: grpc-gateway has spaces between them, here and there.
    let found: serde_json::Value = serde_json::from_slice(&found)?;
    let wanted = task.answer()?;
    match found == wanted {
        true => Ok(()),
        false => Err(format!("{}: the answer is {found}, not {wanted}", task.name()).into()),
    }
}

/// Sends requests to a server over some connections, first to warm up and then for as long as it is measured. `begin`
/// is called in between.
///
/// # Errors
/// A request is not answered as its like were before.
pub async fn run(
    protocol: Protocol,
    address: &str,
    task: Task,
    connections: usize,
    warm_up: Duration,
    duration: Duration,
    begin: impl FnOnce() -> Result<(), Error>,
) -> Result<Outcome, Error> {
    let own = std::process::id();
    let mut opened = Vec::new();
    for _ in 0..connections {
        opened.push(Connection::open(protocol, address).await?);
    }
    let start = Instant::now() + warm_up;
    let workers: Vec<_> = opened
        .into_iter()
        .map(|opened| tokio::spawn(work(opened, protocol, task, start, start + duration)))
        .collect();
    tokio::time::sleep_until(start.into()).await;
    begin()?;
    let before = process::cpu(own)?;
    let mut times = histogram()?;
    for worker in workers {
        times.add(worker.await??)?;
    }
    let client_cpu = process::cpu(own)? - before;
    Ok(Outcome { requests: times.len(), elapsed: start.elapsed(), times, client_cpu })
}

/// Nanoseconds, up to a minute.
///
/// # Errors
/// None: the bounds are valid.
pub fn histogram() -> Result<Histogram<u64>, Error> {
    Ok(Histogram::new_with_bounds(1_000, 60_000_000_000, 3)?)
}

/// Sends requests in a loop. Requests count from the start on.
async fn work(
    mut connection: Connection,
    protocol: Protocol,
    task: Task,
    start: Instant,
    end: Instant,
) -> Result<Histogram<u64>, Error> {
    let mut times = histogram()?;
    let (prepared, sent) = (Prepared::of(protocol, task)?, shelf());
    let mut length = None;
    loop {
        let asked = Instant::now();
        if asked >= end {
            return Ok(times);
        }
        let found = match (&mut connection, task) {
            (Connection::Grpc(client), Task::Small) => small(client).await?.title.len(),
            (Connection::Grpc(client), Task::Large) => large(client).await?.books.len(),
            (Connection::Grpc(client), Task::Echo) => echo(client, sent.clone()).await?.books.len(),
            (connection, _) => connection.ask(&prepared).await?.len(),
        };
        // All content was compared before: that is too slow for here.
        if *length.get_or_insert(found) != found {
            return Err(format!("{}: the answers differ in length", task.name()).into());
        }
        if asked >= start {
            times.record(asked.elapsed().as_nanos().try_into()?)?;
        }
    }
}

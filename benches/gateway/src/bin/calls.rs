//! Calls by generated clients of generated servers: tobu-tonic next to tonic-prost, in the process and over TCP.
//!
//! `calls [ROUNDS] [MILLISECONDS]`: each row is the median of the rounds, in which both have their turns, in microseconds of
//! processor time of client and server together.

use std::future::Future;
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::{Channel, Endpoint, Server};

use tobu_gateway_bench::Error;
use tobu_gateway_bench::library::books;

/// The generated messages, client and server of prost.
#[allow(dead_code, missing_docs, reason = "of the generated code not all is called")]
mod theirs {
    include!(concat!(env!("OUT_DIR"), "/prost.rs"));
}

use theirs::library::v1 as prost;
use tobu_gateway_bench::proto::library::v1 as tobu;

/// What both libraries answer.
const NAME: &str = "shelves/fiction/books/dune";
const LIST: u32 = 50;
const ECHO: u32 = 20;
const SUMMARY: usize = 1000;

/// Answers with what it was made with.
#[derive(Clone)]
struct Fixed<B, L> {
    book: B,
    list: L,
}

impl tobu::library_server::Library for Fixed<tobu::Book, tobu::ListBooksResponse> {
    type WatchBooksStream = tokio_stream::Iter<std::vec::IntoIter<Result<tobu::Book, tonic::Status>>>;

    async fn get_book(
        &self,
        _: tonic::Request<tobu::GetBookRequest>,
    ) -> Result<tonic::Response<tobu::Book>, tonic::Status> {
        Ok(tonic::Response::new(self.book.clone()))
    }

    async fn list_books(
        &self,
        _: tonic::Request<tobu::ListBooksRequest>,
    ) -> Result<tonic::Response<tobu::ListBooksResponse>, tonic::Status> {
        Ok(tonic::Response::new(self.list.clone()))
    }

    async fn create_book(
        &self,
        _: tonic::Request<tobu::CreateBookRequest>,
    ) -> Result<tonic::Response<tobu::Book>, tonic::Status> {
        Err(tonic::Status::unimplemented(""))
    }

    async fn create_books(
        &self,
        request: tonic::Request<tobu::ListBooksResponse>,
    ) -> Result<tonic::Response<tobu::ListBooksResponse>, tonic::Status> {
        Ok(tonic::Response::new(request.into_inner()))
    }

    async fn watch_books(
        &self,
        _: tonic::Request<tobu::ListBooksRequest>,
    ) -> Result<tonic::Response<Self::WatchBooksStream>, tonic::Status> {
        Err(tonic::Status::unimplemented(""))
    }

    async fn import_books(
        &self,
        _: tonic::Request<tonic::Streaming<tobu::CreateBookRequest>>,
    ) -> Result<tonic::Response<tobu::ImportBooksResponse>, tonic::Status> {
        Err(tonic::Status::unimplemented(""))
    }
}

#[tonic::async_trait]
impl prost::library_server::Library for Fixed<prost::Book, prost::ListBooksResponse> {
    type WatchBooksStream = tokio_stream::Iter<std::vec::IntoIter<Result<prost::Book, tonic::Status>>>;

    async fn get_book(
        &self,
        _: tonic::Request<prost::GetBookRequest>,
    ) -> Result<tonic::Response<prost::Book>, tonic::Status> {
        Ok(tonic::Response::new(self.book.clone()))
    }

    async fn list_books(
        &self,
        _: tonic::Request<prost::ListBooksRequest>,
    ) -> Result<tonic::Response<prost::ListBooksResponse>, tonic::Status> {
        Ok(tonic::Response::new(self.list.clone()))
    }

    async fn create_book(
        &self,
        _: tonic::Request<prost::CreateBookRequest>,
    ) -> Result<tonic::Response<prost::Book>, tonic::Status> {
        Err(tonic::Status::unimplemented(""))
    }

    async fn create_books(
        &self,
        request: tonic::Request<prost::ListBooksResponse>,
    ) -> Result<tonic::Response<prost::ListBooksResponse>, tonic::Status> {
        Ok(tonic::Response::new(request.into_inner()))
    }

    async fn watch_books(
        &self,
        _: tonic::Request<prost::ListBooksRequest>,
    ) -> Result<tonic::Response<Self::WatchBooksStream>, tonic::Status> {
        Err(tonic::Status::unimplemented(""))
    }

    async fn import_books(
        &self,
        _: tonic::Request<tonic::Streaming<prost::CreateBookRequest>>,
    ) -> Result<tonic::Response<prost::ImportBooksResponse>, tonic::Status> {
        Err(tonic::Status::unimplemented(""))
    }
}

/// The same bytes as a message of prost.
fn of_prost<T: ::prost::Message + Default>(
    message: &(impl ::tobu::Message + serde::Serialize),
) -> Result<T, Error> {
    Ok(T::decode(&*::tobu::to_vec(message)?)?)
}

/// Seconds of processor time of this thread, which runs client and server.
fn cpu() -> Result<f64, Error> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanos: u64 = text.split(' ').next().unwrap_or_default().parse()?;
    Ok(nanos as f64 / 1e9)
}

/// Microseconds of a call, from as many as the time is for.
async fn turn<F, Fut>(time: Duration, mut call: F) -> Result<f64, Error>
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<(), tonic::Status>>,
{
    let (start, before) = (Instant::now(), cpu()?);
    let mut count = 0u32;
    while start.elapsed() < time {
        for _ in 0..20 {
            call().await?;
        }
        count += 20;
    }
    Ok((cpu()? - before) * 1e6 / f64::from(count))
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

async fn channel(router: tonic::transport::server::Router) -> Result<Channel, Error> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    tokio::spawn(router.serve_with_incoming(TcpListenerStream::new(listener)));
    Ok(Endpoint::from_shared(address)?.tcp_nodelay(true).connect().await?)
}

/// Measures all calls of both libraries through two transports.
macro_rules! tasks {
    ($place:literal, $ours:expr, $theirs:expr, $rounds:expr, $time:expr, $echo:expr) => {{
        let ours = tobu::library_client::LibraryClient::new($ours);
        let theirs = prost::library_client::LibraryClient::new($theirs);
        let (echo, prost_echo) = $echo;
        let mut rows = [("a book of 1 KB", vec![], vec![]), ("an echo of 20", vec![], vec![]), ("a list of 50", vec![], vec![])];
        for round in 0..$rounds {
            // Who is second finds a warmer processor and allocator, so both are first in turn.
            for is_ours in [round % 2 == 0, round % 2 != 0] {
                if is_ours {
                    rows[0].1.push(turn($time, || {
                        let mut client = ours.clone();
                        async move {
                            let request = tobu::GetBookRequest { name: NAME.into(), ..Default::default() };
                            client.get_book(request).await.map(drop)
                        }
                    }).await?);
                    rows[1].1.push(turn($time, || {
                        let (mut client, echo) = (ours.clone(), echo.clone());
                        async move { client.create_books(echo).await.map(drop) }
                    }).await?);
                    rows[2].1.push(turn($time, || {
                        let mut client = ours.clone();
                        async move { client.list_books(tobu::ListBooksRequest::default()).await.map(drop) }
                    }).await?);
                } else {
                    rows[0].2.push(turn($time, || {
                        let mut client = theirs.clone();
                        async move { client.get_book(prost::GetBookRequest { name: NAME.into() }).await.map(drop) }
                    }).await?);
                    rows[1].2.push(turn($time, || {
                        let (mut client, echo) = (theirs.clone(), prost_echo.clone());
                        async move { client.create_books(echo).await.map(drop) }
                    }).await?);
                    rows[2].2.push(turn($time, || {
                        let mut client = theirs.clone();
                        async move { client.list_books(prost::ListBooksRequest::default()).await.map(drop) }
                    }).await?);
                }
            }
        }
        let mut product = 1.0;
        for (task, ours, theirs) in rows {
            let (ours, theirs) = (median(ours), median(theirs));
            product *= ours / theirs;
            println!("| {} | {task} | {ours:.2} | {theirs:.2} | {:.2} |", $place, ours / theirs);
        }
        println!("| {} | mean | | | {:.2} |", $place, f64::powf(product, 1.0 / 3.0));
    }};
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| arguments.next().map_or(Ok(default), |text| text.parse::<u64>());
    let (rounds, time) = (number(9)?, Duration::from_millis(number(200)?));
    let book =
        tobu::Book { summary: "x".repeat(SUMMARY), ..books("shelves/fiction", 1).next().unwrap_or_default() };
    let of = |count| tobu::ListBooksResponse {
        books: books("shelves/fiction", count).collect(),
        ..Default::default()
    };
    let (list, echo) = (of(LIST), of(ECHO));
    let theirs = Fixed { book: of_prost(&book)?, list: of_prost(&list)? };
    let ours = Fixed { book, list };
    let echoes = (echo.clone(), of_prost::<prost::ListBooksResponse>(&echo)?);
    let ours = tobu::library_server::LibraryServer::new(ours);
    let theirs = prost::library_server::LibraryServer::new(theirs);
    println!("| | | tobu-tonic, us | tonic-prost, us | ratio |\n| --- | --- | --- | --- | --- |");
    tasks!("in the process", ours.clone(), theirs.clone(), rounds, time, echoes.clone());
    let ours = channel(Server::builder().add_service(ours)).await?;
    let theirs = channel(Server::builder().add_service(theirs)).await?;
    tasks!("over TCP", ours, theirs, rounds, time, echoes);
    Ok(())
}

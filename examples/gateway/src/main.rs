//! A library service built with tobu. One port serves gRPC, server reflection, and JSON over HTTP. The data is in an embedded
//! database.
//!
//! ```console
//! $ cargo run -p gateway                # serves on 127.0.0.1:8080
//! $ cargo run -p gateway -- --proxy URL # does the same for another server
//! $ cargo run -p gateway -- --smoke     # plays requests against itself, checks the answers, and ends
//! ```

mod arguments;
#[cfg(test)]
mod attacks;
mod auth;
mod examples;
mod front;
mod library;
mod limits;
mod names;
mod rate;
mod schema;
mod serve;
mod smoke;
mod socket;
mod store;
mod tls;
mod upstream;

/// The generated messages, client and server.
mod proto {
    include!(concat!(env!("OUT_DIR"), "/tobu.rs"));
}

use std::future::poll_fn;
use std::process::ExitCode;
use std::sync::Arc;
use std::task::Poll;

use tokio::net::TcpListener;
use tokio::sync::oneshot;

use arguments::{Arguments, USAGE};
use auth::Auth;
use rate::Rate;
use serve::{Done, Guards};
use store::Store;
use tls::Tls;
use upstream::Upstream;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = match Arguments::of(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Done {
    let Arguments { smoke, address, database, proxy, descriptors, ca, token, rate, tls } = arguments;
    if smoke {
        return smoke::run().await;
    }
    // The log goes to stderr. Stdout has only the text below.
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false).init();
    let auth = token.map_or(Ok(Auth::default()), |file| Auth::of_file(&file))?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    let tls = tls.map(|(cert, key)| Tls::of_files(&cert, &key)).transpose()?;
    let guards = Guards { rate: Rate::new(rate), auth, tls, ..Guards::default() };
    let Some(url) = proxy else {
        let store = Arc::new(Store::open(database.as_deref())?);
        let (listener, url, stop) = listen(scheme, &address).await?;
        println!("{}", examples::lines(&url));
        return serve::library(listener, store, guards, stop).await;
    };
    let upstream = Upstream::new(&url, descriptors, ca).await?;
    let (listener, own, stop) = listen(scheme, &address).await?;
    println!(
        "# {} rules in front of {url}\ncurl '{own}/openapi.json'",
        upstream.live.current().router().routes().len()
    );
    serve::proxy(listener, upstream, guards, stop).await
}

/// Binds the port. Returns the listener, its URL, and a future that ends when the server must stop.
async fn listen(
    scheme: &str,
    address: &str,
) -> Result<(TcpListener, String, impl Future<Output = ()>), String> {
    let named = |error: std::io::Error| format!("{address}: {error}");
    let listener = TcpListener::bind(address).await.map_err(named)?;
    let address = listener.local_addr().map_err(named)?;
    // Install the handler before the program says that the server is ready.
    let stop = interrupts().await;
    println!("listening on {address}, with a page to try things at {scheme}://{address}/\n");
    Ok((listener, format!("{scheme}://{address}"), stop))
}

/// Returns a future that ends at ctrl-c. From then on, ctrl-c does not end the process by itself.
async fn interrupts() -> impl Future<Output = ()> {
    let (sender, receiver) = oneshot::channel();
    let mut interrupted = Box::pin(interrupted());
    // The first poll installs the signal handler.
    let first = poll_fn(|cx| Poll::Ready(interrupted.as_mut().poll(cx))).await;
    tokio::spawn(async move {
        if first.is_pending() {
            interrupted.await;
        }
        drop(sender);
    });
    async { receiver.await.unwrap_or_default() }
}

/// Waits for ctrl-c. If the handler cannot be installed, it waits for ever, because ctrl-c then ends the process by itself.
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
    tracing::info!("stopping: waiting for requests to end");
}

#[cfg(test)]
mod tests {
    #[tokio::test]
    async fn smoke() {
        super::smoke::run().await.unwrap();
    }
}

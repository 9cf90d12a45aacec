//! Servers on free ports, requests to them, and a look at the answers.

mod grpc;
mod http;

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::transport::Endpoint;

use crate::serve::{self, Done};
use crate::store::Store;

/// Starts servers, plays the requests, and stops them.
pub(crate) async fn run() -> Done {
    println!("gRPC");
    let library = Running::library().await?;
    grpc::play(Endpoint::from_shared(library.url())?.connect().await?).await?;
    library.stop().await?;

    println!("\nJSON over HTTP");
    let library = Running::library().await?;
    http::play(library.address).await?;
    library.stop().await?;

    println!("\nEverything is as it should be.");
    Ok(())
}

/// A server, until it is told to stop.
struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    server: JoinHandle<Done>,
}

impl Running {
    /// A library without books.
    async fn library() -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel::<()>();
        let store = Arc::new(Store::open(None)?);
        let server = tokio::spawn(serve::library(listener, store, async { drop(stopped.await) }));
        Ok(Running { address, stop, server })
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    async fn stop(self) -> Done {
        drop(self.stop);
        self.server.await?
    }
}

/// Compares what came with what was wanted.
fn same(asked: &str, wanted: &str, found: &str) -> Done {
    println!("  {asked}\n    {}", found.replace('\n', "\n    "));
    if wanted == found { Ok(()) } else { Err(format!("{asked}: {wanted} was wanted").into()) }
}

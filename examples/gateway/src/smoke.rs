//! Starts servers on free ports, sends requests to them, and compares the answers.

mod grpc;
mod http;

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::transport::Endpoint;

use crate::serve::{self, Done, Guards};
use crate::store::Store;
use crate::upstream::Upstream;

/// Starts servers, plays the requests, and stops them.
pub(crate) async fn run() -> Done {
    for behind_a_proxy in [false, true] {
        let how = if behind_a_proxy { ", through a proxy" } else { "" };
        println!("gRPC{how}");
        let servers = Servers::start(behind_a_proxy).await?;
        grpc::play(Endpoint::from_shared(servers.front().url())?.connect().await?).await?;
        servers.stop().await?;

        println!("\nJSON over HTTP{how}");
        let servers = Servers::start(behind_a_proxy).await?;
        http::play(servers.front().address).await?;
        servers.stop().await?;
    }
    println!("\nEverything is as it should be.");
    Ok(())
}

/// A library without books, and optionally a proxy in front of it that gets the schema by reflection.
struct Servers {
    library: Running,
    proxy: Option<Running>,
}

impl Servers {
    async fn start(behind_a_proxy: bool) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let store = Arc::new(Store::open(None)?);
        let library =
            Running::start(|listener, stop| serve::library(listener, store, Guards::default(), stop)).await?;
        let proxy = match behind_a_proxy {
            true => {
                let upstream = Upstream::new(&library.url(), None, None).await?;
                Some(
                    Running::start(|listener, stop| {
                        serve::proxy(listener, upstream, Guards::default(), stop)
                    })
                    .await?,
                )
            }
            false => None,
        };
        Ok(Servers { library, proxy })
    }

    fn front(&self) -> &Running {
        self.proxy.as_ref().unwrap_or(&self.library)
    }

    async fn stop(self) -> Done {
        if let Some(proxy) = self.proxy {
            proxy.stop().await?;
        }
        self.library.stop().await
    }
}

/// A running server, and the sender that stops it.
struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    server: JoinHandle<Done>,
}

type Stop = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Running {
    /// Starts a server on a free port.
    async fn start<F>(serve: impl FnOnce(TcpListener, Stop) -> F) -> std::io::Result<Self>
    where
        F: Future<Output = Done> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel::<()>();
        let server = tokio::spawn(serve(listener, Box::pin(async { drop(stopped.await) })));
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

/// Compares an answer with the expected one, and returns an error if they differ.
fn same(asked: &str, wanted: &str, found: &str) -> Done {
    println!("  {asked}\n    {}", found.replace('\n', "\n    "));
    if wanted == found { Ok(()) } else { Err(format!("{asked}: {wanted} was wanted").into()) }
}

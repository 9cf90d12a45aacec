//! Stands between the proxy and the server behind it: connections that can be cut, and a server that can go away.

use std::net::SocketAddr;

use tobu_gateway_bench::{Error, serve};
use tokio::net::TcpStream;
use tokio::sync::watch;

/// A port that stays, even if the server behind it changes.
pub struct Relay {
    /// The port.
    pub address: SocketAddr,
    target: watch::Sender<Option<String>>,
}

impl Relay {
    /// Listens; there is no server behind it yet.
    pub async fn start() -> Result<Self, Error> {
        let (listener, address) = serve::listener().await?;
        let (target, targets) = watch::channel(None);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(carry(stream, targets.clone()));
            }
        });
        Ok(Relay { address, target })
    }

    /// Cuts all connections. New ones go to this server, or are closed at once where there is none.
    pub fn switch(&self, target: Option<&str>) {
        self.target.send_replace(target.map(str::to_owned));
    }
}

/// Carries bytes both ways until either side ends, or all connections are cut.
async fn carry(mut stream: TcpStream, mut targets: watch::Receiver<Option<String>>) {
    let Some(target) = targets.borrow_and_update().clone() else { return };
    let Ok(mut server) = TcpStream::connect(target).await else { return };
    // Small chunks must not wait for each other.
    if stream.set_nodelay(true).and(server.set_nodelay(true)).is_err() {
        return;
    }
    tokio::select! {
        _ = tokio::io::copy_bidirectional(&mut stream, &mut server) => {}
        _ = targets.changed() => {}
    }
}

//! The programs under test of <https://github.com/connectrpc/conformance>: `server` is the layer of tobu-transcode in front of
//! a service of tobu-tonic, `client` calls by a generated client of tobu-tonic. The script `run` builds and starts all.

mod client;
mod pipe;
mod proto {
    tobu::include_proto!();
}
mod server;
mod service;

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    let done = match std::env::args().nth(1).as_deref() {
        Some("server") => server::run().await,
        Some("client") => tokio::task::LocalSet::new().run_until(client::run()).await,
        _ => Err("usage: connect-conformance server|client".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

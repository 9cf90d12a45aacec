//! Generates messages, client and server from the suite's schema, which is not part of the project.

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-env-changed=CONNECT_CONFORMANCE");
    let suite = std::env::var_os("CONNECT_CONFORMANCE")
        .ok_or("CONNECT_CONFORMANCE is to name a checkout of github.com/connectrpc/conformance")?;
    let protos = PathBuf::from(suite).join("proto");
    let files = ["client_compat.proto", "server_compat.proto", "service.proto"];
    let files: Vec<PathBuf> =
        files.iter().map(|file| protos.join("connectrpc/conformance/v1").join(file)).collect();
    tobu_build::Config::new().client(true).server(true).compile(&files, &[protos])?;
    Ok(())
}

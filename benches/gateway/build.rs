//! Generates the messages, the server, and the client that calls it natively; and the same for prost and for connect-rust.

use std::path::PathBuf;

use prost::Message;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (file, folders) = ("proto/library/v1/library.proto", ["proto", "../../examples/gateway/proto"]);
    tobu_build::Config::new().client(true).server(true).compile(&[file], &folders)?;
    let set = protox::compile([file], folders)?;
    let path = PathBuf::from(std::env::var("OUT_DIR")?).join("library.binpb");
    std::fs::write(&path, set.encode_to_vec())?;
    let connect = connectrpc_build::Config::new().files(&["library/v1/library.proto"]).descriptor_set(path);
    connect.include_file("connectrpc.rs").compile()?;
    tonic_prost_build::configure().include_file("prost.rs").compile_fds(set)?;
    Ok(())
}

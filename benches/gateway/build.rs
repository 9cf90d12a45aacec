//! Generates the messages, the server, and the client that calls it natively; and the same for prost.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (file, folders) = ("proto/library/v1/library.proto", ["proto", "../../examples/gateway/proto"]);
    tobu_build::Config::new().client(true).server(true).compile(&[file], &folders)?;
    let set = protox::compile([file], folders)?;
    tonic_prost_build::configure().include_file("prost.rs").compile_fds(set)?;
    Ok(())
}

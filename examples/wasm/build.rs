//! Generates the messages and the client of the library that `examples/gateway` serves.

fn main() -> tobu_build::Result<()> {
    let proto = "../gateway/proto";
    tobu_build::Config::new().client(true).compile(&[format!("{proto}/library/v1/library.proto")], &[proto])
}

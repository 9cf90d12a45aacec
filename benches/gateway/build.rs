//! Generates the messages, the server, and the client that calls it natively.

fn main() -> tobu_build::Result<()> {
    tobu_build::Config::new()
        .client(true)
        .server(true)
        .compile(&["proto/library/v1/library.proto"], &["proto", "../../examples/gateway/proto"])
}

//! Generates the messages, the server, and the client with which the smoke test calls the server.

fn main() -> tobu_build::Result<()> {
    tobu_build::Config::new()
        .client(true)
        .server(true)
        .keep_source_info(true)
        .compile(&["proto/library/v1/library.proto"], &["proto"])
}

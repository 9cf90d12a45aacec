//! Generates the messages, the client and the server.

fn main() -> tobu_build::Result<()> {
    tobu_build::Config::new()
        .client(true)
        .server(true)
        .bytes_type(".reading.v1.Book.cover", tobu_build::BytesType::Bytes)
        .compile(&["proto/reading/v1/reading.proto"], &["proto"])
}

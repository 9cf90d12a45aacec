//! Generates the messages, the client and the server; and the server once more with bodies for its methods, once with
//! requests of pools, and once with a client, both of which get parsed messages.

fn main() -> tobu_build::Result<()> {
    for file in ["stubs.rs", "pooled.rs", "parsed.rs"] {
        let mut config = tobu_build::Config::new();
        for name in ["Book", "Bookmark", "BorrowRequest", "BrowseRequest", "Line", "Mark", "Receipt"] {
            config.extern_path(format!(".reading.v1.{name}"), format!("crate::reading::v1::{name}"));
        }
        match file {
            "pooled.rs" => {
                config.pool_requests(".reading.v1.ReadingRoom");
            }
            "parsed.rs" => {
                config.client(true).parsed_answers("ReadingRoom").parsed_requests(".reading.v1.ReadingRoom");
            }
            _ => {}
        }
        config.server(true).generate_default_stubs(true).out_file(file);
        config.compile(&["proto/reading/v1/reading.proto"], &["proto"])?;
    }
    tobu_build::Config::new()
        .parsed(".")
        .client(true)
        .server(true)
        // For the test of tonic's codec for prost.
        .prost_messages(".reading.v1")
        .bytes_type(".reading.v1.Book.cover", tobu_build::BytesType::Bytes)
        .compile(&["proto/reading/v1/reading.proto"], &["proto"])
}

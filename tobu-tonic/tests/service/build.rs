//! Generates the messages, the client and the server; and the server once more with bodies for its methods, and once with
//! requests of pools.

fn main() -> tobu_build::Result<()> {
    for (file, pooled) in [("stubs.rs", false), ("pooled.rs", true)] {
        let mut config = tobu_build::Config::new();
        for name in ["Book", "Bookmark", "BorrowRequest", "BrowseRequest", "Line", "Mark", "Receipt"] {
            config.extern_path(format!(".reading.v1.{name}"), format!("crate::reading::v1::{name}"));
        }
        if pooled {
            config.pool_requests(".reading.v1.ReadingRoom");
        }
        config.server(true).generate_default_stubs(true).out_file(file);
        config.compile(&["proto/reading/v1/reading.proto"], &["proto"])?;
    }
    tobu_build::Config::new()
        .client(true)
        .server(true)
        .bytes_type(".reading.v1.Book.cover", tobu_build::BytesType::Bytes)
        .compile(&["proto/reading/v1/reading.proto"], &["proto"])
}

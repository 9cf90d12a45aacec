//! Generates the messages, the client and the server; and once more with bodies for the methods of the server.

fn main() -> tobu_build::Result<()> {
    let mut stubs = tobu_build::Config::new();
    for name in ["Book", "Bookmark", "BorrowRequest", "BrowseRequest", "Line", "Mark", "Receipt"] {
        stubs.extern_path(format!(".reading.v1.{name}"), format!("crate::reading::v1::{name}"));
    }
    stubs
        .server(true)
        .generate_default_stubs(true)
        .out_file("stubs.rs")
        .compile(&["proto/reading/v1/reading.proto"], &["proto"])?;
    tobu_build::Config::new()
        .client(true)
        .server(true)
        .bytes_type(".reading.v1.Book.cover", tobu_build::BytesType::Bytes)
        .compile(&["proto/reading/v1/reading.proto"], &["proto"])
}

//! Generates the types that the examples of the guide use.

fn main() -> tobu_build::Result<()> {
    // `google/api/*.proto` are those of the example gateway.
    tobu_build::Config::new().client(true).server(true).compile(
        &["proto/library/v1/library.proto", "proto/library/old/card.proto"],
        &["proto", "../examples/gateway/proto"],
    )?;
    // The same books with accessors and Rust enums.
    tobu_build::Config::new()
        .out_file("accessors.rs")
        .accessors(true)
        .enum_type(".", tobu_build::EnumType::Rust)
        .compile(&["proto/library/v1/book.proto"], &["proto"])?;
    // The same books with private members.
    tobu_build::Config::new()
        .out_file("opaque.rs")
        .api(tobu_build::Api::Opaque)
        .lazy(".library.v1.Book.bought", true)
        .compile(&["proto/library/v1/book.proto"], &["proto"])?;
    // The same books with references to parsed ones.
    tobu_build::Config::new()
        .out_file("parsed.rs")
        .parsed(".library.v1")
        .compile(&["proto/library/v1/book.proto"], &["proto"])?;
    // The same books as types that borrow from the input.
    tobu_build::Config::new()
        .out_file("views.rs")
        .views(tobu_build::Views::Both)
        .compile(&["proto/library/v1/book.proto"], &["proto"])
}

fn main() -> tobu_build::Result<()> {
    tobu_build::Config::new().compile(&["proto/library/v1/book.proto"], &["proto"])
}

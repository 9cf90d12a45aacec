fn main() -> tobu_build::Result<()> {
    tobu_build::Config::new()
        .client(true)
        .server(true)
        .derive_eq_hash(true)
        .derive_copy(true)
        .unknown_fields(false)
        .compile(&["proto/route_guide.proto"], &["proto"])
}

fn main() -> tobu_build::Result<()> {
    tobu_build::Config::new().client(true).server(true).compile(&["proto/greet/v1/greet.proto"], &["proto"])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // protox replaces protoc, which prost-build would otherwise need.
    let files = protox::compile(["proto/route_guide.proto"], ["proto"])?;
    tonic_prost_build::configure().compile_fds(files)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // protox compiles what prost-build asks protoc for otherwise.
    let files = protox::compile(["proto/route_guide.proto"], ["proto"])?;
    tonic_prost_build::configure().compile_fds(files)?;
    Ok(())
}

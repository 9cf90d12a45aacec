use std::fs;
use std::io;

use prost_build as pb;
use tonic_prost_build::Config;

fn main() -> io::Result<()> {
    fs::create_dir_all("src/generated")?;
    let mut config = pb::Config::new();
    config.bytes(["."]);
    tonic_prost_build::configure()
        .build_server(false)
        .compile_with_config(config, &["proto/library.proto"], &["proto"])?;
    set()?;
    generator()
}

fn set() -> Result<(), io::Error> {
    // Without protoc.
    let files = protox::compile(["proto/set.proto"], ["proto"]).expect("a schema");

    tonic_prost_build::configure().include_file("set.rs").compile_fds_with_config(files, Config::new())?;
    tonic_prost_build::configure()
        .file_descriptor_set_path("library.fds")
        .skip_protoc_run()
        .include_file("skipped.rs")
        .compile_protos(&["proto/library.proto"], &["proto"])
}

fn generator() -> io::Result<()> {
    let mut config = Config::new();
    config
        .include_file("generator.rs")
        .service_generator(tonic_prost_build::configure().build_client(false).service_generator());
    let set = config.load_fds(&["proto/generator.proto"], &["proto"])?;
    config.compile_fds(set)
}

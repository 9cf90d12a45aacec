use std::fs;
use std::io;

use tobu_build::Config;

fn main() -> io::Result<()> {
    fs::create_dir_all("src/generated")?;
    let mut config = tobu_build::Config::new();
    config.bytes(["."]);
    config
        .build_client(true)
        .build_server(false)
        .compile_protos(&["proto/library.proto"], &["proto"])
        .map_err(std::io::Error::other)?;
    set()?;
    generator()
}

fn set() -> Result<(), io::Error> {
    // Without protoc.
    tobu_build::Config::new().build_client(true).build_server(true).include_file("set.rs").compile_protos(&["proto/set.proto"], &["proto"]).map_err(std::io::Error::other)?;
    tobu_build::Config::new()
        .build_client(true)
        .build_server(true)
        .include_file("skipped.rs")
        .compile_descriptor_set("library.fds")
        .map_err(std::io::Error::other)
}

fn generator() -> io::Result<()> {
    let mut config = Config::new();
    config
        .include_file("generator.rs")
        .build_server(true).build_client(false);
    config.compile_protos(&["proto/generator.proto"], &["proto"]).map_err(std::io::Error::other)
}

// 10:12: note: `bytes`: the crate needs a dependency on `bytes`
// 13:10: note: all packages are in one file, `tobu.rs`: include it once, by `tobu::include_proto!()`

//! `protoc --tobu_out=src/proto --tobu_opt=out_file=mod.rs,views=both library.proto`

use std::error::Error;
use std::io::{BufWriter, IsTerminal, Read, Write};

const HELP: &str = "\
Generates Rust types for tobu from .proto files. protoc and buf run this program; it reads their request from standard input.

Usage: protoc --tobu_out=src/proto --tobu_opt=out_file=mod.rs,map_type=btree_map -Iproto proto/library.proto
       protoc-gen-tobu --help | --version

Settings are separated by commas. PATH is the full name of a package, message, field, oneof, enum or service with a leading
dot; without `@PATH` a setting is for the whole schema.

";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("--help" | "-h") => {
            print!("{HELP}{}", tobu_build::SETTINGS);
            return Ok(());
        }
        Some("--version" | "-V") => {
            println!("protoc-gen-tobu {}", env!("CARGO_PKG_VERSION"));
            return Ok(());
        }
        Some(other) => {
            return Err(format!("there is no argument {other:?}; see `protoc-gen-tobu --help`").into());
        }
        None if std::io::stdin().is_terminal() => {
            return Err("protoc or buf runs this program; see `protoc-gen-tobu --help`".into());
        }
        None => {}
    }
    let mut request = Vec::new();
    std::io::stdin().lock().read_to_end(&mut request)?;
    let mut response = BufWriter::new(std::io::stdout().lock());
    tobu_build::run_plugin_to(request, &mut response)?;
    Ok(response.flush()?)
}

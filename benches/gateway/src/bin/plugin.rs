//! Runs a plugin of protoc on the schema of the library: `plugin PROGRAM PARAMETER DIRECTORY`.

use std::path::Path;
use std::process::ExitCode;

const FILE: &str = "library/v1/library.proto";
const PROTO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/proto");
const GOOGLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/gateway/proto");

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, parameter, out] = arguments.as_slice() else {
        eprintln!("usage: plugin PROGRAM PARAMETER DIRECTORY");
        return ExitCode::from(2);
    };
    let includes = [PROTO, GOOGLE];
    match tobu_gateway_bench::plugin::run(Path::new(program), parameter, FILE, &includes, Path::new(out)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

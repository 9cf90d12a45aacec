//! Runs the program, for example with `tobu-migrate --descriptors library.fds --level yellow --write .`

use std::io::{BufWriter, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let code = tobu_migrate::run(&arguments, &mut out, &mut std::io::stderr().lock());
    match code.and_then(|code| out.flush().map(|()| code)) {
        Ok(code) => ExitCode::from(code),
        // The program that reads the output has closed it.
        Err(_) => ExitCode::FAILURE,
    }
}

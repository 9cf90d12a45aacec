//! `protoc --tobu_out=src/proto --tobu_opt=views=both library.proto`

use std::error::Error;
use std::io::{Read, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let mut request = Vec::new();
    std::io::stdin().lock().read_to_end(&mut request)?;
    let response = tobu_build::run_plugin(&request)?;
    std::io::stdout().lock().write_all(&response)?;
    Ok(())
}

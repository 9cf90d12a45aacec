//! `protoc --tobu_out=src/proto --tobu_opt=out_file=mod.rs,views=both library.proto`

use std::error::Error;
use std::io::{BufWriter, Read, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let mut request = Vec::new();
    std::io::stdin().lock().read_to_end(&mut request)?;
    let mut response = BufWriter::new(std::io::stdout().lock());
    tobu_build::run_plugin_to(request, &mut response)?;
    Ok(response.flush()?)
}

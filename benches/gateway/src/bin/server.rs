//! One of the servers, until it is ended: `server native`, `server in-process`, `server proxy URL`.

use std::process::ExitCode;

use tobu_gateway_bench::{Error, serve};

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &[&str]) -> Result<(), Error> {
    let (listener, address) = serve::listener().await?;
    println!("listening on {address}");
    match arguments {
        ["native"] => serve::native(listener).await,
        ["in-process"] => serve::in_process(listener, serve::transcoder().build()?).await,
        ["proxy", url] => serve::proxy(listener, serve::transcoder().build()?, url).await,
        _ => Err("usage: server native | in-process | proxy URL".into()),
    }
}

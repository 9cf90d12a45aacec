//! A library service on tobu: gRPC with server reflection, its data in an embedded database.
//!
//! ```console
//! $ cargo run -p gateway                # serves on 127.0.0.1:8080
//! $ cargo run -p gateway -- --smoke     # plays requests against itself, checks the answers, and ends
//! $ grpcurl -plaintext 127.0.0.1:8080 describe library.v1.Library
//! ```

mod library;
mod names;
mod serve;
mod smoke;
mod store;

/// The generated messages, client and server.
mod proto {
    include!(concat!(env!("OUT_DIR"), "/tobu.rs"));
}

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::net::TcpListener;

use store::Store;

const USAGE: &str = "usage: gateway [--smoke] [--address HOST:PORT] [--database FILE]

  --smoke     start on a free port, play requests, check the answers, and end
  --address   where to listen; 127.0.0.1:8080 by default
  --database  where the data is kept; a temporary file by default";

struct Arguments {
    smoke: bool,
    address: String,
    database: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { smoke, address, database } = match arguments(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}\n\n{USAGE}");
            std::process::exit(2);
        }
    };
    if smoke {
        return smoke::run().await;
    }
    let listener = TcpListener::bind(address).await?;
    println!("listening on {}", listener.local_addr()?);
    let stop = async {
        // Without a signal handler it runs until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    serve::serve(listener, Arc::new(Store::open(database.as_deref())?), stop).await?;
    Ok(())
}

fn arguments(mut given: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = Arguments { smoke: false, address: "127.0.0.1:8080".to_owned(), database: None };
    while let Some(argument) = given.next() {
        let mut value = || given.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--smoke" => arguments.smoke = true,
            "--address" => arguments.address = value()?,
            "--database" => arguments.database = Some(value()?.into()),
            _ => return Err(format!("there is no argument {argument:?}")),
        }
    }
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(arguments: &[&str]) -> Result<(bool, String, Option<PathBuf>), String> {
        let given = arguments.iter().map(|&argument| argument.to_owned());
        super::arguments(given).map(|given| (given.smoke, given.address, given.database))
    }

    #[test]
    fn arguments() {
        assert_eq!(given(&[]), Ok((false, "127.0.0.1:8080".to_owned(), None)));
        let database = Some(PathBuf::from("x.redb"));
        let all = ["--smoke", "--address", "[::1]:0", "--database", "x.redb"];
        assert_eq!(given(&all), Ok((true, "[::1]:0".to_owned(), database)));
        assert_eq!(given(&["--port"]), Err("there is no argument \"--port\"".to_owned()));
        assert_eq!(given(&["--address"]), Err("--address needs a value".to_owned()));
    }

    #[tokio::test]
    async fn smoke() {
        smoke::run().await.unwrap();
    }
}

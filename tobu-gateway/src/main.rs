//! REST, Connect, gRPC-Web and gRPC on one port, in front of any gRPC server.

mod auth;
mod config;
mod front;
mod schema;
mod serve;
mod state;
mod tls;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crate::config::Config;

/// Serves REST, Connect, gRPC-Web and gRPC on one port, in front of any gRPC server.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The configuration file, in TOML.
    #[arg(short, long, value_name = "FILE", required_unless_present = "upstream")]
    config: Option<PathBuf>,
    /// The URL of the gRPC server, such as `http://127.0.0.1:50051`, if there is no configuration. Its reflection service
    /// provides the schema.
    #[arg(short, long, value_name = "URL", conflicts_with = "config")]
    upstream: Option<String>,
    /// The address on which the gateway listens. It replaces the address in the configuration.
    #[arg(short, long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Checks the configuration and the files whose names it has, then exits.
    #[arg(long)]
    check: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let text = match (&arguments.config, &arguments.upstream) {
        (Some(_), _) => None,
        (None, url) => Some(format!("[upstream]\nurl = {:?}\n", url.as_deref().unwrap_or_default())),
    };
    let place = config::Place { file: arguments.config, text, listen: arguments.listen };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let done = runtime.map_err(|error| error.to_string()).and_then(|runtime| {
        runtime.block_on(async {
            let config = Config::read(&place)?;
            if arguments.check {
                return state::check(&config).await.map(|found| println!("{found}"));
            }
            tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false).init();
            serve::run(place, config).await
        })
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

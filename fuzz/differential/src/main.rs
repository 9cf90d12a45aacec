//! Holds tobu against other libraries, on random messages of random schemas, as they are and changed.
//!
//! `tobu-differential [--count N] [--seed S] [--peer upb|go|prost|buffa] [--require]`: so many inputs for each peer, or for
//! one; peers that are not installed are skipped, or are an error. What is found is printed with the arguments that show it
//! again: `--peer P --schema N --message NAME --read FORMAT --write FORMAT --input HEX`.

mod arguments;
mod compare;
mod exchange;
mod facts;
mod input;
mod known;
mod ours;
mod peers;
mod run;
mod schema;

// Schemas, messages and changes are made by what makes them for the properties and for fuzzing.
#[allow(dead_code, reason = "the properties need more of it")]
#[path = "../../../tests/properties/entropy.rs"]
mod entropy;
#[allow(dead_code, reason = "as above")]
#[path = "../../src/mutate.rs"]
mod mutate;
#[allow(dead_code, reason = "as above")]
#[path = "../../src/pieces.rs"]
mod pieces;
#[path = "../../../tests/properties/schema.rs"]
#[allow(dead_code, reason = "as above")]
mod random;
#[path = "../../src/rng.rs"]
mod rng;
#[path = "../../src/settings.rs"]
mod settings;
#[path = "../../../tests/properties/tree.rs"]
mod tree;
#[allow(dead_code, reason = "as above")]
#[path = "../../../tests/properties/wire.rs"]
mod wire;

use arguments::Arguments;
use peers::Peer;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(arguments) = Arguments::read() else {
        eprintln!("usage: tobu-differential [--count N] [--seed S] [--peer upb|go|prost|buffa] [--require]");
        return ExitCode::from(2);
    };
    // Panics are answers; a backtrace of each would bury them.
    std::panic::set_hook(Box::new(|_| ()));
    let mut failed = false;
    for &name in &arguments.peers {
        match Peer::start(name) {
            Ok(mut peer) => failed |= !run::run(&mut peer, &arguments),
            Err(error) => {
                println!("{name} was skipped: {error}");
                failed |= arguments.require;
            }
        }
    }
    ExitCode::from(u8::from(failed))
}

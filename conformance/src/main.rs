//! The testee of the official protobuf conformance suite: it reads requests from standard input and answers each on
//! standard output.
//!
//! `--via typed` parses into generated types where the message type has one, `--via opaque` into those with private
//! members, `--via view` into parsed messages, which accessors read, `--via dynamic` into dynamic messages, and `--via transcode` goes
//! straight from one format to the other where they differ. The suite's messages are generated when the program is built, from
//! `conformance/conformance.fds` in `../shared` or `$TOBU_SHARED`.

#[cfg(suite)]
mod suite;

use std::process::ExitCode;

/// What stands between input and output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Via {
    Typed,
    Opaque,
    View,
    Dynamic,
    Transcode,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let via = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] | ["--via", "typed"] => Via::Typed,
        ["--via", "opaque"] => Via::Opaque,
        ["--via", "view"] => Via::View,
        ["--via", "dynamic"] => Via::Dynamic,
        ["--via", "transcode"] => Via::Transcode,
        _ => {
            eprintln!("usage: conformance [--via typed|opaque|view|dynamic|transcode] <requests >responses");
            return ExitCode::from(2);
        }
    };
    match run(via) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("conformance: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(suite)]
fn run(via: Via) -> Result<(), Box<dyn std::error::Error>> {
    suite::run(via, std::io::stdin().lock(), std::io::stdout().lock())
}

#[cfg(not(suite))]
fn run(via: Via) -> Result<(), Box<dyn std::error::Error>> {
    let what = "the descriptors of the suite were not there when this program was built";
    Err(format!("{what}: put conformance/conformance.fds into ../shared or $TOBU_SHARED (--via {via:?})")
        .into())
}

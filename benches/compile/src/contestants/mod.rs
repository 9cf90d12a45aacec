//! The libraries: how each generates its code, and how a program calls it.

mod buffa;
mod prost;
mod tobu;

use crate::Outcome;
use crate::protos::Protos;
use std::path::Path;

/// A library, or one of the ways to use it.
pub struct Contestant {
    pub name: &'static str,
    /// The dependencies of the crate with the generated code: lines of TOML.
    pub dependencies: &'static [&'static str],
    /// The dependencies of its build script.
    pub build_dependencies: &'static [&'static str],
    /// Statements of a build script that compiles `FILES`, which are below `proto`.
    pub compile: &'static str,
    /// What brings the code of such a build script into a crate.
    pub include: &'static str,
    /// True if the build script takes a protoc.
    pub runs_protoc: bool,
    /// The first program of the README, as far as the library can do it.
    pub book: &'static str,
    pub service: Option<Service>,
    /// Crates that programs reach through the crate with the generated code.
    pub reexports: &'static [&'static str],
    /// Writes `types.rs`, and the files it includes, into a directory.
    pub generate: fn(&Protos, &Path) -> Outcome<()>,
    /// From `input: &[u8]` to a `Result` of a `Message`; `types` is the crate with the generated code.
    pub decode: &'static str,
    /// From `message: Message` to a `Vec<u8>`.
    pub encode: &'static str,
    pub json: Option<Json>,
}

/// A server and a client on tonic: what they need besides tonic, and how they are made.
pub struct Service {
    pub dependencies: &'static [&'static str],
    pub build_dependencies: &'static [&'static str],
    pub compile: &'static str,
    pub main: &'static str,
}

/// What brings the modules of `types.rs` into a crate.
const INCLUDE: &str = "include!(concat!(env!(\"OUT_DIR\"), \"/types.rs\"));";

/// How a program reads and writes JSON.
pub struct Json {
    /// From `text: &str` to a `Result` of a `Message`.
    pub parse: &'static str,
    /// From `message: Message` to a `String`.
    pub print: &'static str,
}

/// The reference of ratios, and the one for JSON.
pub const REFERENCE: &str = "prost";
pub const JSON_REFERENCE: &str = "prost+pbjson";

/// All of them, in the order of the table's columns.
pub fn all() -> Vec<Contestant> {
    vec![tobu::tobu(), prost::prost(), prost::pbjson(), buffa::owned(), buffa::views()]
}

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
    /// What the crate with the generated code depends on: lines of TOML.
    pub dependencies: &'static [&'static str],
    /// What its build script would depend on.
    pub build_dependencies: &'static [&'static str],
    /// Crates that programs reach through the crate with the generated code.
    pub reexports: &'static [&'static str],
    /// Writes `types.rs`, and what it includes, into a directory.
    pub generate: fn(&Protos, &Path) -> Outcome<()>,
    /// From `input: &[u8]` to a `Result` of a `Message`; `types` is the crate with the generated code.
    pub decode: &'static str,
    /// From `message: Message` to a `Vec<u8>`.
    pub encode: &'static str,
    pub json: Option<Json>,
}

/// How a program reads and writes JSON.
pub struct Json {
    /// From `text: &str` to a `Result` of a `Message`.
    pub parse: &'static str,
    /// From `message: Message` to a `String`.
    pub print: &'static str,
}

/// What ratios are to, and what they are to where JSON is used.
pub const REFERENCE: &str = "prost";
pub const JSON_REFERENCE: &str = "prost+pbjson";

/// All of them, in the order of the table's columns.
pub fn all() -> Vec<Contestant> {
    vec![tobu::tobu(), prost::prost(), prost::pbjson(), buffa::owned(), buffa::views()]
}

//! What generated code costs to compile: tobu next to its peers.
//!
//! ```console
//! $ cargo run --release --manifest-path benches/compile/Cargo.toml -- --help
//! ```
//!
//! A schema of some 700 messages is made ([`schema`]) and compiled ([`protos`]). Each library ([`contestants`])
//! generates its code once, into cargo projects below the target directory ([`project`]): a library of the generated
//! code, and programs that read and write messages of it. Their dependencies are built first; then each is touched and
//! built again ([`build`]), and the processor time and the memory of cargo and of all that it starts ([`measure`]) are
//! the figures of the [`row`]s. They are printed as a table ([`report`]) and kept in `benches/RESULTS.md`
//! ([`results`]).
//!
//! Other rows are clean builds of crates as users have them, with a build script and all that they depend on ([`whole`]).

pub mod build;
pub mod cli;
pub mod contestants;
pub mod measure;
pub mod project;
pub mod protos;
pub mod report;
pub mod results;
pub mod rng;
pub mod row;
pub mod schema;
pub mod whole;

/// The result of steps with several kinds of fatal errors.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

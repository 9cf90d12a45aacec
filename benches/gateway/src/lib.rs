//! HTTP and JSON in front of gRPC: what is measured, and what measures.
//!
//! `run.sh` builds all of it and writes tables; `RESULTS.md` has the last ones and says how to read them.

pub mod library;
pub mod load;
pub mod plugin;
pub mod process;
pub mod report;
pub mod serve;

/// What may go wrong anywhere here: it is told and ends the run.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// The generated messages, client and server.
#[allow(missing_docs)]
pub mod proto {
    include!(concat!(env!("OUT_DIR"), "/tobu.rs"));
}

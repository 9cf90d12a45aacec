//! HTTP and JSON in front of gRPC: the measured servers, and the tools that measure them.
//!
//! `run.sh` builds all of it and writes tables; `RESULTS.md` has the last ones and says how to read them.

pub mod library;
pub mod load;
pub mod plugin;
pub mod process;
pub mod report;
pub mod serve;

/// Any error: it is reported and ends the run.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// The generated messages, client and server.
#[allow(missing_docs)]
pub mod proto {
    include!(concat!(env!("OUT_DIR"), "/tobu.rs"));
}

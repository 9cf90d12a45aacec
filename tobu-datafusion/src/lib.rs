//! SQL over files of protobuf messages: a [`TableProvider`] of [DataFusion](https://datafusion.apache.org).
//!
//! A [`ProtobufTable`] reads a file, or a directory of files, of messages that each follow their length. Large files are split
//! at the borders of messages, and the parts are read in parallel. Fields that a query does not name are not read, and a limit ends
//! the reading.
//!
//! ```no_run
//! use datafusion::prelude::SessionContext;
//! use std::sync::Arc;
//! use tobu_datafusion::ProtobufTable;
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let pool = tobu::Pool::from_sources(&[("flow.proto", std::fs::read_to_string("flow.proto")?)])?;
//! let table = ProtobufTable::new("flows/", &pool.message("flow.Record").ok_or("no message")?)?;
//! let context = SessionContext::new();
//! context.register_table("flows", Arc::new(table))?;
//! context.sql("SELECT src_port, sum(bytes) FROM flows GROUP BY src_port").await?.show().await?;
//! # Ok(())
//! # }
//! ```
//!
//! Whatever DataFusion does with tables works with these, too: `context.sql("COPY flows TO 'flows.parquet'")` writes Parquet.
#![forbid(unsafe_code)]

mod split;
mod table;

pub use split::{Part, split};
pub use table::{Progress, ProtobufTable};

#[cfg(doc)]
use datafusion::catalog::TableProvider;

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

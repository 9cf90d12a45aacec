//! Makes files of protobuf messages available to SQL queries, as a [`TableProvider`] of
//! [DataFusion](https://datafusion.apache.org).
//!
//! A [`ProtobufTable`] reads one file or all files of a directory. In a file, a length prefix precedes each message. tobu
//! splits large files between messages, and reads the parts in parallel. It skips fields that a query does not name, and stops
//! reading when the limit of a query is reached.
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
//! Other features of DataFusion work with these tables, too: `context.sql("COPY flows TO 'flows.parquet'")` writes Parquet.
#![forbid(unsafe_code)]

mod split;
mod table;

pub use split::{Part, split};
pub use table::{Progress, ProtobufTable};

#[cfg(doc)]
use datafusion::catalog::TableProvider;

/// The doctest compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Decoding into a sink and into rows: what comes when, and what is refused.

mod events;
mod misuse;
mod rows;
mod support;

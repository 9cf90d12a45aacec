//! Hostile and edge inputs that rows of the corpus cannot express, on every path that decodes or encodes: types with
//! tobu's derives, types with serde's, in place, merged, streamed, and over a schema known only at run time.

mod cut;
mod depth;
mod encode;
mod few;
mod grouped;
mod limits;
mod messages;
mod runs;
mod stack;
mod stream;
mod text;
#[allow(dead_code, reason = "the corpus needs them all")]
#[path = "../corpus/types.rs"]
mod types;
mod visitors;

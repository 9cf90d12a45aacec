//! The binary wire format: varints, tags, a reader and a writer.
//!
//! This module is in layer 0 (see DESIGN.md): it knows bytes and syntax, but no descriptors and no serde. It is public, so
//! that proxies and tests can read and write any message field by field, without a schema.
//!
//! Specification: <https://protobuf.dev/programming-guides/encoding/>.

mod buffer;
#[doc(hidden)]
pub mod message_set;
mod output;
#[doc(hidden)]
pub mod packed;
mod patch;
mod reader;
mod skip;
mod source;
mod tag;
mod text;
mod varint;
mod writer;

#[doc(hidden)]
pub use buffer::{
    Buffer, CursorMut as BufferTip, SHORT as SHORT_SLICE, WriteCursor, copy as store_slice,
    put_varint as store_varint, put_varint_inline as store_varint_inline,
};
#[doc(hidden)]
pub use output::{Count, Output};
#[doc(hidden)]
pub use patch::Patches;
pub use reader::{Reader, Skipped};
#[doc(hidden)]
pub use skip::skip_fields;
#[doc(hidden)]
pub use source::{Source, header, skip_number};
pub use tag::{MAX_FIELD_NUMBER, Tag, WireType};
#[doc(hidden)]
pub use text::{into_utf8, utf8, utf8_by_call};
#[doc(hidden)]
pub use varint::{HIGH, gather, gather_long, put_varint, quick_varint};
pub use varint::{unzigzag32, unzigzag64, varint_len, zigzag32, zigzag64};
#[doc(hidden)]
pub use writer::CursorMut;
pub use writer::{Open, Writer};

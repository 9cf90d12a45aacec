//! The binary wire format: varints, tags, a reader and a writer.
//!
//! Layer 0: knows bytes and syntax; no descriptors, no serde. It is public because proxies and tests want it:
//! every message can be walked and written field by field without a schema.
//!
//! Specification: <https://protobuf.dev/programming-guides/encoding/>.

mod buffer;
pub(crate) mod message_set;
mod output;
pub(crate) mod packed;
mod patch;
mod reader;
mod skip;
mod source;
mod tag;
mod text;
mod varint;
mod writer;

pub(crate) use buffer::{
    Buffer, CursorMut as BufferTip, SHORT as SHORT_SLICE, WriteCursor, copy as store_slice,
    put_varint as store_varint, put_varint_inline as store_varint_inline,
};
pub(crate) use output::{Count, Output};
pub(crate) use patch::Patches;
pub use reader::{Reader, Skipped};
pub(crate) use skip::skip_fields;
pub(crate) use source::{Source, header, skip_number};
pub use tag::{MAX_FIELD_NUMBER, Tag, WireType};
pub(crate) use text::{into_utf8, utf8, utf8_by_call};
pub(crate) use varint::{HIGH, gather, gather_long, put_varint, quick_varint};
pub use varint::{unzigzag32, unzigzag64, varint_len, zigzag32, zigzag64};
pub(crate) use writer::CursorMut;
pub use writer::{Open, Writer};

//! How numbers are written, if their Rust types leave a choice.

/// A wire kind that the Rust type alone does not choose. The derive writes them as numbers, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireKind {
    /// ZigZag varint of an `i32`.
    SInt32,
    /// ZigZag varint of an `i64`.
    SInt64,
    /// Four bytes of a `u32`.
    Fixed32,
    /// Eight bytes of a `u64`.
    Fixed64,
    /// Four bytes of an `i32`.
    SFixed32,
    /// Eight bytes of an `i64`.
    SFixed64,
}

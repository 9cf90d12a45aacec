//! Says how numbers are encoded, if their Rust type can have several wire kinds.

/// A wire kind that the Rust type alone does not determine. In the derive macro's output, a kind is its index in this list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireKind {
    /// A ZigZag varint of an `i32`.
    SInt32,
    /// A ZigZag varint of an `i64`.
    SInt64,
    /// The four bytes of a `u32`.
    Fixed32,
    /// The eight bytes of a `u64`.
    Fixed64,
    /// The four bytes of an `i32`.
    SFixed32,
    /// The eight bytes of an `i64`.
    SFixed64,
}

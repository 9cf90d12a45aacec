//! The member that holds a oneof.

use crate::message::Oneof;
use crate::shape::OneofShape;

/// A member that holds a oneof: an option of its enum.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold a oneof",
    note = "write `Option<...>` of an enum that derives `tobu::Oneof`"
)]
pub trait OneofMember {
    /// What the enum looks like.
    fn shape() -> &'static OneofShape;
}

impl<T: Oneof> OneofMember for Option<T> {
    fn shape() -> &'static OneofShape {
        T::shape()
    }
}

//! Members by their addresses: the compiler finds their types by these, and has less to do for each than for a literal
//! with its type and its offset.

use super::{Attributes, FieldShape, FilledFrom, Member, MemberShape, OneofMember, Role};

/// Where a member lies: bytes from the start of its struct.
///
/// # Safety
/// The member is one of the struct.
const unsafe fn offset<T, M>(base: *const T, member: *const M) -> usize {
    // SAFETY: as above.
    unsafe { member.byte_offset_from(base) as usize }
}

impl MemberShape {
    /// A field.
    ///
    /// # Safety
    /// The member is one of the struct.
    pub const unsafe fn field<T, M: Member>(
        base: *const T,
        member: *const M,
        name: &'static str,
        number: u32,
        attributes: Option<&'static Attributes>,
    ) -> Self {
        let field = FieldShape { name, number: Some(number), value: M::VALUE, attributes };
        // SAFETY: as above.
        MemberShape { renamed: None, offset: unsafe { offset(base, member) }, role: Role::Field(field) }
    }

    /// A field of a struct that borrows nothing; nor does the member, be its type behind an alias.
    ///
    /// # Safety
    /// As for [`field`](Self::field).
    pub const unsafe fn owned<T, M: Member + for<'de> FilledFrom<'de>>(
        base: *const T,
        member: *const M,
        name: &'static str,
        number: u32,
        attributes: Option<&'static Attributes>,
    ) -> Self {
        // SAFETY: as above.
        unsafe { Self::field(base, member, name, number, attributes) }
    }

    /// A oneof.
    ///
    /// # Safety
    /// As for [`field`](Self::field).
    pub const unsafe fn oneof<T, M: OneofMember>(
        base: *const T,
        member: *const M,
        name: &'static str,
    ) -> Self {
        // SAFETY: as above.
        let offset = unsafe { offset(base, member) };
        MemberShape { renamed: None, offset, role: Role::Oneof(name, M::shape) }
    }

    /// A oneof of a struct that borrows nothing.
    ///
    /// # Safety
    /// As for [`field`](Self::field).
    pub const unsafe fn owned_oneof<T, M: OneofMember + for<'de> FilledFrom<'de>>(
        base: *const T,
        member: *const M,
        name: &'static str,
    ) -> Self {
        // SAFETY: as above.
        unsafe { Self::oneof(base, member, name) }
    }

    /// The fields that the struct does not name.
    ///
    /// # Safety
    /// As for [`field`](Self::field).
    pub const unsafe fn unknown<T>(base: *const T, member: *const super::UnknownFields) -> Self {
        // SAFETY: as above.
        MemberShape { renamed: None, offset: unsafe { offset(base, member) }, role: Role::Unknown }
    }
}

impl FieldShape {
    /// A variant of a oneof.
    pub const fn variant<M: Member>(
        name: &'static str,
        number: u32,
        attributes: Option<&'static Attributes>,
    ) -> Self {
        FieldShape { name, number: Some(number), value: M::VALUE, attributes }
    }
}

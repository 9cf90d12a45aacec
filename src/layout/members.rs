//! Members by their addresses: the compiler finds their types by these, and has less to do for each than for a literal
//! with its type and its offset.

use super::{FilledFrom, Member, MemberShape, Name, OneofMember, Role};

/// Where a member lies: bytes from the start of its struct.
///
/// # Safety
/// The member is one of the struct.
const unsafe fn offset<T, M>(base: *const T, member: *const M) -> u32 {
    // SAFETY: as above.
    unsafe { member.byte_offset_from(base) as u32 }
}

impl MemberShape {
    /// A field.
    ///
    /// # Safety
    /// The member is one of the struct.
    pub const unsafe fn field<T, M: Member>(
        base: *const T,
        member: *const M,
        name: u32,
        number: u32,
    ) -> Self {
        // SAFETY: as above.
        let offset = unsafe { offset(base, member) };
        MemberShape { offset, number, name: Name(name), role: Role::Field(M::STORAGE) }
    }

    /// A field of a struct that borrows nothing; nor does the member, be its type behind an alias.
    ///
    /// # Safety
    /// As for [`field`](Self::field).
    pub const unsafe fn owned<T, M: Member + for<'de> FilledFrom<'de>>(
        base: *const T,
        member: *const M,
        name: u32,
        number: u32,
    ) -> Self {
        // SAFETY: as above.
        unsafe { Self::field(base, member, name, number) }
    }

    /// A oneof.
    ///
    /// # Safety
    /// As for [`field`](Self::field).
    pub const unsafe fn oneof<T, M: OneofMember>(base: *const T, member: *const M, name: u32) -> Self {
        // SAFETY: as above.
        let offset = unsafe { offset(base, member) };
        MemberShape { offset, number: 0, name: Name(name), role: Role::Oneof(M::shape) }
    }

    /// A oneof of a struct that borrows nothing.
    ///
    /// # Safety
    /// As for [`field`](Self::field).
    pub const unsafe fn owned_oneof<T, M: OneofMember + for<'de> FilledFrom<'de>>(
        base: *const T,
        member: *const M,
        name: u32,
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
        let offset = unsafe { offset(base, member) };
        MemberShape { offset, number: 0, name: Name::FIRST, role: Role::Unknown }
    }
}

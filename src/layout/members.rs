//! Members and variants by their addresses and constructors. The compiler finds their types from these, because a
//! type that the macro wrote out again could mean another type there.

use super::convert::StoredAs;
use super::{
    BitOption, FilledFrom, Member, MemberShape, Name, OneofMember, OptionStorage, PresenceBit, PresenceWords,
    Protos, Role, Storage, UnknownFields, VariantShape,
};

/// The offset of a member: bytes from the start of its struct.
///
/// All addresses in this file are `*mut`, because `*mut M` is invariant and leaves the compiler no choice of the
/// type. A `*const M` would also fit a supertype, whose lifetimes may be shorter.
///
/// # Safety
/// The member is one of the struct.
///
/// # Panics
/// The struct is packed so that references to the member would not be aligned.
const unsafe fn offset<T, M>(base: *mut T, member: *mut M) -> u32 {
    assert!(align_of::<M>() <= align_of::<T>(), "members of a packed type cannot be referred to");
    // SAFETY: the caller promises that the member is one of the struct, so both addresses lie within one object. The
    // assertion above refuses packed members.
    unsafe { member.byte_offset_from(base) as u32 }
}

impl MemberShape {
    /// A field.
    ///
    /// # Safety
    /// The member is one of the struct.
    pub const unsafe fn field<T, M: Member>(base: *mut T, member: *mut M, name: u32, number: u32) -> Self {
        // SAFETY: the caller promises that the member is one of the struct, which is what this function asks for.
        unsafe { Self::stored(base, member, name, number, M::STORAGE) }
    }

    /// A field of a struct that borrows nothing. The compiler checks that the member borrows nothing either, even
    /// behind an alias.
    ///
    /// # Safety
    /// The member is one of the struct.
    pub const unsafe fn owned<T, M: Member + for<'de> FilledFrom<'de>>(
        base: *mut T,
        member: *mut M,
        name: u32,
        number: u32,
    ) -> Self {
        // SAFETY: the caller promises that the member is one of the struct, which is what this function asks for.
        unsafe { Self::field(base, member, name, number) }
    }

    /// A field by a conversion.
    ///
    /// # Safety
    /// The member is one of the struct.
    pub const unsafe fn converted<T, M>(
        base: *mut T,
        member: *mut M,
        name: u32,
        number: u32,
        stored: &StoredAs<M>,
    ) -> Self {
        // SAFETY: the caller promises that the member is one of the struct, which is what this function asks for.
        unsafe { Self::stored(base, member, name, number, stored.storage()) }
    }

    /// A field with a presence bit.
    ///
    /// # Safety
    /// The member is one of the struct; the bit is that of the member.
    pub const unsafe fn with_bit<T, M>(
        base: *mut T,
        member: *mut M,
        name: u32,
        number: u32,
        option: &'static BitOption,
    ) -> Self {
        // SAFETY: the caller promises that the member is one of the struct, which is what this function asks for.
        unsafe { Self::stored(base, member, name, number, Storage::Option(OptionStorage::Bit(option))) }
    }

    const unsafe fn stored<T, M>(
        base: *mut T,
        member: *mut M,
        name: u32,
        number: u32,
        storage: Storage,
    ) -> Self {
        // SAFETY: all callers promise that the member is one of the struct, so both addresses lie within one object.
        let offset = unsafe { offset(base, member) };
        MemberShape { offset, number, name: Name(name), role: Role::Field(storage) }
    }

    /// A oneof of a message that states its schema.
    ///
    /// # Safety
    /// The member is one of the struct.
    pub const unsafe fn oneof<T, M: OneofMember>(base: *mut T, member: *mut M, name: u32) -> Self {
        // SAFETY: the caller promises that the member is one of the struct, which is what this function asks for.
        let offset = unsafe { offset(base, member) };
        MemberShape { offset, number: 0, name: Name(name), role: Role::Oneof(M::shape) }
    }

    /// A oneof of a struct that borrows nothing.
    ///
    /// # Safety
    /// The member is one of the struct.
    pub const unsafe fn owned_oneof<T, M: OneofMember + for<'de> FilledFrom<'de>>(
        base: *mut T,
        member: *mut M,
        name: u32,
    ) -> Self {
        // SAFETY: the caller promises that the member is one of the struct, which is what this function asks for.
        unsafe { Self::oneof(base, member, name) }
    }

    /// A oneof of a message that needs the descriptors of the types in it.
    ///
    /// # Safety
    /// The member is one of the struct.
    pub const unsafe fn described<T, M: OneofMember>(base: *mut T, member: *mut M, name: u32) -> Self {
        // SAFETY: the caller promises that the member is one of the struct, which is what this function asks for.
        let offset = unsafe { offset(base, member) };
        MemberShape { offset, number: 0, name: Name(name), role: Role::Oneof(M::described) }
    }

    /// The unknown fields of the struct.
    ///
    /// # Safety
    /// The member is one of the struct.
    pub const unsafe fn unknown<T>(base: *mut T, member: *mut UnknownFields) -> Self {
        // SAFETY: the caller promises that the member is one of the struct, which is what this function asks for.
        let offset = unsafe { offset(base, member) };
        MemberShape { offset, number: 0, name: Name::FIRST, role: Role::Unknown }
    }
}

impl BitOption {
    /// A member with a presence bit.
    ///
    /// # Safety
    /// The member and the words are members of the struct.
    ///
    /// # Panics
    /// The type is not a number, a string, bytes or an enumeration, or the words have fewer bits.
    pub const unsafe fn of_bit<T, M: Member, W: PresenceWords>(
        base: *mut T,
        member: *mut M,
        words: *mut W,
        bit: u16,
    ) -> Self {
        // SAFETY: the caller promises that both the member and the words are members of the struct, so all addresses
        // lie within one object.
        let (member, words) = unsafe { (offset(base, member), offset(base, words)) };
        Self::with_bit::<M>(PresenceBit::of::<W>(member as usize, words as usize, bit))
    }
}

impl VariantShape {
    /// A variant, found by its constructor.
    pub const fn new<E, M: Member>(_: fn(M) -> E, name: u32, serde_name: u32, number: u32) -> Self {
        VariantShape { number, name: Name(name), serde_name: Name(serde_name), storage: M::STORAGE }
    }

    /// A variant with a conversion.
    pub const fn converted<E, M>(
        _: fn(M) -> E,
        name: u32,
        serde_name: u32,
        number: u32,
        stored: &StoredAs<M>,
    ) -> Self {
        VariantShape { number, name: Name(name), serde_name: Name(serde_name), storage: stored.storage() }
    }
}

/// The offset of the member that keeps proto values for others.
///
/// # Safety
/// The member is one of the struct.
pub const unsafe fn protos_at<T>(base: *mut T, member: *mut Protos) -> u32 {
    // SAFETY: the caller promises that the member is one of the struct, which is what this function asks for.
    unsafe { offset(base, member) }
}

/// Compiles only if the members may be filled from an input that lives for `'de`.
pub const fn filled_from<'de, M: FilledFrom<'de>>(_: *mut M) {}

/// Compiles only if the variants may be filled from an input that lives for `'de`.
pub const fn variant_filled_from<'de, M: FilledFrom<'de>, E>(_: fn(M) -> E) {}

/// True for the type of a member that is a leaf.
#[inline]
pub const fn is_leaf<T: Member>(_: &T) -> bool {
    T::IS_LEAF
}

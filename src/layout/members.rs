//! Makes the shapes of members from their addresses, and the shapes of variants from their constructors. From these, the
//! compiler infers the types. The derive macro does not repeat the type of a member, because the path of the type could mean
//! another type in the generated code.

use super::oneof::OneofFn;
use super::{
    BitOption, BitStorage, FactOf, FilledFrom, Member, MemberShape, Name, OneofMember, OptionStorage,
    PresenceBit, PresenceWords, Protos, Role, Storage, StoredAs, UnknownFields, VariantShape,
};
use std::marker::PhantomData;

/// Returns the offset of a member, in bytes from the start of its struct.
///
/// All addresses in this file are `*mut`, because `*mut M` is invariant and leaves the compiler no choice of the type. A
/// `*const M` would also fit a supertype of `M`, whose lifetimes may be shorter.
///
/// # Safety
/// `member` is the address of a member of the struct at `base`.
///
/// # Panics
/// The struct is packed, so a reference to the member might not be aligned.
const unsafe fn offset<T, M>(base: *mut T, member: *mut M) -> u32 {
    assert!(align_of::<M>() <= align_of::<T>(), "members of a packed type cannot be referred to");
    // SAFETY: the caller promises that `member` is the address of a member of the struct at `base`, so both addresses
    // lie within one object. The assertion above refuses packed members.
    unsafe { member.byte_offset_from(base) as u32 }
}

impl MemberShape {
    /// Creates the shape of a field. `stored` says how the member is stored: by its own type or by a conversion.
    ///
    /// # Safety
    /// `member` is the address of a member of the struct at `base`.
    pub const unsafe fn field<T, M>(
        base: *mut T,
        member: *mut M,
        name: u32,
        number: u32,
        stored: StoredAs<M>,
    ) -> Self {
        // SAFETY: the caller promises that `member` is the address of a member of the struct at `base`, as the called
        // function requires.
        unsafe { Self::stored(base, member, name, number, stored.fact()) }
    }

    /// Creates the shape of a field in a struct that borrows nothing. The bound makes the compiler check that the member
    /// borrows nothing, even if its type is an alias.
    ///
    /// # Safety
    /// `member` is the address of a member of the struct at `base`.
    pub const unsafe fn owned<T, M: Member + for<'de> FilledFrom<'de>>(
        base: *mut T,
        member: *mut M,
        name: u32,
        number: u32,
    ) -> Self {
        // SAFETY: the caller promises that `member` is the address of a member of the struct at `base`, as the called
        // function requires.
        unsafe { Self::stored(base, member, name, number, M::STORAGE) }
    }

    /// Creates the shape of a field with a presence bit.
    ///
    /// # Safety
    /// `member` is the address of a member of the struct at `base`, and `option` has the bit of this member.
    pub const unsafe fn with_bit<T, M>(
        base: *mut T,
        member: *mut M,
        name: u32,
        number: u32,
        option: &'static BitOption,
    ) -> Self {
        // SAFETY: the caller promises that `member` is the address of a member of the struct at `base`, as the called
        // function requires.
        unsafe { Self::stored(base, member, name, number, Storage::Option(OptionStorage::Bit(option))) }
    }

    const unsafe fn stored<T, M>(
        base: *mut T,
        member: *mut M,
        name: u32,
        number: u32,
        storage: Storage,
    ) -> Self {
        // SAFETY: all callers promise that `member` is the address of a member of the struct at `base`, so both
        // addresses lie within one object.
        let offset = unsafe { offset(base, member) };
        MemberShape { offset, number, name: Name(name), role: Role::Field(storage) }
    }

    /// Creates the shape of a oneof.
    ///
    /// # Safety
    /// `member` is the address of a member of the struct at `base`.
    pub const unsafe fn oneof<T, M>(
        base: *mut T,
        member: *mut M,
        name: u32,
        oneof: FactOf<M, OneofFn>,
    ) -> Self {
        // SAFETY: the caller promises that `member` is the address of a member of the struct at `base`, as the called
        // function requires.
        let offset = unsafe { offset(base, member) };
        MemberShape { offset, number: 0, name: Name(name), role: Role::Oneof(oneof.fact()) }
    }

    /// Creates the shape of the member with the unknown fields.
    ///
    /// # Safety
    /// `member` is the address of a member of the struct at `base`.
    pub const unsafe fn unknown<T>(base: *mut T, member: *mut UnknownFields) -> Self {
        // SAFETY: the caller promises that `member` is the address of a member of the struct at `base`, as the called
        // function requires.
        let offset = unsafe { offset(base, member) };
        MemberShape { offset, number: 0, name: Name::FIRST, role: Role::Unknown }
    }
}

impl BitOption {
    /// Describes a member with a presence bit.
    ///
    /// # Safety
    /// `member` and `words` are addresses of members of the struct at `base`.
    ///
    /// # Panics
    /// The type is not a number, a string, bytes or an enumeration, or the words do not have this bit.
    pub const unsafe fn of_bit<T, M, W: PresenceWords>(
        base: *mut T,
        member: *mut M,
        words: *mut W,
        bit: u16,
        stored: FactOf<M, BitStorage>,
    ) -> Self {
        // SAFETY: the caller promises that both the member and the words are members of the struct, so all addresses
        // lie within one object.
        let (member, words) = unsafe { (offset(base, member), offset(base, words)) };
        Self::with_bit(PresenceBit::of::<W>(member as usize, words as usize, bit), stored.fact())
    }
}

impl VariantShape {
    /// Creates the shape of a variant. The compiler infers the type from the constructor.
    pub const fn new<E, M>(
        _: fn(M) -> E,
        name: u32,
        serde_name: u32,
        number: u32,
        stored: StoredAs<M>,
    ) -> Self {
        VariantShape { number, name: Name(name), serde_name: Name(serde_name), storage: stored.fact() }
    }
}

/// Returns the offset of the member that keeps proto values for other members.
///
/// # Safety
/// `member` is the address of a member of the struct at `base`.
pub const unsafe fn protos_at<T>(base: *mut T, member: *mut Protos) -> u32 {
    // SAFETY: the caller promises that `member` is the address of a member of the struct at `base`, as the called
    // function requires.
    unsafe { offset(base, member) }
}

/// A member or a variant that a decoder will fill from an input.
///
/// The method [`filled_from`](Self::filled_from) compiles only if the input outlives all data that the type borrows. For a
/// type that does not implement [`Member`] or [`OneofMember`], the compiler finds the method of [`Unfilled`] instead, which
/// requires nothing. So the compiler reports only the missing trait, and not [`FilledFrom`] as well.
#[derive(Debug)]
pub struct Fill<M, Kind>(PhantomData<fn(M) -> M>, PhantomData<Kind>);

/// The kind of a member that is a field.
#[derive(Debug)]
pub struct Field;

/// The kind of a member that holds a oneof.
#[derive(Debug)]
pub struct Choice;

impl<M> Fill<M, Field> {
    /// Creates a `Fill` for a field from the address of its member.
    #[must_use]
    pub fn field(_: *mut M) -> Self {
        Fill(PhantomData, PhantomData)
    }

    /// Creates a `Fill` for a variant of a oneof from its constructor.
    #[must_use]
    pub fn variant<E>(_: fn(M) -> E) -> Self {
        Fill(PhantomData, PhantomData)
    }
}

impl<M> Fill<M, Choice> {
    /// Creates a `Fill` for a oneof from the address of its member.
    #[must_use]
    pub fn oneof(_: *mut M) -> Self {
        Fill(PhantomData, PhantomData)
    }
}

impl<M: Member> Fill<M, Field> {
    /// Compiles only if an input that lives for `'de` may fill the field.
    pub fn filled_from<'de>(self)
    where
        M: FilledFrom<'de>,
    {
    }
}

impl<M: OneofMember> Fill<M, Choice> {
    /// Compiles only if an input that lives for `'de` may fill the oneof.
    pub fn filled_from<'de>(self)
    where
        M: FilledFrom<'de>,
    {
    }
}

/// The method `filled_from` for types that are neither a [`Member`] nor a [`OneofMember`].
pub trait Unfilled: Sized {
    /// Compiles for every type.
    fn filled_from<'de>(self)
    where
        &'de (): Sized,
    {
    }
}

impl<M, Kind> Unfilled for Fill<M, Kind> {}

//! Describes how options and boxes are stored, and defines their functions.

use super::convert::{By, Carry, MadeBy, Optional, Own, Stores, Value, Whole, said};
use super::of::Of;
use super::{
    BitOption, BitStorage, BoxStorage, Conversion, InsideOption, LazyFunctions, LeafField, Member,
    MemberWith, OptionStorage, OptionTask, PresenceBit, Refused, Storage,
};
use crate::layout::member::Convert;
use std::ptr;

impl BitOption {
    /// Creates a member with a presence bit.
    ///
    /// # Panics
    /// The type is a message, a box, an option, a list or a map.
    pub(super) const fn with_bit(bit: PresenceBit, stored: BitStorage) -> Self {
        assert!(
            !matches!(
                stored.value,
                Storage::Message(_)
                    | Storage::Box(_)
                    | Storage::Option(_)
                    | Storage::List(_)
                    | Storage::Map(_)
            ),
            "`bit` is for a number, a string, bytes or an enumeration"
        );
        BitOption { value: stored.value, bit, clear_value: stored.clear_value }
    }

    /// Makes the value empty, and clears the bit.
    ///
    /// # Safety
    /// `at` is the address of a live member of its struct, and may be used to reach the whole struct.
    pub(super) unsafe fn clear(&self, at: *mut u8) {
        // SAFETY: the caller promises that the value is a member of its struct and that the address may reach all of
        // it. So the value and the aligned word of its bit are live, and `clear_value` is the function of the type that
        // lies there.
        unsafe {
            (self.clear_value)(at);
            *self.word(at) &= !self.bit.mask();
        }
    }

    /// Returns the address of the word with the bit.
    ///
    /// # Safety
    /// `at` is the address of a live member of its struct, and may be used to reach the whole struct.
    #[inline]
    unsafe fn word(&self, at: *mut u8) -> *mut u32 {
        // SAFETY: the caller promises that the address may reach the whole struct. Both offsets belong to members of this
        // struct, so subtracting one and adding the other leads to an address within the struct.
        unsafe { at.sub(self.bit.member).add(self.bit.word()).cast() }
    }
}

impl OptionStorage {
    pub(crate) fn value(self) -> Storage {
        match self {
            OptionStorage::Inside(option) => option.value,
            OptionStorage::Bit(bit) => bit.value,
            OptionStorage::Lazy(lazy) => lazy.value,
        }
    }

    /// Returns the address of the value, or null if the option is not set.
    ///
    /// # Safety
    /// `at` is the address of a live optional value with this storage. If the value has a presence bit, it is a member of
    /// its struct, and `at` may be used to reach the whole struct.
    #[inline]
    pub(crate) unsafe fn get(self, at: *const u8) -> *const u8 {
        // SAFETY: the caller promises that `at` is the address of an option with this storage and, if it has a bit, that
        // the address may reach the word of the bit. Each function belongs to the type of the option, and with `Get` it
        // only reads.
        unsafe {
            match self {
                OptionStorage::Inside(option) => (option.function)(OptionTask::Get, at.cast_mut()),
                OptionStorage::Bit(bit) => match bit.word(at.cast_mut()).read() & bit.bit.mask() {
                    0 => ptr::null(),
                    _ => at,
                },
                OptionStorage::Lazy(lazy) => (lazy.get)(at),
            }
        }
    }

    /// Returns the address of the value. If the option is not set, makes an empty value first. Returns null if the value
    /// cannot be made.
    ///
    /// # Safety
    /// `at` is the address of a live optional value with this storage, and nothing else refers to it. If the value has a
    /// presence bit, it is a member of its struct, and `at` may be used to reach the whole struct.
    #[inline]
    pub(crate) unsafe fn insert(self, at: *mut u8) -> *mut u8 {
        // SAFETY: the caller promises that `at` is the address of an option with this storage, that nothing else refers to
        // it and, if it has a bit, that the address may reach the word of the bit. Each function belongs to the type of the
        // option.
        unsafe {
            match self {
                OptionStorage::Inside(option) => (option.function)(OptionTask::Insert, at),
                OptionStorage::Bit(bit) => {
                    *bit.word(at) |= bit.bit.mask();
                    at
                }
                OptionStorage::Lazy(lazy) => (lazy.insert)(at),
            }
        }
    }

    /// Returns the offset of the value in a member that is set, in bytes from the start of the member. `None` if only a
    /// function knows the offset.
    pub(crate) fn offset(self) -> Option<u32> {
        match self {
            OptionStorage::Inside(option) => option.offset,
            OptionStorage::Bit(_) => Some(0),
            OptionStorage::Lazy(_) => None,
        }
    }

    /// Removes the value.
    ///
    /// # Safety
    /// `at` is the address of a live optional value with this storage, and nothing else refers to it. If the value has a
    /// presence bit, it is a member of its struct, and `at` may be used to reach the whole struct.
    pub(crate) unsafe fn clear(self, at: *mut u8) {
        // SAFETY: the caller promises that `at` is the address of an option with this storage and that nothing else refers
        // to it, and each function belongs to the type of the option. An option with a bit is a member of its struct, and
        // the caller promises that the address may reach the struct.
        unsafe {
            match self {
                OptionStorage::Inside(option) => {
                    (option.function)(OptionTask::Clear, at);
                }
                OptionStorage::Bit(bit) => bit.clear(at),
                OptionStorage::Lazy(lazy) => (lazy.lazy.clear)(at),
            }
        }
    }

    /// Returns the functions of a lazy message, which is decoded when it is first read; `None` for any other option.
    pub(crate) fn lazy(self) -> Option<&'static LazyFunctions> {
        match self {
            OptionStorage::Lazy(lazy) => Some(&lazy.lazy),
            OptionStorage::Inside(_) | OptionStorage::Bit(_) => None,
        }
    }

    pub(crate) fn bit(self) -> Option<PresenceBit> {
        match self {
            OptionStorage::Bit(bit) => Some(bit.bit),
            OptionStorage::Inside(_) | OptionStorage::Lazy(_) => None,
        }
    }
}

impl<T, V: Value<T>> Of<Option<T>, V> {
    const STORAGE: Storage = Storage::Option(OptionStorage::Inside(&InsideOption {
        value: V::STORAGE,
        offset: V::IN_OPTION,
        function: Self::option,
    }));

    unsafe fn option(task: OptionTask, at: *mut u8) -> *mut u8 {
        let option = at.cast::<Option<T>>();
        // SAFETY: by the contract of the function, `at` is the address of a live `Option<T>`. Nothing else refers to it
        // unless the task is `Get`, which only reads.
        unsafe {
            if task == OptionTask::Clear {
                *option = None;
                return ptr::null_mut();
            }
            if (*option).is_none() {
                if task != OptionTask::Insert {
                    return ptr::null_mut();
                }
                // The option is `None`, so there is nothing to drop, but the compiler does not see that.
                ptr::write(option, V::empty());
            }
            match &mut *option {
                Some(value) => ptr::from_mut(value).cast(),
                None => ptr::null_mut(),
            }
        }
    }
}

// SAFETY: `STORAGE` has functions that are compiled for this type.
unsafe impl<T: Member> Member for Option<T> {
    const STORAGE: Storage = Of::<Self, Own>::STORAGE;

    fn register() {
        T::register();
    }

    fn empty() -> Option<Self> {
        Some(None)
    }

    #[inline]
    fn is_set(&self) -> bool {
        self.is_some()
    }

    const IS_LEAF: bool = T::IS_LEAF;

    #[inline]
    unsafe fn write(&self, field: LeafField, at: *mut u8, limit: usize) -> *mut u8 {
        match self {
            // SAFETY: the caller promises that there is room for the field at `at`.
            Some(value) => unsafe { value.write(field, at, limit) },
            None => at,
        }
    }
}

impl<T: 'static, C: Convert<T>> Carry<Option<T>> for Whole<C, Optional>
where
    C::Proto: Stores<T, C>,
{
    type Owned = Option<<C::Proto as Stores<T, C>>::Owned>;
    const SAID: Conversion = said::<T, C>();

    fn own(member: &Option<T>) -> Self::Owned {
        member.as_ref().map(<C::Proto as Stores<T, C>>::own)
    }

    fn make(proto: Self::Owned) -> Result<Option<T>, Refused> {
        match proto {
            Some(proto) => <C::Proto as Stores<T, C>>::make(proto).map(Some).ok_or(Refused::Whole),
            None => Ok(None),
        }
    }
}

// SAFETY: `STORAGE` has functions that are compiled for this type.
unsafe impl<T: 'static, C: Convert<T>> MemberWith<C, Optional> for Option<T>
where
    C::Proto: Stores<T, C>,
{
    type Value = T;

    const STORAGE: Storage = match <C::Proto as Stores<T, C>>::VALUE {
        Some(_) => Of::<Self, By<C>>::STORAGE,
        None => Storage::Made(&MadeBy::<Self, Whole<C, Optional>>::FUNCTIONS),
    };

    fn register() {
        <<C::Proto as Stores<T, C>>::Owned as Member>::register();
    }

    fn empty() -> Option<Self> {
        Some(None)
    }

    #[inline]
    fn is_set(&self) -> bool {
        self.is_some()
    }
}

// SAFETY: a `Box` of a sized type is the address of the value.
unsafe impl<T: Member> Member for Box<T> {
    const STORAGE: Storage = Storage::Box(&BoxStorage { content: T::STORAGE, size: size_of::<T>() });
    // An option of a box is the address of its content, or null.
    const IN_OPTION: Option<u32> = Some(0);

    fn register() {
        T::register();
    }

    // Inlined into its callers, because otherwise the codegen unit with the functions of `Box` would have a copy of the
    // code that drops each message. The allocation comes first: if it fails, there is no message to drop.
    #[inline]
    fn empty() -> Option<Self> {
        let room = Box::new_uninit();
        Some(Box::write(room, T::empty()?))
    }

    #[inline]
    fn is_set(&self) -> bool {
        T::is_set(self)
    }
}

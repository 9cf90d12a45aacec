//! Finds out whether two types are equal except for their lifetimes.
//!
//! Serde's traits are generic, so a value that is passed to them has a type parameter as its type. The library recognizes its
//! own private types by their identity and not by a name, which any type could have.

use std::any::TypeId;
use std::marker::PhantomData;

/// Returns the identity of a type that need not be `'static`. Types that differ only in their lifetimes have the same
/// identity.
#[inline]
fn of<T: ?Sized>() -> TypeId {
    trait Identified {
        fn id(&self) -> TypeId
        where
            Self: 'static;
    }

    impl<T: ?Sized> Identified for PhantomData<T> {
        #[inline]
        fn id(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }

    let phantom = PhantomData::<T>;
    let phantom: &dyn Identified = &phantom;
    // SAFETY: only the lifetime bound of the trait object changes. The code only calls `id`, which reads nothing through
    // the reference and is compiled without regard to lifetimes.
    let phantom: &(dyn Identified + 'static) = unsafe { std::mem::transmute(phantom) };
    phantom.id()
}

/// Returns the value as a `U`, if the types are equal except for their lifetimes.
///
/// # Safety
/// If `T` and `U` are equal except for their lifetimes, then each lifetime of `U` in a covariant position is at most as
/// long as in `T`, and every other lifetime of `U` is equal to the lifetime in `T`.
#[inline]
pub(crate) unsafe fn cast<T: ?Sized, U>(value: &T) -> Option<&U> {
    match of::<T>() == of::<U>() {
        // SAFETY: both types are equal except for their lifetimes, and the caller promises that the lifetimes of `U` are
        // valid here.
        true => Some(unsafe { &*std::ptr::from_ref(value).cast::<U>() }),
        false => None,
    }
}

/// Returns the value as a `&mut U`, if the types are equal except for their lifetimes.
///
/// # Safety
/// If `T` and `U` are equal except for their lifetimes, then each lifetime of `U` in a covariant position is at most as
/// long as in `T`, and every other lifetime of `U` is equal to the lifetime in `T`. The caller stores no data in the value
/// that lives shorter than `T` requires.
#[inline]
pub(crate) unsafe fn cast_mut<T: ?Sized, U>(value: &mut T) -> Option<&mut U> {
    match of::<T>() == of::<U>() {
        // SAFETY: both types are equal except for their lifetimes, and the caller promises that the lifetimes of `U` are
        // valid here.
        true => Some(unsafe { &mut *std::ptr::from_mut(value).cast::<U>() }),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    #[test]
    fn types_are_the_same_but_for_lifetimes() {
        fn same<T: ?Sized, U: ?Sized>(_: &U) -> bool {
            of::<T>() == of::<U>()
        }
        let text = String::from("a");
        assert!(same::<str, str>(&text));
        assert!(same::<&'static str, _>(&text.as_str()));
        assert!(same::<Cow<'static, str>, _>(&Cow::Borrowed(text.as_str())));
        assert!(!same::<Cow<'static, [u8]>, _>(&Cow::Borrowed(text.as_str())));
        assert!(!same::<&'static mut str, _>(&text.as_str()));
        let text = text.as_str();
        // SAFETY: the lifetimes of both types are equal.
        let (as_text, as_bytes) = unsafe { (cast::<&str, &str>(&text), cast::<&str, &[u8]>(&text)) };
        assert_eq!((as_text, as_bytes), (Some(&"a"), None));
    }
}

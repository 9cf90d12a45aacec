//! The types that members of a row can have.

use super::Stop;
use crate::descriptor::Kind;
use crate::message::Enumeration;
use bytes::Bytes;
use std::borrow::Cow;
use std::sync::Arc;

/// A value of a field.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Scalar<'a> {
    I32(i32),
    I64(i64),
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
    Bool(bool),
    Enum(i32),
    Str(&'a str),
    Bytes(&'a [u8]),
}

/// Why a type cannot hold the value of its field: the number that its enum does not have, or `None` for other reasons.
#[doc(hidden)]
#[derive(Debug)]
pub struct Refused(Option<i32>);

/// A type that a member of a [`Row`](super::Row) can have. The documentation of [`Row`](super::Row) lists these types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the type of a member of a row",
    note = "the types of members are listed at `tobu::sink::Row`"
)]
pub trait Value<'a>: Sized {
    /// True if the field must be repeated.
    #[doc(hidden)]
    const IS_LIST: bool = false;
    /// True if the member has no value when the field is absent.
    #[doc(hidden)]
    const IS_OPTION: bool = false;

    /// True if the type can hold the values of the kind `kind`.
    #[doc(hidden)]
    fn fits(kind: &Kind) -> bool;
    /// Returns the value that a member has before it gets a value of its field.
    #[doc(hidden)]
    fn empty() -> Self;
    #[doc(hidden)]
    fn put(&mut self, value: Scalar<'a>, shared: Option<&'a Bytes>) -> Result<(), Refused>;
}

/// A type of a single value. Options and lists of such a type also implement [`Value`].
#[doc(hidden)]
pub trait Single<'a>: Value<'a> {
    fn of(value: Scalar<'a>, shared: Option<&'a Bytes>) -> Result<Self, Refused>;
}

/// Puts a value into a member.
///
/// # Errors
/// The type of the member cannot hold the value.
#[doc(hidden)]
#[inline(always)]
pub fn put<'a, V: Value<'a>>(
    member: &mut V,
    value: Scalar<'a>,
    shared: Option<&'a Bytes>,
    name: &'static str,
) -> Result<(), Stop> {
    member.put(value, shared).map_err(|refused| refused.of_member(name))
}

impl Refused {
    #[cold]
    fn of_member(self, name: &str) -> Stop {
        match self.0 {
            Some(number) => Stop::error(format_args!("the enum of `{name}` has no value {number}")),
            None => Stop::error(format_args!("the value does not fit the type of `{name}`")),
        }
    }
}

macro_rules! single {
    ($($ty:ty, [$($kind:ident $(($any:pat))?)|+], $empty:expr, |$shared:ident| { $($from:pat => $to:expr),+ };)+) => {
        $(
            impl<'a> Value<'a> for $ty {
                fn fits(kind: &Kind) -> bool {
                    matches!(kind, $(Kind::$kind $(($any))?)|+)
                }

                #[inline(always)]
                fn empty() -> Self {
                    $empty
                }

                #[inline(always)]
                fn put(&mut self, value: Scalar<'a>, shared: Option<&'a Bytes>) -> Result<(), Refused> {
                    *self = Self::of(value, shared)?;
                    Ok(())
                }
            }

            impl<'a> Single<'a> for $ty {
                #[inline(always)]
                fn of(value: Scalar<'a>, $shared: Option<&'a Bytes>) -> Result<Self, Refused> {
                    let _ = $shared;
                    match value {
                        $($from => Ok($to),)+
                        _ => Err(Refused(None)),
                    }
                }
            }
        )+
    };
}

single! {
    i32, [Int32 | SInt32 | SFixed32 | Enum(_)], 0, |_s| { Scalar::I32(v) => v, Scalar::Enum(v) => v };
    i64, [Int32 | SInt32 | SFixed32 | Int64 | SInt64 | SFixed64 | UInt32 | Fixed32], 0, |_s| {
        Scalar::I64(v) => v, Scalar::I32(v) => v.into(), Scalar::U32(v) => v.into()
    };
    u32, [UInt32 | Fixed32], 0, |_s| { Scalar::U32(v) => v };
    u64, [UInt32 | Fixed32 | UInt64 | Fixed64], 0, |_s| { Scalar::U64(v) => v, Scalar::U32(v) => v.into() };
    f32, [Float], 0.0, |_s| { Scalar::F32(v) => v };
    f64, [Float | Double], 0.0, |_s| { Scalar::F64(v) => v, Scalar::F32(v) => v.into() };
    bool, [Bool], false, |_s| { Scalar::Bool(v) => v };
    &'a str, [String], "", |_s| { Scalar::Str(v) => v };
    String, [String], String::new(), |_s| { Scalar::Str(v) => v.to_owned() };
    Box<str>, [String], "".into(), |_s| { Scalar::Str(v) => v.into() };
    Arc<str>, [String], "".into(), |_s| { Scalar::Str(v) => v.into() };
    Cow<'a, str>, [String], Cow::Borrowed(""), |_s| { Scalar::Str(v) => Cow::Borrowed(v) };
    &'a [u8], [String | Bytes], &[], |_s| { Scalar::Bytes(v) => v, Scalar::Str(v) => v.as_bytes() };
    Vec<u8>, [String | Bytes], Vec::new(), |_s| { Scalar::Bytes(v) => v.to_vec(), Scalar::Str(v) => v.as_bytes().to_vec() };
    Cow<'a, [u8]>, [String | Bytes], Cow::Borrowed(&[]), |_s| {
        Scalar::Bytes(v) => Cow::Borrowed(v), Scalar::Str(v) => Cow::Borrowed(v.as_bytes())
    };
    Bytes, [String | Bytes], Bytes::new(), |shared| {
        Scalar::Bytes(v) => share(v, shared), Scalar::Str(v) => share(v.as_bytes(), shared)
    };
}

/// Returns `part` as a slice of the shared input. A default that the schema declares is not a part of the input, and is
/// copied.
fn share<'a>(part: &'a [u8], shared: Option<&'a Bytes>) -> Bytes {
    match shared {
        Some(input) if input.as_ptr_range().contains(&part.as_ptr()) => input.slice_ref(part),
        _ => Bytes::copy_from_slice(part),
    }
}

impl<'a, E: Enumeration> Value<'a> for E {
    fn fits(kind: &Kind) -> bool {
        matches!(kind, Kind::Enum(_))
    }

    #[inline(always)]
    fn empty() -> Self {
        match E::from_number(0).or_else(<E as crate::layout::Member>::empty) {
            Some(value) => value,
            None => unreachable!("an enum has a value"),
        }
    }

    #[inline(always)]
    fn put(&mut self, value: Scalar<'a>, shared: Option<&'a Bytes>) -> Result<(), Refused> {
        *self = E::of(value, shared)?;
        Ok(())
    }
}

impl<'a, E: Enumeration> Single<'a> for E {
    #[inline(always)]
    fn of(value: Scalar<'a>, _: Option<&'a Bytes>) -> Result<Self, Refused> {
        match value {
            Scalar::Enum(number) => E::from_number(number).ok_or(Refused(Some(number))),
            _ => Err(Refused(None)),
        }
    }
}

impl<'a, T: Single<'a>> Value<'a> for Option<T> {
    const IS_OPTION: bool = true;

    fn fits(kind: &Kind) -> bool {
        T::fits(kind)
    }

    #[inline(always)]
    fn empty() -> Self {
        None
    }

    #[inline(always)]
    fn put(&mut self, value: Scalar<'a>, shared: Option<&'a Bytes>) -> Result<(), Refused> {
        *self = Some(T::of(value, shared)?);
        Ok(())
    }
}

impl<'a, T: Single<'a>> Value<'a> for Vec<T> {
    const IS_LIST: bool = true;

    fn fits(kind: &Kind) -> bool {
        T::fits(kind)
    }

    #[inline(always)]
    fn empty() -> Self {
        Vec::new()
    }

    #[inline(always)]
    fn put(&mut self, value: Scalar<'a>, shared: Option<&'a Bytes>) -> Result<(), Refused> {
        self.push(T::of(value, shared)?);
        Ok(())
    }
}

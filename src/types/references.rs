//! References to the well-known messages inside parsed messages.

use super::{
    Any, BoolValue, BytesValue, DoubleValue, Duration, Empty, FieldMask, FloatValue, Int32Value, Int64Value,
    ListValue, NullValue, StringValue, Struct, Timestamp, UInt32Value, UInt64Value, Value,
};
use crate::error::Result;
use crate::message::Message;
use crate::message::parsed::{Fields, List, Map, Parsed};

/// Defines the reference types and their accessors. For each accessor, the list has its name, the function of `Fields` that it
/// calls, the first cell of its field, and its return type.
macro_rules! references {
    ($($reference:ident $message:ident { $($(#[$attribute:meta])* $get:ident $read:ident $cell:literal $ty:ty;)* })*) => {
        $(
            #[doc = concat!("A [`", stringify!($message), "`] in a parsed message.")]
            pub struct $reference<'a>(Fields<'a>);

            impl<'a> $reference<'a> {
                $(
                    $(#[$attribute])*
                    #[inline]
                    pub fn $get(self) -> $ty {
                        self.0.$read($cell)
                    }
                )*
            }

            crate::__parsed_reference!($reference, $message);
        )*
    };
}

references! {
    AnyRef Any {
        /// The URL that names the type.
        type_url value 1 &'a str;
        /// The encoded message.
        value value 3 &'a [u8];
    }
    TimestampRef Timestamp {
        /// Seconds since 1970-01-01T00:00:00Z.
        seconds value 1 i64;
        /// Nanoseconds after the seconds.
        nanos value 3 i32;
    }
    DurationRef Duration {
        /// Whole seconds.
        seconds value 1 i64;
        /// Nanoseconds, with the same sign as the seconds.
        nanos value 3 i32;
    }
    EmptyRef Empty {}
    FieldMaskRef FieldMask {
        /// The paths.
        paths list 1 List<'a, &'a str>;
    }
    StructRef Struct {
        /// The members of the object.
        fields map 1 Map<'a, &'a str, ValueRef<'a>>;
    }
    ListValueRef ListValue {
        /// The elements of the list.
        values list 1 List<'a, ValueRef<'a>>;
    }
    ValueRef Value {}
    DoubleValueRef DoubleValue { /** The value. */ value value 1 f64; }
    FloatValueRef FloatValue { /** The value. */ value value 1 f32; }
    Int64ValueRef Int64Value { /** The value. */ value value 1 i64; }
    UInt64ValueRef UInt64Value { /** The value. */ value value 1 u64; }
    Int32ValueRef Int32Value { /** The value. */ value value 1 i32; }
    UInt32ValueRef UInt32Value { /** The value. */ value value 1 u32; }
    BoolValueRef BoolValue { /** The value. */ value value 1 bool; }
    StringValueRef StringValue { /** The value. */ value value 1 &'a str; }
    BytesValueRef BytesValue { /** The value. */ value value 1 &'a [u8]; }
}

/// The kind of a [`Value`](super::Value) in a parsed message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KindRef<'a> {
    /// `null`.
    NullValue(NullValue),
    /// A number.
    NumberValue(f64),
    /// A string.
    StringValue(&'a str),
    /// `true` or `false`.
    BoolValue(bool),
    /// An object.
    StructValue(StructRef<'a>),
    /// An array.
    ListValue(ListValueRef<'a>),
}

impl<'a> ValueRef<'a> {
    /// Returns the value of this `Value` in a variant that says its kind, or `None` if no kind is set.
    ///
    /// ```
    /// use tobu::Parsed;
    /// use tobu::types::{KindRef, Value};
    ///
    /// let value = Parsed::<Value>::from_json(r#"{"pages": 412}"#)?;
    /// let Some(KindRef::StructValue(members)) = value.get().which_kind() else { panic!("an object") };
    /// let pages = members.fields().get("pages").and_then(|pages| pages.which_kind());
    /// assert_eq!(pages, Some(KindRef::NumberValue(412.0)));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    #[inline]
    pub fn which_kind(self) -> Option<KindRef<'a>> {
        Some(match self.0.which(&[1, 2, 3, 4, 5, 6])? {
            0 => KindRef::NullValue(self.0.value(1)),
            1 => KindRef::NumberValue(self.0.value(2)),
            2 => KindRef::StringValue(self.0.value(4)),
            3 => KindRef::BoolValue(self.0.value(6)),
            4 => KindRef::StructValue(self.0.value(7)),
            _ => KindRef::ListValue(self.0.value(8)),
        })
    }
}

impl AnyRef<'_> {
    /// Copies the bytes of the message in this `Any` and decodes them.
    ///
    /// ```
    /// use tobu::Parsed;
    /// use tobu::types::{Any, Duration};
    ///
    /// let any = Parsed::from_message(&Any::pack(&Duration::new(1, 0))?)?;
    /// assert_eq!(any.get().unpack::<Duration>()?.get().seconds(), 1);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The message in this `Any` has another type, the URL names no type, or [`Parsed::decode`] would fail.
    pub fn unpack<T: Message>(self) -> Result<Parsed<T>> {
        super::any::check_type::<T>(self.type_url())?;
        Parsed::decode(self.value())
    }
}

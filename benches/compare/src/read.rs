//! Reading all fields of messages, or three of them, by the accessors of each library. What is added up must be the same
//! for all.

/// A message of a library.
pub trait Read {
    /// Reads every field of the message and of those in it.
    fn all(&self, sum: &mut Sum);

    /// Reads three fields of the message alone.
    fn three(&self, sum: &mut Sum);
}

/// Adds values up, in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum(u64);

impl Sum {
    /// What was added up.
    pub fn total(self) -> u64 {
        self.0
    }

    #[inline]
    pub fn add(&mut self, value: impl Weight) {
        self.0 = self.0.wrapping_add(value.weight());
    }
}

/// A number as it is added.
pub trait Weight {
    fn weight(self) -> u64;
}

macro_rules! weights {
    ($($ty:ty: $value:ident => $weight:expr;)*) => {
        $(impl Weight for $ty {
            #[inline]
            fn weight(self) -> u64 {
                let $value = self;
                $weight
            }
        })*
    };
}

weights! {
    bool: value => value.into();
    i32: value => value as u64;
    i64: value => value as u64;
    u32: value => value.into();
    u64: value => value;
    f32: value => value.to_bits().into();
    f64: value => value.to_bits();
}

macro_rules! libraries {
    ($($(#[$meta:meta])? $module:ident $file:literal;)*) => {
        $($(#[$meta])?
        #[allow(unused_variables, reason = "a message may have no fields")]
        #[allow(deprecated, reason = "fields that the schema deprecates are read like all others")]
        mod $module {
            use super::{Read, Sum};
            include!(concat!(env!("OUT_DIR"), "/", $file));
        })*
    };
}

libraries! {
    tobu_fields "read_tobu.rs";
    prost_fields "read_prost.rs";
    buffa_fields "read_buffa.rs";
    buffa_view_fields "read_buffa_view.rs";
    #[cfg(feature = "google")] google_fields "read_google.rs";
}

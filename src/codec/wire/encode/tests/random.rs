//! Values to encode.

use crate::{UnknownFields, VecMap};
use bytes::Bytes;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// Pseudo-random numbers, the same in every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 24
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        self.next() as usize % end
    }
}

/// Values of all sizes, with the edge cases among them.
pub(super) trait Any {
    fn any(random: &mut Random) -> Self;
}

macro_rules! numbers {
    ($($ty:ty)*) => {
        $(
            impl Any for $ty {
                fn any(random: &mut Random) -> Self {
                    let wide = random.next() << 24 ^ random.next();
                    match random.below(4) {
                        0 => 0,
                        1 => (wide >> random.below(64)) as $ty,
                        2 => ((wide >> random.below(64)) as $ty).wrapping_neg(),
                        _ => [1, 127, 128, <$ty>::MAX, <$ty>::MIN][random.below(5)],
                    }
                }
            }
        )*
    };
}

numbers!(i32 i64 u32 u64);

impl Any for f32 {
    fn any(random: &mut Random) -> Self {
        [0.0, -0.0, 1.5, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE / 2.0][random.below(6)]
    }
}

impl Any for f64 {
    fn any(random: &mut Random) -> Self {
        [0.0, -0.0, 1.5, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE / 2.0][random.below(6)]
    }
}

impl Any for bool {
    fn any(random: &mut Random) -> Self {
        random.below(2) == 1
    }
}

impl Any for String {
    fn any(random: &mut Random) -> Self {
        let len = [0, 1, 2, 3, 5, 7, 8, 12, 16, 24, 32, 33, 127, 128, 300, 5000][random.below(16)];
        (0..len).map(|i| if i + 1 == len { 'z' } else { char::from(b'a' + (i % 26) as u8) }).collect()
    }
}

impl Any for Vec<u8> {
    fn any(random: &mut Random) -> Self {
        String::any(random).into_bytes()
    }
}

impl Any for Bytes {
    fn any(random: &mut Random) -> Self {
        Vec::any(random).into()
    }
}

impl Any for Box<str> {
    fn any(random: &mut Random) -> Self {
        String::any(random).into()
    }
}

impl Any for Box<[u8]> {
    fn any(random: &mut Random) -> Self {
        Vec::any(random).into()
    }
}

impl Any for Cow<'static, str> {
    fn any(random: &mut Random) -> Self {
        String::any(random).into()
    }
}

impl Any for Cow<'static, [u8]> {
    fn any(random: &mut Random) -> Self {
        Cow::Owned(Vec::any(random))
    }
}

impl Any for &'static str {
    fn any(random: &mut Random) -> Self {
        ["", "a", "eighteen and so on", "thirty-two and some more letters than that"][random.below(4)]
    }
}

impl<T: Any> Any for Option<T> {
    fn any(random: &mut Random) -> Self {
        (random.below(3) > 0).then(|| T::any(random))
    }
}

impl<T: Any> Any for Box<T> {
    fn any(random: &mut Random) -> Self {
        Box::new(T::any(random))
    }
}

impl<T: Any + NotByte> Any for Vec<T> {
    fn any(random: &mut Random) -> Self {
        let len = [0, 1, 2, 7, 40, 200][random.below(6)];
        (0..len).map(|_| T::any(random)).collect()
    }
}

/// A list of `u8` is a byte string.
pub(super) trait NotByte {}

macro_rules! not_bytes {
    ($($ty:ty)*) => { $(impl NotByte for $ty {})* };
}

not_bytes!(i32 i64 u32 u64 f32 f64 bool String Vec<u8> Bytes &'static str);

macro_rules! maps {
    ($($map:ident<$($bound:ident)|+>)*) => {
        $(
            impl<K: Any $(+ $bound)+, V: Any> Any for $map<K, V> {
                fn any(random: &mut Random) -> Self {
                    let len = [0, 1, 2, 9][random.below(4)];
                    (0..len).map(|_| (K::any(random), V::any(random))).collect()
                }
            }
        )*
    };
}

maps!(HashMap<Eq | Hash> BTreeMap<Ord> VecMap<Ord | Hash>);

impl Any for UnknownFields {
    fn any(random: &mut Random) -> Self {
        let fields: &[u8] = [&b""[..], b"\xf8\x3f\x05", b"\xfa\x3f\x02hi\xf8\x3f\x05"][random.below(3)];
        UnknownFields::from_bytes(fields).unwrap()
    }
}

//! Old content of a used message disappears, whatever it was and whatever replaces it.

use super::compare;
use crate::{Deserialize, Limits, Merge, Message, Serialize, UnknownFields};
use std::fmt::Debug;

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
struct Flat {
    #[tobu(1)]
    id: i32,
    #[tobu(2)]
    yes: bool,
    #[tobu(3)]
    weight: f64,
    #[tobu(4)]
    name: String,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
struct Optional {
    #[tobu(1)]
    small: Option<i32>,
    #[tobu(2)]
    unsigned: Option<u32>,
    #[tobu(3)]
    large: Option<i64>,
    #[tobu(4)]
    huge: Option<u64>,
    #[tobu(5)]
    yes: Option<bool>,
    #[tobu(6, fixed32)]
    fixed: Option<u32>,
    #[tobu(7)]
    ratio: Option<f32>,
    #[tobu(8)]
    weight: Option<f64>,
    #[tobu(9)]
    counts: Vec<u64>,
}

/// Refills a message that held each choice of the pieces with every other choice.
fn refill_all<T>(pieces: &[&[u8]])
where
    T: Message
        + for<'de> Merge<'de>
        + for<'de> Deserialize<'de>
        + Serialize
        + Clone
        + Debug
        + Default
        + PartialEq,
{
    let chosen = |choice: usize| {
        let of =
            |(index, piece): (usize, &&[u8])| if choice >> index & 1 == 1 { piece.to_vec() } else { vec![] };
        pieces.iter().enumerate().map(of).collect::<Vec<_>>().concat()
    };
    let all = 1 << pieces.len();
    for old in [0, all - 1, 0b0101_0101_0101 % all, 0b1010_1010_1010 % all] {
        let used: T = crate::from_slice(&chosen(old)).unwrap();
        for new in 0..all {
            compare(&chosen(new), &used, Limits::default()).unwrap();
        }
    }
}

#[test]
fn what_a_used_message_held_is_gone() {
    refill_all::<Flat>(&[
        b"\x08\x96\x01",
        b"\x10\x01",
        b"\x19\0\0\0\0\0\0\xf0\x3f",
        b"\x22\x04name",
        b"\xf8\x01\x07",
    ]);
    refill_all::<Optional>(&[
        b"\x08\x01",
        b"\x10\x02",
        b"\x18\x03",
        b"\x20\x04",
        b"\x28\x01",
        b"\x35\x01\0\0\0",
        b"\x3d\0\0\x80\x3f",
        b"\x41\0\0\0\0\0\0\xf0\x3f",
        b"\x4a\x02\x05\x06",
    ]);
}

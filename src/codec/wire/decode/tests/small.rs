//! Small messages of numbers and texts, alone and nested, with fields in order and not.

use super::{Random, broken, compare, prefixed};
use crate::{Deserialize, Limits, Message, Serialize, UnknownFields};

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
struct Numbers {
    #[tobu(1)]
    int: i32,
    #[tobu(2)]
    long: u64,
    #[tobu(3, sint32)]
    signed: i32,
    #[tobu(4)]
    yes: bool,
    #[tobu(5, fixed64)]
    fixed: u64,
    #[tobu(6)]
    maybe_int: Option<i32>,
    #[tobu(7)]
    maybe_unsigned: Option<u32>,
    #[tobu(8)]
    maybe_long: Option<i64>,
    #[tobu(9)]
    maybe_huge: Option<u64>,
    #[tobu(10, sint32)]
    maybe_signed: Option<i32>,
    #[tobu(11, sint64)]
    maybe_zigzag: Option<i64>,
    #[tobu(12)]
    maybe_yes: Option<bool>,
    #[tobu(13)]
    float: f32,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
struct Widths {
    #[tobu(1)]
    float: Option<f32>,
    #[tobu(2, fixed32)]
    unsigned: Option<u32>,
    #[tobu(3, sfixed32)]
    signed: Option<i32>,
    #[tobu(4)]
    double: Option<f64>,
    #[tobu(5, fixed64)]
    long: Option<u64>,
    #[tobu(6, sfixed64)]
    long_signed: Option<i64>,
    #[tobu(7, sint64)]
    zigzag: i64,
    #[tobu(8)]
    double_always: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
struct Texts<'a> {
    #[tobu(1)]
    text: String,
    #[tobu(2)]
    bytes: Vec<u8>,
    #[tobu(3)]
    maybe_text: Option<String>,
    #[tobu(4)]
    maybe_bytes: Option<Vec<u8>>,
    #[tobu(5)]
    part: &'a str,
    #[tobu(6)]
    byte_part: &'a [u8],
    #[tobu(7)]
    maybe_part: Option<&'a str>,
    #[tobu(8)]
    maybe_byte_part: Option<&'a [u8]>,
    #[tobu(9)]
    count: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
struct Holder<'a> {
    #[tobu(1)]
    numbers: Option<Numbers>,
    #[tobu(2)]
    widths: Widths,
    #[tobu(3)]
    texts: Option<Box<Texts<'a>>>,
    #[tobu(4)]
    list: Vec<Texts<'a>>,
    #[tobu(5)]
    many: Vec<Numbers>,
    #[tobu(6)]
    unusual: Vec<Widths>,
}

/// Fields with these numbers, in order, some of them absent; now and then one that is out of order, unknown or
/// malformed.
fn fields(random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::new();
    let kind = random.next(3);
    for number in 1..=13_u8 {
        if random.next(3) == 0 {
            continue;
        }
        let number = if random.next(24) == 0 { random.next(16) as u8 } else { number };
        let form = match (kind, number) {
            (0, 5) | (1, 4..=6 | 8) => 1,
            (0, 13) | (1, 1..=3) => 5,
            (2, 9) | (0 | 1, _) => 0,
            _ => 2,
        };
        bytes.push(number << 3 | if random.next(40) == 0 { random.next(8) as u8 } else { form });
        match form {
            1 => bytes.extend_from_slice(&(random.next(1 << 40) as u64).to_le_bytes()),
            5 => bytes.extend_from_slice(&(random.next(1 << 30) as u32).to_le_bytes()),
            0 => {
                let bits = random.next(66) as u32;
                bytes.extend(super::varint(u64::MAX.checked_shr(bits).unwrap_or(0)));
            }
            _ => {
                let texts: [&[u8]; 7] =
                    [b"", b"a", "é".as_bytes(), b"\xff", b"twelve bytes", &[b'x'; 40], &[b'y'; 130]];
                let text = if random.next(8) > 0 { &texts[..3] } else { &texts[..] };
                let long = if random.next(2) > 0 { random.of(text) } else { random.of(&texts[4..]) };
                bytes.extend(prefixed(long));
            }
        }
    }
    bytes
}

#[test]
fn they_are_read_as_any_other_message() {
    let limits = Limits::default();
    let long = "it was longer than any other text here, and is emptied, but for its room";
    let numbers = Numbers {
        int: -1,
        long: 1 << 60,
        signed: -7,
        yes: true,
        fixed: 9,
        maybe_int: Some(0),
        maybe_unsigned: Some(4),
        maybe_long: Some(-4),
        maybe_huge: Some(u64::MAX),
        maybe_signed: Some(-1),
        maybe_zigzag: Some(i64::MIN),
        maybe_yes: Some(false),
        float: -0.0,
        unknown: UnknownFields::from_bytes(b"\xf8\x01\x07").unwrap(),
    };
    let widths = Widths {
        float: Some(1.5),
        unsigned: Some(7),
        signed: Some(-7),
        double: Some(0.0),
        long: Some(1),
        long_signed: Some(-1),
        zigzag: -3,
        double_always: 2.5,
    };
    let texts = Texts {
        text: long.into(),
        bytes: long.into(),
        maybe_text: Some(long.into()),
        maybe_bytes: Some(vec![]),
        part: long,
        byte_part: long.as_bytes(),
        maybe_part: Some(""),
        maybe_byte_part: Some(b"old"),
        count: 3,
    };
    let holder = Holder {
        numbers: Some(numbers.clone()),
        widths: widths.clone(),
        texts: Some(Box::new(texts.clone())),
        list: vec![texts.clone(); 2],
        many: vec![numbers.clone(); 3],
        unusual: vec![widths.clone()],
    };
    let (mut good, mut bad) = (0, 0);
    for seed in 1..=if cfg!(miri) { 20 } else { 3000 } {
        let mut random = Random((seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut whole = fields(&mut random);
        if random.next(4) == 0 {
            let cut = random.next(whole.len() + 1);
            whole.truncate(cut);
        }
        if random.next(4) == 0 {
            whole = broken(&mut random, &whole);
        }
        let held: Vec<u8> = (0..random.next(6))
            .flat_map(|_| {
                let number = random.next(6) as u8 + 1;
                [vec![number << 3 | 2], prefixed(&fields(&mut random))].concat()
            })
            .collect();
        let all = [
            compare(&whole, &numbers, limits).is_ok(),
            compare(&whole, &widths, limits).is_ok(),
            compare(&whole, &texts, limits).is_ok(),
            compare(&held, &holder, limits).is_ok(),
        ];
        for is_good in all {
            if is_good { good += 1 } else { bad += 1 }
        }
        for end in [held.len() / 2, held.len().saturating_sub(1)] {
            let _ = compare(&held[..end], &holder, limits);
        }
        let _ = compare(&whole, &texts, limits.depth(0));
        let _ = compare(&held, &holder, limits.depth(1));
        let _ = compare(&whole, &texts, limits.memory(size_of::<Texts<'_>>() as u64 - 1));
    }
    assert!(cfg!(miri) || good > 500 && bad > 500, "{good} {bad}");
}

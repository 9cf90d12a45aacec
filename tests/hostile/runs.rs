//! Lists of numbers in packed runs of every length, whole and broken: around the lengths from which they are read in
//! another way.

use tobu::{DynamicMessage, Message, UnknownFields};

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "runs")]
struct Lists {
    #[tobu(1)]
    i32s: Vec<i32>,
    #[tobu(2)]
    i64s: Vec<i64>,
    #[tobu(3)]
    u32s: Vec<u32>,
    #[tobu(4)]
    u64s: Vec<u64>,
    #[tobu(5, sint32)]
    sint32s: Vec<i32>,
    #[tobu(6, sint64)]
    sint64s: Vec<i64>,
    #[tobu(7)]
    bools: Vec<bool>,
    #[tobu(8, fixed32)]
    fixed32s: Vec<u32>,
    #[tobu(9, sfixed64)]
    sfixed64s: Vec<i64>,
    #[tobu(10)]
    floats: Vec<f32>,
    #[tobu(11)]
    doubles: Vec<f64>,
    #[tobu(12)]
    colors: Vec<Color>,
    #[tobu(13)]
    sizes: Vec<Size>,
    #[tobu(unknown)]
    unknown_fields: UnknownFields,
}

#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, tobu::Enumeration, tobu::Serialize, tobu::Deserialize,
)]
#[tobu(package = "runs", values(COLOR_BLACK = 0, COLOR_RED = 1))]
struct Color(i32);

#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, tobu::Enumeration, tobu::Serialize, tobu::Deserialize,
)]
#[tobu(package = "runs")]
enum Size {
    #[default]
    Small = 1,
    Large = 2,
}

/// Those of any numbers.
const FIELDS: u8 = 12;

/// How many bytes each number of a field takes, where that is fixed.
fn size(field: u8) -> Option<usize> {
    match field {
        8 | 10 => Some(4),
        9 | 11 => Some(8),
        _ => None,
    }
}

/// A run of `count` numbers; varints are as long as `lengths` say, in turn.
fn run(field: u8, count: usize, lengths: &[usize]) -> Vec<u8> {
    if let Some(size) = size(field) {
        return (0..count * size).map(|at| (at * 37) as u8).collect();
    }
    let varint = |number: usize| {
        let len = lengths[number % lengths.len()];
        let last = if len == 10 { 1 } else { number % 0x7f + 1 };
        (1..len).map(move |at| 0x80 | (number * 31 + at) as u8).chain([last as u8])
    };
    (0..count).flat_map(varint).collect()
}

/// A message of such a run in one field.
fn message(field: u8, run: &[u8]) -> Vec<u8> {
    let len = run.len();
    let len = if len < 0x80 { vec![len as u8] } else { vec![len as u8 | 0x80, (len >> 7) as u8] };
    [&[field << 3 | 2], &len[..], run].concat()
}

/// A list is read with the same result into a new message, into a used one, and by a schema alone; returns whether it
/// could be read.
fn check(wire: &[u8], used: &[u8]) -> bool {
    let dynamic = DynamicMessage::decode(&Lists::descriptor(), wire);
    let mut refilled: Lists = tobu::from_slice(used).unwrap();
    let refill = tobu::from_slice_in_place(&mut refilled, wire);
    match tobu::from_slice::<Lists>(wire) {
        Ok(lists) => {
            refill.unwrap();
            // Some of the floats are NaN: their encodings are compared.
            let written = tobu::to_vec(&lists).unwrap();
            assert_eq!(written, tobu::to_vec(&refilled).unwrap(), "{wire:x?}");
            let again = DynamicMessage::decode(&Lists::descriptor(), &written).unwrap();
            assert_eq!(
                again.encode_to_vec().unwrap(),
                dynamic.unwrap().encode_to_vec().unwrap(),
                "{wire:x?}"
            );
            true
        }
        Err(error) => {
            let text = dynamic.unwrap_err().to_string();
            assert_eq!((error.to_string(), refill.unwrap_err().to_string()), (text.clone(), text));
            false
        }
    }
}

#[test]
fn runs_of_every_length_are_those_of_a_dynamic_message() {
    let (mut good, mut bad) = (0, 0);
    for field in 1..=FIELDS {
        let used = message(field, &run(field, 40, &[1]));
        for lengths in [&[1][..], &[2], &[1, 2], &[10], &[1, 2, 3, 4, 5, 9, 10, 1, 1, 1]] {
            for count in (0..70).chain([127, 128, 129, 255, 256, 257, 300]) {
                let whole = run(field, count, lengths);
                assert!(check(&message(field, &whole), &used));
                let two = [message(field, &whole), message(field, &run(field, 3, lengths))].concat();
                assert!(check(&two, &used));
                good += 2;
                // Cut off within the last number, and one that is too long.
                for broken in [&whole[..whole.len().saturating_sub(1)], &[&whole[..], &[0xff; 11]].concat()] {
                    match check(&message(field, broken), &used) {
                        true => good += 1,
                        false => bad += 1,
                    }
                }
            }
        }
    }
    assert!(good > 10_000 && bad > 6_000, "{good} {bad}");
}

/// The number of received elements is exactly the capacity of a new list.
#[test]
fn lists_are_as_large_as_what_comes() {
    for count in 1..300 {
        let doubles = message(11, &run(11, count, &[]));
        let lists: Lists = tobu::from_slice(&doubles).unwrap();
        assert_eq!((lists.doubles.len(), lists.doubles.capacity()), (count, count));
        for lengths in [&[1][..], &[2], &[1, 2, 5]] {
            let lists: Lists = tobu::from_slice(&message(3, &run(3, count, lengths))).unwrap();
            assert_eq!((lists.u32s.len(), lists.u32s.capacity()), (count, count));
        }
        let lists: Lists = tobu::from_slice(&message(13, &vec![2; count])).unwrap();
        assert_eq!((lists.sizes.len(), lists.sizes.capacity()), (count, count));
    }
}

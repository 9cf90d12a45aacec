//! All messages of a type through one pool, in random order: each is what decoding into a new message gives, whatever
//! the used message held before, and each error is the same.

use super::types::derived;
use super::{bytes, corpora};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tobu::reuse::MessagePool;
use tobu::{EncodeOptions, Error, Merge, Message};
use tobu_schemas::corpus::corpus;

/// How many messages go through each pool.
const TURNS: usize = 3_000;

macro_rules! types {
    ($($name:literal $derived:ty, $generated:ty;)*) => {
        #[test]
        fn every_row_through_a_pool() {
            let rows: Vec<_> = corpora().into_iter().flat_map(|corpus| corpus.row).collect();
            $(
                let of_type = rows.iter().filter(|row| row.r#type == $name);
                let wires: Vec<_> = of_type.map(|row| bytes(&row.wire)).collect();
                // A row of a million bytes says nothing about pools.
                let wires: Vec<_> = wires.into_iter().filter(|wire| wire.len() < 10_000).collect();
                through_a_pool::<$derived>(&wires);
                through_a_pool::<$generated>(&wires);
            )*
        }
    };
}

types! {
    "v3.Scalars" derived::Scalars, corpus::v3::Scalars;
    "v3.Optionals" derived::Optionals, corpus::v3::Optionals;
    "v3.Lists" derived::Lists, corpus::v3::Lists;
    "v3.Maps" derived::Maps, corpus::v3::Maps;
    "v3.Choice" derived::Choice, corpus::v3::Choice;
    "v3.Tree" derived::Tree, corpus::v3::Tree;
    "v3.Numbers" derived::Numbers, corpus::v3::Numbers;
    "v2.Required" derived::Required, corpus::v2::Required;
    "v2.Defaults" derived::Defaults, corpus::v2::Defaults;
    "v2.Closed" derived::Closed, corpus::v2::Closed;
    "v2.Groups" derived::Groups, corpus::v2::Groups;
}

fn through_a_pool<T>(wires: &[Vec<u8>])
where
    T: Message + Serialize + DeserializeOwned + for<'de> Merge<'de>,
{
    let written = |message: Result<Vec<u8>, Error>| message.map_err(|error| error.to_string());
    let options = EncodeOptions::new().deterministic(true).partial(true);
    let pool = MessagePool::<T>::new();
    let mut held = None;
    let (mut good, mut bad) = (0, 0);
    let mut random = random(wires.len() as u64);
    for turn in 0..TURNS {
        // One after the other in one message, and now and then one byte changed.
        let mut wire: Vec<u8> =
            (0..1 + random(3)).flat_map(|_| wires[random(wires.len())].iter().copied()).collect();
        if random(3) == 0 && !wire.is_empty() {
            let at = random(wire.len());
            wire[at] = random(256) as u8;
        }
        let wanted = written(tobu::from_slice::<T>(&wire).and_then(|message| options.to_vec(&message)));
        let message = match turn % 3 {
            0 => pool.decode_bytes(&wire.clone().into()),
            _ => pool.decode(&wire),
        };
        let found = match &message {
            Ok(message) => written(options.to_vec(&**message)),
            Err(error) => Err(error.to_string()),
        };
        assert_eq!(found, wanted, "{wire:02x?}");
        match message {
            Ok(message) => {
                good += 1;
                // Two messages are in turn: one may be far larger than the other.
                held = (random(2) == 0).then_some(message).or(held);
            }
            Err(_) => bad += 1,
        }
        if random(10) == 0 {
            let lent = pool.lend();
            let empty = EncodeOptions::new().partial(true).to_vec(&*lent).unwrap();
            assert_eq!(empty, b"", "a lent message is empty");
        }
    }
    assert!(good > TURNS / 10 && bad > TURNS / 100, "{good} good and {bad} bad messages");
    assert!(pool.kept() >= 1 && pool.kept() <= 3);
}

/// Numbers below a bound, the same in each run.
fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = 0x9e37_79b9_7f4a_7c15 ^ seed;
    move |bound| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % bound
    }
}

//! Messages for when there are no data sets, of the schema that tobu's tests use.

use std::error::Error;

#[cfg(tobu_datasets)]
pub fn payloads(_: &str) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    Err("say where the data sets are, with --data or TOBU_SHARED".into())
}

#[cfg(not(tobu_datasets))]
pub fn payloads(name: &str) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    (1..=20)
        .map(|seed| {
            Ok(match name {
                "lists" => tobu::to_vec(&messages::lists(seed))?,
                "maps" => tobu::to_vec(&messages::maps(seed))?,
                _ => tobu::to_vec(&messages::tree(seed, 5))?,
            })
        })
        .collect()
}

#[cfg(not(tobu_datasets))]
mod messages {
    use tobu_compare::tobu_types::corpus::v3::{Color, Leaf, Lists, Maps, Tree};

    pub(super) fn lists(seed: i32) -> Lists {
        Lists {
            f_double: (0..seed * 10).map(|i| f64::from(i) / 7.0).collect(),
            f_int32: (-seed..seed * 20).collect(),
            f_uint64: (0..seed as u64).map(|i| i << (i * 3 % 64)).collect(),
            f_sint64: (-i64::from(seed)..20).collect(),
            f_bool: (0..seed).map(|i| i % 3 == 0).collect(),
            f_string: (0..seed).map(text).collect(),
            f_color: (0..seed).map(|i| Color(i % 3)).collect(),
            f_leaf: (0..seed).map(leaf).collect(),
            ..Lists::default()
        }
    }

    pub(super) fn maps(seed: i32) -> Maps {
        Maps {
            f_int32: (0..seed).map(|i| (i, i * i)).collect(),
            f_string: (0..seed).map(|i| (text(i), text(i * 7))).collect(),
            f_leaf: (0..seed).map(|i| (text(i), leaf(i))).collect(),
            ..Maps::default()
        }
    }

    pub(super) fn tree(seed: i32, depth: u32) -> Tree {
        if depth == 0 {
            return Tree { name: text(seed), leaf: Some(leaf(seed)), ..Tree::default() };
        }
        Tree {
            name: text(seed),
            left: Some(Box::new(tree(seed + 1, depth - 1))),
            children: (0..2).map(|i| tree(seed + i, depth - 1)).collect(),
            ..Tree::default()
        }
    }

    fn leaf(seed: i32) -> Leaf {
        Leaf { a: seed, b: text(seed), c: vec![seed, -seed, 1000], ..Leaf::default() }
    }

    /// From a few letters to a line, some of them not ASCII.
    fn text(seed: i32) -> String {
        let words = ["tobu", "leaps", "over", "wires", "飛ぶ", "schnell", "and", "lands"];
        (0..=seed % 8).map(|i| words[((seed + i * 3) % 8) as usize]).collect::<Vec<_>>().join(" ")
    }
}

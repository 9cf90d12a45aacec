//! Messages with members of type `Lazy` in each other: everything that is done with others, and reading late what was not
//! read at first.

use crate::family::{Family, Outcome, Verb, run, taken};
use crate::pieces::{entry, int, join, len, nested, times};
use crate::{generated, tree, verbs};
use std::collections::HashMap;
use tobu::lazy::Lazy;
use tobu::{DecodeOptions, UnknownFields};

/// [`Tree`](crate::types::derived::Tree) with messages that are decoded when they are first read.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "growth")]
struct LateTree {
    #[tobu(1)]
    name: String,
    #[tobu(2)]
    left: Lazy<LateTree>,
    #[tobu(3)]
    right: Lazy<LateTree>,
    #[tobu(4)]
    children: Vec<LateTree>,
    #[tobu(5)]
    named: HashMap<String, LateTree>,
    #[tobu(6)]
    leaf: Lazy<LateLeaf>,
    #[tobu(unknown)]
    unknown_fields: UnknownFields,
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "growth")]
struct LateLeaf {
    #[tobu(1)]
    a: i32,
    #[tobu(2)]
    b: String,
    #[tobu(3)]
    c: Vec<i32>,
    #[tobu(unknown)]
    unknown_fields: UnknownFields,
}

/// [`Required`](crate::types::derived::Required) with such a message.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "growth")]
struct LateRequired {
    #[tobu(1, required)]
    id: Option<i32>,
    #[tobu(2, required)]
    name: Option<String>,
    #[tobu(3)]
    child: Lazy<LateRequired>,
    #[tobu(4)]
    children: Vec<LateRequired>,
    #[tobu(unknown)]
    unknown_fields: UnknownFields,
}

impl LateTree {
    /// Reads everything; how many messages there are.
    fn read(&self) -> usize {
        let singles = [self.left.get(), self.right.get()];
        let below = singles.into_iter().flatten().chain(&self.children).chain(self.named.values());
        usize::from(self.leaf.get().is_some()) + 1 + below.map(Self::read).sum::<usize>()
    }

    /// Changes everything, so that there are no bytes to copy.
    fn change(&mut self) {
        self.name.push('x');
        for single in [&mut self.left, &mut self.right] {
            if single.is_set() {
                single.get_mut().change();
            }
        }
        self.children.iter_mut().chain(self.named.values_mut()).for_each(Self::change);
    }

    /// Changes the innermost message on the left.
    fn change_at_the_bottom(&mut self) {
        match self.left.is_set() {
            true => self.left.get_mut().change_at_the_bottom(),
            false => self.name.push('x'),
        }
    }
}

fn late(wire: &[u8]) -> Option<LateTree> {
    tobu::from_slice(wire).ok()
}

fn written(tree: &LateTree) -> Outcome {
    tobu::to_vec(tree).map(|bytes| bytes.len()).map_err(|error| error.to_string())
}

const VERBS: &[Verb] = &[
    Verb {
        name: "decode what is not late",
        prepare: |wire| {
            Some(Box::new(move || {
                let decoded = DecodeOptions::new().lazy(false).from_slice::<LateTree>(wire);
                decoded.map(|_| 0).map_err(|error| error.to_string())
            }))
        },
    },
    Verb {
        name: "read late",
        prepare: |wire| {
            let tree = late(wire)?;
            Some(Box::new(move || Ok(tree.read() & 1)))
        },
    },
    Verb {
        name: "read late of a copy, twice",
        prepare: |wire| {
            let tree = late(wire)?;
            Some(Box::new(move || Ok((tree.clone().read() + tree.clone().read()) & 1)))
        },
    },
    Verb {
        name: "read late and written",
        prepare: |wire| {
            let tree = late(wire)?;
            Some(Box::new(move || {
                tree.read();
                written(&tree)
            }))
        },
    },
    Verb {
        name: "changed and written",
        prepare: |wire| {
            let mut tree = late(wire)?;
            Some(Box::new(move || {
                tree.change();
                written(&tree)
            }))
        },
    },
    Verb {
        name: "changed at the bottom and written",
        prepare: |wire| {
            let mut tree = late(wire)?;
            Some(Box::new(move || {
                tree.change_at_the_bottom();
                written(&tree)
            }))
        },
    },
    Verb {
        name: "merged with what was not read",
        prepare: |wire| {
            let mut tree = late(wire)?;
            Some(Box::new(move || {
                tobu::merge(&mut tree, wire).map_err(|error| error.to_string())?;
                Ok(tree.read() & 1)
            }))
        },
    },
    Verb {
        name: "merged with what is shared",
        prepare: |wire| {
            let bytes = bytes::Bytes::copy_from_slice(wire);
            let mut tree: LateTree = tobu::from_bytes(&bytes).ok()?;
            Some(Box::new(move || {
                tree.read();
                let merged = DecodeOptions::new().from_bytes_in_place(&mut tree, &bytes);
                merged.map_err(|error| error.to_string())?;
                Ok(tree.read() & 1)
            }))
        },
    },
];

/// Families of which each level looks at all below it: a late message is checked as a whole, and decoded, with a check of
/// what is late in it, where it comes again or is malformed. It is the limit of depth that bounds this, and such input costs
/// up to as many times its size.
const CHECKED_AGAIN: &[&str] = &[
    "an empty piece first at every level",
    "a piece on both sides at every level",
    "a field around each piece at every level",
    "an unknown field between the pieces at every level",
    "late messages that come again at every level",
    "malformed at the bottom",
    "malformed at the bottom of pieces",
    "missing at the bottom",
    "missing everywhere",
    "one of two pieces is empty at the bottom",
];

/// What is to be linear.
fn linear(families: &[Family]) -> Vec<Family> {
    families.iter().copied().filter(|family| !CHECKED_AGAIN.contains(&family.name)).collect()
}

#[test]
fn late_trees() {
    generated::<LateTree>(&linear(tree::TREES));
    run(&linear(tree::TREES), VERBS);
    const FAMILIES: &[Family] = &[
        taken("late messages on both sides at every level", 3, |n| {
            nested(n, [], |body| join([len(2, body), len(3, len(1, "a")), len(6, int(1, 5))]))
        }),
        taken("late messages of all ways", 1, |n| {
            // A tree as wide as it is deep.
            let depth = n.ilog2() as usize + 1;
            nested(depth, len(1, "a"), |body| join([len(2, &body), len(3, &body)]))
        }),
        taken("late messages that come again at every level", 3, |n| {
            nested(n, len(1, "a"), |body| join([len(2, body), len(2, len(6, int(1, 5)))]))
        }),
        taken("late messages in lists and maps", 1, |n| {
            // Four levels each.
            nested(n / 2 + 1, [], |body| len(2, len(4, entry(5, "key", body))))
        }),
        taken("many late messages in a list", 16, |n| {
            times(n, len(4, join([len(2, []), len(6, len(3, [1; 9]))])))
        }),
        taken("a late message in many pieces", 16, |n| times(n, len(6, int(3, 7)))),
        taken("a long late message", 32, |n| len(6, len(3, times(n, [1])))),
        taken("unknown groups in a late message", 16, |n| {
            len(2, times(n, crate::pieces::group(100, int(1, 7))))
        }),
    ];
    generated::<LateTree>(&linear(FAMILIES));
    run(&linear(FAMILIES), VERBS);
}

#[test]
fn late_required_fields() {
    generated::<LateRequired>(&linear(tree::COMPLETED));
    run(&linear(tree::LACKING), &verbs::checking::<LateRequired>());
}

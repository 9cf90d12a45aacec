//! Field masks: the paths of which a projection is made, separated by commas.

use crate::family::{Family, Outcome, Verb, refused, run, taken};
use crate::types::derived::Tree;
use tobu::{DecodeOptions, Message, MessageDescriptorExt, Projection, convert, json};

/// Two levels of everything.
const TREE: &[u8] = b"\x0a\x01a\x12\x07\x0a\x01b\x12\x02\x0a\x00\x22\x03\x0a\x01c\x22\x00";

fn text(error: impl ToString) -> String {
    error.to_string()
}

fn paths(mask: &[u8]) -> Vec<&str> {
    std::str::from_utf8(mask).expect("a mask is text").split(',').collect()
}

fn project(mask: &[u8]) -> Result<Projection, String> {
    Tree::descriptor().project(&paths(mask)).map_err(text)
}

fn decode(mask: &[u8]) -> Outcome {
    let projection = project(mask)?;
    DecodeOptions::new().fields(&projection).from_slice::<Tree>(TREE).map(|_| 0).map_err(text)
}

fn print(mask: &[u8]) -> Outcome {
    let (projection, mut out) = (project(mask)?, Vec::new());
    convert::wire_to_json_projected(&projection, TREE, &mut out, &json::Options::new()).map_err(text)?;
    Ok(out.len())
}

fn trim(mask: &[u8]) -> Outcome {
    let mut tree: Tree = tobu::from_slice(TREE).map_err(text)?;
    tree.as_reflect_mut().trim(&paths(mask)).map(|()| 0).map_err(text)
}

const VERBS: &[Verb] = &[
    Verb { name: "project", prepare: |mask| Some(Box::new(move || project(mask).map(|_| 0))) },
    Verb { name: "decode what is asked for", prepare: |mask| Some(Box::new(move || decode(mask))) },
    Verb { name: "print what is asked for", prepare: |mask| Some(Box::new(move || print(mask))) },
    Verb { name: "trim", prepare: |mask| Some(Box::new(move || trim(mask))) },
];

/// Paths, each made of its number.
fn each(count: usize, path: impl Fn(usize) -> String) -> Vec<u8> {
    (0..count).map(path).collect::<Vec<_>>().join(",").into()
}

#[test]
fn masks() {
    const FAMILIES: &[Family] = &[
        taken("one path again and again", 16, |n| each(n, |_| "left.name".into())),
        taken("paths in turns", 16, |n| each(n, |at| ["name", "left.name", "leaf.a"][at % 3].into())),
        taken("a path of many names", 3, |n| each(1, |_| "left.".repeat(n) + "name")),
        taken("a path through many lists", 3, |n| each(1, |_| "children.*.".repeat(n / 2) + "name")),
        taken("paths that part at the end", 3, |n| {
            each(n, |at| format!("{}{}", "left.".repeat(40), ["name", "leaf.a", "right"][at % 3]))
        }),
        taken("paths that part at every level", 1, |n| each(n, |at| "left.".repeat(at) + "right.name")),
        taken("paths of all ways", 8, |n| {
            each(n, |at| (0..10).map(|bit| ["left.", "right."][at >> bit & 1]).collect::<String>() + "name")
        }),
        taken("a message, and then what is in it", 16, |n| {
            [&b"left,"[..], &each(n, |at| "left.".repeat(1 + at % 9) + "name")].concat()
        }),
        taken("what is in a message, and then all of it", 16, |n| {
            [&each(n, |at| "left.".repeat(1 + at % 9) + "name")[..], b",left"].concat()
        }),
    ];
    run(FAMILIES, VERBS);
    const REFUSED: &[Family] = &[
        refused(
            "a path of too many names",
            101,
            |n| each(1, |_| "left.".repeat(n) + "name"),
            "more than 100",
        ),
        refused("a long name that is not known", 32, |n| "n".repeat(n).into(), "has no field"),
        refused(
            "a name that is not known, after many",
            32,
            |n| each(n + 1, |at| if at == n { "gone".into() } else { "left.name".into() }),
            "gone",
        ),
        refused(
            "a path that goes on behind a text",
            32,
            |n| each(1, |_| "name".to_owned() + &".a".repeat(n % 90)),
            "holds no messages",
        ),
        refused("empty paths", 32, |n| ",".repeat(n).into(), ""),
    ];
    run(REFUSED, VERBS);
}

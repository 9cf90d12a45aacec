//! Limits, inputs that are cut or changed, deep nesting on a small stack.

use super::{error, pool};
use proptest::prelude::*;
use tobu::json::Options;
use tobu::types::{Any, Value};
use tobu::{Category, Limits, Message, MessageDescriptorExt};
use tobu_schemas::corpus::corpus::v2::Groups;
use tobu_schemas::corpus::corpus::v3::{Leaf, Tree};
use tobu_schemas::known::json::v1::{Known, KnownLists, KnownMaps};
use tobu_schemas::known::json::v2::Open;

/// Something of everything.
const TEXT: &str = r#"{"time":"1970-01-01T00:00:01.5Z","span":"-1.5s","mask":"a,bC","object":{"a":[1,null,"\u00e9😀"],"b":{}},
 "value":[true,{"c":-1.5e3}],"list":["x\n"],"null":null,"maybeNull":null,"any":{"value":{"@type":"x/json.v2.Open",
 "[json.v2.number]":1,"child":{"[json.v2.texts]":["t"]}},"@type":"x/google.protobuf.Any"},"empty":{}}"#;

#[test]
fn input_cut_at_every_byte() {
    let options = Options::new().pool(&pool());
    options.from_str::<Known>(TEXT).unwrap();
    for end in 0..TEXT.len() {
        let error = options.from_slice::<Known>(&TEXT.as_bytes()[..end]).unwrap_err();
        assert!(error.position().is_some(), "{end}: {error}");
        assert_eq!(error.category(), Category::Malformed, "{end}: {error}");
        let _ = options.from_slice::<Value>(&TEXT.as_bytes()[..end]).unwrap_err();
        let ignore = options.clone().ignore_unknown(true);
        let _ = ignore.from_slice::<Leaf>(&TEXT.as_bytes()[..end]).unwrap_err();
        let _ = Known::descriptor()
            .decode_json_with::<serde_json::Value>(
                std::str::from_utf8(&TEXT.as_bytes()[..end]).unwrap_or("{"),
                &options,
            )
            .unwrap_err();
    }
}

#[test]
fn levels_of_messages() {
    type Wrap = fn(String) -> String;
    // The entry of a map is a level, too.
    let wraps: [(usize, Wrap); 4] = [
        (1, |inner| format!("{{\"left\":{inner}}}")),
        (1, |inner| format!("{{\"children\":[{{}},{inner}]}}")),
        (2, |inner| format!("{{\"named\":{{\"k\":{inner}}}}}")),
        (1, |inner| format!("{{\"name\":\"x\",\"right\":{inner}}}")),
    ];
    for (cost, wrap) in wraps {
        let nested = |levels: usize| (0..(levels - 1) / cost).fold("{}".to_owned(), |inner, _| wrap(inner));
        assert!(tobu::json::from_str::<Tree>(&nested(100)).is_ok());
        assert!(Tree::descriptor().decode_json::<serde_json::Value>(&nested(100)).is_ok());
        let error = error::<Tree>(&nested(101));
        assert_eq!(error.message(), "messages are nested deeper than 100 levels");
        let error = Tree::descriptor().decode_json::<serde_json::Value>(&nested(101)).unwrap_err();
        assert_eq!(error.message(), "messages are nested deeper than 100 levels");
    }
    let groups = |levels: usize| {
        (1..levels).fold("{}".to_owned(), |inner, _| format!("{{\"single\":{{\"nested\":{inner}}}}}"))
    };
    assert!(tobu::json::from_str::<Groups>(&groups(50)).is_ok());
    assert_eq!(error::<Groups>(&groups(51)).category(), Category::Limit);
    let unknown = |levels: usize| format!("{{\"x\":{}1{}}}", "{\"a\":".repeat(levels), "}".repeat(levels));
    let ignore = Options::new().ignore_unknown(true);
    assert!(ignore.from_str::<Leaf>(&unknown(99)).is_ok());
    let error = ignore.from_str::<Leaf>(&unknown(100)).unwrap_err();
    assert_eq!(error.message(), "messages are nested deeper than 100 levels");
}

#[test]
fn a_million_brackets_on_a_small_stack() {
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(|| {
            let ignore = Options::new().ignore_unknown(true).pool(&pool());
            for open in ["[", "{\"a\":", "{\"left\":", "{\"@type\":\"x\",\"a\":", "{\"child\":[", "{\"x\":["]
            {
                let text = open.repeat(1_000_000);
                for shallow in [10, 20] {
                    // Levels that are allowed take stack: a hundred of them more than a build without optimization has.
                    let ignore = ignore.clone().limits(Limits::default().depth(shallow));
                    assert!(ignore.from_str::<Leaf>(&text).is_err());
                    assert!(ignore.from_str::<Tree>(&text).is_err());
                    assert!(ignore.from_str::<Value>(&text).is_err());
                    assert!(ignore.from_str::<Any>(&text).is_err());
                    assert!(ignore.from_str::<Open>(&text).is_err());
                }
                assert!(ignore.from_str::<Leaf>(&text).is_err());
                assert!(ignore.from_str::<Any>(&text).is_err());
            }
        })
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn size_and_memory() {
    let small = Options::new().limits(Limits::default().input(4));
    assert!(small.from_str::<Leaf>("{  }").is_ok());
    for error in
        [small.from_str::<Leaf>("{   }").unwrap_err(), small.from_slice::<Leaf>(b"{   }").unwrap_err()]
    {
        assert_eq!(error.to_string(), "corpus.v3.Leaf: input of 5 bytes is larger than the limit of 4 bytes");
        assert_eq!(error.category(), Category::Limit);
    }
    let error = small.from_reader::<Leaf>(&b"{   }     "[..]).unwrap_err();
    assert_eq!(error.to_string(), "input of 5 bytes is larger than the limit of 4 bytes");
    let frugal = Options::new().limits(Limits::default().memory(10_000));
    let many = format!("{{\"children\":[{}{{}}]}}", "{},".repeat(1000));
    let error = frugal.from_str::<Tree>(&many).unwrap_err();
    assert_eq!(error.message(), "the decoded message would take more than 10000 bytes of memory");
}

/// Fragments that mutations insert.
const PIECES: [&str; 24] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "null",
    "true",
    "1e999",
    "-",
    "0",
    ".5",
    "\\ud800",
    "\"@type\":",
    "\"value\":",
    "\"x/google.protobuf.Any\"",
    "\"any\":{}",
    "\u{e9}",
    " ",
    "\n",
    "9999999999999999999999",
    "\"a\":",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn changed_texts_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), 0..4usize, 0..PIECES.len(), any::<u8>()), 1..6)) {
        let mut text = TEXT.as_bytes().to_vec();
        for (at, what, piece, byte) in changes {
            let at = at.index(text.len());
            match what {
                0 => text[at] = byte,
                1 => drop(text.splice(at..at, PIECES[piece].bytes())),
                2 => drop(text.remove(at)),
                _ => drop(text.drain(at..text.len().min(at + usize::from(byte) % 16))),
            }
            if text.is_empty() {
                break;
            }
        }
        for options in [Options::new().pool(&pool()), Options::new().pool(&pool()).ignore_unknown(true)] {
            for error in [
                options.from_slice::<Known>(&text).err(),
                options.from_slice::<Value>(&text).err(),
                options.from_slice::<Any>(&text).err(),
                options.from_slice::<Tree>(&text).err(),
                options.from_slice::<KnownLists>(&text).err(),
                options.from_slice::<KnownMaps>(&text).err(),
                options.from_slice::<Open>(&text).err(),
            ].into_iter().flatten() {
                prop_assert!(error.position().is_some(), "{}", error);
            }
            if let Ok(text) = std::str::from_utf8(&text) {
                let tree = Known::descriptor().decode_json_with::<serde_json::Value>(text, &options);
                prop_assert_eq!(tree.is_ok(), options.from_str::<Known>(text).is_ok());
            }
        }
    }
}

//! Nesting: a hundred levels are read and written, one more is an error, for every kind of level. The entry of a map is a level of
//! its own.

use crate::messages::{REGROUP, derived, plain};
use serde_json::Value;
use std::collections::HashMap;
use tobu::wire::{Tag, WireType, Writer};
use tobu::{DecodeOptions, Limits, Message, MessageDescriptorExt};

/// Wraps bytes in one more level.
struct Wrap {
    /// The path segment of an error for each level.
    segment: &'static str,
    /// Puts a level around a body.
    wrap: fn(&[u8]) -> Vec<u8>,
    /// How many levels that are: the entry of a map is one, too.
    levels: usize,
}

impl Wrap {
    /// How many messages fit inside a message of so many levels.
    fn inside(&self, levels: usize) -> usize {
        (levels - 1) / self.levels
    }

    /// The deepest message of so many levels at most.
    fn fits(&self, levels: usize) -> Vec<u8> {
        nested(self.inside(levels) + 1, self.wrap)
    }

    /// The least deep one of more.
    fn deep(&self, levels: usize) -> Vec<u8> {
        nested(self.inside(levels) + 2, self.wrap)
    }
}

fn delimited(number: u32, body: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.tag(Tag::new(number, WireType::Len));
    writer.len_prefixed(body);
    writer.finish().unwrap()
}

fn group(number: u32, body: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.tag(Tag::new(number, WireType::StartGroup));
    writer.raw(body);
    writer.tag(Tag::new(number, WireType::EndGroup));
    writer.finish().unwrap()
}

const WRAPS: [Wrap; 5] = [
    Wrap { segment: ".one", wrap: |body| delimited(1, body), levels: 1 },
    Wrap { segment: ".list[0]", wrap: |body| delimited(2, body), levels: 1 },
    Wrap {
        segment: ".map[\"7\"]",
        wrap: |body| delimited(3, &[b"\x08\x07", &delimited(2, body)[..]].concat()),
        levels: 2,
    },
    Wrap { segment: ".group", wrap: |body| group(4, body), levels: 1 },
    Wrap { segment: ".chosen", wrap: |body| delimited(5, body), levels: 1 },
];

/// So many messages in each other, with a number in the innermost.
fn nested(messages: usize, wrap: fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    (1..messages).fold(b"\x38\x05".to_vec(), |body, _| wrap(&body))
}

/// Where the value of the innermost level starts: its length, or the content of a group.
fn innermost(wire: &[u8]) -> usize {
    let content = wire.windows(2).position(|pair| pair == b"\x38\x05").unwrap();
    if wire[0] == 0x23 { content } else { content - 1 }
}

/// A type that knows of no schema.
#[derive(serde::Deserialize)]
#[allow(dead_code, reason = "it is there to be decoded")]
struct Loose {
    one: Option<Box<Loose>>,
    list: Vec<Loose>,
    map: HashMap<i64, Loose>,
    group: Option<Box<Loose>>,
    kind: Option<Chosen>,
    count: u8,
}

#[derive(serde::Deserialize)]
#[allow(dead_code, reason = "it is there to be decoded")]
enum Chosen {
    Chosen(Box<Loose>),
    Number(i64),
}

type Decode = fn(&[u8], &DecodeOptions) -> Result<(), tobu::Error>;

fn paths() -> [(&'static str, &'static str, Decode); 6] {
    [
        ("derived", "derived", |wire, options| options.from_slice::<derived::Deep>(wire).map(drop)),
        ("serde", "plain", |wire, options| options.from_slice::<plain::Deep>(wire).map(drop)),
        ("in place", "derived", |wire, options| {
            options.from_slice_in_place(&mut derived::Deep::default(), wire)
        }),
        ("merge", "derived", |wire, options| options.merge(&mut derived::Deep::default(), wire)),
        ("value", "derived", |wire, options| {
            derived::Deep::descriptor().decode_with::<Value>(wire, *options).map(drop)
        }),
        ("struct over a descriptor", "derived", |wire, options| {
            derived::Deep::descriptor().decode_with::<Loose>(wire, *options).map(drop)
        }),
    ]
}

#[test]
fn a_hundred_levels_and_no_more() {
    for wrap in &WRAPS {
        let (fits, deep) = (wrap.fits(100), wrap.deep(100));
        let at = innermost(&deep);
        for (path, package, decode) in paths() {
            let options = DecodeOptions::new();
            decode(&fits, &options).unwrap_or_else(|error| panic!("{path}, {}: {error}", wrap.segment));
            let error = decode(&deep, &options).unwrap_err();
            assert_eq!(error.category(), tobu::Category::Limit);
            let expected = format!(
                "{package}.hostile.Deep{}: messages are nested deeper than 100 levels (at byte {at})",
                wrap.segment.repeat(wrap.inside(100) + 1)
            );
            assert_eq!(error.to_string(), expected, "{path}, {}", wrap.segment);
        }
    }
}

#[test]
fn grouped_reading_counts_the_same_levels() {
    for wrap in &WRAPS {
        let wire = |body: Vec<u8>| [REGROUP, &body].concat();
        for (path, _, decode) in paths() {
            let options = DecodeOptions::new();
            decode(&wire(wrap.fits(100)), &options)
                .unwrap_or_else(|error| panic!("{path}, {}: {error}", wrap.segment));
            let error = decode(&wire(wrap.deep(100)), &options).unwrap_err();
            assert_eq!(
                error.message(),
                "messages are nested deeper than 100 levels",
                "{path}, {}",
                wrap.segment
            );
        }
    }
}

#[test]
fn unknown_groups_count_as_levels() {
    let unknown = |levels| nested(levels, |body| group(9, body));
    for (path, package, decode) in paths() {
        for regroup in [&b""[..], REGROUP] {
            let wire = |levels| [regroup, &unknown(levels)].concat();
            let options = DecodeOptions::new();
            decode(&wire(100), &options).unwrap_or_else(|error| panic!("{path}: {error}"));
            let error = decode(&wire(101), &options).unwrap_err();
            let expected = format!(
                "{package}.hostile.Deep: messages are nested deeper than 100 levels (at byte {})",
                regroup.len() + 99
            );
            assert_eq!(error.to_string(), expected, "{path}");
            // Half of the levels are known groups, half unknown ones.
            let mixed = |half: usize| (0..49).fold(unknown(half), |body, _| group(4, &body));
            decode(&mixed(51), &options).unwrap_or_else(|error| panic!("{path}: {error}"));
            let error = decode(&mixed(52), &options).unwrap_err();
            assert_eq!(error.message(), "messages are nested deeper than 100 levels", "{path}");
        }
    }
}

#[test]
fn the_limit_is_as_set() {
    for levels in [1, 2, 10, 150] {
        let options = DecodeOptions::new().limits(Limits::default().depth(levels as u32));
        for wrap in &WRAPS {
            for (path, _, decode) in paths() {
                assert!(decode(&wrap.fits(levels), &options).is_ok(), "{path}");
                let error = decode(&wrap.deep(levels), &options).unwrap_err();
                assert_eq!(
                    error.message(),
                    format!("messages are nested deeper than {levels} levels"),
                    "{path}"
                );
            }
        }
    }
    let none = DecodeOptions::new().limits(Limits::default().depth(0));
    let error = none.from_slice::<derived::Deep>(b"").unwrap_err();
    assert_eq!(
        error.to_string(),
        "derived.hostile.Deep: messages are nested deeper than 0 levels (at byte 0)"
    );
}

/// Runs on a stack of this many KiB.
fn on_stack(kib: usize, test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(kib << 10).spawn(test).unwrap().join().unwrap();
}

#[test]
fn a_million_start_group_tags() {
    on_stack(256, || {
        let wire = vec![0x4b; 1_000_000];
        for (path, _, decode) in paths() {
            let error = decode(&wire, &DecodeOptions::new()).unwrap_err();
            assert_eq!(error.message(), "messages are nested deeper than 100 levels", "{path}");
        }
        let mut reader = tobu::wire::Reader::new(&wire);
        let tag = reader.tag().unwrap();
        let error = reader.skip(tag, u32::MAX).unwrap_err();
        assert_eq!(error.to_string(), "group of field 9 is never closed (at byte 1000000)");
    });
    // Known groups are read by recursion: a hundred levels of it.
    on_stack(1024, || {
        let wire = vec![0x23; 1_000_000];
        for (path, _, decode) in paths() {
            let error = decode(&wire, &DecodeOptions::new()).unwrap_err();
            assert_eq!(error.message(), "messages are nested deeper than 100 levels", "{path}");
        }
    });
}

/// What no reader takes is not written, in any format, from any storage; and readers of all formats count alike.
#[test]
fn writers_and_readers_of_all_formats_count_alike() {
    use tobu::{DynamicMessage, Error, convert, json, text};

    const LIMIT: &str = "messages are nested deeper than 100 levels";
    let lenient = || Limits::default().depth(1_000);
    let options = DecodeOptions::new().limits(lenient());
    let (in_json, in_text) = (json::Options::new().limits(lenient()), text::Options::new().limits(lenient()));
    let descriptor = derived::Deep::descriptor();
    let typed = |wire: &[u8]| options.from_slice::<derived::Deep>(wire).unwrap();
    let plain = |wire: &[u8]| options.from_slice::<plain::Deep>(wire).unwrap();
    let dynamic = |wire: &[u8]| DynamicMessage::decode_with(&descriptor, wire, options).unwrap();
    type Verb<'a> = (&'a str, &'a dyn Fn(&[u8]) -> Result<(), Error>);
    let writers: [Verb<'_>; 12] = [
        ("wire", &|wire| tobu::to_vec(&typed(wire)).map(drop)),
        ("length", &|wire| tobu::encoded_len(&typed(wire)).map(drop)),
        ("wire by serde", &|wire| tobu::to_vec(&plain(wire)).map(drop)),
        ("dynamic wire", &|wire| dynamic(wire).encode_to_vec().map(drop)),
        ("JSON", &|wire| json::to_vec(&typed(wire)).map(drop)),
        ("JSON by serde", &|wire| json::to_vec(&plain(wire)).map(drop)),
        ("dynamic JSON", &|wire| json::to_vec(&dynamic(wire)).map(drop)),
        ("text", &|wire| text::to_string(&typed(wire)).map(drop)),
        ("text by serde", &|wire| text::to_string(&plain(wire)).map(drop)),
        ("dynamic text", &|wire| text::to_string(&dynamic(wire)).map(drop)),
        ("wire to JSON", &|wire| convert::wire_to_json(&descriptor, wire, &mut Vec::new())),
        ("dynamic from a type", &|wire| DynamicMessage::from_message(&typed(wire)).map(drop)),
    ];
    let readers: [Verb<'_>; 6] = [
        ("JSON", &|wire| json::from_slice::<derived::Deep>(&in_json.to_vec(&typed(wire))?).map(drop)),
        ("JSON by serde", &|wire| json::from_slice::<plain::Deep>(&in_json.to_vec(&typed(wire))?).map(drop)),
        ("dynamic JSON", &|wire| {
            DynamicMessage::from_json(&descriptor, &in_json.to_string(&typed(wire))?).map(drop)
        }),
        ("JSON to wire", &|wire| {
            convert::json_to_wire(&descriptor, &in_json.to_vec(&typed(wire))?, &mut Vec::new())
        }),
        ("text", &|wire| text::from_str::<derived::Deep>(&in_text.to_string(&typed(wire))?).map(drop)),
        ("dynamic text", &|wire| {
            DynamicMessage::from_text(&descriptor, &in_text.to_string(&typed(wire))?).map(drop)
        }),
    ];
    for wrap in &WRAPS {
        for (path, verb) in writers.iter().chain(&readers) {
            let what = format!("{path}, {}", wrap.segment);
            verb(&wrap.fits(100)).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(
                verb(&wrap.deep(100)).map_err(|error| error.message()),
                Err(LIMIT.to_owned()),
                "{what}"
            );
        }
    }
}

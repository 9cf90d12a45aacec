//! The targets: functions of bytes that panic if a property does not hold.
//!
//! For all of them: no panic, no more stack than [`Target::stack`] in release builds, no more CPU time than the loop
//! allows an input, and an unchanged output after an error. Further properties of each follow. The limits are those of
//! `tobu::Limits`, and 32 x input + 1 MiB for strings and growing lists:
//!
//! | target | agree on accepting, content and category of error | reads back | live memory |
//! | --- | --- | --- | --- |
//! | `wire` | each Rust type, from a slice and from `Bytes`; a dynamic message; the accessors of a parsed one | decoded and encoded | within the limits, the default ones and a small budget |
//! | `views` | the same, of types that borrow and share alone | as above | as above |
//! | `refill` | a message filled again, a fresh one | | within the limits |
//! | `merge` | each Rust type, a dynamic message, both slices in one input | unchanged after an error | within the limits |
//! | `dynamic` | decoded, shared, merged, doubled, cloned, copied by reflection | decoded and encoded | within the limits, both |
//! | `project` | trimmed whole message, selected fields, validated or not; printed as JSON | | within the limits |
//! | `sink` | a projection to the same fields, and a message made of what a sink is given | | within the limits |
//! | `arrow` | a batch of columns, a dynamic message | rows encoded as messages, and these as rows; behind a bad message, too | within the limits and 8 MiB |
//! | `confluent` | a registry may answer anything: each value has a row or is bad | taken apart and put together | |
//! | `elements` | in chunks of any size, the list in the whole message; JSON in chunks, JSON of the whole | | within the limits |
//! | `json-elements` | in chunks of any size, the array in the whole text | | within the limits |
//! | `serde` | a tree, a map by name, nothing; a dynamic message | a tree, encoded and decoded | within the limits, both |
//! | `json` | each Rust type, a dynamic message, transcoding | printed and parsed | within the limits, both |
//! | `json-merge` | each Rust type, a dynamic message; a message filled again, a fresh one | as before after an error | within the limits |
//! | `wire-to-json` | each Rust type, a dynamic message, transcoding: one text | transcoded back | within the limits, both |
//! | `json-to-wire` | a dynamic message, transcoding | transcoded there and back | within the limits |
//! | `text` | each Rust type, a dynamic message, transcoding | printed and parsed | within the limits, both |
//! | `wire-to-text` | each Rust type, a dynamic message, transcoding: one text | transcoded back | within the limits |
//! | `text-to-wire` | a dynamic message, transcoding | transcoded there and back | within the limits |
//! | `json-to-text`, `text-to-json` | a dynamic message, transcoding, by way of the wire | transcoded there and back | within the limits |
//! | `text-merge` | each Rust type; merged into an empty message, read | as before after an error | within the limits |
//! | `pool` | made, added to; rejected as a whole | rebuilt from its own bytes | 128 x input + 1 MiB |
//! | `proto-text` | of a pool and of the pool rebuilt from its bytes | compiled to the same descriptors, and printed | 64 x input + 1 MiB |
//! | `source` | each error has its line and column | printed, compiled to the same descriptors, and printed | 512 x input + 8 MiB |
//! | `plugin` | twice the same response, whose files stay in the output directory; code that does not parse is none | | 1024 x input + 16 MiB |
//! | `unknown` | unknown fields, a message without fields | their own bytes | 32 x input + 1 MiB |
//! | `stream` | a reader of chunks, messages cut out directly | written and read | within the limits |
//! | `described` | a reader of chunks, one that skips damage | written and read, by schemas that are equal | 128 x input + 4 MiB |
//! | `depth` | 100 levels are read and written in each of these ways, 101 refused in each | | |
//! | `template` | | expanded and found | 32 x input + 1 MiB |
//! | `path` | | expanded and found | 32 x input + 1 MiB |
//! | `query` | the message bound from a body alone, transcoding | the bound message, decoded and encoded | within the limits |
//! | `respond` | a response, transcoding | it is JSON | within the limits |
//! | `body` | whole, as a stream of chunks, by the library of the encoding; no call before the end | | 32 x input + 24 MiB |
//! | `connect` | whole, in chunks; streams end once, at their end | errors and messages in JSON | 64 x input + 2 MiB |
//! | `frames` | whole, in chunks, by tonic | | 32 x input + 1 MiB |
//! | `lines` | whole, in chunks | | 32 x input + 1 MiB |

mod arrow;
mod body;
mod connect;
mod convert;
mod convert_text;
mod depth;
mod described;
mod dynamic;
mod frames;
mod http;
mod json;
mod merge;
mod parts;
mod plugin;
mod pool;
mod serde;
mod sink;
mod source;
mod stream;
mod text;
mod unknown;
mod wire;

use crate::generate;
use crate::mutate::{BUILT, Syntax};
use crate::rng::Rng;
use crate::subject::{self, Case, RANDOM, Subject};
use Syntax::{Bytes, Json, Path, Proto, Text, Wire};

/// A function to be fed with hostile input.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Panics if a property does not hold.
    pub run: fn(&[u8]),
    /// Makes valid input.
    pub seed: fn(&mut Rng) -> Vec<u8>,
    /// The syntax of its input,
    pub syntax: Syntax,
    /// after this many bytes that choose its form.
    pub header: usize,
    /// The KiB of stack that it takes at most, built for release.
    pub stack: usize,
}

/// The stack of a hundred levels in any reader and writer.
const SMALL: usize = 256;
/// With types of serde, which are built on the stack: their use of it has a separate limit.
const SERDE: usize = 1024;
/// For compilers and what they call: no more than a thread of Rust's standard library has.
const COMPILER: usize = 2048;

/// Each target.
pub const TARGETS: &[Target] = &[
    row("wire", wire::typed, typed_wire_seed, Wire, 2, SERDE),
    row("views", wire::views, typed_wire_seed, Wire, 2, SMALL),
    row("refill", merge::refill, pair_seed, Wire, 4, SMALL),
    row("merge", merge::merge, pair_seed, Wire, 4, SMALL),
    row("dynamic", dynamic::dynamic, wire_seed, Wire, 2, SMALL),
    row("project", parts::project, wire_seed, Wire, 2, SMALL),
    row("sink", sink::sink, wire_seed, Wire, 2, SMALL),
    row("arrow", arrow::arrow, wire_seed, Wire, 2, SMALL),
    row("confluent", arrow::confluent, arrow::confluent_seed, Bytes, 1, COMPILER),
    row("elements", parts::elements, wire_seed, Wire, 2, SMALL),
    row("json-elements", parts::json_elements, json_seed, Json, 2, SMALL),
    row("serde", serde::serde, wire_seed, Wire, 2, SERDE),
    row("json", json::json, json_seed, Json, 2, SERDE),
    row("json-merge", merge::json, json_pair_seed, Json, 4, SMALL),
    row("wire-to-json", convert::wire_to_json, wire_seed, Wire, 2, SERDE),
    row("json-to-wire", convert::json_to_wire, json_seed, Json, 2, SMALL),
    row("text", text::text, text_seed, Text, 2, SERDE),
    row("text-merge", merge::text, text_pair_seed, Text, 4, SMALL),
    row("wire-to-text", convert_text::wire_to_text, wire_seed, Wire, 2, SERDE),
    row("text-to-wire", convert_text::text_to_wire, text_seed, Text, 2, SMALL),
    row("json-to-text", convert_text::json_to_text, json_seed, Json, 2, SMALL),
    row("text-to-json", convert_text::text_to_json, text_seed, Text, 2, SMALL),
    row("pool", pool::pool, pool::seed, Wire, 1, SMALL),
    row("proto-text", pool::proto_text, pool::seed, Wire, 1, COMPILER),
    row("source", source::source, source::seed, Proto, 1, COMPILER),
    row("plugin", plugin::plugin, plugin::seed, Wire, 1, COMPILER),
    row("unknown", unknown::unknown, wire_seed, Wire, 2, SMALL),
    row("stream", stream::stream, stream::seed, Wire, 1, SMALL),
    row("described", described::described, described::seed, Bytes, 1, SMALL),
    row("depth", depth::depth, depth::seed, Bytes, 0, SMALL),
    row("template", http::template, http::template_seed, Path, 0, SMALL),
    row("path", http::path, http::path_seed, Path, 0, SMALL),
    row("query", http::query, http::query_seed, Path, 0, SMALL),
    row("respond", http::respond, http::respond_seed, Wire, 2, SMALL),
    row("body", body::body, body::seed, Bytes, 1, SERDE),
    row("connect", connect::connect, connect::seed, Bytes, 2, SERDE),
    row("frames", frames::frames, frames::seed, Wire, 1, SMALL),
    row("lines", frames::lines, frames::lines_seed, Json, 1, SMALL),
];

const fn row(
    name: &'static str,
    run: fn(&[u8]),
    seed: fn(&mut Rng) -> Vec<u8>,
    syntax: Syntax,
    header: usize,
    stack: usize,
) -> Target {
    Target { name, run, seed, syntax, header, stack }
}

/// The target of this name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// How a message is made for a subject.
type Make = fn(&Subject, &mut Rng) -> Vec<u8>;

/// An input for [`Case::of`]: choices, or a message of the subject that its header chooses.
fn any_seed(rng: &mut Rng, make: Make) -> Vec<u8> {
    let header = [rng.next() as u8, rng.next() as u8];
    seed(header, rng, make)
}

/// The same of a message with Rust types.
fn typed_seed(rng: &mut Rng, make: Make) -> Vec<u8> {
    let header = [rng.next() as u8 & !RANDOM, rng.next() as u8];
    seed(header, rng, make)
}

fn seed(header: [u8; 2], rng: &mut Rng, make: Make) -> Vec<u8> {
    let rest = match header[0] & BUILT {
        0 => make(&Case::of(&header, Wire).expect("two bytes choose"), rng),
        _ => generate::choices(rng),
    };
    [&header[..], &rest].concat()
}

fn typed_wire_seed(rng: &mut Rng) -> Vec<u8> {
    typed_seed(rng, generate::wire)
}

fn wire_seed(rng: &mut Rng) -> Vec<u8> {
    any_seed(rng, generate::wire)
}

fn json_seed(rng: &mut Rng) -> Vec<u8> {
    any_seed(rng, |subject, rng| generate::json(subject, rng).into())
}

fn text_seed(rng: &mut Rng) -> Vec<u8> {
    any_seed(rng, |subject, rng| generate::text(subject, rng).into())
}

fn pair_seed(rng: &mut Rng) -> Vec<u8> {
    typed_seed(rng, |subject, rng| {
        subject::pair(&generate::wire(subject, rng), &generate::wire(subject, rng))
    })
}

fn json_pair_seed(rng: &mut Rng) -> Vec<u8> {
    typed_seed(rng, |subject, rng| {
        subject::pair(&generate::wire(subject, rng), generate::json(subject, rng).as_bytes())
    })
}

fn text_pair_seed(rng: &mut Rng) -> Vec<u8> {
    typed_seed(rng, |subject, rng| {
        subject::pair(&generate::wire(subject, rng), generate::text(subject, rng).as_bytes())
    })
}

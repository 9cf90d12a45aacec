//! The targets: functions of bytes that panic where something does not hold.

mod depth;
mod dynamic;
mod frames;
mod http;
mod json;
mod merge;
mod pool;
mod serde;
mod stream;
mod text;
mod transcode;
mod unknown;
mod wire;

use crate::generate;
use crate::mutate::Form;
use crate::pieces::{JSON, PATHS, TEXT};
use crate::rng::Rng;
use crate::subject::Subject;

/// A function to be fed with hostile input.
pub struct Target {
    /// What it is called.
    pub name: &'static str,
    /// Panics where something does not hold.
    pub run: fn(&[u8]),
    /// Makes valid input.
    pub seed: fn(&mut Rng) -> Vec<u8>,
    /// What its input looks like.
    pub form: Form,
}

/// Each target.
pub const TARGETS: &[Target] = &[
    Target { name: "wire", run: wire::typed, seed: wire_seed, form: Form::Wire(2) },
    Target { name: "views", run: wire::views, seed: wire_seed, form: Form::Wire(2) },
    Target { name: "refill", run: merge::refill, seed: pair_seed, form: Form::Wire(4) },
    Target { name: "merge", run: merge::merge, seed: pair_seed, form: Form::Wire(4) },
    Target { name: "dynamic", run: dynamic::dynamic, seed: wire_seed, form: Form::Wire(2) },
    Target { name: "serde", run: serde::serde, seed: wire_seed, form: Form::Wire(2) },
    Target { name: "json", run: json::json, seed: json_seed, form: Form::Text(2, JSON) },
    Target { name: "text", run: text::text, seed: text_seed, form: Form::Text(2, TEXT) },
    Target { name: "json-merge", run: merge::json, seed: json_pair_seed, form: Form::Text(4, JSON) },
    Target { name: "wire-to-json", run: transcode::wire_to_json, seed: wire_seed, form: Form::Wire(2) },
    Target { name: "json-to-wire", run: transcode::json_to_wire, seed: json_seed, form: Form::Text(2, JSON) },
    Target { name: "pool", run: pool::pool, seed: generate::descriptor_set, form: Form::Wire(0) },
    Target { name: "proto-text", run: pool::proto_text, seed: generate::descriptor_set, form: Form::Wire(0) },
    Target { name: "unknown", run: unknown::unknown, seed: wire_seed, form: Form::Wire(2) },
    Target { name: "stream", run: stream::stream, seed: stream::seed, form: Form::Wire(1) },
    Target { name: "depth", run: depth::depth, seed: depth::seed, form: Form::Text(0, &["\0"]) },
    Target { name: "template", run: http::template, seed: http::template_seed, form: Form::Text(0, PATHS) },
    Target { name: "path", run: http::path, seed: http::path_seed, form: Form::Text(0, PATHS) },
    Target { name: "query", run: http::query, seed: http::query_seed, form: Form::Text(0, PATHS) },
    Target { name: "respond", run: http::respond, seed: wire_seed, form: Form::Wire(2) },
    Target { name: "frames", run: frames::frames, seed: frames::seed, form: Form::Wire(1) },
    Target { name: "lines", run: frames::lines, seed: json_seed, form: Form::Text(2, JSON) },
];

/// The target of this name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Runs the target of this name once: what libFuzzer calls.
///
/// # Panics
/// When something does not hold, and when there is no such target.
pub fn run(name: &str, data: &[u8]) {
    (target(name).expect("a target").run)(data);
}

/// The bytes that choose a subject, and the subject.
fn subject(rng: &mut Rng) -> (Vec<u8>, &'static Subject) {
    let chosen = vec![rng.next() as u8, rng.next() as u8];
    let subject = Subject::pick(&chosen).expect("two bytes choose").0;
    (chosen, subject)
}

fn wire_seed(rng: &mut Rng) -> Vec<u8> {
    let (mut seed, subject) = subject(rng);
    seed.extend(generate::wire(subject, rng));
    seed
}

fn json_seed(rng: &mut Rng) -> Vec<u8> {
    let (mut seed, subject) = subject(rng);
    seed.extend(generate::json(subject, rng).bytes());
    seed
}

fn text_seed(rng: &mut Rng) -> Vec<u8> {
    let (mut seed, subject) = subject(rng);
    seed.extend(generate::text(subject, rng).bytes());
    seed
}

/// Two messages of one subject, after the length of the first.
fn pair(seed: Vec<u8>, first: Vec<u8>, second: &[u8]) -> Vec<u8> {
    let length = (first.len() as u16).to_le_bytes();
    [&seed[..], &length, &first, second].concat()
}

fn pair_seed(rng: &mut Rng) -> Vec<u8> {
    let seed = vec![0, rng.next() as u8];
    let subject = Subject::pick(&seed).expect("two bytes choose").0;
    let (first, second) = (generate::wire(subject, rng), generate::wire(subject, rng));
    pair(seed, first, &second)
}

fn json_pair_seed(rng: &mut Rng) -> Vec<u8> {
    let seed = vec![0, rng.next() as u8];
    let subject = Subject::pick(&seed).expect("two bytes choose").0;
    let (first, second) = (generate::wire(subject, rng), generate::json(subject, rng));
    pair(seed, first, second.as_bytes())
}

/// Takes an input of [`pair`] apart, behind its subject.
fn halves(payload: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = payload.split_first_chunk()?;
    Some(rest.split_at(usize::from(u16::from_le_bytes(*length)).min(rest.len())))
}

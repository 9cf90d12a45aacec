//! Feeds a target with generated and mutated input for some seconds, and tells what it found.
//!
//! `fuzz-loop TARGET|all --seconds N [--seed S]`, or `fuzz-loop TARGET --input HEX` for one input.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tobu_fuzz::mutate::mutate;
use tobu_fuzz::rng::Rng;
use tobu_fuzz::{TARGETS, Target, target};

/// No input may take longer than this, however the machine is loaded.
const SLOW: Duration = Duration::from_secs(10);
/// Kinds of findings after which a target is given up.
const MOST: usize = 20;
/// Inputs that are kept to be changed.
const CORPUS: usize = 512;

/// What the last panic said, and where.
static PANIC: Mutex<String> = Mutex::new(String::new());

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        eprintln!("usage: fuzz-loop TARGET|all [--seconds N] [--seed S] [--input HEX]");
        eprintln!("targets: {}", TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(" "));
        return ExitCode::from(2);
    };
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let text = info.payload_as_str().unwrap_or("a panic without a text");
        *PANIC.lock().unwrap() = format!("{place}: {text}");
    }));
    let mut failed = false;
    for target in arguments.targets {
        if let Some(input) = &arguments.input {
            match run(target, input) {
                Some(panic) => println!("{panic}"),
                None => println!("{} holds", target.name),
            }
            continue;
        }
        let done = catch_unwind(|| fuzz(target, arguments.seconds, arguments.seed));
        failed |= !done.unwrap_or_else(|_| {
            println!("{}: no seeds: {}", target.name, PANIC.lock().unwrap());
            false
        });
    }
    ExitCode::from(u8::from(failed))
}

struct Arguments {
    targets: Vec<&'static Target>,
    seconds: f64,
    seed: u64,
    input: Option<Vec<u8>>,
}

fn arguments() -> Option<Arguments> {
    let mut given = std::env::args().skip(1);
    let name = given.next()?;
    let targets = if name == "all" { TARGETS.iter().collect() } else { vec![target(&name)?] };
    let mut arguments = Arguments { targets, seconds: 10.0, seed: 1, input: None };
    while let Some(option) = given.next() {
        let value = given.next()?;
        match &*option {
            "--seconds" => arguments.seconds = value.parse().ok()?,
            "--seed" => arguments.seed = value.parse().ok()?,
            "--input" => arguments.input = Some(from_hex(&value)?),
            _ => return None,
        }
    }
    Some(arguments)
}

/// Runs a target for some seconds; true where nothing was found.
fn fuzz(target: &Target, seconds: f64, seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    let mut corpus: Vec<Vec<u8>> = (0..CORPUS).map(|_| (target.seed)(&mut rng)).collect();
    let mut findings: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let (start, mut runs, mut slowest) = (Instant::now(), 0u64, Duration::ZERO);
    while start.elapsed().as_secs_f64() < seconds && findings.len() < MOST {
        let at = rng.below(CORPUS);
        // Fresh seeds come in, so that a long run sees more than its first ones.
        if rng.chance(50) {
            corpus[at] = (target.seed)(&mut rng);
        }
        let mut input = corpus[at].clone();
        if !rng.chance(16) {
            mutate(target.form, &mut input, &corpus[rng.below(CORPUS)], &mut rng);
        }
        let before = Instant::now();
        if let Some(panic) = run(target, &input) {
            findings.entry(kind(&panic)).or_insert(input);
        } else {
            slowest = slowest.max(before.elapsed());
            if before.elapsed() > SLOW {
                findings.insert("slow".into(), input);
            } else if rng.chance(64) && input.len() < 2048 {
                corpus[at] = input;
            }
        }
        runs += 1;
    }
    let (taken, slowest) = (start.elapsed().as_secs_f64(), slowest.as_secs_f64() * 1e3);
    println!(
        "{}: {runs} executions in {taken:.1} s, slowest {slowest:.1} ms, seed {seed}, {} found",
        target.name,
        findings.len()
    );
    for (kind, input) in &findings {
        let small = smaller(target, input, kind);
        let panic = run(target, &small).unwrap_or_else(|| kind.clone());
        println!("-- {panic}\n   --input {}", hex(&small));
    }
    findings.is_empty()
}

/// What a target said when it panicked.
fn run(target: &Target, input: &[u8]) -> Option<String> {
    let done = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    done.err().map(|_| PANIC.lock().unwrap().clone())
}

/// A panic without what is particular to an input: its place, and its first words without numbers.
fn kind(panic: &str) -> String {
    let mut words = panic.lines().next().unwrap_or_default().splitn(2, ' ');
    let place = words.next().unwrap_or_default().to_owned();
    let text: String =
        words.next().unwrap_or_default().chars().filter(|char| !char.is_ascii_digit()).take(60).collect();
    format!("{place} {text}")
}

/// The input without what is not needed to panic in the same way, for a second or two.
fn smaller(target: &Target, input: &[u8], wanted: &str) -> Vec<u8> {
    let start = Instant::now();
    let mut small = input.to_vec();
    let mut len = small.len() / 2;
    while len > 0 {
        let (mut at, before) = (0, small.len());
        while at < small.len() && start.elapsed() < Duration::from_secs(3) {
            let mut candidate = small.clone();
            candidate.drain(at..small.len().min(at + len));
            match run(target, &candidate) {
                Some(panic) if kind(&panic) == wanted => small = candidate,
                _ => at += len,
            }
        }
        if len > 1 || small.len() == before {
            len /= 2;
        }
    }
    small
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

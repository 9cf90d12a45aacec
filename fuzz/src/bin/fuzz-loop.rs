//! Feeds a target with generated and mutated input, and reports its findings.
//!
//! `fuzz-loop TARGET|all [--seconds N] [--executions N] [--seed S]` runs the inputs of `seeds/`, and then others until both are
//! reached. Seconds are of CPU time: they mean the same on a machine that does other things.
//!
//! `fuzz-loop TARGET --input HEX` runs one input. `--write DIRECTORY` writes the corpus and generated input into files, as libFuzzer
//! takes them; `--pack DIRECTORY` makes the corpus of such files.

use cpu_time::ProcessTime;
use std::collections::{BTreeMap, btree_map::Entry};
use std::fs::File;
use std::io::{Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tobu_fuzz::mutate::mutate;
use tobu_fuzz::oracle::on_stack;
use tobu_fuzz::rng::Rng;
use tobu_fuzz::{TARGETS, Target, corpus, target};

/// No input may take longer than this. The largest are 64 KiB, and every way reads them several times.
const SLOW: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 2 });
/// Kinds of findings after which a target is given up.
const MOST: usize = 20;
/// Inputs that are kept to be changed.
const CORPUS: usize = 512;
/// How often a long run reports its progress.
const REPORT: Duration = Duration::from_secs(60);

/// The message and location of the last panic.
static PANIC: Mutex<String> = Mutex::new(String::new());

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        eprintln!(
            "usage: fuzz-loop TARGET|all [--seconds N] [--executions N] [--seed S]\n\
                    fuzz-loop TARGET --input HEX | --write DIRECTORY | --pack DIRECTORY"
        );
        eprintln!("targets: {}", TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(" "));
        return ExitCode::from(2);
    };
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let text = info.payload_as_str().unwrap_or("a panic without a text");
        *PANIC.lock().unwrap() = format!("{place}: {text}");
    }));
    let mut failed = false;
    for &target in &arguments.targets {
        failed |= !on_stack(target.stack, || match &arguments.task {
            Task::Input(input) => one(target, input),
            Task::Write(directory) => write(target, directory),
            Task::Pack(directory) => done(corpus::pack(target, directory)),
            Task::Fuzz => catch_unwind(|| fuzz(target, &arguments)).unwrap_or_else(|_| {
                println!("{}: no seeds: {}", target.name, PANIC.lock().unwrap());
                false
            }),
        });
    }
    ExitCode::from(u8::from(failed))
}

struct Arguments {
    targets: Vec<&'static Target>,
    seconds: f64,
    executions: u64,
    seed: u64,
    task: Task,
}

enum Task {
    Fuzz,
    Input(Vec<u8>),
    Write(PathBuf),
    Pack(PathBuf),
}

fn arguments() -> Option<Arguments> {
    let mut given = std::env::args().skip(1);
    let name = given.next()?;
    let targets = if name == "all" { TARGETS.iter().collect() } else { vec![target(&name)?] };
    let mut arguments = Arguments { targets, seconds: 10.0, executions: 0, seed: 1, task: Task::Fuzz };
    while let Some(option) = given.next() {
        let value = given.next()?;
        match &*option {
            "--seconds" => arguments.seconds = value.parse().ok()?,
            "--executions" => arguments.executions = value.parse().ok()?,
            "--seed" => arguments.seed = value.parse().ok()?,
            "--input" => arguments.task = Task::Input(corpus::from_hex(&value)?),
            "--write" => arguments.task = Task::Write(value.into()),
            "--pack" => arguments.task = Task::Pack(value.into()),
            _ => return None,
        }
    }
    Some(arguments)
}

/// Runs one input; true where nothing was found.
fn one(target: &Target, input: &[u8]) -> bool {
    let panic = run(target, input);
    println!("{}", panic.as_deref().unwrap_or("it holds"));
    panic.is_none()
}

/// Writes the initial corpus of fuzzing; true on success.
fn write(target: &Target, directory: &Path) -> bool {
    let mut inputs = corpus::read(target);
    let mut rng = Rng::new(1);
    inputs.extend((0..4 * CORPUS).map(|_| (target.seed)(&mut rng)));
    done(corpus::unpack(&inputs, directory))
}

fn done(result: std::io::Result<()>) -> bool {
    if let Err(error) = &result {
        println!("{error}");
    }
    result.is_ok()
}

/// The inputs that a target got, and the findings.
struct Run {
    target: &'static Target,
    /// An input of each kind of finding.
    findings: BTreeMap<String, Vec<u8>>,
    last: Last,
    runs: u64,
    start: ProcessTime,
    now: ProcessTime,
    slowest: Duration,
}

impl Run {
    fn new(target: &'static Target) -> Self {
        let start = ProcessTime::now();
        Run {
            target,
            findings: BTreeMap::new(),
            last: Last::new(target),
            runs: 0,
            start,
            now: start,
            slowest: Duration::ZERO,
        }
    }

    fn taken(&self) -> Duration {
        self.now.duration_since(self.start)
    }

    /// True where it holds, and is not slow.
    fn holds(&mut self, input: &[u8]) -> bool {
        self.last.keep(input);
        let before = ProcessTime::now();
        let panic = run(self.target, input);
        self.now = ProcessTime::now();
        self.runs += 1;
        let taken = self.now.duration_since(before);
        self.slowest = self.slowest.max(taken);
        let slow = || (taken > SLOW).then(|| format!("slow: {taken:.1?}"));
        let Some(found) = panic.or_else(slow) else { return true };
        // At once, too: a run of hours may be ended before it reports its findings.
        if let Entry::Vacant(new) = self.findings.entry(kind(&found)) {
            eprintln!("{}: {found}\n   --input {}", self.target.name, corpus::hex(input));
            new.insert(input.to_vec());
        }
        false
    }
}

/// Feeds a target; true where nothing was found.
fn fuzz(target: &'static Target, arguments: &Arguments) -> bool {
    let mut rng = Rng::new(arguments.seed);
    let mut corpus: Vec<Vec<u8>> = (0..CORPUS).map(|_| (target.seed)(&mut rng)).collect();
    let mut run = Run::new(target);
    for (seed, input) in corpus.iter_mut().zip(corpus::read(target)) {
        if run.holds(&input) {
            *seed = input;
        }
    }
    let mut report = REPORT;
    while (run.taken().as_secs_f64() < arguments.seconds || run.runs < arguments.executions)
        && run.findings.len() < MOST
    {
        let at = rng.below(CORPUS);
        // Fresh seeds are added, so that a long run sees more than its first ones.
        if rng.chance(50) {
            corpus[at] = (target.seed)(&mut rng);
        }
        let mut input = corpus[at].clone();
        if !rng.chance(16) {
            mutate(target.syntax, target.header, &mut input, &corpus[rng.below(CORPUS)], &mut rng);
        }
        if run.holds(&input) && rng.chance(64) && input.len() < 2048 {
            corpus[at] = input;
        }
        if run.taken() > report {
            report += REPORT;
            eprintln!("{}: {} executions so far, {} found", target.name, run.runs, run.findings.len());
        }
    }
    println!(
        "{}: {} executions in {:.1} s of CPU time, slowest {:.1} ms, seed {}, {} found",
        target.name,
        run.runs,
        run.taken().as_secs_f64(),
        run.slowest.as_secs_f64() * 1e3,
        arguments.seed,
        run.findings.len()
    );
    for (kind, input) in &run.findings {
        let small = smaller(target, input, kind);
        let panic = self::run(target, &small).unwrap_or_else(|| kind.clone());
        println!("-- {panic}\n   --input {}", corpus::hex(&small));
    }
    run.findings.is_empty()
}

/// The input that runs, in the first line of a file: an input that overflows the stack ends the process, and can be
/// found there.
struct Last {
    path: PathBuf,
    file: File,
}

impl Last {
    fn new(target: &Target) -> Self {
        let path = std::env::temp_dir().join(format!("tobu-fuzz-{}-{}", target.name, std::process::id()));
        let file = File::create(&path).expect("a directory for temporary files");
        Last { path, file }
    }

    fn keep(&mut self, input: &[u8]) {
        let line = corpus::hex(input) + "\n";
        self.file.rewind().and_then(|()| self.file.write_all(line.as_bytes())).expect("room for an input");
    }
}

impl Drop for Last {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// The panic message of a target, if it panicked.
fn run(target: &Target, input: &[u8]) -> Option<String> {
    let done = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    done.err().map(|_| PANIC.lock().unwrap().clone())
}

/// The parts of a panic that do not depend on the input: its location, and its first words without
/// numbers.
fn kind(panic: &str) -> String {
    let mut words = panic.lines().next().unwrap_or_default().splitn(2, ' ');
    let place = words.next().unwrap_or_default().to_owned();
    let text: String =
        words.next().unwrap_or_default().chars().filter(|char| !char.is_ascii_digit()).take(60).collect();
    format!("{place} {text}")
}

/// Minimizes an input that panics in the same way, for a second or two.
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

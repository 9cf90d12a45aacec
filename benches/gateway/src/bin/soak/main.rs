//! Sends many requests with many faults, and expects an answer to each of them; see `soak --help`.

mod calls;
mod client;
mod front;
mod judge;
mod kinds;
mod ledger;
mod relay;
mod rest;
mod storm;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tobu_gateway_bench::process::{self, Server};
use tobu_gateway_bench::{Error, report};

use calls::Protocol;
use client::Client;
use judge::{Memory, Verdict};
use kinds::{Exchange, Kind, Manner, mix};
use ledger::Ledger;
use storm::Weather;

const USAGE: &str = "usage: soak [--requests N] [--seconds N] [--connections N] [--write]

  --requests     how many requests; 1,000,000 by default
  --seconds      how long that may take; 1,800 by default
  --connections  how many clients ask at a time; 64 by default
  --write        keeps the figures in RESULTS.md";

/// How long a client waits for an answer. None takes longer than a few seconds.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the rest of requests may take to end.
const GRACE: Duration = Duration::from_secs(15);
/// How many wrong answers are shown.
const SHOWN: usize = 20;

struct Arguments {
    requests: u64,
    limit: Duration,
    connections: usize,
    write: bool,
}

impl Arguments {
    fn of(given: &[String]) -> Result<Self, Error> {
        let mut arguments = Arguments {
            requests: 1_000_000,
            limit: Duration::from_secs(1800),
            connections: 64,
            write: false,
        };
        let mut given = given.iter();
        while let Some(argument) = given.next() {
            let mut value = || given.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--requests" => arguments.requests = value()?.parse()?,
                "--seconds" => arguments.limit = Duration::from_secs(value()?.parse()?),
                "--connections" => arguments.connections = value()?.parse()?,
                "--write" => arguments.write = true,
                _ => return Err(format!("there is no argument {argument:?}\n\n{USAGE}").into()),
            }
        }
        Ok(arguments)
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let done = match given.as_slice() {
        // The process that is looked at.
        [front, backend] if front == "front" => front::run(backend).await,
        given => match Arguments::of(given) {
            Ok(arguments) => soak(&arguments).await,
            Err(error) => Err(error),
        },
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// State shared by all clients.
struct Run {
    requests: u64,
    next: AtomicU64,
    done: AtomicU64,
    /// Time is up.
    over: AtomicBool,
    weather: Arc<Weather>,
    wrong: Mutex<Vec<String>>,
}

/// Per kind: how many answers were exact, and excused.
type Counts = BTreeMap<Kind, [u64; 2]>;

async fn soak(arguments: &Arguments) -> Result<(), Error> {
    let weather = Arc::new(Weather::start().await?);
    let program = std::env::current_exe()?;
    let backend = weather.address();
    let mut front = Server::start(&program, &["front", &backend], None).await?;
    let addresses = front.address.clone();
    let (library, proxy) = addresses.split_once(' ').ok_or("the front has two addresses")?;
    for address in [library, proxy] {
        storm::probe(address).await?;
    }
    // Until the connections of the status requests are closed.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let id = front.id()?;
    let at_first = state(&mut front).await?;

    let run = Arc::new(Run {
        requests: arguments.requests,
        next: AtomicU64::new(0),
        done: AtomicU64::new(0),
        over: AtomicBool::new(false),
        weather: Arc::clone(&weather),
        wrong: Mutex::default(),
    });
    let start = Instant::now();
    let storms = tokio::spawn(storm::storms(Arc::clone(&weather), proxy.to_owned()));
    let clients: Vec<_> = (0..arguments.connections)
        .map(|_| tokio::spawn(clients(Arc::clone(&run), [library.to_owned(), proxy.to_owned()])))
        .collect();
    let mut memory = Memory::default();
    while clients.iter().any(|client| !client.is_finished()) {
        tokio::time::sleep(Duration::from_millis(100)).await;
        memory.note(run.done.load(Ordering::Relaxed), process::memory(id)?);
        run.over.fetch_or(start.elapsed() > arguments.limit, Ordering::Relaxed);
    }
    let elapsed = start.elapsed();
    let (mut counts, mut ledger) = (Counts::new(), Ledger::default());
    for client in clients {
        let (own, sent) = client.await?;
        for (kind, [exact, excused]) in own {
            let sum = counts.entry(kind).or_default();
            sum[0] += exact;
            sum[1] += excused;
        }
        ledger.add(sent);
    }
    weather.end();
    let storms = storms.await??;
    let at_last = settled(&mut front, proxy, at_first).await?;

    storm::probes().for_each(|(method, told)| ledger.note(method, told, true));
    let differences = ledger.differences(&front.ask("metrics").await?)?;

    let peaks = memory.peaks(run.done.load(Ordering::Relaxed))?;
    let wrong = std::mem::take(&mut *run.wrong.lock().unwrap_or_else(PoisonError::into_inner));
    let answered: u64 = counts.values().flatten().sum();
    let mut text = table(&counts)?;
    writeln!(
        text,
        "\n{answered} of {} requests in {:.0} s, {:.0} a second, by {} clients; the server behind was cut off or restarted \
         {storms} times. {} answers were wrong or missing.\n\nThe observer was told of all {} requests that must have \
         arrived, each once; {} of its counters differ from those of the clients.\n\nThe process that was looked at: {} panics. Memory: \
         {} KiB at the most from a tenth to half of the requests, {} KiB after that. Open files: {} before, {} after. \
         Tasks: {} before, {} after.",
        arguments.requests,
        elapsed.as_secs_f64(),
        answered as f64 / elapsed.as_secs_f64(),
        arguments.connections,
        wrong.len(),
        ledger.count(),
        differences.len(),
        at_last.panics,
        peaks.first,
        peaks.second,
        at_first.files,
        at_last.files,
        at_first.tasks,
        at_last.tasks,
    )?;
    println!("{text}");
    for wrong in wrong.iter().chain(&differences).take(SHOWN) {
        eprintln!("{wrong}");
    }
    let holds = [
        (answered == arguments.requests, "not all requests have their answer"),
        (wrong.is_empty(), "answers are wrong"),
        (differences.is_empty(), "the observer counts otherwise"),
        (at_last.panics == 0, "the server panicked"),
        (peaks.are_flat(), "memory grows"),
        (at_last == at_first, "files or tasks are left"),
    ];
    let broken: Vec<_> = holds.iter().filter(|(holds, _)| !holds).map(|(_, text)| *text).collect();
    if !broken.is_empty() {
        return Err(broken.join("; ").into());
    }
    println!("Everything is as it should be.");
    match arguments.write {
        true => report::keep("soak", &format!("{}.\n\n{text}", report::machine())),
        false => Ok(()),
    }
}

/// Sends requests until none is left.
async fn clients(run: Arc<Run>, addresses: [String; 2]) -> (Counts, Ledger) {
    let mut clients = addresses.map(|address| Client::new(&address));
    let (mut counts, mut ledger) = (Counts::new(), Ledger::default());
    loop {
        let id = run.next.fetch_add(1, Ordering::Relaxed);
        if id >= run.requests || run.over.load(Ordering::Relaxed) {
            return (counts, ledger);
        }
        let kind = Kind::of(id);
        // The library itself, or the proxy; for any kind of request.
        let which = usize::from(mix(id ^ u64::MAX) % 2 == 1);
        let asked = ask(&run, &mut clients[which], which == 1, kind, id).await;
        if let Ok(Exchange { method, told, .. }) = kind.exchange(id) {
            ledger.note(method, told, matches!(asked, Ok(Verdict::Exact)));
        }
        match asked {
            Ok(verdict) => counts.entry(kind).or_default()[usize::from(verdict == Verdict::Excused)] += 1,
            Err(error) => {
                let mut wrong = run.wrong.lock().unwrap_or_else(PoisonError::into_inner);
                wrong.push(format!("request {id}, {kind:?}, {}: {error}", ["library", "proxy"][which]));
            }
        }
        run.done.fetch_add(1, Ordering::Relaxed);
    }
}

async fn ask(run: &Run, client: &mut Client, is_proxy: bool, kind: Kind, id: u64) -> Result<Verdict, Error> {
    let exchange = kind.exchange(id)?;
    let (before, start) = (run.weather.epoch(), Instant::now());
    let came = tokio::time::timeout(PATIENCE, client.exchange(&exchange)).await;
    if exchange.manner == Manner::Slow && start.elapsed() >= front::READ_TIMEOUT {
        // The machine paused: rejecting the request is right.
        return Ok(Verdict::Excused);
    }
    let came = came.map_err(|_| format!("no answer in {} s", PATIENCE.as_secs()))??;
    let away = is_proxy && run.weather.was_away_since(before);
    Ok(judge::judge(&exchange.wanted, &came, away)?)
}

/// The state that must be equal before and after the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    panics: usize,
    files: usize,
    tasks: usize,
}

async fn state(front: &mut Server) -> Result<State, Error> {
    let answer = front.ask("?").await?;
    let (panics, tasks) = answer.split_once(' ').ok_or("the front is gone")?;
    let files = process::open_files(front.id()?)?;
    Ok(State { panics: panics.parse()?, files, tasks: tasks.parse()? })
}

/// The state when all is over: the rest of requests gets some time to end.
async fn settled(front: &mut Server, proxy: &str, wanted: State) -> Result<State, Error> {
    let end = Instant::now() + GRACE;
    loop {
        // The connection behind the proxy is there when it was used.
        storm::probe(proxy).await?;
        tokio::time::sleep(Duration::from_millis(200)).await;
        let state = state(front).await?;
        if state == wanted || Instant::now() > end {
            return Ok(state);
        }
    }
}

fn table(counts: &Counts) -> Result<String, Error> {
    let of = |kind| counts.get(&kind).copied().unwrap_or_default();
    let mut text = String::from("| REST | exact answers | excused |\n| --- | --: | --: |\n");
    for (kind, _) in rest::SHARES {
        let [exact, excused] = of(Kind::Rest(kind));
        writeln!(text, "| {kind:?} | {exact} | {excused} |")?;
    }
    let names: Vec<_> = Protocol::ALL.iter().map(|protocol| format!("{protocol:?}")).collect();
    writeln!(text, "\n| exact answers + excused | {} |", names.join(" | "))?;
    writeln!(text, "| --- |{}", " --: |".repeat(names.len()))?;
    for (case, _) in calls::SHARES {
        let cells = Protocol::ALL.map(|protocol| match of(Kind::Call(protocol, case)) {
            [0, 0] => "-".to_owned(),
            [exact, 0] => exact.to_string(),
            [exact, excused] => format!("{exact} + {excused}"),
        });
        writeln!(text, "| {case:?} | {} |", cells.join(" | "))?;
    }
    let sum = |counts: &mut dyn Iterator<Item = (&Kind, &[u64; 2])>| {
        counts.map(|(_, [exact, excused])| exact + excused).sum::<u64>()
    };
    let (bad, all) = (sum(&mut counts.iter().filter(|(kind, _)| kind.is_bad())), sum(&mut counts.iter()));
    writeln!(text, "\nBad input and bad clients: {:.1} %.", bad as f64 / all.max(1) as f64 * 100.0)?;
    Ok(text)
}

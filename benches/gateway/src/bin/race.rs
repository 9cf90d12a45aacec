//! Compares servers in one run; see `race --help`.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use hdrhistogram::Histogram;
use tobu_gateway_bench::load::{self, Protocol, Task};
use tobu_gateway_bench::process::Server;
use tobu_gateway_bench::{Error, report};

const USAGE: &str = "usage: race [--grpc-gateway PROGRAM] [--vanguard PROGRAM] [--rounds N] [--seconds N] [--connections N] [--servers-on CPUS] [--write]

  --grpc-gateway  grpc-gateway in front of the library, as run.sh builds it
  --vanguard      vanguard-go likewise
  --rounds        how often each server has its turn; 5 by default
  --seconds       how long a turn is; 3 by default
  --connections   how many connections ask at a time; 32 by default
  --servers-on    the processors that servers have, as taskset takes them
  --write         keeps the tables in RESULTS.md";

const WARM_UP: Duration = Duration::from_millis(500);

struct Arguments {
    grpc_gateway: Option<PathBuf>,
    vanguard: Option<PathBuf>,
    rounds: usize,
    turn: Duration,
    connections: usize,
    processors: Option<String>,
    write: bool,
}

impl Arguments {
    fn of(mut given: impl Iterator<Item = String>) -> Result<Self, Error> {
        let mut arguments = Arguments {
            grpc_gateway: None,
            vanguard: None,
            rounds: 5,
            turn: Duration::from_secs(3),
            connections: 32,
            processors: None,
            write: false,
        };
        while let Some(argument) = given.next() {
            let mut value = || given.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--grpc-gateway" => arguments.grpc_gateway = Some(value()?.into()),
                "--vanguard" => arguments.vanguard = Some(value()?.into()),
                "--rounds" => arguments.rounds = value()?.parse()?,
                "--seconds" => arguments.turn = Duration::try_from_secs_f64(value()?.parse()?)?,
                "--connections" => arguments.connections = value()?.parse()?,
                "--servers-on" => arguments.processors = Some(value()?),
                "--write" => arguments.write = true,
                _ => return Err(format!("there is no argument {argument:?}\n\n{USAGE}").into()),
            }
        }
        match arguments.rounds == 0 || arguments.connections == 0 || arguments.turn.is_zero() {
            true => Err("--rounds, --seconds and --connections are more than nothing".into()),
            false => Ok(arguments),
        }
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let done = match Arguments::of(std::env::args().skip(1)) {
        Ok(arguments) => race(&arguments).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// A way to the library.
struct Contestant<'s> {
    name: &'static str,
    protocol: Protocol,
    front: &'s Server,
    /// The server that the front calls, where it is another one.
    behind: Option<&'s Server>,
}

/// The results of all turns of a contestant.
struct Score {
    /// Requests per second, of each turn.
    rates: Vec<f64>,
    times: Histogram<u64>,
    /// Seconds of processor time.
    front: f64,
    behind: f64,
    client: f64,
    elapsed: f64,
}

async fn race(arguments: &Arguments) -> Result<(), Error> {
    let processors = arguments.processors.as_deref();
    let server = std::env::current_exe()?.with_file_name("server");
    let native = Server::start(&server, &["native"], processors).await?;
    let in_process = Server::start(&server, &["in-process"], processors).await?;
    let url = format!("http://{}", native.address);
    let proxy = Server::start(&server, &["proxy", &url], processors).await?;
    let connect_rust = Server::start(&server.with_file_name("connect-rust"), &[], processors).await?;
    let start = async |program: &Option<PathBuf>, name: &str| match program {
        Some(program) => Server::start(program, &[&native.address], processors).await.map(Some),
        None => {
            eprintln!("{name} does not take part: no program was given");
            Ok(None)
        }
    };
    let grpc_gateway = start(&arguments.grpc_gateway, "grpc-gateway").await?;
    let vanguard = start(&arguments.vanguard, "vanguard-go").await?;
    let front = |name, protocol, front, behind| Contestant { name, protocol, front, behind };
    let mut contestants = vec![front("gRPC, natively", Protocol::Grpc, &native, None)];
    contestants.push(front("REST, tobu in the process", Protocol::Json, &in_process, None));
    contestants.push(front("REST, tobu as a proxy", Protocol::Json, &proxy, Some(&native)));
    if let Some(server) = &grpc_gateway {
        contestants.push(front("REST, grpc-gateway", Protocol::Json, server, Some(&native)));
    }
    if let Some(server) = &vanguard {
        contestants.push(front("REST, vanguard-go", Protocol::Json, server, Some(&native)));
    }
    contestants.push(front("Connect, tobu in the process", Protocol::Connect, &in_process, None));
    contestants.push(front("Connect, connect-rust in the process", Protocol::Connect, &connect_rust, None));
    contestants.push(front("Connect, tobu as a proxy", Protocol::Connect, &proxy, Some(&native)));
    if let Some(server) = &vanguard {
        contestants.push(front("Connect, vanguard-go", Protocol::Connect, server, Some(&native)));
    }
    for contestant in &contestants {
        for task in Task::ALL {
            load::check(contestant.protocol, &contestant.front.address, task)
                .await
                .map_err(|error| format!("{}: {error}", contestant.name))?;
        }
    }
    let mut tables = String::new();
    for (task, connections) in
        Task::ALL.map(|task| (task, arguments.connections)).into_iter().chain([(Task::Small, 1)])
    {
        let scores = turns(&contestants, task, connections, arguments).await?;
        let plural = if connections == 1 { "connection" } else { "connections" };
        writeln!(tables, "### {}, {connections} {plural}\n", heading(task)?)?;
        tables += &table(&contestants, &scores)?;
    }
    let about = about(arguments);
    println!("{tables}{about}");
    match arguments.write {
        true => report::keep("race", &format!("{tables}{about}")),
        false => Ok(()),
    }
}

fn heading(task: Task) -> Result<String, Error> {
    let bytes = serde_json::to_vec(&task.answer()?)?.len();
    Ok(format!("{}: {bytes} bytes of JSON", task.name()))
}

/// Lets everyone have its turn, again and again: what slows the machine down meets all of them.
async fn turns(
    contestants: &[Contestant<'_>],
    task: Task,
    connections: usize,
    arguments: &Arguments,
) -> Result<Vec<Score>, Error> {
    let mut scores = Vec::new();
    for _ in contestants {
        let times = load::histogram()?;
        scores.push(Score { rates: vec![], times, front: 0.0, behind: 0.0, client: 0.0, elapsed: 0.0 });
    }
    for round in 1..=arguments.rounds {
        for (contestant, score) in contestants.iter().zip(&mut scores) {
            let Contestant { name, protocol, front, behind } = contestant;
            let cpu = || Ok::<_, Error>((front.cpu()?, behind.map_or(Ok(0.0), Server::cpu)?));
            let mut before = (0.0, 0.0);
            let begin = || {
                before = cpu()?;
                Ok(())
            };
            let done =
                load::run(*protocol, &front.address, task, connections, WARM_UP, arguments.turn, begin);
            let done = done.await.map_err(|error| format!("{name}: {error}"))?;
            let after = cpu()?;
            let seconds = done.elapsed.as_secs_f64();
            score.rates.push(done.requests as f64 / seconds);
            score.times.add(done.times)?;
            score.front += after.0 - before.0;
            score.behind += after.1 - before.1;
            score.client += done.client_cpu;
            score.elapsed += seconds;
        }
        eprintln!("{}, {connections}: round {round} of {}", task.name(), arguments.rounds);
    }
    Ok(scores)
}

fn table(contestants: &[Contestant<'_>], scores: &[Score]) -> Result<String, Error> {
    let mut text = String::from(
        "| | requests/s | slowest to fastest turn | p50 ms | p99 ms | CPU µs/request: front | behind it | client's CPU |\n\
         | --- | --: | --: | --: | --: | --: | --: | --: |\n",
    );
    for (contestant, score) in contestants.iter().zip(scores) {
        let mut rates = score.rates.clone();
        rates.sort_unstable_by(f64::total_cmp);
        let (slowest, median, fastest) = (rates[0], rates[rates.len() / 2], rates[rates.len() - 1]);
        let quantile = |part| score.times.value_at_quantile(part) as f64 / 1e6;
        let each = |seconds: f64| seconds * 1e6 / score.times.len() as f64;
        let behind = match contestant.behind {
            Some(_) => format!("{:.0}", each(score.behind)),
            None => "-".to_owned(),
        };
        writeln!(
            text,
            "| {} | {median:.0} | {slowest:.0} to {fastest:.0} | {:.2} | {:.2} | {:.0} | {behind} | {:.0} % |",
            contestant.name,
            quantile(0.5),
            quantile(0.99),
            each(score.front),
            score.client / score.elapsed * 100.0,
        )?;
    }
    text.push('\n');
    Ok(text)
}

/// The conditions of the figures.
fn about(arguments: &Arguments) -> String {
    let Arguments { rounds, turn, processors, .. } = arguments;
    let on = match processors {
        Some(processors) => format!("all servers on processor {processors}, the client elsewhere"),
        None => "servers and client wherever they find a processor".to_owned(),
    };
    format!("{}; each had {rounds} x {} s, {on}.\n", report::machine(), turn.as_secs_f64())
}

//! Runs SQL queries over files of protobuf messages.
//!
//! ```console
//! $ tobu-sql --proto flow.proto --message flow.Record --table flows=flows/ --progress \
//!     "SELECT dst_port, sum(bytes) AS bytes FROM flows GROUP BY dst_port ORDER BY bytes DESC LIMIT 10"
//! ```

use datafusion::prelude::{SessionConfig, SessionContext};
use indicatif::{ProgressBar, ProgressStyle};
use std::error::Error;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tobu::source::Compiler;
use tobu_datafusion::{Progress, ProtobufTable};

const USAGE: &str = "usage: tobu-sql --proto FILE [--include DIRECTORY]... --message NAME --table NAME=PATH \
[--threads COUNT] [--part BYTES] [--skip-bad] [--progress] SQL";

#[derive(Default)]
struct Arguments {
    proto: Option<PathBuf>,
    includes: Vec<PathBuf>,
    message: Option<String>,
    table: Option<(String, PathBuf)>,
    threads: Option<usize>,
    part: Option<u64>,
    skip_bad: bool,
    progress: bool,
    sql: Option<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = arguments().map_err(|error| format!("{error}\n{USAGE}"))?;
    let threads =
        arguments.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    runtime.block_on(run(arguments, threads))
}

async fn run(arguments: Arguments, threads: usize) -> Result<(), Box<dyn Error>> {
    let Arguments { proto, message, table, sql, .. } = &arguments;
    let (Some(proto), Some(message), Some((name, path)), Some(sql)) = (proto, message, table, sql) else {
        return Err(USAGE.into());
    };
    let mut compiler = Compiler::new();
    let directory = proto.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
    compiler.include(directory);
    for include in &arguments.includes {
        compiler.include(include);
    }
    let pool = compiler.compile(&[proto])?.into_pool();
    let message =
        pool.message(message).ok_or_else(|| format!("{} has no message {message}", proto.display()))?;
    let mut table = ProtobufTable::new(path, &message)?.skip_bad(arguments.skip_bad);
    if let Some(part) = arguments.part {
        table = table.part_size(part);
    }
    let progress = table.progress();
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(threads));
    context.register_table(name.as_str(), Arc::new(table))?;

    let start = Instant::now();
    let result = context.sql(sql).await?;
    let bar = (arguments.progress && std::io::stderr().is_terminal()).then(|| show(progress.clone()));
    let shown = result.show().await;
    if let Some((bar, task)) = bar {
        task.abort();
        bar.finish_and_clear();
    }
    shown?;
    if arguments.progress {
        let (seconds, mib) = (start.elapsed().as_secs_f64(), progress.read() as f64 / f64::from(1 << 20));
        let (messages, bad) = (progress.messages(), progress.bad());
        eprintln!(
            "{messages} messages, {bad} of them bad, {mib:.0} MiB in {seconds:.1} s: {:.0} MiB/s",
            mib / seconds
        );
    }
    Ok(())
}

/// Returns a progress bar on the terminal, and the task that updates it.
fn show(progress: Progress) -> (ProgressBar, tokio::task::JoinHandle<()>) {
    let bar = ProgressBar::new(progress.total());
    let template = "{bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta} {msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    let shown = bar.clone();
    let task = tokio::spawn(async move {
        loop {
            shown.set_length(progress.total());
            shown.set_position(progress.read());
            shown.set_message(format!("{} messages", progress.messages()));
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    (bar, task)
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments::default();
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let mut value = || given.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--proto" => found.proto = Some(value()?.into()),
            "--include" => found.includes.push(value()?.into()),
            "--message" => found.message = Some(value()?),
            "--table" => {
                let value = value()?;
                let (name, path) = value.split_once('=').ok_or("--table needs NAME=PATH")?;
                found.table = Some((name.to_owned(), path.into()));
            }
            "--threads" => found.threads = Some(value()?.parse().map_err(|_| "--threads needs a number")?),
            "--part" => found.part = Some(value()?.parse().map_err(|_| "--part needs a number of bytes")?),
            "--skip-bad" => found.skip_bad = true,
            "--progress" => found.progress = true,
            other if other.starts_with("--") => return Err(format!("unknown argument {other}")),
            _ if found.sql.is_some() => return Err("there are two queries".to_owned()),
            _ => found.sql = Some(argument),
        }
    }
    Ok(found)
}

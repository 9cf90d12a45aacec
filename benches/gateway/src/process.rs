//! Processes of servers: started, looked at by `/proc`, and ended.

use std::path::Path;
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::Error;

/// The clock ticks of `/proc` per second.
const TICKS: f64 = 100.0;

/// A server that runs until this is dropped.
#[derive(Debug)]
pub struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The address that it reports.
    pub address: String,
}

impl Server {
    /// Starts a program whose first line says where it listens; on these processors alone, where some are named.
    ///
    /// # Errors
    /// The program cannot be started, or ends without that line.
    pub async fn start(program: &Path, arguments: &[&str], processors: Option<&str>) -> Result<Self, Error> {
        let mut command = match processors {
            Some(processors) => {
                let mut command = Command::new("taskset");
                command.args(["-c", processors]).arg(program);
                command
            }
            None => Command::new(program),
        };
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", program.display()))?;
        let input = child.stdin.take().ok_or("the input was taken")?;
        let output = BufReader::new(child.stdout.take().ok_or("the output was taken")?);
        let mut server = Server { child, input, output, address: String::new() };
        let line = server.line().await?;
        match line.strip_prefix("listening on ") {
            Some(address) => server.address = address.to_owned(),
            None => {
                return Err(format!("{} says {line:?}, not where it listens", program.display()).into());
            }
        }
        Ok(server)
    }

    /// Sends a line to the program, and reads one.
    ///
    /// # Errors
    /// The program is gone.
    pub async fn ask(&mut self, question: &str) -> Result<String, Error> {
        self.input.write_all(format!("{question}\n").as_bytes()).await?;
        self.line().await
    }

    async fn line(&mut self) -> Result<String, Error> {
        let mut line = String::new();
        self.output.read_line(&mut line).await?;
        Ok(line.trim().to_owned())
    }

    /// Ends the process at once, and waits until it is gone.
    ///
    /// # Errors
    /// It cannot be ended.
    pub async fn kill(mut self) -> Result<(), Error> {
        Ok(self.child.kill().await?)
    }

    /// The number of the process.
    ///
    /// # Errors
    /// The process is gone.
    pub fn id(&self) -> Result<u32, Error> {
        Ok(self.child.id().ok_or("the server is gone")?)
    }

    /// Seconds of processor time that it has used.
    ///
    /// # Errors
    /// The process is gone.
    pub fn cpu(&self) -> Result<f64, Error> {
        cpu(self.id()?)
    }
}

/// Seconds of processor time that a process has used, with all its threads.
///
/// # Errors
/// There is no such process.
pub fn cpu(id: u32) -> Result<f64, Error> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat"))?;
    // The name of the program may have spaces, but the last parenthesis is its end.
    let rest = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let [user, system] = [11, 12].map(|at| fields.get(at).and_then(|ticks| ticks.parse::<u64>().ok()));
    let (user, system) = user.zip(system).ok_or("/proc has another form")?;
    Ok((user + system) as f64 / TICKS)
}

/// KiB of memory that a process has for itself at the moment.
///
/// # Errors
/// There is no such process.
pub fn memory(id: u32) -> Result<u64, Error> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("/proc has another form")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// How many files, sockets among them, a process has open.
///
/// # Errors
/// There is no such process.
pub fn open_files(id: u32) -> Result<usize, Error> {
    Ok(std::fs::read_dir(format!("/proc/{id}/fd"))?.count())
}

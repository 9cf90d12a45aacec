//! vtprotobuf and Go's own library, by a Go program whose types its plugins generate.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;
use tobu::{Deserialize, Message};

/// The program, built where there is Go.
pub struct Program {
    directory: PathBuf,
}

/// The program while it runs, for one message.
pub struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// `google.protobuf.compiler.CodeGeneratorResponse`.
#[derive(Message, Deserialize)]
#[tobu(package = "plugin")]
struct Response {
    #[tobu(1)]
    error: String,
    #[tobu(15)]
    file: Vec<Generated>,
}

#[derive(Message, Deserialize)]
#[tobu(package = "plugin")]
struct Generated {
    #[tobu(1)]
    name: String,
    #[tobu(15)]
    content: String,
}

impl Program {
    /// Generates its types and builds it, beside this program.
    ///
    /// # Errors
    /// There is no Go, or no network the first time.
    pub fn build() -> Result<Self, Box<dyn Error>> {
        let directory = std::env::current_exe()?.with_file_name("tobu-compare-pool");
        let messages = directory.join("messages");
        std::fs::create_dir_all(&messages)?;
        std::fs::write(directory.join("go.mod"), include_str!("go/go.mod"))?;
        std::fs::write(directory.join("go.sum"), include_str!("go/go.sum"))?;
        std::fs::write(directory.join("main.go"), include_str!("go/main.go"))?;
        let go = |args: &[&str]| run(Command::new("go").args(args).current_dir(&directory), &[]);
        go(&["build", "-o", "bin/", "tool"])?;
        let plugins: [(&str, &[u8]); 2] = [
            ("protoc-gen-go", include_bytes!(concat!(env!("OUT_DIR"), "/pool/go"))),
            ("protoc-gen-go-vtproto", include_bytes!(concat!(env!("OUT_DIR"), "/pool/go-vtproto"))),
        ];
        for (plugin, request) in plugins {
            let output = run(&mut Command::new(directory.join("bin").join(plugin)), request)?;
            let response: Response = tobu::from_slice(&output)?;
            if !response.error.is_empty() {
                return Err(format!("{plugin}: {}", response.error).into());
            }
            for file in response.file {
                std::fs::write(messages.join(file.name), file.content)?;
            }
        }
        go(&["build", "-o", "pool", "."])?;
        Ok(Program { directory })
    }

    /// Starts it for a message; it has checked that it reads and writes it.
    pub fn start(&self, message: &str, payload: &[u8]) -> Result<Running, Box<dyn Error>> {
        let path = self.directory.join(message);
        std::fs::write(&path, payload)?;
        let mut command = Command::new(self.directory.join("pool"));
        command.arg(message).arg(path).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Running { child, input, output })
    }
}

impl Running {
    /// The processor time of so many messages.
    pub fn measure(&mut self, way: &str, count: usize) -> Result<Duration, Box<dyn Error>> {
        writeln!(self.input, "{way} {count}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let nanoseconds = line.trim().parse().map_err(|_| format!("{way}: the program answers {line:?}"))?;
        Ok(Duration::from_nanos(nanoseconds))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It waits for input that does not come.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn run(command: &mut Command, input: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    // Plugins read all before they write.
    child.stdin.take().ok_or("no input")?.write_all(input)?;
    let output = child.wait_with_output()?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).into()),
    }
}

/// Which Go and which versions of its libraries.
pub fn version() -> String {
    let required = |module: &str| {
        let version =
            include_str!("go/go.mod").lines().find_map(|line| line.split_once(module)?.1.strip_prefix(" v"));
        let version = version.and_then(|version| version.split_whitespace().next()).unwrap_or_default();
        format!("{module} {version}")
    };
    let go = tobu_compare::sections::output("go", &["version"]);
    let libraries = ["google.golang.org/protobuf", "github.com/planetscale/vtprotobuf"].map(required);
    format!("{go}, {}", libraries.join(", "))
}

//! vtprotobuf and Go's own library, by a Go program whose types its plugins generate.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;
use tobu_compare::go;

const MOD: &str = include_str!("go/go.mod");

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

impl Program {
    /// Generates its types and builds it, beside this program.
    ///
    /// # Errors
    /// There is no Go, or no network the first time.
    pub fn build() -> Result<Self, Box<dyn Error>> {
        let sources =
            [("go.mod", MOD), ("go.sum", include_str!("go/go.sum")), ("main.go", include_str!("go/main.go"))];
        let plugins: [go::Plugin<'_>; 2] = [
            ("protoc-gen-go", include_bytes!(concat!(env!("OUT_DIR"), "/pool/go")), "messages"),
            (
                "protoc-gen-go-vtproto",
                include_bytes!(concat!(env!("OUT_DIR"), "/pool/go-vtproto")),
                "messages",
            ),
        ];
        Ok(Program { directory: go::build("tobu-compare-pool", &sources, &plugins)? })
    }

    /// Starts it for a message; it has checked that it reads and writes it.
    pub fn start(&self, message: &str, payload: &[u8]) -> Result<Running, Box<dyn Error>> {
        let path = self.directory.join(message);
        std::fs::write(&path, payload)?;
        let mut command = Command::new(self.directory.join("program"));
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

/// Which Go and which versions of its libraries.
pub fn version() -> String {
    go::version(MOD, &["google.golang.org/protobuf", "github.com/planetscale/vtprotobuf"])
}

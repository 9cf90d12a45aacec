//! Peers that are other programs, asked through pipes.

use crate::exchange::{self, Answer, Question};
use crate::schema::Schema;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// A program that runs until this is dropped.
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl Process {
    /// Python's protobuf, by `$PYTHON` or `python3`.
    pub(super) fn upb() -> Result<Self, String> {
        let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
        run(Command::new(&python).args(["-c", "import google.protobuf"]))?;
        Self::start(Command::new(&python).arg(Path::new(HERE).join("peers/upb.py")))
    }

    /// Go's protobuf, built beside this program.
    pub(super) fn go() -> Result<Self, String> {
        let mut program: PathBuf = std::env::current_exe().map_err(|error| error.to_string())?;
        program.set_file_name("tobu-differential-go");
        let source = Path::new(HERE).join("peers/go");
        run(Command::new("go").current_dir(source).args(["build", "-o"]).arg(&program).arg("."))?;
        Self::start(&mut Command::new(&program))
    }

    fn start(command: &mut Command) -> Result<Self, String> {
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| error.to_string())?;
        let (input, output) = child.stdin.take().zip(child.stdout.take()).ok_or("no pipes")?;
        Ok(Process { child, input, output })
    }

    /// Gives the program the schema of what follows.
    pub(super) fn load(&mut self, schema: &Schema) -> Result<(), String> {
        let answer = self.ask(&exchange::schema_frame(schema))?;
        if answer.is_empty() { Ok(()) } else { Err(String::from_utf8_lossy(&answer).into_owned()) }
    }

    pub(super) fn answer(&mut self, questions: &[Question]) -> Result<Vec<Answer>, String> {
        let frame = self.ask(&exchange::question_frame(questions))?;
        let answers = exchange::answers(&frame).ok_or("it answers in another form")?;
        if answers.len() == questions.len() { Ok(answers) } else { Err("it leaves questions out".into()) }
    }

    /// Sends a frame, which the program reads to its end before it answers by one.
    fn ask(&mut self, frame: &[u8]) -> Result<Vec<u8>, String> {
        let mut exchange = || {
            self.input.write_all(&(frame.len() as u32).to_le_bytes())?;
            self.input.write_all(frame)?;
            self.input.flush()?;
            let mut len = [0; 4];
            self.output.read_exact(&mut len)?;
            let mut answer = vec![0; u32::from_le_bytes(len) as usize];
            self.output.read_exact(&mut answer)?;
            Ok(answer)
        };
        exchange().map_err(|error: std::io::Error| format!("it is gone: {error}"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Gone already, or to be ended: there is nothing to say of either.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a program to its end; what it said where that is an error.
fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let done = command.output().map_err(|error| format!("{program}: {error}"))?;
    let said = String::from_utf8_lossy(&done.stderr);
    if done.status.success() { Ok(()) } else { Err(said.lines().last().unwrap_or("it failed").to_owned()) }
}

//! Builds the projects of a contestant, row by row.

use crate::Outcome;
use crate::contestants::Contestant;
use crate::measure::{self, End, Usage};
use crate::project::Project;
use crate::protos::Protos;
use crate::row::{Mode, Row, Whole};
use crate::whole;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// The outcome of a row.
#[derive(Clone, Copy)]
pub enum Cell {
    Done(Figures),
    TimedOut,
    Failed,
    /// The contestant does not take part.
    None,
}

#[derive(Clone, Copy, Default)]
pub struct Figures {
    pub usage: Option<Usage>,
    /// Bytes of the program more than of one that does nothing.
    pub code: Option<u64>,
    /// Bytes of the stripped program.
    pub size: Option<u64>,
    /// Of LLVM's code, before it is optimized.
    pub lines: Option<usize>,
}

/// Builds one contestant's projects.
pub struct Builder<'a> {
    contestant: &'a Contestant,
    project: &'a Project,
    protos: &'a Protos,
    timeout: Duration,
    /// The modes in which the dependencies are built.
    ready: Vec<Mode>,
    cells: Vec<(Row, Cell)>,
}

impl<'a> Builder<'a> {
    pub fn new(
        contestant: &'a Contestant,
        project: &'a Project,
        protos: &'a Protos,
        timeout: Duration,
    ) -> Self {
        Builder { contestant, project, protos, timeout, ready: Vec::new(), cells: Vec::new() }
    }

    /// Measures one row.
    pub fn measure(&mut self, row: Row) -> Outcome<Cell> {
        let cell = self.cell(row)?;
        self.cells.push((row, cell));
        Ok(cell)
    }

    fn cell(&mut self, row: Row) -> Outcome<Cell> {
        if row.is_json() && self.contestant.json.is_none() {
            return Ok(Cell::None);
        }
        if let Some(end @ (Cell::TimedOut | Cell::Failed)) = self.included(row) {
            return Ok(end);
        }
        if let Row::Clean(whole, mode) = row {
            return self.clean(whole, mode);
        }
        self.prepare(row.mode())?;
        for (package, root) in [("types", "lib.rs"), (row.package(), "main.rs")] {
            let source = self.project.home.join(package).join("src").join(root);
            if source.exists() {
                File::options().write(true).open(source)?.set_modified(SystemTime::now())?;
            }
        }
        let mut command = self.cargo(&self.project.home, row.mode().arguments());
        command.args(["--package", row.package()]);
        if row == Row::LlvmLines {
            return self.llvm_lines(command);
        }
        let end = self.run(&mut command)?;
        let code = match (row.mode(), self.size(row.package())) {
            (Mode::Release, Some(whole)) => Some(whole.saturating_sub(self.size("empty").unwrap_or(0))),
            _ => None,
        };
        Ok(self.end(end, |usage| Figures { usage: Some(usage), code, ..Figures::default() }))
    }

    /// The first of the rows within a row that is known.
    fn included(&self, row: Row) -> Option<Cell> {
        let earlier = row.includes()?;
        let known = self.cells.iter().find(|(row, _)| *row == earlier).map(|(_, cell)| *cell);
        known.or_else(|| self.included(earlier))
    }

    /// Builds a crate and all that it depends on, and runs it if it is a program.
    fn clean(&self, whole: Whole, mode: Mode) -> Outcome<Cell> {
        let directory = self.project.home.parent().ok_or("projects are in a directory")?;
        let Some(home) = whole::project(self.contestant, whole, self.protos, directory)? else {
            return Ok(Cell::None);
        };
        // The only access to the network, and to the lock file, which loses what is not needed here.
        self.must(&mut self.cargo(&home, &["fetch"]))?;
        let mut command = self.cargo(&home, mode.arguments());
        let end = self.run(command.args(["--offline", "--locked"]))?;
        let program = match mode {
            Mode::Debug => Some("target/debug"),
            Mode::Release => Some("target/release"),
            Mode::Check => None,
        };
        let program = program.map(|target| home.join(target).join(whole.name()));
        let program = program.filter(|_| whole.is_program() && matches!(end, End::Done(_)));
        if let Some(program) = &program {
            self.must(&mut Command::new(program))?;
        }
        let size = program.filter(|_| mode == Mode::Release).and_then(|program| length(&program));
        std::fs::remove_dir_all(home.join("target"))?;
        Ok(self.end(end, |usage| Figures { usage: Some(usage), size, ..Figures::default() }))
    }

    /// Builds the dependencies and the empty program, once for each mode.
    fn prepare(&mut self, mode: Mode) -> Outcome<()> {
        if self.ready.is_empty() {
            self.must(&mut self.cargo(&self.project.home, &["fetch"]))?;
        }
        if !self.ready.contains(&mode) {
            eprintln!("  building what {} depends on", self.contestant.name);
            let mut command = self.cargo(&self.project.home, mode.arguments());
            self.must(command.args(["--package", "empty"]))?;
            self.ready.push(mode);
        }
        Ok(())
    }

    /// Builds the library and the program once more by a compiler that also writes LLVM's code, and counts that.
    fn llvm_lines(&self, mut command: Command) -> Outcome<Cell> {
        let wrapper = self.project.home.join("emit-llvm.sh");
        if !wrapper.exists() {
            use std::os::unix::fs::PermissionsExt;
            std::fs::write(&wrapper, EMIT_LLVM)?;
            std::fs::set_permissions(&wrapper, std::fs::Permissions::from_mode(0o755))?;
        }
        for path in self.llvm_files()? {
            std::fs::remove_file(path)?;
        }
        let end = self.run(command.env("RUSTC_WORKSPACE_WRAPPER", wrapper))?;
        let mut lines = 0;
        for path in self.llvm_files()? {
            lines += lines_of_functions(&std::fs::read_to_string(&path)?);
            std::fs::remove_file(path)?;
        }
        Ok(self.end(end, |_| Figures { lines: Some(lines), ..Figures::default() }))
    }

    fn llvm_files(&self) -> Outcome<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(self.project.home.join("target/release/deps"))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "ll") {
                files.push(path);
            }
        }
        Ok(files)
    }

    fn size(&self, package: &str) -> Option<u64> {
        length(&self.project.home.join("target/release").join(package))
    }

    /// Cargo, without what the environment may say of flags and targets.
    fn cargo(&self, home: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(home).args(arguments).arg("--quiet");
        for name in
            ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "PROTOC"]
        {
            command.env_remove(name);
        }
        if self.contestant.runs_protoc
            && let Ok(protoc) = protoc_bin_vendored::protoc_bin_path()
        {
            command.env("PROTOC", protoc);
        }
        // Earlier incremental builds must not make a build cheaper.
        command.env("CARGO_INCREMENTAL", "0").env("CARGO_TARGET_DIR", home.join("target"));
        command
    }

    fn run(&self, command: &mut Command) -> Outcome<End> {
        measure::run(command, &self.log(), self.timeout)
    }

    /// Runs a command without measuring it or limiting its time.
    fn must(&self, command: &mut Command) -> Outcome<()> {
        match measure::run(command, &self.log(), Duration::MAX)? {
            End::Done(_) => Ok(()),
            End::Failed | End::TimedOut => Err(self.log_excerpt().into()),
        }
    }

    fn end(&self, end: End, figures: impl FnOnce(Usage) -> Figures) -> Cell {
        match end {
            End::Done(usage) => Cell::Done(figures(usage)),
            End::TimedOut => Cell::TimedOut,
            End::Failed => {
                eprintln!("{}", self.log_excerpt());
                Cell::Failed
            }
        }
    }

    fn log(&self) -> PathBuf {
        self.project.home.join("cargo.log")
    }

    /// The first lines of what cargo said.
    fn log_excerpt(&self) -> String {
        let log = std::fs::read_to_string(self.log()).unwrap_or_default();
        log.lines().take(40).collect::<Vec<_>>().join("\n")
    }
}

fn length(file: &Path) -> Option<u64> {
    std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file).map(|file| file.len())
}

/// For the crates of the workspace: all code in one file, before any of it is optimized.
const EMIT_LLVM: &str = "#!/bin/sh\nexec \"$@\" --emit=llvm-ir -C no-prepopulate-passes -C codegen-units=1\n";

fn lines_of_functions(code: &str) -> usize {
    let mut inside = false;
    let counts = |line: &&str| {
        inside = (inside || line.starts_with("define ")) && *line != "}";
        inside
    };
    code.lines().filter(counts).count()
}

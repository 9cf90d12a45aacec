//! The command line.

use crate::task::Task;
use std::path::PathBuf;

/// The command line.
#[derive(Debug, Default)]
pub struct Args {
    /// Only these tasks, or all.
    pub tasks: Vec<Task>,
    /// Only these data sets, or all.
    pub sets: Vec<String>,
    /// Other data sets than those that were there when this was built.
    pub data: Option<PathBuf>,
    pub quick: bool,
    pub tsv: bool,
    pub allocs: bool,
    pub layout: bool,
    pub write: bool,
}

pub const HELP: &str = "\
tobu next to its peers

Usage: tobu-compare [OPTIONS]

  --task TASK   only this task; may be given again
  --set NAME    only this data set; may be given again
  --data DIR    where the data sets are, instead of where they were when this was built
  --quick       short turns: shows that all works, and roughly how fast
  --tsv         lines of task, data set, library, MiB/s
  --allocs      allocations and bytes allocated per message instead of speed
  --layout      bytes of a message's struct, and of all that decoding it allocates and keeps
  --write       benches/RESULTS.md and benches/charts/ made of all tasks and sets; with --task only what they say of
                these tasks, with --layout only its table

The build looks for recorded data sets in $TOBU_SHARED/datasets or ../shared/datasets. Where there are none, it makes
data of the same shapes by a seed, for all tasks and libraries; their figures are not those of the recorded data.

What generated code costs to compile is measured by benches/compile.
";

impl Args {
    /// Reads the arguments; an error says which is wrong.
    pub fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut parsed = Args::default();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} takes a value"));
            match arg.as_str() {
                "--task" => parsed.tasks.push(task(&value()?)?),
                "--set" => parsed.sets.push(value()?),
                "--data" => parsed.data = Some(value()?.into()),
                "--quick" => parsed.quick = true,
                "--tsv" => parsed.tsv = true,
                "--allocs" => parsed.allocs = true,
                "--layout" => parsed.layout = true,
                "--write" => parsed.write = true,
                "--help" | "-h" => return Err(HELP.to_owned()),
                _ => return Err(format!("what is {arg}?\n\n{HELP}")),
            }
        }
        if parsed.write && !parsed.sets.is_empty() {
            return Err("--write takes a run of all sets".to_owned());
        }
        if parsed.tasks.is_empty() {
            parsed.tasks = Task::ALL.to_vec();
        }
        Ok(parsed)
    }

    /// The directory of the data sets.
    pub fn data(&self) -> PathBuf {
        self.data.clone().unwrap_or_else(|| tobu_compare::DATASETS.into())
    }
}

fn task(name: &str) -> Result<Task, String> {
    let names = || Task::ALL.map(Task::name).join(", ");
    let found = Task::ALL.into_iter().find(|task| task.name() == name);
    found.ok_or_else(|| format!("there is no task {name}; there are {}", names()))
}

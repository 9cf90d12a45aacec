//! Everything that takes part, and tasks run over it.

use crate::alloc;
use crate::cli::Args;
use crate::contest::{Contest, Library, Outcome};
use crate::data::DataSet;
use crate::layout::{Go, Size};
use crate::libs::dynamic::Dynamic;
use crate::report::{Row, TaskResult};
use crate::sets::{self, Entry};
use crate::task::Task;
use crate::timing::{self, Effort};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;
use tobu::Pool;

/// The data sets, the libraries and how long to measure.
pub struct Bench {
    entries: Vec<Entry>,
    dynamic: Dynamic,
    /// For the task that loads them.
    schemas: Vec<DataSet>,
    effort: Effort,
}

impl Bench {
    pub fn load(args: &Args, data: &Path) -> Outcome<Self> {
        if std::fs::read(data.join("schemas.fds")).is_ok_and(|schemas| schemas != tobu_compare::SCHEMAS) {
            let error = "the data sets have other schemas than those that the types were generated from";
            return Err(format!("{}: {error}; say where they are by TOBU_SHARED", data.display()).into());
        }
        let pool = Pool::from_descriptor_set(tobu_compare::SCHEMAS)?;
        let wanted = |name: &str| args.sets.is_empty() || args.sets.iter().any(|set| set == name);
        let unknown = args.sets.iter().find(|set| *set != "schemas" && !sets::NAMES.contains(&set.as_str()));
        if let Some(set) = unknown {
            return Err(format!("there is no data set {set}; there are {}", sets::NAMES.join(", ")).into());
        }
        let names = sets::NAMES.iter().filter(|name| wanted(name));
        let entries = names.map(|name| sets::load(&pool, name, data)).collect::<Result<Vec<Entry>, _>>()?;
        let mut schemas = Vec::new();
        if wanted("schemas") {
            schemas.push(DataSet::schemas(&pool, "schemas", tobu_compare::SCHEMAS.to_vec())?);
        }
        for set in entries.iter().map(|entry| &entry.set) {
            if set.descriptor.full_name() == "google.protobuf.FileDescriptorSet" {
                schemas.push(DataSet::schemas(&pool, set.name, set.payloads[0].clone())?);
            }
        }
        let effort = match args.quick {
            true => Effort { rounds: 5, turn: Duration::from_millis(1), most: Duration::from_millis(15) },
            false => Effort { rounds: 15, turn: Duration::from_millis(15), most: Duration::from_secs(1) },
        };
        Ok(Bench { entries, dynamic: Dynamic::load(tobu_compare::SCHEMAS)?, schemas, effort })
    }

    /// Runs a task on every data set; `None` where nobody has anything to do.
    pub fn measure(&self, task: Task) -> Outcome<Option<TaskResult>> {
        let mut rows = Vec::new();
        for mut contest in self.contests(task)? {
            let bytes = match (task.counts_json(), task.counts_text()) {
                (true, _) => contest.set.json_size(),
                (_, true) => contest.set.text_size(),
                _ => contest.set.size(),
            };
            let rate = |time: Duration| bytes as f64 / time.as_secs_f64() / f64::from(1 << 20);
            let times = timing::race(&mut contest.contenders, self.effort);
            let cells = contest.contenders.iter().zip(times).map(|(who, time)| (who.entrant, rate(time)));
            rows.push(Row { set: contest.set.name, cells: cells.collect(), notes: contest.notes });
        }
        Ok((!rows.is_empty()).then_some(TaskResult { task, rows }))
    }

    /// Allocations and bytes allocated per message.
    pub fn allocations(&self, task: Task) -> Outcome<String> {
        let mut text = format!("{}: allocations, and bytes allocated, per message\n\n", task.name());
        for mut contest in self.contests(task)? {
            let messages = contest.set.payloads.len();
            let _ = writeln!(text, "{}", contest.set.name);
            for contender in &mut contest.contenders {
                (contender.run)();
                let (calls, bytes) = alloc::counted(&mut contender.run);
                let (calls, bytes) = (calls as f64 / messages as f64, bytes / messages);
                let _ = writeln!(text, "  {:24} {calls:12.1} {bytes:12}", contender.entrant.name);
            }
        }
        Ok(text + "\n")
    }

    /// How large the messages of each data set are, by each library.
    pub fn layout(&self, go: Option<&Go>, data: &Path) -> Outcome<Vec<(&'static str, Vec<Size>)>> {
        let results = [self.measure(Task::Decode)?, self.measure(Task::Encode)?];
        let rate = |result: &Option<TaskResult>, set: &str, library: &str| {
            let row = result.as_ref()?.rows.iter().find(|row| row.set == set)?;
            row.cells.iter().find(|(entrant, _)| entrant.name == library).map(|(_, rate)| *rate)
        };
        let mut sets = Vec::new();
        for (entry, mut contest) in self.entries.iter().zip(self.contests(Task::Decode)?) {
            let messages = contest.set.payloads.len() as f64;
            let mut sizes = Vec::new();
            for contender in &mut contest.contenders {
                let name = contender.entrant.name;
                let Some(&(_, structs)) = entry.sizes.iter().find(|(library, _)| *library == name) else {
                    continue;
                };
                (contender.run)();
                let (calls, bytes) = alloc::counted(&mut contender.run);
                let (allocations, heap) = (calls as f64 / messages, bytes as f64 / messages);
                let rates = results.each_ref().map(|result| rate(result, entry.set.name, name));
                sizes.push(Size { library: name.into(), structs, heap, allocations, rates });
            }
            if let Some(go) = go {
                sizes.extend(go.sizes(entry.set.name, data)?);
            }
            sets.push((entry.set.name, sizes));
        }
        Ok(sets)
    }

    /// The contests of a task that somebody entered. A failure of tobu is an error, one of a peer a note.
    fn contests(&self, task: Task) -> Outcome<Vec<Contest<'_>>> {
        let mut contests = Vec::new();
        if task == Task::PoolLoad {
            for set in &self.schemas {
                contests.push(enter(task, set, &[&self.dynamic])?);
            }
        } else {
            for entry in &self.entries {
                // tobu is first; in dynamic tasks the dynamic one.
                let mut libraries: Vec<&dyn Library> = vec![&self.dynamic];
                libraries.extend(entry.libraries.iter().map(|library| &**library));
                contests.push(enter(task, &entry.set, &libraries)?);
            }
        }
        contests.retain(|contest| !contest.contenders.is_empty());
        Ok(contests)
    }
}

fn enter<'s>(task: Task, set: &'s DataSet, libraries: &[&'s dyn Library]) -> Outcome<Contest<'s>> {
    let mut contest = Contest::new(task, set);
    for library in libraries {
        library.enter(&mut contest)?;
    }
    match contest.failure_of_ours() {
        Some(failure) => Err(format!("tobu fails at {} of {}: {failure}", task.name(), set.name).into()),
        None => Ok(contest),
    }
}

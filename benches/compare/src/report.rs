//! Results as a table.

use crate::contest::{Entrant, Note};
use crate::task::{Lane, Task};

/// The result of a task.
pub struct TaskResult {
    pub task: Task,
    pub rows: Vec<Row>,
}

/// A data set's cells.
pub struct Row {
    pub set: &'static str,
    pub cells: Vec<(Entrant, f64)>,
    pub notes: Vec<(Note, &'static str, String)>,
}

impl Row {
    /// tobu's best figure of a lane over the peers' best.
    pub fn ratio(&self, lane: Lane) -> Option<f64> {
        let best = |ours: bool, lane: Lane| {
            let cells = self.cells.iter().filter(|(entrant, _)| entrant.ours == ours && entrant.lane == lane);
            cells.map(|(_, rate)| *rate).reduce(f64::max)
        };
        let ours = best(true, lane).or_else(|| best(true, Lane::First))?;
        Some(ours / best(false, lane)?)
    }

    /// A library's figure.
    pub fn rate(&self, library: &str) -> Option<f64> {
        self.cells.iter().find(|(entrant, _)| entrant.name == library).map(|(_, rate)| *rate)
    }

    /// tobu's figure: its first entrant.
    pub fn rate_of_ours(&self) -> Option<f64> {
        self.cells.iter().find(|(entrant, _)| entrant.ours).map(|(_, rate)| *rate)
    }

    fn best(&self) -> f64 {
        self.cells.iter().map(|(_, rate)| *rate).fold(0.0, f64::max)
    }
}

impl TaskResult {
    /// The libraries, in the order in which they first appear.
    pub fn libraries(&self) -> Vec<Entrant> {
        let mut found: Vec<Entrant> = Vec::new();
        for (entrant, _) in self.rows.iter().flat_map(|row| &row.cells) {
            if found.iter().all(|known| known.name != entrant.name) {
                found.push(*entrant);
            }
        }
        found
    }

    /// Geometric mean and minimum of a lane's ratios.
    pub fn summary(&self, lane: Lane) -> Option<(f64, f64)> {
        let ratios: Vec<f64> = self.rows.iter().filter_map(|row| row.ratio(lane)).collect();
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let least = ratios.iter().copied().reduce(f64::min)?;
        Some((mean, least))
    }

    fn lanes(&self) -> Vec<(Lane, &'static str)> {
        let lanes = self.task.lanes().iter().copied();
        lanes.filter(|(lane, _)| self.summary(*lane).is_some()).collect()
    }

    /// The cells as text: a heading, the rows, and the means.
    fn grid(&self, bold: (&str, &str)) -> Vec<Vec<String>> {
        let libraries = self.libraries();
        let lanes = self.lanes();
        let mut heading = vec![self.task.name().to_owned()];
        heading.extend(libraries.iter().map(|library| library.name.to_owned()));
        heading.extend(lanes.iter().map(|(_, label)| format!("tobu / {label}")));
        let mut grid = vec![heading];
        for row in &self.rows {
            let best = row.best();
            let mut line = vec![row.set.to_owned()];
            line.extend(libraries.iter().map(|library| match row.rate(library.name) {
                Some(rate) if rate == best => format!("{}{rate:.0}{}", bold.0, bold.1),
                Some(rate) => format!("{rate:.0}"),
                None => "-".to_owned(),
            }));
            line.extend(lanes.iter().map(|(lane, _)| ratio(row.ratio(*lane))));
            grid.push(line);
        }
        let summaries: Vec<_> = lanes.iter().map(|(lane, _)| self.summary(*lane)).collect();
        if !summaries.is_empty() {
            for (name, pick) in [("geometric mean", 0), ("minimum", 1)] {
                let mut line = vec![name.to_owned()];
                line.extend(libraries.iter().map(|_| String::new()));
                let figures = summaries.iter().map(|found| found.map(|(mean, least)| [mean, least][pick]));
                line.extend(figures.map(ratio));
                grid.push(line);
            }
        }
        grid
    }

    /// The table for a terminal.
    pub fn text(&self, bold: bool) -> String {
        let bold = if bold { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
        let grid = self.grid(bold);
        let width = |cell: &str| cell.replace(bold.0, "").replace(bold.1, "").chars().count();
        let columns = grid[0].len();
        let widths: Vec<usize> =
            (0..columns).map(|i| grid.iter().map(|line| width(&line[i])).max().unwrap_or(0)).collect();
        let mut text = String::new();
        for line in &grid {
            for (i, cell) in line.iter().enumerate() {
                let pad = " ".repeat(widths[i] - width(cell));
                text += &if i == 0 { format!("{cell}{pad}") } else { format!("  {pad}{cell}") };
            }
            text.push('\n');
        }
        text
    }

    /// The table as Markdown.
    pub fn markdown(&self) -> String {
        let grid = self.grid(("**", "**"));
        let mut text = String::new();
        for (i, line) in grid.iter().enumerate() {
            text += &format!("| {} |\n", line.join(" | "));
            if i == 0 {
                text += &format!("| --- |{}\n", " --: |".repeat(line.len() - 1));
            }
        }
        text
    }

    /// The remarks about the cells.
    pub fn footnotes(&self) -> Vec<String> {
        let mut notes: Vec<(Note, &'static str, &str, Vec<&str>)> = Vec::new();
        for row in &self.rows {
            for (note, library, detail) in &row.notes {
                match notes.iter_mut().find(|known| (known.0, known.1, known.2) == (*note, *library, detail))
                {
                    Some(known) => known.3.push(row.set),
                    None => notes.push((*note, library, detail, vec![row.set])),
                }
            }
        }
        notes.sort();
        notes
            .into_iter()
            .map(|(note, library, detail, sets)| {
                let sets = sets.join(", ");
                match note {
                    Note::DropsUnknown => format!("{library} drops unknown fields: {sets}"),
                    Note::SkipsUtf8 => format!("{library} does not check that strings are UTF-8: {sets}"),
                    Note::RoundsFloats => {
                        format!("{library} reads some floating-point numbers wrong in the last digit: {sets}")
                    }
                    Note::Fails => format!("{library} cannot do {sets}: {detail}"),
                }
            })
            .collect()
    }

    /// Lines for programs.
    pub fn tsv(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            for (entrant, rate) in &row.cells {
                text += &format!("{}\t{}\t{}\t{rate:.1}\n", self.task.name(), row.set, entrant.name);
            }
        }
        text
    }
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"))
}

//! The figures as a table, in Markdown that can be read as it is.

use crate::build::{Cell, Figures};
use crate::contestants::{JSON_REFERENCE, REFERENCE};
use crate::row::Row;
use std::fmt::Write;
use std::time::Duration;

/// The figures of one contestant.
pub struct Column {
    pub name: &'static str,
    /// Lines and bytes of the generated code.
    pub lines: usize,
    pub bytes: usize,
    /// In the order of the rows.
    pub cells: Vec<Cell>,
}

/// One of the figures of a row.
struct Measure {
    unit: &'static str,
    of: fn(&Figures) -> Option<f64>,
    decimals: usize,
}

const CPU: Measure =
    Measure { unit: "CPU s", of: |figures| Some(figures.usage?.cpu.as_secs_f64()), decimals: 1 };
const PEAK: Measure =
    Measure { unit: "peak MiB", of: |figures| Some(figures.usage?.peak as f64 / 1048576.0), decimals: 0 };
const CODE: Measure =
    Measure { unit: "KiB of code", of: |figures| Some(figures.code? as f64 / 1024.0), decimals: 0 };
const LINES: Measure =
    Measure { unit: "1000 LLVM lines", of: |figures| Some(figures.lines? as f64 / 1000.0), decimals: 1 };

/// The whole table; in brackets the ratio to the reference.
pub fn table(rows: &[Row], columns: &[Column], timeout: Duration) -> String {
    let mut text = "| what | figure |".to_owned();
    columns.iter().for_each(|column| text += &format!(" {} |", column.name));
    text += "\n| --- | --- |";
    columns.iter().for_each(|_| text += " --: |");
    text.push('\n');
    let lines: Vec<_> = columns.iter().map(|column| Some(column.lines as f64 / 1000.0)).collect();
    let sizes: Vec<_> = columns.iter().map(|column| Some(column.bytes as f64 / 1024.0)).collect();
    line(&mut text, "generated code", "1000 lines", &cells(columns, &lines, REFERENCE, 0));
    line(&mut text, "", "KiB", &cells(columns, &sizes, REFERENCE, 0));
    for (index, row) in rows.iter().enumerate() {
        let mut what = row.about();
        for measure in measures(*row) {
            let values: Vec<_> =
                columns.iter().map(|column| value(column.cells.get(index), measure)).collect();
            let reference = if row.is_json() { JSON_REFERENCE } else { REFERENCE };
            let mut cells = cells(columns, &values, reference, measure.decimals);
            for (cell, column) in cells.iter_mut().zip(columns) {
                match column.cells.get(index) {
                    Some(Cell::TimedOut) if measure.unit != CPU.unit && row != &Row::LlvmLines => {
                        *cell = "-".into()
                    }
                    Some(Cell::TimedOut) => *cell = format!("> {}", timeout.as_secs()),
                    Some(Cell::Failed) => *cell = "failed".into(),
                    _ => {}
                }
            }
            line(&mut text, what, measure.unit, &cells);
            what = "";
        }
    }
    text
}

fn measures(row: Row) -> &'static [Measure] {
    match row {
        Row::SampleRelease | Row::JsonRelease | Row::AllRelease => &[CPU, PEAK, CODE],
        Row::LlvmLines => &[LINES],
        Row::Dependencies => &[CPU],
        _ => &[CPU, PEAK],
    }
}

fn value(cell: Option<&Cell>, measure: &Measure) -> Option<f64> {
    match cell {
        Some(Cell::Done(figures)) => (measure.of)(figures),
        _ => None,
    }
}

fn cells(columns: &[Column], values: &[Option<f64>], reference: &str, decimals: usize) -> Vec<String> {
    let base = columns.iter().position(|column| column.name == reference);
    let one = base.and_then(|index| values[index]).filter(|one| *one > 0.0);
    let cell = |(index, value): (usize, &Option<f64>)| match (value, one) {
        (None, _) => "-".to_owned(),
        (Some(value), Some(one)) if base != Some(index) => format!("{value:.decimals$} ({:.2})", value / one),
        (Some(value), _) => format!("{value:.decimals$}"),
    };
    values.iter().enumerate().map(cell).collect()
}

fn line(text: &mut String, what: &str, unit: &str, cells: &[String]) {
    let _ = writeln!(text, "| {what} | {unit} | {} |", cells.join(" | "));
}

#[cfg(test)]
mod tests {
    use super::{Column, table};
    use crate::build::{Cell, Figures};
    use crate::measure::Usage;
    use crate::row::Row;
    use std::time::Duration;

    #[test]
    fn ratios_are_to_prost_and_what_has_no_figure_says_why() {
        let done = |seconds, mib: u64| {
            let usage = Usage { cpu: Duration::from_secs(seconds), peak: mib << 20 };
            Cell::Done(Figures { usage: Some(usage), ..Figures::default() })
        };
        let column = |name, lines, cells| Column { name, lines, bytes: 1024, cells };
        let columns = [
            column("tobu", 4000, vec![done(30, 100), Cell::TimedOut]),
            column("prost", 2000, vec![done(10, 200), Cell::None]),
            column("buffa", 1000, vec![Cell::Failed, Cell::None]),
        ];
        let rows = [Row::Check, Row::JsonDebug];
        let expected = "\
| what | figure | tobu | prost | buffa |
| --- | --- | --: | --: | --: |
| generated code | 1000 lines | 4 (2.00) | 2 | 1 (0.50) |
|  | KiB | 1 (1.00) | 1 | 1 (1.00) |
| library, `cargo check` | CPU s | 30.0 (3.00) | 10.0 | failed |
|  | peak MiB | 100 (0.50) | 200 | failed |
| program of 20 with JSON, debug | CPU s | > 600 | - | - |
|  | peak MiB | - | - | - |
";
        assert_eq!(table(&rows, &columns, Duration::from_secs(600)), expected);
    }
}

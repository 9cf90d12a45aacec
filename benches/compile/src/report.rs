//! The figures as a table, in Markdown that can be read as it is.

use crate::build::{Cell, Figures};
use crate::contestants::{JSON_REFERENCE, REFERENCE};
use crate::row::{Mode, Row, Whole};
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
const SIZE: Measure =
    Measure { unit: "KiB, stripped", of: |figures| Some(figures.size? as f64 / 1024.0), decimals: 0 };
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
            line(&mut text, &what, measure.unit, &cells);
            what.clear();
        }
    }
    text
}

/// From which number of messages on tobu takes less time than the reference, and how much more with fewer: of what was
/// measured. `messages` are those of the large schema.
pub fn pays(rows: &[Row], columns: &[Column], messages: usize) -> String {
    let seconds = |name, row| {
        let column: &Column = columns.iter().find(|column| column.name == name)?;
        let index = rows.iter().position(|known| *known == row)?;
        value(column.cells.get(index), &CPU)
    };
    let both = |row| Some([seconds("tobu", row)?, seconds(REFERENCE, row)?]);
    let mut clean = Vec::new();
    for mode in Mode::ALL {
        let (first, large) = (both(Row::Clean(Whole::Book, mode)), both(Row::Clean(Whole::Large, mode)));
        if let (Some(first), Some(large)) = (first, large) {
            let from = match from_where(first, large, messages) {
                From::Always => "at any size".to_owned(),
                From::Never => "at no size".to_owned(),
                From::Size(size) => format!("from {size} messages on"),
                From::UpTo(size) => format!("up to {size} messages"),
            };
            clean.push(format!(
                "{}: {from} ({:+.0} s for the first program)",
                mode.about(),
                first[0] - first[1]
            ));
        }
    }
    let mut again = Vec::new();
    for (row, mode) in
        [(Row::Check, Mode::Check), (Row::LibraryDebug, Mode::Debug), (Row::LibraryRelease, Mode::Release)]
    {
        again.extend(both(row).map(|[tobu, prost]| format!("{}: {:.2}", mode.about(), tobu / prost)));
    }
    let mut text = String::new();
    if !clean.is_empty() {
        let _ = writeln!(
            text,
            "\nA clean build with tobu takes less CPU time than with {REFERENCE}, by a straight line through the first \
             program and the large schema: {}.",
            clean.join("; ")
        );
    }
    if !again.is_empty() {
        let _ = writeln!(
            text,
            "\nWhen the generated code alone is compiled again, tobu takes this part of {REFERENCE}'s time: {}.",
            again.join("; ")
        );
    }
    text
}

/// Where one straight line is below another.
#[derive(Debug, PartialEq)]
enum From {
    Always,
    Never,
    /// From this number of messages on, rounded to tens.
    Size(u64),
    UpTo(u64),
}

/// Where the first of two lines through one message and the large schema is below the second.
fn from_where(one: [f64; 2], large: [f64; 2], messages: usize) -> From {
    let slope = |at: usize| (large[at] - one[at]) / (messages.max(2) - 1) as f64;
    let (more, saved) = (one[0] - one[1], slope(1) - slope(0));
    let size = (1.0 + more / saved) / 10.0;
    match (more > 0.0, saved > 0.0) {
        (true, true) => From::Size(10 * size.ceil() as u64),
        (true, false) => From::Never,
        (false, true) => From::Always,
        (false, false) if saved == 0.0 => From::Always,
        (false, false) => From::UpTo(10 * size.floor() as u64),
    }
}

fn measures(row: Row) -> &'static [Measure] {
    match row {
        Row::SampleRelease | Row::JsonRelease | Row::AllRelease => &[CPU, PEAK, CODE],
        Row::LlvmLines => &[LINES],
        Row::Clean(whole, Mode::Release) if whole.is_program() => &[CPU, SIZE],
        Row::Clean(..) => &[CPU],
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
    use super::{Column, From, from_where, pays, table};
    use crate::build::{Cell, Figures};
    use crate::measure::Usage;
    use crate::row::{Mode, Row, Whole};
    use std::time::Duration;

    #[test]
    fn lines_cross_where_they_are_equal() {
        // 30 more at first, and 0.1 less for each message.
        assert_eq!(from_where([50.0, 20.0], [120.0, 160.0], 701), From::Size(310));
        assert_eq!(from_where([50.0, 20.0], [150.0, 100.0], 701), From::Never);
        assert_eq!(from_where([20.0, 50.0], [120.0, 160.0], 701), From::Always);
        assert_eq!(from_where([20.0, 50.0], [160.0, 120.0], 701), From::UpTo(300));
    }

    #[test]
    fn where_tobu_pays_is_of_what_was_measured() {
        let done = |seconds| {
            let usage = Usage { cpu: Duration::from_secs(seconds), peak: 0 };
            Cell::Done(Figures { usage: Some(usage), ..Figures::default() })
        };
        let column = |name, cells: &[u64]| {
            let cells = cells.iter().map(|seconds| done(*seconds)).collect();
            Column { name, lines: 0, bytes: 0, cells }
        };
        let rows = [
            Row::Clean(Whole::Book, Mode::Check),
            Row::Clean(Whole::Book, Mode::Release),
            Row::Clean(Whole::Large, Mode::Check),
            Row::Clean(Whole::Large, Mode::Release),
            Row::LibraryRelease,
        ];
        let columns = [column("prost", &[20, 20, 100, 160, 40]), column("tobu", &[50, 50, 150, 120, 10])];
        let expected = "
A clean build with tobu takes less CPU time than with prost, by a straight line through the first program and the large \
schema: `cargo check`: at no size (+30 s for the first program); release: from 310 messages on (+30 s for the first program).

When the generated code alone is compiled again, tobu takes this part of prost's time: release: 0.25.
";
        assert_eq!(pays(&rows, &columns, 701), expected);
        assert_eq!(pays(&rows[..1], &columns, 701), "");
    }

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

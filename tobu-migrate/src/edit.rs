//! Changes separate ranges of a text, and prints the changes as a diff.

use std::fmt::Write;
use std::ops::Range;

/// The changes of a source text. Text outside of the changes keeps every byte.
#[derive(Clone, Debug, Default)]
pub(super) struct Edits(Vec<Edit>);

#[derive(Clone, Debug)]
struct Edit {
    range: Range<usize>,
    text: String,
}

impl Edits {
    pub(super) fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.0.push(Edit { range, text: text.into() });
    }

    pub(super) fn remove(&mut self, range: Range<usize>) {
        self.replace(range, "");
    }

    pub(super) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Removes changes from the end until only `count` are left.
    pub(super) fn truncate(&mut self, count: usize) {
        self.0.truncate(count);
    }

    /// Returns the text with all changes; `None` if two changes overlap.
    pub(super) fn apply(&self, source: &str) -> Option<String> {
        let mut out = String::with_capacity(source.len());
        let mut at = 0;
        for edit in self.sorted() {
            out.push_str(source.get(at..edit.range.start)?);
            out.push_str(&edit.text);
            at = edit.range.end;
        }
        out.push_str(source.get(at..)?);
        Some(out)
    }

    /// Returns the ranges of lines that differ. `old` and `new` are the lines before and after the changes.
    fn changed_lines(&self, before: &str, old: &[&str], new: &[&str]) -> Vec<Change> {
        let mut starts = vec![0];
        starts.extend(before.bytes().zip(1..).filter(|(byte, _)| *byte == b'\n').map(|(_, next)| next));
        let line = |at: usize| starts.partition_point(|&start| start <= at) - 1;
        let breaks = |text: &str| text.bytes().filter(|&byte| byte == b'\n').count();
        let mut changes: Vec<Change> = Vec::new();
        // How many more lines the new text has than the old text, up to this change.
        let mut ahead = 0isize;
        for edit in self.sorted() {
            let range = line(edit.range.start)..line(edit.range.end) + 1;
            let new_start = range.start.saturating_add_signed(ahead);
            ahead += breaks(&edit.text) as isize - breaks(&before[edit.range.clone()]) as isize;
            let new_end = range.end.saturating_add_signed(ahead);
            match changes.last_mut().filter(|(old, _)| old.end >= range.start) {
                Some((old, new)) => (old.end, new.end) = (old.end.max(range.end), new_end),
                None => changes.push((range, new_start..new_end)),
            }
        }
        for (removed, added) in &mut changes {
            removed.end = removed.end.min(old.len());
            added.end = added.end.min(new.len());
            let same = |(a, b): &(&&str, &&str)| a == b;
            let (a, b) = (&old[removed.clone()], &new[added.clone()]);
            let front = a.iter().zip(b).take_while(same).count();
            let back = a[front..].iter().rev().zip(b[front..].iter().rev()).take_while(same).count();
            (removed.start, added.start) = (removed.start + front, added.start + front);
            (removed.end, added.end) = (removed.end - back, added.end - back);
        }
        changes.retain(|(removed, added)| !removed.is_empty() || !added.is_empty());
        changes
    }

    /// Returns the changes in the order of their positions. Insertions at one position keep their order.
    fn sorted(&self) -> Vec<&Edit> {
        let mut edits: Vec<_> = self.0.iter().collect();
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        edits
    }
}

/// A range of old lines, and the range of new lines that replaces them.
type Change = (Range<usize>, Range<usize>);

/// Returns the changes as a unified diff, with three lines of context around each change. The diff is empty if
/// there are no changes.
pub(super) fn unified(name: &str, before: &str, after: &str, edits: &Edits) -> String {
    const AROUND: usize = 3;
    let (old, new): (Vec<_>, Vec<_>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let changes = edits.changed_lines(before, &old, &new);
    let mut out = String::new();
    let mut rest = changes.as_slice();
    while let Some((first, _)) = rest.first() {
        // If the contexts of two changes touch or overlap, the changes are in one hunk.
        let close = |pair: &[Change]| pair[1].0.start - pair[0].0.end <= 2 * AROUND;
        let count = 1 + rest.windows(2).take_while(|pair| close(pair)).count();
        let (hunk, others) = rest.split_at(count);
        rest = others;
        let last = &hunk[count - 1];
        let start = first.start.saturating_sub(AROUND);
        let new_start = hunk[0].1.start - (first.start - start);
        let end = (last.0.end + AROUND).min(old.len());
        let new_end = last.1.end + (end - last.0.end);
        if out.is_empty() {
            let _ = write!(out, "--- {name}\n+++ {name}\n");
        }
        let _ = writeln!(out, "@@ -{} +{} @@", lines(start..end), lines(new_start..new_end));
        let mut at = start;
        for (removed, added) in hunk {
            old[at..removed.start].iter().for_each(|line| push(&mut out, ' ', line));
            old[removed.clone()].iter().for_each(|line| push(&mut out, '-', line));
            new[added.clone()].iter().for_each(|line| push(&mut out, '+', line));
            at = removed.end;
        }
        old[at..end].iter().for_each(|line| push(&mut out, ' ', line));
    }
    out
}

/// Returns `start,count` as a unified diff writes it. Lines are counted from 1. If the range is empty, `start` is the line
/// before the range.
fn lines(range: Range<usize>) -> String {
    format!("{},{}", range.start + usize::from(!range.is_empty()), range.len())
}

fn push(out: &mut String, sign: char, line: &str) {
    out.push(sign);
    out.push_str(line);
    if !line.ends_with('\n') {
        out.push_str("\n\\ No newline at end of file\n");
    }
}

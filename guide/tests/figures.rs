//! The figures of the README and of the chapter on performance are those of the results of the benchmarks.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A file of the repository.
fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text from a line that starts so, to the next line that starts with one of these.
fn section<'t>(text: &'t str, start: &str, ends: &[&str]) -> &'t str {
    let at = text.find(&format!("\n{start}")).unwrap_or_else(|| panic!("there is no {start:?}")) + 1;
    let body = &text[at..];
    let end = ends.iter().filter_map(|end| Some(body[1..].find(&format!("\n{end}"))? + 1)).min();
    &body[..end.unwrap_or(body.len())]
}

/// The numbers in the rows of tables, without headers and the first `labels` cells of each row.
fn figures(text: &str, labels: usize) -> BTreeSet<String> {
    let lines: Vec<_> = text.lines().collect();
    // A header is the first row of its table.
    let rows =
        lines.windows(2).filter(|pair| pair.iter().all(|line| line.starts_with('|'))).map(|pair| pair[1]);
    let cells = rows.flat_map(|row| row.trim_matches('|').split('|').skip(labels));
    let words = cells.flat_map(|cell| cell.split([' ', ',', '+']));
    let words = words.map(|word| word.trim_matches(['(', ')', '*']));
    words.filter(|word| word.parse::<f64>().is_ok()).map(str::to_owned).collect()
}

#[track_caller]
fn check(page: &str, labels: usize, results: &str) {
    let (shown, measured) = (figures(page, labels), figures(results, 0));
    let title = page.lines().next().unwrap();
    assert!(shown.len() >= 4, "{title}: {shown:?}");
    let stale: Vec<_> = shown.difference(&measured).collect();
    assert!(stale.is_empty(), "{title}: the results do not have {stale:?}");
}

#[test]
fn the_chapter_repeats_the_results() {
    let (page, results) = (read("guide/src/performance.md"), read("benches/RESULTS.md"));
    let ends = ["## ", "### "];
    let part = |name: &str| section(&results, &format!("## {name}"), &["## "]);
    let overview = section(&results, "| task", &["## "]);
    check(section(&page, "## Compared with", &ends), 2, overview);
    check(section(&page, "### Decode", &ends), 1, part("decode\n"));
    check(section(&page, "### Parts of", &ends), 1, part("projection"));
    check(section(&page, "### Records of", &ends), 1, part("flows"));
    check(section(&page, "### Streams with", &ends), 2, part("described"));
    check(section(&page, "### Compile time", &ends), 2, part("compile"));
    check(section(&page, "## Pools", &ends), 1, part("pool\n"));
    let gateway = read("benches/gateway/RESULTS.md");
    check(section(&page, "## JSON over HTTP", &ends), 1, &gateway);
}

#[test]
fn the_readme_repeats_the_results() {
    let (page, results) = (read("README.md"), read("benches/RESULTS.md"));
    let overview = section(&results, "| task", &["## "]);
    let compile = section(&results, "## compile", &["## "]);
    let table = section(&page, "## How fast", &["## "]);
    // Ratios of one digit are those of the results, rounded.
    let exact: BTreeSet<_> = figures(table, 1).into_iter().filter(|figure| figure.len() > 3).collect();
    let rounded: BTreeSet<_> = figures(table, 1).into_iter().filter(|figure| figure.len() == 3).collect();
    let measured: BTreeSet<_> = figures(overview, 0).union(&figures(compile, 0)).cloned().collect();
    assert!(exact.len() >= 5 && rounded.len() >= 3, "{exact:?}, {rounded:?}");
    assert!(exact.is_subset(&measured), "{:?}", exact.difference(&measured));
    let round = |figure: &String| format!("{:.1}", figure.parse::<f64>().unwrap());
    let measured: BTreeSet<_> = measured.iter().map(round).collect();
    assert!(rounded.is_subset(&measured), "{:?}", rounded.difference(&measured));
}

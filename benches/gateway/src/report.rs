//! The results of a run in `RESULTS.md`.

use std::process::Command;

use crate::Error;

const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/RESULTS.md");

/// Replaces the last text of its kind.
///
/// # Errors
/// The file cannot be read or written, or has no section for it.
pub fn keep(kind: &str, text: &str) -> Result<(), Error> {
    let results = std::fs::read_to_string(RESULTS).map_err(|error| format!("{RESULTS}: {error}"))?;
    std::fs::write(RESULTS, put(&results, kind, text)?).map_err(|error| format!("{RESULTS}: {error}"))?;
    Ok(())
}

/// Puts a text between the marks of its kind.
fn put(results: &str, kind: &str, text: &str) -> Result<String, Error> {
    let (begin, end) = (format!("<!-- begin: {kind} -->"), format!("<!-- end: {kind} -->"));
    let missing = |mark: &str| format!("RESULTS.md has no {mark}");
    let (head, rest) = results.split_once(&begin).ok_or_else(|| missing(&begin))?;
    let (_, tail) = rest.split_once(&end).ok_or_else(|| missing(&end))?;
    Ok(format!("{head}{begin}\n{}\n{end}{tail}", text.trim()))
}

/// The date, the processor, and the versions of the programs.
pub fn machine() -> String {
    let told = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    let cpu = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split(':').nth(1)?.trim().to_owned())
    });
    let cores = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cores = cores.lines().filter(|line| line.starts_with("processor")).count();
    let mut parts = vec![told("date", &["-u", "+%Y-%m-%d"]).unwrap_or_default()];
    parts.push(format!("{} with {cores} processors", cpu.unwrap_or_else(|| "a machine".to_owned())));
    parts.extend(told("rustc", &["--version"]));
    parts.extend(told("go", &["version"]).map(|text| text.replace("go version ", "")));
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::put;

    #[test]
    fn a_text_takes_the_place_of_the_last_one() {
        let results = "A\n<!-- begin: x -->\nold\n<!-- end: x -->\nB\n";
        let new = put(results, "x", "new\n\n").unwrap();
        assert_eq!(new, "A\n<!-- begin: x -->\nnew\n<!-- end: x -->\nB\n");
        assert_eq!(put(&new, "x", "old").unwrap(), results);
        assert_eq!(put(results, "y", "").unwrap_err().to_string(), "RESULTS.md has no <!-- begin: y -->");
    }
}

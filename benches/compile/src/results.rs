//! What is kept of a run in `benches/RESULTS.md`.

use crate::Outcome;
use std::process::Command;

const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../RESULTS.md");
const BEGIN: &str = "<!-- begin: compile -->";
const END: &str = "<!-- end: compile -->";

/// Puts a text between the markers, replacing the last one.
pub fn write(text: &str) -> Outcome<()> {
    let results = std::fs::read_to_string(RESULTS).map_err(|error| format!("{RESULTS}: {error}"))?;
    std::fs::write(RESULTS, put(&results, text)?).map_err(|error| format!("{RESULTS}: {error}"))?;
    println!("wrote benches/RESULTS.md");
    Ok(())
}

/// The date, the processor, and the compiler.
pub fn machine() -> String {
    let output = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output();
        output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
    };
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or(std::env::consts::ARCH, |(_, name)| name);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{}, {cores} cores of {model}, {}",
        output("date", &["-u", "+%Y-%m-%d"]),
        output("rustc", &["--version"])
    )
}

/// Name and version of each library, from the lock file.
pub fn versions() -> String {
    const SHOWN: &[&str] = &["buffa", "pbjson", "prost", "protox", "tobu"];
    let lock = include_str!("../Cargo.lock");
    let packages = lock.split("[[package]]").filter_map(|package| {
        let field = |key: &str| Some(package.split_once(&format!("\n{key} = \""))?.1.split_once('"')?.0);
        Some((field("name")?, field("version")?))
    });
    let shown = packages.filter(|(name, _)| SHOWN.contains(name));
    shown.map(|(name, version)| format!("{name} {version}")).collect::<Vec<_>>().join(", ")
}

fn put(results: &str, text: &str) -> Outcome<String> {
    let missing = |marker: &str| format!("RESULTS.md has no {marker}");
    let (head, rest) = results.split_once(BEGIN).ok_or_else(|| missing(BEGIN))?;
    let (_, tail) = rest.split_once(END).ok_or_else(|| missing(END))?;
    Ok(format!("{head}{BEGIN}\n{}\n{END}{tail}", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::put;

    #[test]
    fn a_text_replaces_the_last_one() {
        let results = "A\n<!-- begin: compile -->\nold\n<!-- end: compile -->\nB\n";
        let new = put(results, "new\n\n").unwrap();
        assert_eq!(new, "A\n<!-- begin: compile -->\nnew\n<!-- end: compile -->\nB\n");
        assert_eq!(put(&new, "old").unwrap(), results);
        assert_eq!(put("A", "").unwrap_err().to_string(), "RESULTS.md has no <!-- begin: compile -->");
    }
}

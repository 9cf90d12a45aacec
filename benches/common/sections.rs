//! The sections of `benches/RESULTS.md` that separate programs write, between markers.

use std::error::Error;
use std::path::Path;
use std::process::Command;

/// Puts a section there, replacing the last one of its name, or at the end.
pub fn write(name: &str, text: &str) -> Result<(), Box<dyn Error>> {
    // The benchmarks are in folders of different depth.
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1);
    let path =
        folders.map(|folder| folder.join("RESULTS.md")).find(|path| path.exists()).ok_or("no RESULTS.md")?;
    let results = std::fs::read_to_string(&path)?;
    std::fs::write(&path, put(&results, name, text))?;
    println!("wrote the section {name} of benches/RESULTS.md");
    Ok(())
}

/// All sections of a text.
#[allow(dead_code, reason = "for the program that writes what is before them")]
pub fn all(results: &str) -> &str {
    results.find("<!-- begin: ").map_or("", |start| &results[start..])
}

/// The date, the processor, and the compiler.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (date, rustc) = (output("date", &["-u", "+%Y-%m-%d"]), output("rustc", &["--version"]));
    format!("{date}, {cores} cores of {}, {rustc}", processor())
}

pub fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.to_owned())
}

/// The output of a program, or an empty string.
pub fn output(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

fn put(results: &str, name: &str, text: &str) -> String {
    let (begin, end) = (format!("<!-- begin: {name} -->"), format!("<!-- end: {name} -->"));
    let section = format!("{begin}\n{}\n{end}", text.trim());
    match results.split_once(&begin).and_then(|(head, rest)| Some((head, rest.split_once(&end)?.1))) {
        Some((head, tail)) => format!("{head}{section}{tail}"),
        None => format!("{}\n\n{section}\n", results.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::{all, put};

    #[test]
    fn a_text_replaces_the_last_one() {
        let results = "A\n<!-- begin: compile -->\nold\n<!-- end: compile -->\nB\n";
        let new = put(results, "compile", "new\n\n");
        assert_eq!(new, "A\n<!-- begin: compile -->\nnew\n<!-- end: compile -->\nB\n");
        assert_eq!(put(&new, "compile", "old"), results);
        let both = put("A\n", "flows", "new");
        assert_eq!(both, "A\n\n<!-- begin: flows -->\nnew\n<!-- end: flows -->\n");
        assert_eq!(all(&both), &both[3..]);
        assert_eq!(all("A\n"), "");
    }
}

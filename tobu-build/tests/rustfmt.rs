//! rustfmt finds nothing to change in what is generated, where it is at hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tobu_build::{Config, Views};

/// The Rust files of a directory.
fn sources(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|end| end == "rs")).collect();
    files.sort();
    files
}

/// What rustfmt says with its default settings; nothing where it is not installed.
fn check(config: &Path, files: &[PathBuf]) -> Option<(bool, String)> {
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--check", "--edition", "2024", "--config-path"]).arg(config).args(files);
    let output = rustfmt.output().ok().filter(|output| output.status.code() != Some(127))?;
    let text = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
}

#[test]
fn generated_files_are_left_as_they_are() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rustfmt");
    let _ = fs::remove_dir_all(&out);
    fs::create_dir_all(&out).unwrap();
    let config = out.join("rustfmt.toml");
    fs::write(&config, "").unwrap();
    let badly_formatted = out.join("bad.rs");
    fs::write(&badly_formatted, "pub fn  main( ) {}\n").unwrap();
    let Some((is_clean, text)) = check(&config, std::slice::from_ref(&badly_formatted)) else {
        eprintln!("rustfmt is not installed: what it finds in generated files was not checked");
        return;
    };
    assert!(!is_clean && text.contains("pub fn main() {}"), "{text}");
    fs::remove_file(badly_formatted).unwrap();

    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    Config::new()
        .out_dir(&out)
        .rerun_if_changed(false)
        .file_per_package(true)
        .views(Views::Both)
        .accessors(true)
        .client(true)
        .server(true)
        .compile(
            &["extensions.proto", "options.proto", "services.proto"].map(|name| golden.join(name)),
            &[&golden],
        )
        .unwrap();
    let mut files = sources(&golden);
    files.extend(sources(&out));
    let (is_clean, text) = check(&config, &files).unwrap();
    assert!(is_clean, "{text}");
}

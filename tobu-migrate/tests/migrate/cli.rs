//! The program itself: its arguments, what it prints, and its status.

use std::fs;
use std::path::{Path, PathBuf};

use tobu_build::Config;

use crate::directory;

/// A directory of a test with descriptors and a crate of one file.
fn prepared(name: &str, main: &str) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("migrate").join(name);
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(root.join("crate/src")).unwrap();
    fs::write(root.join("crate/Cargo.toml"), "").unwrap();
    fs::write(root.join("crate/src/main.rs"), main).unwrap();
    let proto = directory().join("proto");
    let mut config = Config::new();
    config.out_dir(&root).rerun_if_changed(false).descriptor_set_path(root.join("set.fds"));
    config.compile(&[proto.join("library.proto")], &[proto]).unwrap();
    root
}

/// The status, and what is printed on both outputs, with the directory left out.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> (u8, String, String) {
    let root = root.to_str().unwrap();
    let arguments: Vec<_> = arguments.iter().map(|argument| argument.replace('%', root)).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = tobu_migrate::run(&arguments, &mut out, &mut err).unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap().replace(root, "%");
    (status, text(out), text(err))
}

const MAIN: &str = "\
fn main() {
    let mut book = Book::default();
    book.title = \"Dune\".to_owned();
    // A comment.
    println!(\"{}\", book.title);
    let title = book.title;
    one();
    two();
    three();
    four();
    five();
    six();
    println!(\"{}\", Book::default().pages);
}
";

#[test]
fn prints_a_diff() {
    let root = prepared("diff", MAIN);
    let diff = "\
--- %/crate/src/main.rs
+++ %/crate/src/main.rs
@@ -1,8 +1,8 @@
 fn main() {
     let mut book = Book::default();
-    book.title = \"Dune\".to_owned();
+    book.set_title(\"Dune\".to_owned());
     // A comment.
-    println!(\"{}\", book.title);
+    println!(\"{}\", book.title());
     let title = book.title;
     one();
     two();
@@ -10,5 +10,5 @@
     four();
     five();
     six();
-    println!(\"{}\", Book::default().pages);
+    println!(\"{}\", Book::default().pages());
 }
";
    let report = "\
%/crate/src/main.rs:6:22: red: it is moved out of the message, which must be `mut` then
3 occurrences to rewrite in 1 files (green: 3, yellow: 0, red: 0), 1 left, 0 files failed
";
    let given = ["--descriptors", "%/set.fds", "%/crate"];
    assert_eq!(run(&root, &given), (0, diff.to_owned(), report.to_owned()));
    // What is left of an opaque message does not compile.
    let given = ["--descriptors", "%/set.fds", "--to", "opaque", "%/crate/src/main.rs"];
    assert_eq!(run(&root, &given), (1, diff.to_owned(), report.to_owned()));
    assert_eq!(fs::read_to_string(root.join("crate/src/main.rs")).unwrap(), MAIN);
}

#[test]
fn writes_files() {
    let root = prepared("write", MAIN);
    let given = ["--descriptors", "%/set.fds", "--level", "red", "--write", "--to", "opaque", "%/crate"];
    let report = "4 occurrences rewritten in 1 files (green: 3, yellow: 0, red: 1), 0 left, 0 files failed\n";
    assert_eq!(run(&root, &given), (0, String::new(), report.to_owned()));
    let text = fs::read_to_string(root.join("crate/src/main.rs")).unwrap();
    assert!(text.contains("let title = book.take_title();"), "{text}");
    let report = "0 occurrences rewritten in 0 files (green: 0, yellow: 0, red: 0), 0 left, 0 files failed\n";
    assert_eq!(run(&root, &given), (0, String::new(), report.to_owned()));
}

#[test]
fn says_what_does_not_parse() {
    let root = prepared("broken", "fn main( {}\n");
    let given = ["--descriptors", "%/set.fds", "--write", "%/crate"];
    let (status, out, err) = run(&root, &given);
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(err.starts_with("%/crate/src/main.rs:1:"), "{err}");
    assert!(err.ends_with("0 left, 1 files failed\n"), "{err}");
    assert_eq!(fs::read_to_string(root.join("crate/src/main.rs")).unwrap(), "fn main( {}\n");
}

#[test]
fn checks_its_arguments() {
    let root = prepared("arguments", MAIN);
    let (status, help, err) = run(&root, &["--help"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(help.starts_with("Rewrites a Rust crate"), "{help}");
    for (given, message) in [
        (&["%/crate"] as &[_], "--descriptors is missing"),
        (&["--descriptors", "%/set.fds"], "there is no crate and no file"),
        (&["--descriptors"], "--descriptors has no value"),
        (&["--level", "blue"], "--level is green, yellow or red, and not \"blue\""),
        (&["--to", "closed"], "--to is hybrid or opaque, and not \"closed\""),
        (&["--force"], "there is no option --force"),
    ] {
        let (status, out, err) = run(&root, given);
        assert_eq!((status, out, err), (2, String::new(), format!("tobu-migrate: {message}\n\n{help}\n")));
    }
    let (status, _, err) = run(&root, &["--descriptors", "%/none.fds", "%/crate"]);
    assert_eq!(status, 2);
    assert!(err.starts_with("tobu-migrate: %/none.fds: "), "{err}");
    let given = ["--descriptors", "%/set.fds", "--setting", "colour=red", "%/crate"];
    let message = "tobu-migrate: the setting \"colour=red\" is not valid: there is no setting of this name\n";
    assert_eq!(run(&root, &given), (2, String::new(), message.to_owned()));
}

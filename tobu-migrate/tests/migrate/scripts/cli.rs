//! `tobu-migrate build-script`: its arguments, what it prints, and its status.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::run;

/// A directory of a test with a copy of the script and the dependencies of `examples/migrate/route_guide/before`.
fn prepared(name: &str) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("build-script").join(name);
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(&root).unwrap();
    let before = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/migrate/route_guide/before");
    for file in ["build.rs", "Cargo.toml"] {
        fs::copy(before.join(file), root.join(file)).unwrap();
    }
    root
}

const SCRIPT: &str = "\
--- %/build.rs
+++ %/build.rs
@@ -1,6 +1,5 @@
 fn main() -> Result<(), Box<dyn std::error::Error>> {
     // protox replaces protoc, which prost-build would otherwise need.
-    let files = protox::compile([\"proto/route_guide.proto\"], [\"proto\"])?;
-    tonic_prost_build::configure().compile_fds(files)?;
+    tobu_build::Config::new().build_client(true).build_server(true).compile_protos(&[\"proto/route_guide.proto\"], &[\"proto\"])?;
     Ok(())
 }
";

const MANIFEST: &str = "\
--- %/Cargo.toml
+++ %/Cargo.toml
@@ -11,14 +11,13 @@
 [workspace]
 
 [dependencies]
-prost = \"0.14\"
+tobu = \"0.2\"
 serde = { version = \"1\", features = [\"derive\"] }
 serde_json = \"1\"
 tokio = { version = \"1\", features = [\"macros\", \"net\", \"rt-multi-thread\", \"sync\"] }
 tokio-stream = { version = \"0.1\", features = [\"net\"] }
 tonic = \"0.14\"
-tonic-prost = \"0.14\"
+tobu-tonic = { version = \"0.2\", features = [\"channel\"] }
 
 [build-dependencies]
-protox = \"0.10\"
-tonic-prost-build = \"0.14\"
+tobu-build = \"0.2\"
";

const NOTE: &str = "%/build.rs:4:36: note: all packages are in one file, `tobu.rs`: include it once, by `tobu::include_proto!()`\n";

#[test]
fn prints_a_diff() {
    let root = prepared("diff");
    let diff = format!("{SCRIPT}{MANIFEST}");
    let report = format!("{NOTE}2 files to rewrite, 0 left, 1 notes, 0 files failed\n");
    for given in [
        &["build-script", "%/build.rs"] as &[_],
        &["build-script", "%"],
        &["build-script", "%/build.rs", "%/Cargo.toml"],
    ] {
        assert_eq!(run(&root, given), (0, diff.clone(), report.clone()));
    }
    fs::remove_file(root.join("Cargo.toml")).unwrap();
    let report = report.replace("2 files", "1 files");
    assert_eq!(run(&root, &["build-script", "%"]), (0, SCRIPT.to_owned(), report));
}

/// Generated code that is in git is written by a test or a program of the crate.
#[test]
fn finds_the_manifest_above_src_and_tests() {
    let root = prepared("above");
    for directory in ["src/bin", "tests"] {
        let script = root.join(directory).join("generate.rs");
        fs::create_dir_all(script.parent().unwrap()).unwrap();
        fs::copy(root.join("build.rs"), script).unwrap();
        let (status, diff, report) = run(&root, &["build-script", &format!("%/{directory}/generate.rs")]);
        assert_eq!(
            (status, diff),
            (0, SCRIPT.replace("build.rs", &format!("{directory}/generate.rs")) + MANIFEST)
        );
        assert!(report.ends_with("2 files to rewrite, 0 left, 1 notes, 0 files failed\n"), "{report}");
    }
}

#[test]
fn writes_files() {
    let root = prepared("write");
    let report = format!("{NOTE}2 files rewritten, 0 left, 1 notes, 0 files failed\n");
    let given = ["build-script", "--write", "%/build.rs"];
    assert_eq!(run(&root, &given), (0, String::new(), report));
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    assert!(manifest.ends_with("[build-dependencies]\ntobu-build = \"0.2\"\n"), "{manifest}");
    let report = "0 files rewritten, 0 left, 0 notes, 0 files failed\n";
    assert_eq!(run(&root, &given), (0, String::new(), report.to_owned()));
}

#[test]
fn says_what_is_left() {
    let root = prepared("left");
    let text =
        "fn main() {\n    tonic_build::configure().use_arc_self(true).compile_protos(f, i).unwrap();\n}\n";
    fs::write(root.join("build.rs"), text).unwrap();
    let (status, _, report) = run(&root, &["build-script", "%"]);
    let wanted = "\
%/build.rs:2:30: by hand: `use_arc_self`: methods of servers take `&self`: remove it
%/build.rs:2:49: note: all packages are in one file, `tobu.rs`: include it once, by `tobu::include_proto!()`
2 files to rewrite, 1 left, 1 notes, 0 files failed
";
    assert_eq!((status, report.as_str()), (1, wanted));
    // Neither of two files is written if one does not parse.
    fs::write(root.join("build.rs"), "fn main( {}\n").unwrap();
    let before = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let (status, out, report) = run(&root, &["build-script", "--write", "%"]);
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(report.ends_with("0 files rewritten, 0 left, 0 notes, 1 files failed\n"), "{report}");
    assert_eq!(fs::read_to_string(root.join("Cargo.toml")).unwrap(), before);
}

#[test]
fn checks_its_arguments() {
    let root = prepared("arguments");
    let (status, help, err) = run(&root, &["build-script", "--help"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(help.starts_with("Rewrites a build script"), "{help}");
    for (given, message) in [
        (&["build-script"] as &[_], "there is no build script"),
        (&["build-script", "--force", "%"], "there is no option --force"),
        (&["build-script", "a", "b", "c"], "there is more than a build script and its Cargo.toml"),
    ] {
        assert_eq!(run(&root, given), (2, String::new(), format!("tobu-migrate: {message}\n\n{help}\n")));
    }
    let (status, _, err) = run(&root, &["build-script", "%/none.rs"]);
    assert_eq!(status, 2);
    assert!(err.starts_with("tobu-migrate: %/none.rs: "), "{err}");
}

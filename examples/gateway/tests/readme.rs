//! The lines that the README and the guide show, run as they stand, where there are curl and grpcurl.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

const OWN: &str = include_str!("../README.md");
const GUIDE: &str = include_str!("../../../guide/src/http.md");
/// Where they let the program listen.
const SHOWN: &str = "127.0.0.1:8080";

/// The program, until this is dropped.
struct Gateway {
    child: Child,
    address: String,
}

impl Gateway {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gateway"))
            .args(["--address", "127.0.0.1:0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening on ").and_then(|rest| rest.split(',').next()).unwrap();
        Gateway { address: address.to_owned(), child }
    }

    /// Runs a line of theirs, to this program.
    fn run(&self, line: &str, tail: &str) -> String {
        let line = line.replace(SHOWN, &self.address);
        let Output { status, stdout, stderr } =
            Command::new("sh").args(["-c", &format!("{line}{tail}")]).output().unwrap();
        let (said, wrong) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
        assert!(status.success(), "{line}: {said}{wrong}");
        said
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A program on the path, or a word about it.
fn find(name: &str) -> Option<PathBuf> {
    let named = std::env::var_os(name.to_uppercase()).map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut candidates = named.into_iter().chain(std::env::split_paths(&path).map(|path| path.join(name)));
    let found = candidates.find(|candidate| candidate.is_file());
    if found.is_none() {
        eprintln!("skipped: there is no {name} on this machine");
    }
    found
}

/// The library alone, and with a proxy in front of it.
fn fronts(check: impl Fn(&Gateway)) {
    check(&Gateway::start(&[]));
    let library = Gateway::start(&[]);
    check(&Gateway::start(&["--proxy", &format!("http://{}", library.address)]));
}

#[test]
fn lines_for_curl() {
    if find("curl").is_none() {
        return;
    }
    let lines: Vec<&str> =
        OWN.lines().filter(|line| line.starts_with("curl ") && line.contains(SHOWN)).collect();
    assert_eq!(lines.len(), 16);
    fronts(|gateway| {
        for line in &lines {
            let said = gateway.run(line, " -sS -w '\n%{http_code}'");
            assert_eq!(said.lines().last(), Some("200"), "{line}: {said}");
        }
    });
}

#[test]
fn lines_for_curl_with_what_they_give() {
    if find("curl").is_none() {
        return;
    }
    // The block that starts the program: a line, and what it gives.
    let block =
        GUIDE.split("$ cargo run -p gateway\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let mut talk: Vec<(&str, String)> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), talk.last_mut()) {
            (Some(line), _) => talk.push((line, String::new())),
            (None, Some((_, given))) => *given += &format!("{line}\n"),
            (None, None) => panic!("{line:?} comes of nothing"),
        }
    }
    assert_eq!(talk.len(), 5);
    fronts(|gateway| {
        for (line, given) in &talk {
            let said = gateway.run(line, " -sS");
            match line.ends_with("/openapi.json") {
                // Too long to be shown, and in an order that depends on how `serde_json` was built.
                true => {
                    let parts =
                        [r#""openapi":"3.1.0""#, r#""title":"library.v1.Library""#, r#""/v1/shelves":{"#];
                    assert!(said.starts_with('{') && parts.iter().all(|part| said.contains(part)), "{said}");
                }
                false => assert_eq!(said.trim_end(), given.trim_end(), "{line}"),
            }
        }
    });
}

#[test]
fn lines_for_grpcurl() {
    let Some(program) = find("grpcurl") else { return };
    let lines: Vec<&str> = OWN.lines().filter_map(|line| line.strip_prefix("$ grpcurl ")).collect();
    let shelf = r#"{"shelf":{"name":"shelves/fiction"}}"#;
    let book = r#"{"parent":"shelves/fiction","bookId":"emma","book":{"title":"Emma"}}"#;
    let wanted = [
        "grpc.reflection.v1.ServerReflection\ngrpc.reflection.v1alpha.ServerReflection\nlibrary.v1.Library\n",
        "library.v1.Library is a service:\n// Shelves and their books.\nservice Library {\n",
        "{\n  \"name\": \"shelves/fiction/books/emma\",\n  \"title\": \"Emma\"\n}\n",
    ];
    assert_eq!(lines.len(), wanted.len());
    fronts(|gateway| {
        let run = |line: &str| gateway.run(&format!("'{}' {line}", program.display()), "");
        run(&format!("-plaintext -d '{shelf}' {SHOWN} library.v1.Library/CreateShelf"));
        run(&format!("-plaintext -d '{book}' {SHOWN} library.v1.Library/CreateBook"));
        for (line, wanted) in lines.iter().zip(wanted) {
            let said = run(line);
            assert!(said.starts_with(wanted), "{line}: {said}");
        }
    });
}

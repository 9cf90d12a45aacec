//! The programs as they are run, for some seconds.

use std::process::{Command, Output};

fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// 20,000 requests are enough for each of the faults behind the proxy.
#[test]
fn no_answer_is_lost() {
    let done = run(env!("CARGO_BIN_EXE_soak"), &["--requests", "20000", "--seconds", "300"]);
    assert_eq!((text(&done.stderr), done.status.code()), ("", Some(0)), "{}", text(&done.stdout));
    let told = text(&done.stdout);
    assert!(told.contains("20000 of 20000 requests"), "{told}");
    assert!(told.contains("0 answers were wrong or missing"), "{told}");
    assert_eq!(told.lines().last(), Some("Everything is as it should be."));
}

#[test]
fn everyone_answers_the_same() {
    let program = env!("CARGO_BIN_EXE_race");
    let done = run(program, &["--rounds", "1", "--seconds", "0.2", "--connections", "4"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let told = text(&done.stdout);
    for heading in [
        "### one book: 173 bytes of JSON, 4 connections",
        "### 20 books: 5531 bytes of JSON, 4 connections",
        "### 20 books both ways: 5531 bytes of JSON, 4 connections",
        "### one book: 173 bytes of JSON, 1 connection\n",
    ] {
        assert!(told.contains(heading), "{heading} is missing:\n{told}");
    }
    for name in [
        "gRPC, natively",
        "REST, tobu in the process",
        "REST, tobu as a proxy",
        "Connect, tobu in the process",
        "Connect, connect-rust in the process",
        "Connect, tobu as a proxy",
    ] {
        let rates = told.lines().filter_map(|line| line.strip_prefix(&format!("| {name} | ")));
        let rates: Vec<f64> =
            rates.map(|line| line.split(' ').next().unwrap_or_default().parse().unwrap()).collect();
        assert_eq!((rates.len(), rates.iter().all(|rate| *rate > 0.0)), (4, true), "{name}: {rates:?}");
    }
    assert!(text(&done.stderr).starts_with(
        "grpc-gateway does not take part: no program was given\nvanguard-go does not take part: no program was given\n"
    ));
}

#[test]
fn tell_people_what_is_wrong() {
    for (program, argument, wanted) in [
        (env!("CARGO_BIN_EXE_race"), "--port", "there is no argument \"--port\""),
        (env!("CARGO_BIN_EXE_race"), "--rounds", "--rounds needs a value"),
        (env!("CARGO_BIN_EXE_soak"), "--port", "there is no argument \"--port\""),
        (env!("CARGO_BIN_EXE_soak"), "--seconds", "--seconds needs a value"),
        (env!("CARGO_BIN_EXE_plugin"), "x", "usage: plugin PROGRAM PARAMETER DIRECTORY"),
    ] {
        let done = run(program, &[argument]);
        assert_eq!(text(&done.stderr).lines().next(), Some(wanted));
        assert!(!done.status.success());
    }
}

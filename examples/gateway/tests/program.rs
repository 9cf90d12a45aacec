//! The program as it is run.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gateway")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn plays_all_requests() {
    let done = run(&["--smoke"]);
    assert_eq!((text(&done.stderr), done.status.code()), ("", Some(0)));
    let last = text(&done.stdout).lines().last();
    assert_eq!(last, Some("Everything is as it should be."));
}

#[test]
fn tells_people_what_is_wrong() {
    let done = run(&["--address", "nowhere"]);
    assert_eq!((text(&done.stderr), done.status.code()), ("nowhere: invalid socket address\n", Some(1)));
    let done = run(&["--port", "80"]);
    let first = text(&done.stderr).lines().next();
    assert_eq!((first, done.status.code()), (Some("there is no argument \"--port\""), Some(2)));
}

/// Starts, serves, and ends when it is asked to.
#[cfg(unix)]
#[test]
fn ends_with_an_interrupt() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    use std::process::Stdio;

    let mut server = Command::new(env!("CARGO_BIN_EXE_gateway"))
        .args(["--address", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("listening on ").and_then(|rest| rest.split(',').next()).unwrap();
    let mut client = TcpStream::connect(address).unwrap();
    client.write_all(b"GET /v1/shelves HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    client.read_to_string(&mut answer).unwrap();
    assert_eq!(answer.lines().next(), Some("HTTP/1.1 200 OK"));
    assert_eq!(answer.lines().last(), Some("{}"));

    let id = server.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let done = server.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(0));
    // Times differ: the log is compared without them.
    let log = text(&done.stderr);
    let words = log.lines().map(|line| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" "));
    let words: Vec<_> =
        words.map(|line| line.split(" time=").next().unwrap_or_default().to_owned()).collect();
    let wanted = [
        r#"INFO request{method=GET path="/v1/shelves" route="/v1/shelves"}: answered status=200"#,
        "INFO stopping: waiting for requests to end",
    ];
    assert_eq!(words, wanted);
}

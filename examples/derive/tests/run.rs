//! The example runs to its end: it checks what it does by itself.

#[test]
fn it_runs() {
    let output =
        std::process::Command::new(env!("CARGO_BIN_EXE_example-derive")).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert_eq!(printed.lines().next(), Some("41 bytes"));
}

//! The example runs to its end: it checks what it does by itself.

#[test]
fn it_runs() {
    let program = env!("CARGO_BIN_EXE_example-migrate-route-guide");
    let output = std::process::Command::new(program).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert_eq!(
        printed,
        "Stone bridge is at 413628156\nin the area: Orchard Lake, The old mill\n\
         3 points, 2 features, 18433 m\n3 notes came back\n"
    );
}

//! What the derives say about mistakes: every file in `ui/` fails to build, with exactly the messages next to it.

#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}

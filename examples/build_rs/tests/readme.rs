//! The quick start of the README is this crate.

#[test]
fn the_readme_shows_these_files() {
    let readme = include_str!("../../../README.md");
    let files = [
        ("proto", include_str!("../proto/library/v1/book.proto")),
        ("rust,ignore", include_str!("../build.rs")),
        ("rust,ignore", include_str!("../src/main.rs")),
    ];
    for (language, file) in files {
        let block = format!("```{language}\n{file}```\n");
        assert!(readme.contains(&block), "the README has not this block:\n{block}");
    }
}

/// A reader of the README keeps the program when the guide adds fields to its message.
#[test]
fn the_book_of_the_guide_has_these_fields() {
    let guide = include_str!("../../../guide/proto/library/v1/book.proto");
    let guide: Vec<&str> = guide.lines().map(str::trim).collect();
    let quick_start = include_str!("../proto/library/v1/book.proto");
    let missing: Vec<_> = quick_start.lines().map(str::trim).filter(|line| !guide.contains(line)).collect();
    assert!(missing.is_empty(), "the guide's schema lacks {missing:?}");
}

#[test]
fn it_prints_what_the_readme_says() {
    let output =
        std::process::Command::new(env!("CARGO_BIN_EXE_example-build-rs")).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(
        include_str!("../../../README.md").contains(&format!("$ cargo run\n{printed}```\n")),
        "the README does not show what is printed:\n{printed}"
    );
}

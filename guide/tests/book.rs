//! The book as a whole: its table of contents, its links, and the blocks that are not Rust.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A fenced block of a chapter.
struct Block {
    chapter: String,
    line: usize,
    language: String,
    text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names and texts of the chapters, without the table of contents.
fn chapters() -> Vec<(String, String)> {
    let mut chapters: Vec<_> = fs::read_dir(root().join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| {
            (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap())
        })
        .filter(|(name, _)| name != "SUMMARY.md")
        .collect();
    chapters.sort();
    chapters
}

fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    for (chapter, text) in chapters() {
        let mut open: Option<Block> = None;
        for (index, line) in text.lines().enumerate() {
            match (line.strip_prefix("```"), &mut open) {
                (Some(""), Some(_)) => blocks.extend(open.take()),
                (Some(language), None) => {
                    let (chapter, line) = (chapter.clone(), index + 1);
                    open = Some(Block { chapter, line, language: language.to_owned(), text: String::new() });
                }
                (None, Some(block)) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
                (None, None) => {}
                (Some(_), Some(block)) => panic!("{chapter}:{}: a fence inside a block", block.line),
            }
        }
        assert!(open.is_none(), "{chapter}: a block is not closed");
    }
    blocks
}

/// The headings of a text as links to them end, `## The build script` as `the-build-script`.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let headings = text.lines().filter(|line| {
        fenced ^= line.starts_with("```");
        !fenced && line.starts_with('#')
    });
    headings
        .map(|heading| {
            let title = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

/// The targets of the links of a text: `[text](target)`.
fn links(text: &str) -> Vec<&str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect()
}

#[test]
fn every_chapter_is_listed_and_tested() {
    let summary = fs::read_to_string(root().join("src/SUMMARY.md")).unwrap();
    let library = fs::read_to_string(root().join("lib.rs")).unwrap();
    let listed: Vec<String> = links(&summary).into_iter().map(str::to_owned).collect();
    let files: Vec<String> = chapters().into_iter().map(|(name, _)| name).collect();
    assert_eq!(BTreeSet::from_iter(&listed), BTreeSet::from_iter(&files));
    assert_eq!(listed.len(), files.len(), "a chapter is listed twice");
    for file in &files {
        assert!(library.contains(&format!("include_str!(\"src/{file}\")")), "lib.rs does not include {file}");
    }
}

#[test]
fn links_lead_somewhere() {
    let chapters = chapters();
    for (name, text) in &chapters {
        for link in links(text).into_iter().filter(|link| !link.starts_with("http")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { name } else { file };
            let Some((_, target)) = chapters.iter().find(|(other, _)| other == target) else {
                panic!("{name}: there is no chapter {link}");
            };
            assert!(
                anchor.is_empty() || anchors(target).contains(anchor),
                "{name}: there is no heading {link}"
            );
        }
        // Links to files of the repository.
        for link in links(text) {
            let path = link.strip_prefix("https://github.com/tobu-rs/tobu/blob/main/");
            let path = path.or_else(|| link.strip_prefix("https://github.com/tobu-rs/tobu/tree/main/"));
            let exists = |path: &str| root().join("..").join(path).exists();
            assert!(path.is_none_or(exists), "{name}: the repository has no {link}");
        }
    }
}

#[test]
fn links_of_other_documents_lead_somewhere() {
    let repository = root().join("..");
    let documents = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "DESIGN.md", "SECURITY.md"];
    let notes = ["notes/claims.md", "notes/questions.md"];
    let mut count = 0;
    for document in documents.into_iter().chain(notes) {
        let path = repository.join(document);
        let text = fs::read_to_string(&path).unwrap();
        for link in links(&text).into_iter().filter(|link| !link.starts_with("http")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(target.exists(), "{document}: there is no file {link}");
            let has_heading = |anchor| anchors(&fs::read_to_string(&target).unwrap()).contains(anchor);
            assert!(anchor.is_empty() || has_heading(anchor), "{document}: there is no heading {link}");
            count += 1;
        }
    }
    assert!(count > 30, "{count} links were found");
}

#[test]
fn blocks_are_of_known_languages() {
    // A block without a language would be taken for Rust by rustdoc, and be no code to mdbook.
    let known = ["rust", "rust,no_run", "proto", "text", "console", "toml", "yaml", "diff"];
    for Block { chapter, line, language, .. } in blocks() {
        let is_known = known.contains(&&*language) || language.starts_with("rust,compile_fail,E");
        assert!(is_known, "{chapter}:{line}: a block of {language:?}");
    }
}

/// The error codes of blocks that do not compile are checked by rustdoc where the compiler is a nightly one.
#[test]
fn errors_are_shown_after_what_causes_them() {
    let blocks = blocks();
    let mut count = 0;
    for pair in blocks.windows(2) {
        if let Some(code) = pair[0].language.strip_prefix("rust,compile_fail,") {
            let Block { chapter, line, language, text } = &pair[1];
            let is_shown = language == "text" && text.starts_with(&format!("error[{code}]: "));
            assert!(is_shown, "{chapter}:{line}: this should be the error {code} of the block before");
            count += 1;
        }
    }
    assert!(count >= 7, "{count} errors");
}

#[test]
fn schemas_compile() {
    let schemas: Vec<Block> = blocks().into_iter().filter(|block| block.language == "proto").collect();
    assert!(schemas.len() >= 4, "{} schemas", schemas.len());
    for Block { chapter, line, text, .. } in schemas {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("shown.proto");
        fs::write(&file, text).unwrap();
        let includes: [PathBuf; 3] =
            [directory.path().to_owned(), root().join("proto"), root().join("../examples/gateway/proto")];
        let compiled = tobu_build::Config::new()
            .rerun_if_changed(false)
            .out_dir(directory.path())
            .compile(&[&file], &includes);
        if let Err(error) = compiled {
            panic!("{chapter}:{line}: {error}");
        }
    }
}

#[test]
fn the_schemas_of_the_guide_are_those_of_its_examples() {
    let shown = |chapter: &str| {
        let block = blocks().into_iter().find(|block| block.chapter == chapter && block.language == "proto");
        block.unwrap().text
    };
    for (chapter, file) in [("start.md", "book.proto"), ("http.md", "library.proto")] {
        let used = fs::read_to_string(root().join("proto/library/v1").join(file)).unwrap();
        assert_eq!(shown(chapter), used, "{chapter}");
    }
}

//! The verbs of the compiler: what goes in, and what comes out.

use std::fs;
use std::path::{Path, PathBuf};

use tobu_schema::Pool;
use tobu_schema::source::{Compiler, Severity};

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("source").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(path.join("inner")).unwrap();
    path
}

#[test]
fn files_are_found_in_the_order_of_the_directories() {
    let path = scratch("order");
    fs::write(path.join("a.proto"), "syntax = \"proto3\"; import \"b.proto\"; message A { B b = 1; }")
        .unwrap();
    fs::write(path.join("inner/b.proto"), "syntax = \"proto3\"; message B {}").unwrap();
    let mut compiler = Compiler::new();
    compiler.include(&path).include(path.join("inner"));
    let compiled = compiler.compile(&[path.join("a.proto")]).unwrap();
    assert_eq!(compiled.files(), ["a.proto"]);
    assert_eq!(compiled.read(), [path.join("a.proto"), path.join("inner/b.proto")]);
    let names: Vec<_> = compiled.pool().files().map(|file| file.name().to_owned()).collect();
    assert_eq!(names, ["b.proto", "a.proto"]);
    // A path relative to an include directory will do, and a source in memory goes first.
    compiler.source("b.proto", "syntax = \"proto3\"; message B { int32 x = 1; }");
    let compiled = compiler.compile(&["a.proto"]).unwrap();
    assert_eq!(compiled.read(), [path.join("a.proto")]);
    assert_eq!(compiled.into_pool().message("B").unwrap().field_count(), 1);
}

#[test]
fn all_errors_of_all_files_are_reported() {
    let a = "syntax = \"proto3\";\nimport \"b.proto\";\nimport \"gone.proto\";\nmessage A {\n\tint32 x 1;\n  \
             bytes y = 2 [nope = 1];\n}\nenum {}\n";
    let b = "syntax = \"proto3\";\nmessage B {\n  Gone gone = 1;\n  string s = 2 [deprecated = 1, lazy = \"é\"];\n  \
             Lost lost = 3;\n}\nservice S { rpc R(Gone) returns (B); }\n";
    let errors = Compiler::new().source("a.proto", a).source("b.proto", b).compile(&["a.proto"]).unwrap_err();
    assert_eq!(
        format!("{errors:?}"),
        "b.proto:3:8: B.gone: type Gone is not declared\n  Gone gone = 1;\n       ^\n\
         b.proto:4:30: expected `true` or `false`, but found `1`\n  string s = 2 [deprecated = 1, lazy = \"é\"];\n                             ^\n\
         b.proto:4:40: expected `true` or `false`, but found `\"é\"`\n  string s = 2 [deprecated = 1, lazy = \"é\"];\n                                       ^\n\
         b.proto:5:8: B.lost: type Lost is not declared\n  Lost lost = 3;\n       ^\n\
         b.proto:7:17: S.R: type Gone is not declared\nservice S { rpc R(Gone) returns (B); }\n                ^\n\
         a.proto:3:1: import 'gone.proto' not found\nimport \"gone.proto\";\n^\n\
         a.proto:5:10: expected `=`, found `1`\n\tint32 x 1;\n\t        ^\n\
         a.proto:8:6: expected the name of an enum, found `{`\nenum {}\n     ^"
    );
}

#[test]
fn warnings_are_of_the_files_that_were_asked_for() {
    let imported = "syntax = \"proto3\"; import \"google/protobuf/any.proto\"; message B {}";
    let mut compiler = Compiler::new();
    compiler.source("b.proto", imported);
    compiler.source("a.proto", "syntax = \"proto3\"; import \"b.proto\"; message A { B b = 1; }");
    assert!(compiler.compile(&["a.proto"]).unwrap().warnings().is_empty());
    let compiled = compiler.compile(&["b.proto"]).unwrap();
    let [warning] = compiled.warnings() else { panic!("{:?}", compiled.warnings()) };
    assert_eq!((warning.severity(), warning.line(), warning.column()), (Severity::Warning, 1, 20));
    assert_eq!(
        format!("{warning:#}"),
        "b.proto:1:20: warning: import \"google/protobuf/any.proto\" is not used\n\
         syntax = \"proto3\"; import \"google/protobuf/any.proto\"; message B {}\n                   ^"
    );
}

#[test]
fn a_long_line_is_cut_in_an_excerpt() {
    let source = format!("syntax = \"proto3\"; {} message {{}} {}", " ".repeat(5_000), "x".repeat(5_000));
    let errors = Pool::from_sources(&[("a.proto", source)]).unwrap_err();
    assert_eq!((errors.list()[0].column(), errors.list()[0].excerpt().chars().count()), (5_029, 121));
}

#[test]
fn errors_are_a_hundred_at_most() {
    let errors =
        Pool::from_sources(&[("a.proto", "message M {} ".repeat(3) + &"? ".repeat(5_000))]).unwrap_err();
    assert_eq!(errors.list().len(), 1, "what cannot be skipped in pieces is one error");
    let errors = Pool::from_sources(&[("a.proto", "message 1; ".repeat(5_000))]).unwrap_err();
    assert_eq!(errors.list().len(), 100);
}

#[test]
fn sources_have_names_of_their_own() {
    let errors = Pool::from_sources(&[("a.proto", ""), ("a.proto", "")]).unwrap_err();
    assert_eq!(errors.to_string(), "a.proto: there are two sources of this name");
    assert_eq!(tobu_schema::Error::from(errors).to_string(), "a.proto: there are two sources of this name");
}

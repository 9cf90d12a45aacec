//! What becomes of the dependencies.

use tobu_migrate::{Source, rewrite_build_script, rewrite_manifest};

const PROST: &str = "fn main() { prost_build::compile_protos(f, i).unwrap(); }";
const TONIC: &str =
    "fn main() { tonic_build::configure().build_transport(true).compile_protos(f, i).unwrap(); }";
const SERVER: &str =
    "fn main() { tonic_build::configure().build_client(false).compile_protos(f, i).unwrap(); }";
const LEFT: &str = "fn main() { prost_build::compile_fds(set).unwrap(); }";

#[track_caller]
fn check(script: &str, before: &str, after: &str, said: &[&str]) {
    let script = rewrite_build_script(&Source::new("build.rs", script));
    let outcome = rewrite_manifest(&Source::new("Cargo.toml", before), &script);
    assert_eq!(outcome.text, after);
    let left = outcome.left.iter().map(ToString::to_string);
    let all: Vec<_> = left.chain(outcome.notes.iter().map(ToString::to_string)).collect();
    assert_eq!(all, said);
    if said.iter().all(|text| !text.contains("by hand")) {
        assert_eq!(rewrite_manifest(&Source::new("Cargo.toml", after), &script).text, after);
    }
}

#[test]
fn dependencies() {
    check(
        PROST,
        "[package]\nname = \"prost\"\n\n[dependencies]\n# Messages.\nprost  = \"0.14\"  # as ever\nprost-types = \"0.14\"\n\n\
         [build-dependencies]\nprost = \"0.14\"\nprost-build = { version = \"0.14\", default-features = false }\n",
        "[package]\nname = \"prost\"\n\n[dependencies]\n# Messages.\ntobu  = \"0.2\"  # as ever\n\n\
         [build-dependencies]\ntobu-build = \"0.2\"\n",
        &[],
    );
    check(
        TONIC,
        "[dependencies]\r\nprost = { version = \"0.14\", features = [\"a\", \"b\"] }\r\ntonic = \"0.14\"\r\ntonic-prost = \"0.14\"\r\n\
         [target.'cfg(unix)'.build-dependencies]\r\nprotox = \"0.9\"\r\nprost-build = \"0.14\"\r\ntonic-prost-build = \"0.14\"",
        "[dependencies]\r\ntobu = \"0.2\"\r\ntonic = \"0.14\"\r\ntobu-tonic = { version = \"0.2\", features = [\"channel\"] }\r\n\
         [target.'cfg(unix)'.build-dependencies]\r\ntobu-build = \"0.2\"\r\n",
        &["2:1: note: `prost`: its features are left out"],
    );
    // Before 0.14, tonic had the codec.
    check(
        SERVER,
        "[dependencies]\ntonic = \"0.12\"\n\n[build-dependencies]\ntonic-build = \"0.12\"\n",
        "[dependencies]\ntonic = \"0.12\"\ntobu-tonic = \"0.2\"\n\n[build-dependencies]\ntobu-build = \"0.2\"\n",
        &["2:1: by hand: `tonic`: `tobu-tonic` needs version 0.14"],
    );
}

#[test]
fn what_is_left() {
    let before = "[features]\ndefault = [\"prost/std\"]\n[dependencies]\nprost.workspace = true\npbjson = \"0.8\"\n\
                  prost-types = { version = \"0.14\", optional = true }\ntobu = \"0.2\"\n[dependencies.tonic-prost]\nversion = \"0.14\"\n\
                  [build-dependencies]\nprost-build = {\n  version = \"0.14\" }\n";
    check(
        PROST,
        before,
        before,
        &[
            "2:1: by hand: a feature names `prost`",
            "4:1: by hand: `prost` is more than a version and features: replace it by `tobu`",
            "6:1: by hand: `prost-types` is more than a version and features: remove it",
            "8:1: by hand: `tonic-prost` has a table of its own: replace it",
            "11:1: by hand: `prost-build` is more than a version and features: replace it by `tobu-build`",
            "5:1: note: `pbjson`: `tobu::json` is for messages of tobu",
        ],
    );
    check(
        LEFT,
        "[build-dependencies]\nprost-build = \"0.14\"\n",
        "[build-dependencies]\ntobu-build = \"0.2\"\nprost-build = \"0.14\"\n",
        &["2:1: by hand: `prost-build`: the build script still names it"],
    );
}

//! The same schema gives the same code and the same descriptors, wherever, whenever and in whatever order it is compiled.

use std::fs;
use std::path::{Path, PathBuf};

use tobu_build::{Config, Views};

/// Which include directory a file is in, its name, and its source. `HTTP` and `Http` are the same name in Rust: one has to give way.
const SOURCES: [(&str, &str, &str); 4] = [
    (
        "own",
        "acme/a.proto",
        r#"syntax = "proto3"; package acme; import "acme/b.proto"; import "other/d.proto"; import "google/protobuf/any.proto";
        // A comment.
        message HTTP { B b = 1; other.D d = 2; map<string, B> by_name = 3; google.protobuf.Any any = 4; }
        service First { rpc Call(HTTP) returns (B); }"#,
    ),
    (
        "own",
        "acme/b.proto",
        r#"syntax = "proto3"; package acme; message B { oneof of { int32 x = 1; string y = 2; } }"#,
    ),
    (
        "own",
        "acme/c.proto",
        r#"syntax = "proto2"; package acme; import "acme/b.proto"; import "other/d.proto";
        message Http { optional B b = 1; extensions 100 to 200; }
        extend Http { optional other.D d = 100; }
        service Second { rpc Call(Http) returns (stream other.D); }"#,
    ),
    (
        "vendor",
        "other/d.proto",
        r#"syntax = "proto3"; package other; message D { enum E { E_NONE = 0; E_SOME = 1; } E e = 1; }"#,
    ),
];

/// What is written for the sources in a directory of this name: the code, and the descriptor set.
fn build(name: &str, files: &[&str], includes: &[&str], of: &Config) -> (String, Vec<u8>) {
    let root = scratch(name);
    for (include, file, source) in SOURCES {
        let path = root.join(include).join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, source).unwrap();
    }
    let find = |file: &&str| {
        let (include, ..) = SOURCES.iter().find(|(_, name, _)| name == file).unwrap();
        root.join(include).join(file)
    };
    let files: Vec<PathBuf> = files.iter().map(find).collect();
    let includes: Vec<PathBuf> = includes.iter().map(|include| root.join(include)).collect();
    let set = root.join("set.binpb");
    let mut config = of.clone();
    config.out_dir(&root).rerun_if_changed(false).descriptor_set_path(&set);
    config.compile(&files, &includes).unwrap();
    let (code, set) = (fs::read_to_string(root.join("tobu.rs")).unwrap(), fs::read(set).unwrap());
    // Nothing says where it was built.
    for place in [root.to_str().unwrap(), "vendor/", env!("CARGO_MANIFEST_DIR")] {
        assert!(!code.contains(place), "{place}");
        assert!(!set.windows(place.len()).any(|bytes| bytes == place.as_bytes()), "{place}");
    }
    (code, set)
}

/// An empty directory.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reproducible").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

const FORWARDS: [&str; 4] = ["acme/a.proto", "acme/b.proto", "acme/c.proto", "other/d.proto"];
const INCLUDES: [&str; 2] = ["own", "vendor"];

#[test]
fn in_any_directory_and_order() {
    let mut plain = Config::new();
    plain.client(true).server(true);
    let mut with_all = plain.clone();
    with_all.views(Views::Both).keep_source_info(true);
    for (kind, config) in [("plain", plain), ("all", with_all)] {
        let (code, set) = build(&format!("{kind}/here"), &FORWARDS, &INCLUDES, &config);
        assert!(code.contains("FILE_ACME_A") && code.contains("Http_"), "{code}");
        let elsewhere = build(&format!("{kind}/else where/deep/er"), &FORWARDS, &INCLUDES, &config);
        assert!(elsewhere == (code.clone(), set), "{kind}: another directory");
        for (n, order) in [[3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]].into_iter().enumerate() {
            let files = order.map(|at| FORWARDS[at]);
            let (other, _) = build(&format!("{kind}/{n}"), &files, &["vendor", "own"], &config);
            assert!(other == code, "{kind}: {files:?}");
        }
    }
}

/// Nor does it matter who runs the plugin.
#[cfg(unix)]
#[test]
fn for_anybody() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use tobu::wire::{Reader, Tag, WireType, Writer};

    let (_, set) = build("plugin", &FORWARDS, &INCLUDES, &Config::new());
    let mut request = Writer::new();
    let mut put = |number, bytes: &[u8]| {
        request.tag(Tag::new(number, WireType::Len));
        request.len_prefixed(bytes);
    };
    FORWARDS.iter().for_each(|name| put(1, name.as_bytes()));
    put(2, b"client=true,server=true,views=both");
    let mut files = Reader::new(&set);
    while !files.is_empty() {
        files.tag().unwrap();
        put(15, files.len_prefixed().unwrap());
    }
    let request = request.finish().unwrap();
    let run = |before: &str, environment: &[(&str, &str)]| {
        let line = format!("{before} exec '{}'", env!("CARGO_BIN_EXE_protoc-gen-tobu"));
        let mut plugin = Command::new("sh")
            .args(["-c", &line])
            .env_clear()
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        plugin.stdin.take().unwrap().write_all(&request).unwrap();
        let output = plugin.wait_with_output().unwrap();
        assert!(output.status.success());
        output.stdout
    };
    let wanted = run("", &[]);
    assert!(wanted.len() > 1000);
    let turkish =
        [("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8"), ("TZ", "Asia/Kathmandu"), ("HOME", "/nowhere")];
    assert!(run("umask 077; cd /;", &turkish) == wanted);
    assert!(run("umask 0;", &[("LC_ALL", "C"), ("SOURCE_DATE_EPOCH", "0"), ("USER", "root")]) == wanted);
}

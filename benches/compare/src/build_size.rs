//! What generated code costs: for each library a program that decodes and encodes every message type.

use crate::contest::Outcome;
use crate::sets;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What one library takes.
pub struct BuildSize {
    name: &'static str,
    lines: usize,
    source: usize,
    time: Duration,
    /// Bytes of the program more than of one that does nothing.
    code: u64,
}

struct Library {
    name: &'static str,
    dependencies: &'static str,
    /// The generated files, below the build script's output, and the one that includes the others.
    files: &'static str,
    root: &'static str,
    /// From `input` to a `Message`, and the length of it encoded.
    decode: &'static str,
    encode: &'static str,
}

const LIBRARIES: &[Library] = &[
    Library {
        name: "tobu",
        dependencies: concat!("tobu = { path = \"", env!("CARGO_MANIFEST_DIR"), "/../..\" }"),
        files: "sizes/tobu",
        root: "types.rs",
        decode: "tobu::from_slice::<Message>(&input)",
        encode: "tobu::to_vec(&message).unwrap().len()",
    },
    Library {
        name: "prost",
        dependencies: "prost = \"0.14\"",
        files: "sizes/prost",
        root: "types.rs",
        decode: "<Message as prost::Message>::decode(&*input)",
        encode: "prost::Message::encode_to_vec(&message).len()",
    },
    Library {
        name: "buffa",
        dependencies: "buffa = \"0.9\"",
        files: "sizes/buffa",
        root: "types.rs",
        decode: "<Message as buffa::Message>::decode_from_slice(&input)",
        encode: "buffa::Message::encode_to_vec(&message).len()",
    },
    Library {
        name: "rust-protobuf",
        dependencies: "rust-protobuf = { package = \"protobuf\", version = \"3.7\" }",
        files: "rust_protobuf",
        root: "mod.rs",
        decode: "<Message as rust_protobuf::Message>::parse_from_bytes(&input)",
        encode: "rust_protobuf::Message::write_to_bytes(&message).unwrap().len()",
    },
    Library {
        name: "quick-protobuf",
        dependencies: "quick-protobuf = \"0.8\"",
        files: "quick_protobuf",
        root: "mod.rs",
        decode: "<Message as quick_protobuf::MessageRead>::from_reader(\
                 &mut quick_protobuf::BytesReader::from_bytes(&input), &input)",
        encode: "quick_protobuf::serialize_into_vec(&message).unwrap().len()",
    },
];

/// Builds a program for each library; the libraries themselves are built before the clock starts.
pub fn measure() -> Outcome<Vec<BuildSize>> {
    let directory = std::env::temp_dir().join(format!("tobu-compare-{}", std::process::id()));
    let sizes = LIBRARIES.iter().map(|library| build(library, &directory)).collect();
    std::fs::remove_dir_all(&directory)?;
    sizes
}

fn build(library: &Library, directory: &Path) -> Outcome<BuildSize> {
    let home = directory.join(library.files.replace('/', "-"));
    let generated = home.join("src/generated");
    std::fs::create_dir_all(&generated)?;
    std::fs::write(
        home.join("Cargo.toml"),
        format!(
            "[package]\nname = \"program\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [workspace]\n\n[dependencies]\n{}\n\n[profile.release]\nstrip = true\n",
            library.dependencies,
        ),
    )?;
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock"), home.join("Cargo.lock"))?;
    let main = home.join("src/main.rs");
    std::fs::write(&main, "fn main() {}\n")?;
    let (_, empty) = compile(&home, directory)?;

    let (mut lines, mut source) = (0, 0);
    for path in files(&Path::new(env!("OUT_DIR")).join(library.files))? {
        let text = std::fs::read_to_string(&path)?;
        lines += text.lines().count();
        source += text.len();
        let inside = path.strip_prefix(Path::new(env!("OUT_DIR")).join(library.files))?;
        let target = generated.join(inside);
        std::fs::create_dir_all(target.parent().ok_or("no directory")?)?;
        std::fs::write(target, text)?;
    }
    let mut program = format!(
        "#![allow(warnings)]\nmod types {{ include!(\"generated/{}\"); }}\nfn main() {{\n    \
         let input = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();\n    let mut sum = 0;\n",
        library.root,
    );
    let own = sets::RUST_PATHS.iter().filter(|path| !path.starts_with("google"));
    for path in own {
        let path = if library.name == "rust-protobuf" { by_file(path) } else { (*path).to_owned() };
        let _ = writeln!(
            program,
            "    {{\n        use types::{path} as Message;\n        \
             if let Ok(message) = {} {{ sum += {}; }}\n    }}",
            library.decode, library.encode,
        );
    }
    std::fs::write(&main, program + "    println!(\"{sum}\");\n}\n")?;
    let (time, whole) = compile(&home, directory)?;
    Ok(BuildSize { name: library.name, lines, source, time, code: whole.saturating_sub(empty) })
}

/// rust-protobuf's modules are files, not packages.
fn by_file(path: &str) -> String {
    path.replace("benchmarks::proto3::", "benchmark_message1_proto3::")
        .replace("bench::", "bench_messages::")
        .replace("corpus::v3::", "corpus3::")
}

/// Time and size of a build.
fn compile(home: &Path, directory: &Path) -> Outcome<(Duration, u64)> {
    let target = directory.join("target");
    let start = Instant::now();
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--release", "--quiet"])
        .env("CARGO_TARGET_DIR", &target)
        .current_dir(home)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let program = target.join("release").join(format!("program{}", std::env::consts::EXE_SUFFIX));
    Ok((start.elapsed(), std::fs::metadata(program)?.len()))
}

fn files(directory: &Path) -> Outcome<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

/// The figures as a table, in Markdown that can be read as it is.
pub fn table(sizes: &[BuildSize]) -> String {
    let mut text = "| library | generated lines | KiB | seconds to build | KiB of code |\n".to_owned();
    text += "| --- | --: | --: | --: | --: |\n";
    for size in sizes {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.1} | {} |",
            size.name,
            size.lines,
            size.source / 1024,
            size.time.as_secs_f64(),
            size.code / 1024,
        );
    }
    text
}

//! The results of a run in `benches/RESULTS.md`.

#[path = "../../common/sections.rs"]
mod sections;

pub use sections::machine;

/// Puts a text into its section.
pub fn write(text: &str) -> crate::Outcome<()> {
    sections::write("compile", text)
}

/// Name and version of each library, from the lock file.
pub fn versions() -> String {
    const SHOWN: &[&str] = &["buffa", "pbjson", "prost", "protoc-bin-vendored", "tobu", "tonic"];
    let lock = include_str!("../Cargo.lock");
    let packages = lock.split("[[package]]").filter_map(|package| {
        let field = |key: &str| Some(package.split_once(&format!("\n{key} = \""))?.1.split_once('"')?.0);
        Some((field("name")?, field("version")?))
    });
    let shown = packages.filter(|(name, _)| SHOWN.contains(name));
    shown.map(|(name, version)| format!("{name} {version}")).collect::<Vec<_>>().join(", ")
}

//! Rewrites the dependencies in a `Cargo.toml`, line by line.

use std::collections::HashSet;
use std::ops::Range;

use super::{Note, position};
use crate::edit::Edits;
use crate::report::{Left, Report};
use crate::{Outcome, Source};

/// A crate, the crate that replaces it, and whether only build scripts use it. An empty name means that there is no
/// replacement.
const CRATES: &[(&str, &str, bool)] = &[
    ("prost", "tobu", false),
    ("prost-types", "", false),
    ("tonic-prost", "tobu-tonic", false),
    ("prost-build", "tobu-build", true),
    ("tonic-build", "tobu-build", true),
    ("tonic-prost-build", "tobu-build", true),
    ("protox", "", true),
];

/// Other crates that work with prost, each with a note about a replacement.
const OTHERS: &[(&str, &str)] = &[
    ("tonic-reflection", "`tobu_tonic::ReflectionService` is for messages of tobu"),
    ("tonic-types", "`tobu_tonic::rpc` is for messages of tobu"),
    ("prost-reflect", "`tobu::DynamicMessage` and `tobu::Reflect` are for messages of tobu"),
    ("prost-wkt", "the well-known types are `tobu::types`"),
    ("prost-wkt-types", "the well-known types are `tobu::types`"),
    ("pbjson", "`tobu::json` is for messages of tobu"),
    ("pbjson-build", "messages of tobu have ProtoJSON: nothing is generated for it"),
    ("pbjson-types", "the well-known types are `tobu::types`"),
];

/// The version of tobu's crates, as a dependency writes it.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));

/// Rewrites the dependencies of a crate in its manifest. First rewrite its build script.
///
/// The function rewrites a dependency if its line has a version, or a table with a version, features and default features. It
/// reports the other dependencies that must be replaced.
///
/// ```
/// use tobu_migrate::{Source, rewrite_build_script, rewrite_manifest};
///
/// let script = Source::new("build.rs", "fn main() { prost_build::compile_protos(&[\"a.proto\"], &[\".\"]).unwrap(); }");
/// let manifest = Source::new("Cargo.toml", "[dependencies]\nprost = \"0.14\"\n\n[build-dependencies]\nprost-build = \"0.14\"\n");
/// let outcome = rewrite_manifest(&manifest, &rewrite_build_script(&script));
/// assert_eq!(outcome.text, "[dependencies]\ntobu = \"0.2\"\n\n[build-dependencies]\ntobu-build = \"0.2\"\n");
/// ```
pub fn rewrite_manifest(manifest: &Source, script: &Outcome) -> Outcome {
    let mut lines = Lines {
        text: &manifest.text,
        script,
        edits: Edits::default(),
        report: Report::default(),
        present: HashSet::new(),
        tonic: None,
    };
    lines.run();
    let report = lines.report;
    let text = lines.edits.apply(&manifest.text).unwrap_or_else(|| manifest.text.clone());
    Outcome {
        text,
        rewritten: report.rewritten,
        left: report.left,
        notes: report.notes,
        edits: lines.edits,
        ..Outcome::unchanged(manifest)
    }
}

struct Lines<'m> {
    text: &'m str,
    script: &'m Outcome,
    edits: Edits,
    report: Report,
    /// The existing dependencies on crates of tobu, each with the section in which it is.
    present: HashSet<(&'m str, String)>,
    /// The end of the line with the dependency on tonic. If the script generates services, `tobu-tonic` is added there.
    tonic: Option<usize>,
}

/// A dependency: its name, and its value if the whole value is on the same line as the name.
struct Dependency<'m> {
    name: &'m str,
    name_range: Range<usize>,
    value: Option<(&'m str, Range<usize>)>,
}

impl<'m> Lines<'m> {
    fn run(&mut self) {
        let text = self.text;
        let mut section = "";
        for (start, line) in lines(text) {
            section = header(line).unwrap_or(section);
            if let Some(found) = is_list(section).then(|| dependency(start, line)).flatten()
                && found.name.starts_with("tobu")
            {
                self.present.insert((section, found.name.to_owned()));
            }
        }
        section = "";
        for (start, line) in lines(text) {
            if let Some(header) = header(line) {
                section = header;
                let (list, name) = section.rsplit_once('.').unwrap_or_default();
                if is_list(list) && CRATES.iter().any(|(known, ..)| *known == name.trim_matches('"')) {
                    self.leave(start, &format!("`{name}` has a table of its own: replace it"));
                }
            } else if is_list(section) {
                if let Some(found) = dependency(start, line) {
                    self.dependency(section, start..start + line.len(), &found);
                }
            } else if section == "features" {
                self.feature(start, line);
            }
        }
        let has_tonic = self.present.iter().any(|(_, name)| name == "tobu-tonic");
        if let Some(end) = self.tonic.filter(|_| !has_tonic && self.has_services()) {
            let value = self.value("tobu-tonic");
            self.edits.insert(end, format!("tobu-tonic = {value}\n"));
            self.report.rewritten[0] += 1;
        }
    }

    fn dependency(&mut self, section: &'m str, line: Range<usize>, found: &Dependency<'m>) {
        let is_build = section.ends_with("build-dependencies");
        if let Some((_, note)) = OTHERS.iter().find(|(name, _)| *name == found.name) {
            self.note(line.start, &format!("`{}`: {note}", found.name));
        }
        if found.name == "tonic" && !is_build {
            self.tonic(section, line.clone(), found);
        }
        let Some((_, new, is_script)) = CRATES.iter().find(|(name, ..)| *name == found.name) else { return };
        // Code that is not a build script may use protox for another purpose.
        if found.name == "protox" && !is_build {
            return;
        }
        // In a build script, prost's messages have no replacement, because their uses are not rewritten.
        let new = if is_build && !is_script { "" } else { *new };
        let Some((old, value)) = found.value.as_ref().filter(|(value, _)| is_plain(value)) else {
            let instead =
                if new.is_empty() { "remove it".to_owned() } else { format!("replace it by `{new}`") };
            return self.leave(
                line.start,
                &format!("`{}` is more than a version and features: {instead}", found.name),
            );
        };
        if !new.is_empty() && old.replace("default-features", "").contains("features") {
            self.note(line.start, &format!("`{}`: its features are left out", found.name));
        }
        let is_used = is_build && self.is_named(&found.name.replace('-', "_"));
        if is_used {
            self.leave(line.start, &format!("`{}`: the build script still names it", found.name));
        }
        self.report.rewritten[0] += 1;
        match (new.is_empty() || !self.present.insert((section, new.to_owned())), is_used) {
            (true, true) => self.report.rewritten[0] -= 1,
            (true, false) => self.edits.remove(line),
            (false, true) => self.edits.insert(line.start, format!("{new} = {}\n", self.value(new))),
            (false, false) => {
                self.edits.replace(found.name_range.clone(), new);
                self.edits.replace(value.clone(), self.value(new));
            }
        }
    }

    /// Reports versions of tonic that tobu-tonic does not support, and remembers the line of the dependency.
    fn tonic(&mut self, section: &str, line: Range<usize>, found: &Dependency<'m>) {
        if section == "dependencies" && found.value.is_some() && self.text[line.clone()].ends_with('\n') {
            self.tonic = Some(line.end);
        }
        let value = found.value.as_ref().map_or("", |(value, _)| value);
        let version = value.split('"').nth(1).unwrap_or("");
        let minor = version.trim_start_matches(['^', '=', '~', ' ']).strip_prefix("0.");
        let minor = minor.and_then(|rest| rest.split('.').next()).and_then(|minor| minor.parse::<u32>().ok());
        if minor.is_some_and(|minor| minor < 14) {
            self.leave(line.start, "`tonic`: `tobu-tonic` needs version 0.14");
        }
    }

    /// Reports a feature that names a dependency.
    fn feature(&mut self, start: usize, line: &str) {
        for name in line.split('"').skip(1).step_by(2) {
            let name = name.strip_prefix("dep:").unwrap_or(name).split(['/', '?']).next().unwrap_or("");
            if CRATES.iter().any(|(known, ..)| *known == name) {
                self.leave(start, &format!("a feature names `{name}`"));
            }
        }
    }

    /// Returns the value of a dependency on a crate of tobu: its version, and the features that the code needs.
    fn value(&self, name: &str) -> String {
        let text = &self.script.before;
        let has_clients = !text.contains("build_client(false)") && !text.contains("build_transport(false)");
        if name == "tobu-tonic" && has_clients && self.has_services() {
            return format!("{{ version = \"{VERSION}\", features = [\"channel\"] }}");
        }
        format!("\"{VERSION}\"")
    }

    fn has_services(&self) -> bool {
        let text = &self.script.before;
        ["tonic_build", "tonic_prost_build"].iter().any(|name| text.contains(name))
    }

    /// True if the new script names the crate.
    fn is_named(&self, name: &str) -> bool {
        let code = self.script.text.lines().map(|line| line.split("//").next().unwrap_or(""));
        let is_word = |text: char| text.is_alphanumeric() || text == '_';
        code.flat_map(|line| line.split(move |text| !is_word(text))).any(|word| word == name)
    }

    fn leave(&mut self, at: usize, reason: &str) {
        let (line, column) = position(self.text, at);
        self.report.left.push(Left { line, column, level: None, reason: reason.to_owned() });
    }

    fn note(&mut self, at: usize, text: &str) {
        let (line, column) = position(self.text, at);
        self.report.notes.push(Note { line, column, text: text.to_owned() });
    }
}

/// Returns the lines with their line breaks, each with its position.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    })
}

/// Returns the name of the section, if the line is the header of a section.
fn header(line: &str) -> Option<&str> {
    let line = line.trim().strip_prefix('[')?;
    line.split_once(']').map(|(name, _)| name.trim()).filter(|name| !name.starts_with('['))
}

/// True for a section that lists dependencies.
fn is_list(section: &str) -> bool {
    ["dependencies", "dev-dependencies", "build-dependencies"]
        .contains(&section.rsplit('.').next().unwrap_or(""))
}

fn dependency(start: usize, line: &str) -> Option<Dependency<'_>> {
    let (key, rest) = line.split_once('=')?;
    let name = key.trim();
    if name.starts_with('#') {
        return None;
    }
    let name_start = start + (key.len() - key.trim_start().len());
    let value_start = start + key.len() + 1 + (rest.len() - rest.trim_start().len());
    let value = value(rest.trim_start());
    // This is a line such as `prost.workspace = true`.
    let (name, value) = match name.split_once('.') {
        Some((name, _)) => (name, None),
        None => (name, value),
    };
    Some(Dependency {
        name: name.trim_matches('"'),
        name_range: name_start..name_start + name.len(),
        value: value.map(|value| (value, value_start..value_start + value.len())),
    })
}

/// Returns the value at the start of `rest`, a string or a table, if it ends on this line.
fn value(rest: &str) -> Option<&str> {
    let (mut depth, mut is_text) = (0, false);
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'"' => is_text = !is_text,
            b'{' | b'[' if !is_text => depth += 1,
            b'}' | b']' if !is_text => depth -= 1,
            _ => continue,
        }
        if depth == 0 && !is_text {
            let after = rest[at + 1..].trim();
            return (after.is_empty() || after.starts_with('#')).then(|| &rest[..=at]);
        }
    }
    None
}

/// True for a version, or a table with a version and no keys other than `features` and `default-features`.
fn is_plain(value: &str) -> bool {
    let Some(table) = value.strip_prefix('{').and_then(|value| value.strip_suffix('}')) else {
        return value.starts_with('"');
    };
    let mut depth = 0;
    let parts = table.split(|text| {
        depth += i32::from(text == '[') - i32::from(text == ']');
        text == ',' && depth == 0
    });
    let keys: Vec<_> = parts.map(|part| part.split('=').next().unwrap_or("").trim()).collect();
    let is_known = |key: &&str| ["version", "features", "default-features", ""].contains(key);
    keys.contains(&"version") && keys.iter().all(is_known)
}

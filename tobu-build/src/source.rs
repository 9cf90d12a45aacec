//! The compiler for schemas with editions, which the one for `proto2` and `proto3` does not know.
//!
//! `lex` and `parse` read the source, `encode` writes the descriptor that it stands for; tobu's pool links that, and so
//! finds out what names mean, and what is wrong. `options` are interpreted by `descriptor.proto` and the extensions in the
//! pool: those of `descriptor.proto` first, because linking asks for them, then those that the file itself may declare.

mod ast;
mod comments;
mod encode;
mod google;
mod lex;
mod options;
mod parse;

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use tobu::descriptor::{FileDescriptor, Pool};
use tobu::wire::{Tag, WireType, Writer};

use self::ast::{File, Import};
use self::google::Bundled;
use self::lex::{Fault, Place};
use self::options::Interpreter;
use crate::compile::Compiled;
use crate::error::{Error, Kind, Result};

/// Compiles files.
pub(crate) fn compile(files: &[&Path], includes: &[&Path]) -> Result<Compiled> {
    let mut loader = Loader::new(includes)?;
    let mut names = Vec::new();
    for file in files {
        let name =
            import_name(file, includes).ok_or_else(|| Kind::NotIncluded { file: (*file).to_owned() })?;
        loader.load(&name, None)?;
        names.push(name);
    }
    Ok(Compiled { set: loader.set.finish()?, files: names, read: loader.read })
}

struct Loader<'i> {
    includes: &'i [&'i Path],
    /// Every file that was linked.
    pool: Pool,
    /// `descriptor.proto` alone.
    base: Pool,
    /// A FileDescriptorSet of the files in the pool.
    set: Writer,
    read: Vec<PathBuf>,
    /// The files that import each other up to the current one.
    open: Vec<String>,
}

impl<'i> Loader<'i> {
    fn new(includes: &'i [&'i Path]) -> Result<Self> {
        let mut base = Pool::new();
        base.add_file(tobu::types::files::DESCRIPTOR.encoded())?;
        let (pool, set) = (Pool::new(), Writer::new());
        Ok(Loader { includes, pool, base, set, read: Vec::new(), open: Vec::new() })
    }

    /// Links a file and what it imports, unless that is done already; `user` is the import that names it.
    fn load(&mut self, name: &str, user: Option<(&File, &Import)>) -> Result<()> {
        if self.pool.file(name).is_some() {
            return Ok(());
        }
        let at_user = |text: String| match user {
            Some((file, import)) => at(&file.name, import.place, &text),
            None => compile_error(name, text),
        };
        if self.open.iter().any(|open| open == name) {
            return Err(at_user(format!("{name} imports itself, by way of {}", self.open.join(", "))));
        }
        // Nothing outside of the include directories is read.
        if file_name(Path::new(name)).is_none_or(|plain| plain != name) {
            return Err(at_user(format!(
                "{name:?} is not a file name: it must be a relative path without `..`"
            )));
        }
        let path = self.includes.iter().map(|include| include.join(name)).find(|path| path.is_file());
        let source = match (path, google::bundled(name)) {
            (Some(path), _) => {
                let bytes = fs::read(&path).map_err(|error| Error::io(&path, error))?;
                self.read.push(path);
                String::from_utf8(bytes).map_err(|_| compile_error(name, "the file is not UTF-8".into()))?
            }
            (None, Some(Bundled::Descriptor(file))) => return self.add_bundled(file),
            (None, Some(Bundled::Source(source))) => source.to_owned(),
            (None, None) => return Err(at_user(format!("import '{name}' not found"))),
        };
        let mut file = parse::parse(name, &source).map_err(|fault| at(name, fault.place, &fault.text))?;
        self.open.push(name.to_owned());
        for import in &file.imports {
            self.load(&import.name, Some((&file, import)))?;
        }
        self.open.pop();
        self.link(&mut file)
    }

    /// Adds a file of `google/protobuf/` that tobu has as a descriptor.
    fn add_bundled(&mut self, file: &'static tobu::descriptor::GeneratedFile) -> Result<()> {
        for import in file.descriptor().dependencies() {
            self.load(import.name(), None)?;
        }
        Ok(self.add(file.encoded())?)
    }

    fn link(&mut self, file: &mut File) -> Result<()> {
        let visible = self.visible(file);
        self.options(file, &visible, &self.pool, false)?;
        // A draft of the file knows the extensions that it declares, and what its names mean.
        let mut draft = self.pool.clone();
        let linked =
            draft.add_file(&encode::encode(file, None)?).map_err(|error| not_linked(file, &error))?;
        self.options(file, &visible, &draft, true)?;
        let encoded = encode::encode(file, Some(&linked))?;
        self.add(&encoded).map_err(|error| not_linked(file, &error))?;
        self.check_rules(file)
    }

    fn options(
        &self,
        file: &mut File,
        visible: &HashSet<String>,
        pool: &Pool,
        with_extensions: bool,
    ) -> Result<()> {
        let name = file.name.clone();
        let interpreter = Interpreter { pool, base: &self.base, visible, syntax: file.syntax };
        let result = file.each_options(&mut |target, scope, options| {
            interpreter.encode(target, scope, options, with_extensions)
        });
        result.map_err(|Fault { place, text }| at(&name, place, &text))
    }

    fn add(&mut self, encoded: &[u8]) -> tobu::Result<()> {
        self.pool.add_file(encoded)?;
        self.set.tag(Tag::new(1, WireType::Len));
        self.set.len_prefixed(encoded);
        Ok(())
    }

    /// The names of the files whose declarations a file may use: itself, its imports, and what these import publicly.
    fn visible(&self, file: &File) -> HashSet<String> {
        let mut visible = HashSet::from([file.name.clone()]);
        let mut pending: Vec<FileDescriptor> =
            file.imports.iter().filter_map(|import| self.pool.file(&import.name)).collect();
        while let Some(import) = pending.pop() {
            if visible.insert(import.name().to_owned()) {
                pending.extend(import.public_dependencies());
            }
        }
        visible
    }

    fn check_rules(&self, file: &File) -> Result<()> {
        let linked = self.pool.file(&file.name);
        let broken = linked.map(|linked| linked.broken_rules()).unwrap_or_default();
        let lines: Vec<_> = broken.iter().map(|error| placed(file, &error.to_string())).collect();
        match lines.is_empty() {
            true => Ok(()),
            false => Err(compile_error(&file.name, lines.join("\n"))),
        }
    }
}

/// The name by which imports call a file: its path from one of the include directories.
fn import_name(file: &Path, includes: &[&Path]) -> Option<String> {
    let canonical = file.canonicalize().ok();
    for include in includes {
        let relative = file.strip_prefix(include).ok().map(Path::to_owned).or_else(|| {
            let canonical = canonical.as_ref()?.strip_prefix(include.canonicalize().ok()?).ok()?;
            Some(canonical.to_owned())
        });
        if let Some(name) =
            relative.filter(|path| include.join(path).is_file()).and_then(|path| file_name(&path))
        {
            return Some(name);
        }
    }
    let is_there = includes.iter().any(|include| include.join(file).is_file());
    is_there.then(|| file_name(file)).flatten()
}

/// A relative path as imports write it.
fn file_name(path: &Path) -> Option<String> {
    let parts = path.components().map(|part| match part {
        Component::Normal(part) => part.to_str(),
        _ => None,
    });
    parts.collect::<Option<Vec<_>>>().map(|parts| parts.join("/"))
}

fn compile_error(file: &str, message: String) -> Error {
    Kind::Compile { file: Some(file.to_owned()), message }.into()
}

/// An error with its position, as compilers write it.
fn at(file: &str, place: Place, text: &str) -> Error {
    compile_error(file, format!("{file}:{}:{}: {text}", place.line + 1, place.column + 1))
}

/// An error of the pool about a file.
fn not_linked(file: &File, error: &tobu::Error) -> Error {
    compile_error(&file.name, placed(file, &error.to_string()))
}

/// An error of the pool, `file: element: text`, with the position of the element.
fn placed(file: &File, text: &str) -> String {
    let element = text.strip_prefix(&format!("{}: ", file.name)).and_then(|rest| rest.split_once(": "));
    let place = element.and_then(|(name, _)| file.places.get(name));
    match (place, text.strip_prefix(&file.name)) {
        (Some(place), Some(rest)) => format!("{}:{}:{}{rest}", file.name, place.line + 1, place.column + 1),
        _ => text.to_owned(),
    }
}

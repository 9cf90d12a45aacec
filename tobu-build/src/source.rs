//! The compiler for schemas with editions, which the one for `proto2` and `proto3` does not know.
//!
//! `lex` and `parse` read the source, `encode` writes the descriptor that it stands for; tobu's pool links that, and so
//! finds out what names mean, and what is wrong. `options` are interpreted by `descriptor.proto` and the extensions in the
//! pool: those of `descriptor.proto` first, because linking asks for them, then those that the file itself may declare.

mod ast;
mod comments;
mod encode;
mod files;
mod google;
mod lex;
mod options;
mod parse;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use tobu::descriptor::{FileDescriptor, Pool};
use tobu::wire::{Tag, WireType, Writer};

use self::ast::File;
pub(crate) use self::files::Files;
use self::files::{file_name, import_name};
use self::google::Bundled;
use self::lex::{Fault, Position};
use self::options::Interpreter;
use crate::compile::Compiled;
use crate::error::{Error, Kind, Result};

/// Compiles files.
pub(crate) fn compile(files: &[&Path], includes: &[&Path]) -> Result<Compiled> {
    let mut loader = Loader::new(Files::Directories(includes))?;
    let mut names = Vec::new();
    for file in files {
        let name =
            import_name(file, includes).ok_or_else(|| Kind::NotIncluded { file: (*file).to_owned() })?;
        loader.load(&name, None)?;
        names.push(name);
    }
    Ok(Compiled { set: loader.set.finish()?, files: names, read: loader.read })
}

/// Compiles all of some sources in memory.
pub(crate) fn compile_sources(sources: &[(&str, &str)]) -> Result<Pool> {
    let mut loader = Loader::new(Files::memory(sources)?)?;
    for (name, _) in sources {
        loader.load(name, None)?;
    }
    Ok(loader.pool)
}

struct Loader<'i> {
    files: Files<'i>,
    /// Every file that was linked.
    pool: Pool,
    /// `descriptor.proto` alone.
    base: Pool,
    /// A FileDescriptorSet of the files in the pool.
    set: Writer,
    read: Vec<PathBuf>,
    /// The files that import each other up to the current one. On the heap: they may be as many as there are files.
    open: Vec<Open>,
    /// Their names.
    is_open: HashSet<String>,
}

/// A file whose imports are being loaded.
struct Open {
    file: File,
    /// The index of the import that comes next.
    next: usize,
}

/// The import that names a file: the name of the importing file, and the position in it.
type User<'u> = (&'u str, Position);

impl<'i> Loader<'i> {
    fn new(files: Files<'i>) -> Result<Self> {
        let mut base = Pool::new();
        base.add_file(tobu::types::files::DESCRIPTOR.encoded())?;
        let (pool, set) = (Pool::new(), Writer::new());
        Ok(Loader { files, pool, base, set, read: Vec::new(), open: Vec::new(), is_open: HashSet::new() })
    }

    /// Links a file and what it imports, unless that is done already.
    fn load(&mut self, name: &str, user: Option<User<'_>>) -> Result<()> {
        let outer = self.open.len();
        self.begin(name, user)?;
        while self.open.len() > outer {
            let Some(last) = self.open.last_mut() else { break };
            if let Some(import) = last.file.imports.get(last.next) {
                last.next += 1;
                let (user, name, position) = (last.file.name.clone(), import.name.clone(), import.position);
                self.begin(&name, Some((&user, position)))?;
            } else if let Some(Open { mut file, .. }) = self.open.pop() {
                self.is_open.remove(&file.name);
                self.link(&mut file)?;
            }
        }
        Ok(())
    }

    /// Parses a file, so that it is the last of the open ones, unless it is linked already.
    fn begin(&mut self, name: &str, user: Option<User<'_>>) -> Result<()> {
        if self.pool.file(name).is_some() {
            return Ok(());
        }
        let at_user = |text: String| match user {
            Some((file, position)) => at(file, position, &text),
            None => compile_error(name, text),
        };
        if self.is_open.contains(name) {
            let way: Vec<_> = self.open.iter().map(|open| &*open.file.name).collect();
            return Err(at_user(format!("{name} imports itself, by way of {}", way.join(", "))));
        }
        // Nothing outside of the include directories is read.
        if file_name(Path::new(name)).is_none_or(|plain| plain != name) {
            return Err(at_user(format!(
                "{name:?} is not a file name: it must be a relative path without `..`"
            )));
        }
        let source = match (self.files.source(name, &mut self.read)?, google::bundled(name)) {
            (Some(source), _) => source,
            (None, Some(Bundled::Descriptor(file))) => return self.add_bundled(file),
            (None, Some(Bundled::Source(source))) => source.into(),
            (None, None) => return Err(at_user(format!("import '{}' not found", name.escape_debug()))),
        };
        let file = parse::parse(name, &source).map_err(|fault| at(name, fault.position, &fault.text))?;
        self.is_open.insert(name.to_owned());
        self.open.push(Open { file, next: 0 });
        Ok(())
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
        result.map_err(|Fault { position, text }| at(&name, position, &text))
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
        let lines: Vec<_> = broken.iter().map(|error| with_position(file, &error.to_string())).collect();
        match lines.is_empty() {
            true => Ok(()),
            false => Err(compile_error(&file.name, lines.join("\n"))),
        }
    }
}

fn compile_error(file: &str, message: String) -> Error {
    Kind::Compile { file: Some(file.to_owned()), message }.into()
}

/// An error with its position, as compilers write it.
fn at(file: &str, position: Position, text: &str) -> Error {
    compile_error(file, format!("{file}:{}:{}: {text}", position.line + 1, position.column + 1))
}

/// An error of the pool about a file.
fn not_linked(file: &File, error: &tobu::Error) -> Error {
    compile_error(&file.name, with_position(file, &error.to_string()))
}

/// An error of the pool, `file: element: text`, with the position of the element.
fn with_position(file: &File, text: &str) -> String {
    let element = text.strip_prefix(&format!("{}: ", file.name)).and_then(|rest| rest.split_once(": "));
    let of_import = || text.ends_with("is listed twice").then(|| import_again(file)).flatten();
    let position = element.and_then(|(name, _)| position_of(file, name)).or_else(of_import);
    match (position, text.strip_prefix(&file.name)) {
        (Some(position), Some(rest)) => {
            format!("{}:{}:{}{rest}", file.name, position.line + 1, position.column + 1)
        }
        _ => text.to_owned(),
    }
}

/// Where the first import is that is there already.
fn import_again(file: &File) -> Option<Position> {
    let mut names = HashSet::new();
    file.imports.iter().find(|import| !names.insert(&import.name)).map(|import| import.position)
}

/// Where the element of a name is declared, or what is around it. Errors cut long names.
fn position_of(file: &File, name: &str) -> Option<Position> {
    if let Some(start) = name.strip_suffix("...") {
        let mut positions: Vec<_> =
            file.positions.iter().filter(|(name, _)| name.starts_with(start)).collect();
        positions.sort_by_key(|(_, position)| (position.line, position.column));
        return positions.first().map(|(_, position)| **position);
    }
    let mut names = std::iter::successors(Some(name), |name| Some(&name[..name.rfind('.')?]));
    names.find_map(|name| file.positions.get(name)).copied()
}

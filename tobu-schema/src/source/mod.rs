//! The compiler for `.proto` files of proto2, proto3 and the editions 2023, 2024 and 2026.
//!
//! A [`Compiler`] reads files in include directories, or sources in memory, and adds their descriptors to a [`Pool`]. The
//! descriptors and their source info are the same as protoc's. If files do not compile, the [`Diagnostics`] have up to a
//! hundred errors and warnings of each file. Errors of linking are found only in a file that parses and whose imports compile.
//!
//! ```
//! use tobu_schema::source::Compiler;
//!
//! let money = "syntax = \"proto3\"; package shop; message Money { int64 cents = 1; }";
//! let cart = "edition = \"2023\"; package shop; import \"money.proto\"; message Cart { Money total = 1; }";
//!
//! let compiled = Compiler::new().source("cart.proto", cart).source("money.proto", money).compile(&["cart.proto"])?;
//! let total = compiled.pool().message("shop.Cart").unwrap().field_by_name("total").unwrap();
//! assert_eq!(total.message_type().unwrap().full_name(), "shop.Money");
//! # Ok::<(), tobu_schema::source::Diagnostics>(())
//! ```
//!
//! `lex` and `parse` read a source, `encode` writes its descriptor, and linking resolves names and finds errors. The
//! module `options` interprets options, which are fields in `descriptor.proto` and extensions of its messages. It
//! interprets the options in `descriptor.proto` before linking, because linking needs them. It interprets the extensions
//! after linking, because the file itself may declare them.

mod ast;
mod comments;
mod diagnostic;
mod encode;
mod google;
mod lex;
mod options;
mod parse;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::Error;
use crate::descriptor::{FileDescriptor, Pool};
use crate::source::ast::{File, ImportKind, Options, Target, VisitOptions};
use crate::source::diagnostic::{Faults, shown};
use crate::source::google::Bundled;
use crate::source::lex::Position;
use crate::source::options::{Interpreter, Phase};

pub use self::diagnostic::{Diagnostic, Diagnostics, Severity};

/// Compiles `.proto` files.
///
/// The compiler looks for an import first among the sources in memory, then in the include directories, in the order in which
/// they were added. If it finds none, it uses the built-in files of `google/protobuf/`.
///
/// ```
/// # let directory = std::env::temp_dir().join("tobu-schema-compiler");
/// # std::fs::create_dir_all(&directory)?;
/// std::fs::write(directory.join("a.proto"), "syntax = \"proto3\"; message A { string name = 1; }")?;
///
/// let compiled = tobu_schema::source::Compiler::new().include(&directory).compile(&[directory.join("a.proto")])?;
/// assert_eq!(compiled.files(), ["a.proto"]);
/// let set = compiled.pool().to_descriptor_set();
/// assert!(set.starts_with(b"\x0a"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Compiler {
    includes: Vec<PathBuf>,
    sources: Vec<(String, String)>,
    by_name: HashMap<String, usize>,
}

/// The result of a compilation: the requested files and everything that they import.
#[derive(Debug)]
pub struct Compiled {
    pool: Pool,
    files: Vec<String>,
    read: Vec<PathBuf>,
    warnings: Vec<Diagnostic>,
}

impl Compiler {
    /// Creates a compiler without sources and include directories.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a directory in which the compiler looks for files and their imports.
    pub fn include(&mut self, directory: impl Into<PathBuf>) -> &mut Self {
        self.includes.push(directory.into());
        self
    }

    /// Adds a source in memory. `name` is the name by which imports refer to the source. The source replaces an earlier
    /// source of the same name.
    pub fn source(&mut self, name: impl Into<String>, source: impl Into<String>) -> &mut Self {
        let (name, source) = (name.into(), source.into());
        self.by_name.insert(name.clone(), self.sources.len());
        self.sources.push((name, source));
        self
    }

    /// Compiles files. Each element of `files` is the name of a source in memory, or the path of a file in an include
    /// directory.
    ///
    /// # Errors
    /// A file or an import is not found or does not compile. The diagnostics have errors and warnings of all files.
    pub fn compile<F: AsRef<Path>>(&self, files: &[F]) -> Result<Compiled, Diagnostics> {
        self.compile_paths(files.iter().map(AsRef::as_ref).collect())
    }

    fn compile_paths(&self, paths: Vec<&Path>) -> Result<Compiled, Diagnostics> {
        let mut loader = Loader {
            compiler: self,
            asked: HashSet::new(),
            pool: Pool::new(),
            base: None,
            read: Vec::new(),
            open: Vec::new(),
            is_open: HashSet::new(),
            failed: HashSet::new(),
            list: Vec::new(),
        };
        let mut files = Vec::with_capacity(paths.len());
        for path in paths {
            match self.import_name(path) {
                Some(name) => {
                    loader.asked.insert(name.clone());
                    files.push(name);
                }
                None => {
                    let text = "the file is in no include directory".to_owned();
                    loader.list.push(Diagnostic::of_file(&path.display().to_string(), text));
                }
            }
        }
        for name in &files {
            loader.load(name);
        }
        let Loader { pool, read, list, .. } = loader;
        match list.iter().any(|one| one.severity() == Severity::Error) {
            true => Err(Diagnostics::new(list)),
            false => Ok(Compiled { pool, files, read, warnings: list }),
        }
    }
}

impl Compiled {
    /// Returns the descriptors of the files and of everything that they import.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Converts the result to the descriptors of the files and of everything that they import.
    pub fn into_pool(self) -> Pool {
        self.pool
    }

    /// Returns the names of the requested files, as imports write them.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Returns the paths of all files that were read.
    pub fn read(&self) -> &[PathBuf] {
        &self.read
    }

    /// Returns the warnings about the requested files.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

impl Pool {
    /// Compiles sources in memory. `sources` has pairs of the name by which imports refer to a source, and the source.
    ///
    /// ```
    /// let pool = tobu_schema::Pool::from_sources(&[("a.proto", "syntax = \"proto3\"; message A { string name = 1; }")])?;
    /// assert_eq!(pool.message("A").unwrap().field_by_name("name").unwrap().number(), 1);
    /// # Ok::<(), tobu_schema::source::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// A source does not compile, an import is missing, or two sources have the same name. The diagnostics have errors and
    /// warnings of all sources.
    pub fn from_sources<N: AsRef<str>, S: AsRef<str>>(sources: &[(N, S)]) -> Result<Pool, Diagnostics> {
        let mut compiler = Compiler::new();
        for (name, source) in sources {
            let name = name.as_ref();
            if compiler.by_name.contains_key(name) {
                let text = "there are two sources of this name".to_owned();
                return Err(Diagnostics::new(vec![Diagnostic::of_file(name, text)]));
            }
            compiler.source(name, source.as_ref());
        }
        let names = compiler.sources.iter().map(|(name, _)| Path::new(name)).collect();
        Ok(compiler.compile_paths(names)?.pool)
    }
}

struct Loader<'c> {
    compiler: &'c Compiler,
    /// The names of the requested files. Only their warnings are reported.
    asked: HashSet<String>,
    /// All linked files.
    pool: Pool,
    /// A pool with `descriptor.proto` alone, for files that have options and do not import `descriptor.proto`.
    base: Option<Pool>,
    read: Vec<PathBuf>,
    /// The chain of files whose imports are being loaded: each file imports the next. This is a list, because recursion over a
    /// long chain would overflow the call stack.
    open: Vec<Open>,
    /// The names of the open files.
    is_open: HashSet<String>,
    /// The names of files that do not compile.
    failed: HashSet<String>,
    list: Vec<Diagnostic>,
}

/// A file whose imports are being loaded.
struct Open {
    file: File,
    faults: Faults,
    /// The index of the next import.
    next: usize,
}

impl Loader<'_> {
    /// Links a file and its imports, unless they are linked already.
    fn load(&mut self, name: &str) {
        if let Err(text) = self.begin(name) {
            self.list.push(Diagnostic::of_file(name, text));
            self.failed.insert(name.to_owned());
        }
        while let Some(last) = self.open.last_mut() {
            if let Some(import) = last.file.imports.get(last.next) {
                last.next += 1;
                let (name, position) = (import.name.clone(), import.position);
                let user = self.open.len() - 1;
                if let Err(text) = self.begin(&name) {
                    self.open[user].faults.error(position, text);
                }
            } else if let Some(Open { file, faults, .. }) = self.open.pop() {
                self.is_open.remove(&file.name);
                self.finish(file, faults);
            }
        }
    }

    /// Parses a file and adds it to the open files, unless it is linked already or has failed. A file that is built in as a
    /// descriptor is linked at once.
    fn begin(&mut self, name: &str) -> Result<(), String> {
        if self.pool.file(name).is_some() || self.failed.contains(name) {
            return Ok(());
        }
        if self.is_open.contains(name) {
            // A cycle of imports may be long. Its first and its last files are enough for the error.
            let start = self.open.iter().position(|open| open.file.name == name).unwrap_or_default();
            let mut way: Vec<_> = self.open[start..].iter().map(|open| shown(&open.file.name)).collect();
            if way.len() > 10 {
                way.splice(5..way.len() - 4, ["...".into()]);
            }
            return Err(format!("{} imports itself, by way of {}", shown(name), way.join(", ")));
        }
        // A name with `..` or a root would lead out of the include directories.
        if file_name(Path::new(name)).is_none_or(|plain| plain != name) {
            return Err(format!("{name:?} is not a file name: it must be a relative path without `..`"));
        }
        let source = match (self.compiler.find(name, &mut self.read)?, google::bundled(name)) {
            (Some(source), _) => source.into_owned(),
            (None, Some(Bundled::Descriptor(file))) => return self.add_bundled(file),
            (None, Some(Bundled::Source(source))) => source.to_owned(),
            (None, None) => return Err(format!("import '{}' not found", name.escape_debug())),
        };
        if source.len() > i32::MAX as usize {
            return Err("the file has more than 2 GiB".to_owned());
        }
        let mut faults = Faults::default();
        let file = parse::parse(name, source, &mut faults);
        self.is_open.insert(name.to_owned());
        self.open.push(Open { file, faults, next: 0 });
        Ok(())
    }

    /// Adds a file that is built in as a descriptor.
    fn add_bundled(&mut self, file: &'static crate::descriptor::GeneratedFile) -> Result<(), String> {
        for import in file.descriptor().dependencies() {
            self.begin(import.name())?;
        }
        self.pool.add_file(file.encoded()).map(|_| ()).map_err(|error| error.to_string())
    }

    /// Links a file if it parsed and its imports are linked, and records its errors and warnings.
    fn finish(&mut self, mut file: File, mut faults: Faults) {
        let is_complete = !faults.has_errors() && file.imports.iter().all(|import| self.is_there(import));
        if is_complete {
            self.link(&mut file, &mut faults);
        }
        if !is_complete || faults.has_errors() {
            self.failed.insert(file.name.clone());
        }
        faults.list.sort_by_key(|fault| fault.position.offset);
        for fault in faults.list {
            if fault.severity == Severity::Error || self.asked.contains(&file.name) {
                self.list.push(Diagnostic::new(&file.name, &file.source, fault));
            }
        }
    }

    fn is_there(&self, import: &ast::Import) -> bool {
        !self.failed.contains(&import.name)
    }

    fn link(&mut self, file: &mut File, faults: &mut Faults) {
        self.interpret(file, Phase::Builtin, None, faults);
        // The draft is a copy of the pool that also has this file, without its custom options. It resolves the names of
        // extensions that the file itself declares.
        let mut draft = self.pool.clone();
        let linked = match encode::encode(file, None) {
            Ok(encoded) => draft.add_source(encoded),
            Err(error) => Err(vec![error]),
        };
        let linked =
            linked.map_err(|errors| errors.iter().for_each(|error| add_error(file, error, faults))).ok();
        self.interpret(file, Phase::Custom, linked.is_some().then_some(&draft), faults);
        drop(draft);
        let Some(linked) = linked.filter(|_| !faults.has_errors()) else { return };
        let added = encode::encode(file, Some(&linked)).and_then(|encoded| self.pool.add_file(&encoded));
        drop(linked);
        match added {
            Ok(linked) => self.check_rules(file, &linked, faults),
            Err(error) => add_error(file, &error, faults),
        }
    }

    /// Interprets the options of a file. `draft` is a pool that has the file, if the file could be linked.
    fn interpret(&mut self, file: &mut File, phase: Phase, draft: Option<&Pool>, faults: &mut Faults) {
        if self.base.is_none() && self.pool.message("google.protobuf.FileOptions").is_none() {
            let mut base = Pool::new();
            let added = base.add_file(crate::files::DESCRIPTOR.encoded());
            debug_assert!(added.is_ok(), "descriptor.proto is valid");
            self.base = Some(base);
        }
        let pool = draft.unwrap_or(&self.pool);
        let imports = file.imports.iter().map(|import| (&*import.name, import.kind == ImportKind::Option));
        let scope = pool.scope(&file.name, &file.package, imports);
        let (source, tokens) = (std::mem::take(&mut file.source), std::mem::take(&mut file.tokens));
        let mut interpreter = Interpreter {
            phase,
            pool,
            base: self.base.as_ref().unwrap_or(&self.pool),
            scope,
            source: &source,
            tokens: &tokens,
            is_without_own: phase == Phase::Custom && draft.is_none(),
            faults,
            paths: Vec::new(),
            required: HashMap::new(),
        };
        file.each_options(&mut interpreter);
        for (location, path) in interpreter.paths {
            file.locations[location as usize].option = path;
        }
        (file.source, file.tokens) = (source, tokens);
    }

    fn check_rules(&self, file: &mut File, linked: &FileDescriptor, faults: &mut Faults) {
        let findings = linked.findings(&self.pool, self.base.as_ref().unwrap_or(&self.pool));
        for error in findings.errors {
            add_error(file, &error, faults);
        }
        for warning in findings.warnings {
            if !faults.is_full() {
                let text = warning.to_string();
                let (position, text) = place(file, &text);
                faults.warning(position, text);
            }
        }
    }
}

/// Adds an error that the pool reported as `file: element: text`, with the position of the option, the element or the import
/// that the error names.
fn add_error(file: &mut File, error: &Error, faults: &mut Faults) {
    if faults.is_full() {
        return;
    }
    let text = error.to_string();
    let (position, text) = place(file, &text);
    faults.another_error(position, text.to_owned());
}

fn place<'t>(file: &mut File, text: &'t str) -> (Position, &'t str) {
    let name = shown(&file.name);
    let Some(text) = text.strip_prefix(&*name).and_then(|rest| rest.strip_prefix(": ")) else {
        return (Position::default(), text);
    };
    // An error about the file as a whole has an empty element name.
    let text = text.strip_prefix(": ").unwrap_or(text);
    let of_option = option_position(file, text);
    let of_element = || text.split_once(": ").and_then(|(element, _)| position_of(file, element));
    let position = of_option.or_else(of_element).or_else(|| of_import(file, text)).unwrap_or_default();
    (position, text)
}

/// Finds the first statement that sets the option `name` of `element` and, in `outer`, the first whose value is a message,
/// which may set the option.
struct FindOption<'t> {
    element: &'t str,
    name: &'t str,
    found: Option<Position>,
    outer: Option<Position>,
}

impl VisitOptions for FindOption<'_> {
    fn visit(&mut self, _: Target, element: &str, options: &mut Options) {
        if element != self.element {
            return;
        }
        for statement in &options.statements {
            let is_it = |part: &ast::Part| part.name.rsplit('.').next() == Some(self.name);
            if statement.path.iter().any(is_it) {
                self.found = self.found.or(Some(statement.position));
            } else if matches!(statement.value, ast::Value::Message(..)) {
                self.outer = self.outer.or(Some(statement.position));
            }
        }
    }
}

/// Returns the position of the option that an error or a warning names: `element: option name is not valid ...`, or `... is
/// deprecated ...`. Returns `None` if the text does not name an option.
fn option_position(file: &mut File, text: &str) -> Option<Position> {
    let (before, _) = text.split_once(" is not valid ").or_else(|| text.split_once(" is deprecated "))?;
    let (element, option) = match before.rsplit_once(": ") {
        Some((element, option)) => (element.to_owned(), option),
        None => (ast::scoped(&file.package, ast::FILE), before),
    };
    let name = option.rsplit('.').next()?;
    let mut find = FindOption { element: &element, name, found: None, outer: None };
    file.each_options(&mut find);
    find.found.or(find.outer)
}

/// Returns the position of the import that an error names, or of the last import of that name if there are several.
fn of_import(file: &File, text: &str) -> Option<Position> {
    let name = text.strip_prefix("import \"")?;
    let named =
        file.imports.iter().rev().find(|import| {
            name.strip_prefix(&*shown(&import.name)).is_some_and(|rest| rest.starts_with('"'))
        });
    named.map(|import| import.position)
}

/// Returns the position of the element whose full name is `name`, or else of the nearest element around it. `name` may end with
/// `...`, because errors truncate long names.
fn position_of(file: &File, name: &str) -> Option<Position> {
    if let Some(start) = name.strip_suffix("...") {
        let positions = file.positions.iter().filter(|(name, _)| name.starts_with(start));
        return positions.map(|(_, position)| *position).min_by_key(|position| position.offset);
    }
    let mut name = name;
    loop {
        match (file.positions.get(name), name.rfind('.')) {
            (Some(position), _) => return Some(*position),
            (None, Some(dot)) => name = &name[..dot],
            (None, None) => return None,
        }
    }
}

impl Compiler {
    /// Returns the source of a file, or `None` if the file is not found. Adds the path of a file that was read to `read`.
    fn find(&self, name: &str, read: &mut Vec<PathBuf>) -> Result<Option<Cow<'_, str>>, String> {
        if let Some(&index) = self.by_name.get(name) {
            return Ok(Some(Cow::Borrowed(&self.sources[index].1)));
        }
        let path = self.includes.iter().map(|include| include.join(name)).find(|path| path.is_file());
        let Some(path) = path else { return Ok(None) };
        let bytes =
            fs::read(&path).map_err(|error| format!("{} could not be read: {error}", path.display()))?;
        read.push(path);
        let source = String::from_utf8(bytes).map_err(|_| "the file is not UTF-8".to_owned())?;
        Ok(Some(Cow::Owned(source)))
    }

    /// Returns the name by which imports refer to a file: its path relative to an include directory, or the name of a
    /// source in memory.
    fn import_name(&self, file: &Path) -> Option<String> {
        if let Some(name) = file.to_str().filter(|name| self.by_name.contains_key(*name)) {
            return Some(name.to_owned());
        }
        let canonical = file.canonicalize().ok();
        for include in &self.includes {
            let relative = file.strip_prefix(include).ok().map(Path::to_owned).or_else(|| {
                let canonical = canonical.as_ref()?.strip_prefix(include.canonicalize().ok()?).ok()?;
                Some(canonical.to_owned())
            });
            let name = relative.filter(|path| include.join(path).is_file()).and_then(|path| file_name(&path));
            if name.is_some() {
                return name;
            }
        }
        let is_there = self.includes.iter().any(|include| include.join(file).is_file());
        is_there.then(|| file_name(file)).flatten()
    }
}

/// Converts a relative path to the form of imports, with `/`. Returns `None` if the path is absolute, begins with `.`, has `..`
/// or is not UTF-8.
fn file_name(path: &Path) -> Option<String> {
    let mut name = String::new();
    for part in path.components() {
        let Component::Normal(part) = part else { return None };
        if !name.is_empty() {
            name.push('/');
        }
        name.push_str(part.to_str()?);
    }
    Some(name)
}

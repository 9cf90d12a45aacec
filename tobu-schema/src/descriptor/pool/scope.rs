//! Looks up the names that the source of a file may use: the elements of the file, of its imports, and of the public
//! imports of its imports.

use super::super::tables::{ImportKind, Item};
use super::super::{ExtensionDescriptor, FileDescriptor, MessageDescriptor};
use super::layer::FileSet;
use super::{Layers, Pool};

/// The names that a file may use. The pool contains the imports of the file, and may contain the file itself.
pub(crate) struct Scope<'p> {
    layers: &'p Layers,
    package: String,
    own: Option<u32>,
    imports: Vec<(u32, ImportKind)>,
    /// The visible files. They are collected when they are needed for the first time, because most files have no
    /// custom options.
    visible: Option<Visible>,
}

struct Visible {
    files: FileSet,
    /// Files that are imported only for their options. Only their extensions are visible.
    for_options: FileSet,
    /// The packages of all these files, sorted.
    packages: Vec<Box<str>>,
}

/// The declaration that a name means.
pub(crate) enum Found {
    Message(MessageDescriptor),
    Extension(ExtensionDescriptor),
    /// An element of another kind. It may have members.
    Other {
        has_members: bool,
    },
    /// The file of an element that exists, but that the source may not use, because the source does not import the file.
    Hidden(FileDescriptor),
    Nothing,
}

/// The maximum number of visible files whose packages are searched for names.
const MAX_FILES: usize = 1 << 20;

impl Pool {
    /// Returns the scope of a file with this name and package. `imports` has the names of its imports, and whether
    /// each is only for options.
    pub(crate) fn scope<'p, 'n>(
        &'p self,
        file: &str,
        package: &str,
        imports: impl Iterator<Item = (&'n str, bool)>,
    ) -> Scope<'p> {
        let layers = &self.0.layers;
        let kind = |is_option| if is_option { ImportKind::Option } else { ImportKind::Plain };
        let imports =
            imports.filter_map(|(name, is_option)| Some((layers.file_index(name)?, kind(is_option))));
        Scope {
            layers,
            package: package.to_owned(),
            own: layers.file_index(file),
            imports: imports.collect(),
            visible: None,
        }
    }
}

impl Scope<'_> {
    /// Returns the declaration that an element means by `name`. The search goes from the innermost scope outwards. If the name
    /// has several components, the search ends at the first scope in which the first component is an element with members.
    ///
    /// Specification: <https://protobuf.dev/programming-guides/proto3/#name-resolution>.
    pub(crate) fn lookup(&mut self, element: &str, name: &str) -> Result<Found, String> {
        if let Some(full) = name.strip_prefix('.') {
            return self.find(full);
        }
        let first = name.split('.').next().unwrap_or_default();
        let is_compound = first.len() < name.len();
        let mut hidden = Found::Nothing;
        let mut scope = element;
        loop {
            scope = scope.rfind('.').map_or("", |dot| &scope[..dot]);
            let full =
                |last: &str| if scope.is_empty() { last.to_owned() } else { [scope, ".", last].concat() };
            let has_members = match self.find(&full(first))? {
                found @ Found::Hidden(_) => {
                    hidden = found;
                    false
                }
                Found::Nothing => false,
                found if !is_compound => return Ok(found),
                Found::Message(_) | Found::Other { has_members: true } => true,
                _ => false,
            };
            if has_members {
                return self.find(&full(name));
            }
            if scope.is_empty() {
                return Ok(hidden);
            }
        }
    }

    /// Returns the element with a full name.
    pub(crate) fn find(&mut self, full_name: &str) -> Result<Found, String> {
        let Some(symbol) = self.layers.symbol(full_name) else { return Ok(Found::Nothing) };
        let Some(file) = self.layers.file(symbol.file) else { return Ok(Found::Nothing) };
        if let Item::Package(_) = symbol.item {
            // Many files may have this package, but the symbol names only the first of them. So the file of the symbol does not
            // tell whether the package is visible.
            let is_visible = is_in(&self.package, full_name) || self.visible()?.has_package(full_name);
            return Ok(if is_visible { Found::Other { has_members: true } } else { Found::Nothing });
        }
        let is_extension = matches!(symbol.item, Item::Extension(_));
        if self.own != Some(symbol.file) {
            let visible = self.visible()?;
            let is_for_options = is_extension && visible.for_options.contains(symbol.file);
            if !visible.files.contains(symbol.file) && !is_for_options {
                return Ok(Found::Hidden(file.clone()));
            }
        }
        Ok(match symbol.item {
            Item::Message(index) => Found::Message(MessageDescriptor::new(file.tables(), index)),
            Item::Extension(index) => Found::Extension(ExtensionDescriptor::new(file.tables(), index)),
            item => Found::Other { has_members: matches!(item, Item::Enum(_) | Item::Service(_)) },
        })
    }

    fn visible(&mut self) -> Result<&Visible, String> {
        if self.visible.is_none() {
            self.visible = Some(self.make_visible()?);
        }
        self.visible.as_ref().ok_or_else(String::new)
    }

    fn make_visible(&self) -> Result<Visible, String> {
        let (mut files, mut for_options, mut count) = (Vec::new(), Vec::new(), 0);
        for &(import, kind) in &self.imports {
            let set = if kind == ImportKind::Option { &mut for_options } else { &mut files };
            match self.layers.exports(import) {
                Some(exports) => set.extend_from_slice(exports.ranges()),
                None => set.push(import..import + 1),
            }
            if files.len() + for_options.len() > MAX_FILES {
                return Err("there are too many public imports to search".to_owned());
            }
        }
        let (files, for_options) = (FileSet::new(files), FileSet::new(for_options));
        let mut packages: Vec<Box<str>> = Vec::new();
        for range in files.ranges().iter().chain(for_options.ranges()) {
            count += range.len();
            if count > MAX_FILES {
                return Err("there are too many public imports to search".to_owned());
            }
            for file in range.clone().filter_map(|file| self.layers.file(file)) {
                if packages.last().is_none_or(|last| **last != *file.package()) {
                    packages.push(file.package().into());
                }
            }
        }
        packages.sort_unstable();
        packages.dedup();
        Ok(Visible { files, for_options, packages })
    }
}

impl Visible {
    fn has_package(&self, package: &str) -> bool {
        // A dot sorts before all characters of names, so the packages inside this package come next.
        let next = self.packages.get(self.packages.partition_point(|known| **known < *package));
        next.is_some_and(|next| is_in(next, package))
    }
}

/// True if `package` equals `outer` or is inside it.
fn is_in(package: &str, outer: &str) -> bool {
    package.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

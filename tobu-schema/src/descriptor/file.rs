//! The handle of a file.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::handle::Elements;
use super::handle::numbered;
use super::tables::{FileTables, ImportKind};
use super::{
    Comments, Edition, EnumDescriptor, ExtensionDescriptor, Features, MessageDescriptor, OptionsRef,
    ServiceDescriptor,
};

/// A linked `.proto` file.
#[derive(Clone)]
pub struct FileDescriptor(Arc<FileTables>);

impl FileDescriptor {
    pub(super) fn new(tables: Arc<FileTables>) -> Self {
        FileDescriptor(tables)
    }

    pub(super) fn tables(&self) -> &Arc<FileTables> {
        &self.0
    }

    /// Returns the name of the file in imports, which is a path with `/`.
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// Returns the package, which is empty if the file has none.
    pub fn package(&self) -> &str {
        self.0.package()
    }

    /// Returns the edition or syntax.
    pub fn edition(&self) -> Edition {
        self.0.edition
    }

    /// Returns the imported files, in the order of declaration. At the end are the files that are imported only for
    /// their options, if they are in the pool.
    pub fn dependencies(&self) -> impl Iterator<Item = FileDescriptor> + '_ {
        self.imports(|_| true)
    }

    /// Returns the publicly imported files. Other files that import this file may use the names that these files declare.
    pub fn public_dependencies(&self) -> impl Iterator<Item = FileDescriptor> + '_ {
        self.imports(|kind| kind == ImportKind::Public)
    }

    pub(super) fn imports(&self, filter: fn(ImportKind) -> bool) -> std::vec::IntoIter<FileDescriptor> {
        let mut files = Vec::new();
        for import in &self.0.imports {
            if filter(import.kind)
                && let Some(file) = import.file
            {
                files.push(FileDescriptor(Arc::clone(&self.0.reach[file as usize])));
            }
        }
        files.into_iter()
    }

    /// Returns the messages at the top level.
    pub fn messages(&self) -> impl ExactSizeIterator<Item = MessageDescriptor> + '_ {
        Elements::new(&self.0, self.0.top_messages.range(), MessageDescriptor::new)
    }

    /// Returns all messages: first the messages at the top level, then the nested ones, level by level.
    pub fn all_messages(&self) -> impl ExactSizeIterator<Item = MessageDescriptor> + '_ {
        Elements::new(&self.0, 0..self.0.messages.len() as u32, MessageDescriptor::new)
    }

    /// Returns the enums at the top level.
    pub fn enums(&self) -> impl ExactSizeIterator<Item = EnumDescriptor> + '_ {
        Elements::new(&self.0, self.0.top_enums.range(), EnumDescriptor::new)
    }

    /// Returns all enums, including nested ones.
    pub fn all_enums(&self) -> impl ExactSizeIterator<Item = EnumDescriptor> + '_ {
        Elements::new(&self.0, 0..self.0.enums.len() as u32, EnumDescriptor::new)
    }

    /// Returns the extensions at the top level.
    pub fn extensions(&self) -> impl ExactSizeIterator<Item = ExtensionDescriptor> + '_ {
        Elements::new(&self.0, self.0.top_extensions.range(), ExtensionDescriptor::new)
    }

    /// Returns all extensions, including those declared in messages.
    pub fn all_extensions(&self) -> impl Iterator<Item = ExtensionDescriptor> + '_ {
        let mut extensions = Vec::new();
        for (field, i) in numbered(&self.0.fields) {
            if field.is_extension {
                extensions.push(ExtensionDescriptor::new(&self.0, i));
            }
        }
        extensions.into_iter()
    }

    /// Returns the services.
    pub fn services(&self) -> impl ExactSizeIterator<Item = ServiceDescriptor> + '_ {
        Elements::new(&self.0, 0..self.0.services.len() as u32, ServiceDescriptor::new)
    }

    /// Returns the options.
    pub fn options(&self) -> OptionsRef<'_> {
        OptionsRef::new(&self.0, self.0.options(self.0.options), "google.protobuf.FileOptions")
    }

    /// Returns the features that apply at the top level of the file.
    pub fn features(&self) -> Features {
        self.0.features
    }

    /// Returns the serialized `google.protobuf.FileDescriptorProto` that was added to the pool.
    pub fn encoded(&self) -> &[u8] {
        &self.0.encoded
    }

    /// Returns the comments around the package declaration.
    pub fn comments(&self) -> Comments {
        self.0.comments(&[2])
    }

    /// Returns the comments around the syntax or edition declaration, usually a license.
    pub fn syntax_comments(&self) -> Comments {
        // protoc stores the location of an edition under the field number of `syntax`. Other compilers use the field
        // number of `edition`.
        let comments = self.0.comments(&[12]);
        if comments.is_empty() { self.0.comments(&[14]) } else { comments }
    }
}

impl PartialEq for FileDescriptor {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for FileDescriptor {}

impl Hash for FileDescriptor {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (Arc::as_ptr(&self.0) as usize).hash(state);
    }
}

impl fmt::Debug for FileDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileDescriptor({:?})", self.name())
    }
}

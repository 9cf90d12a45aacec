//! The global pool, in which generated files are registered.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use once_cell::sync::{Lazy, OnceCell};

use super::handle::{Numbers, each};
use super::names::value_names;
use super::tables::{FileTables, ImportKind};
use super::{
    EnumDescriptor, ExtensionDescriptor, FileDescriptor, MessageDescriptor, Pool, ServiceDescriptor,
};
use crate::error::Result;
use crate::files;

static GLOBAL: Lazy<Mutex<Pool>> = Lazy::new(Mutex::default);

/// Returns a snapshot of the global pool: the files of `google/protobuf/`, and every generated file that was
/// [registered](GeneratedFile::register) so far.
///
/// ```
/// use tobu::descriptor::{GeneratedFile, global};
///
/// assert!(global().message("google.protobuf.Duration").is_some());
///
/// static FILE: GeneratedFile = GeneratedFile::new(b"\x0a\x0dexample.proto\x22\x07\x0a\x05Hello", &[]);
///
/// assert!(FILE.message("Hello").is_some());
/// assert!(global().file("example.proto").is_some());
/// ```
pub fn global() -> Pool {
    // Whether an `Any` of a well-known type can be read must not depend on whether something used that type before.
    for file in files::ALL {
        file.register();
    }
    register_groups();
    lock().clone()
}

impl Pool {
    /// Returns a snapshot of the global pool: the files of `google/protobuf/`, every generated file that was
    /// [registered](GeneratedFile::register) so far, and every type with a declared schema that was used.
    pub fn global() -> Pool {
        global()
    }
}

/// Adds a file made at run time to the global pool.
///
/// # Errors
/// Fails if [`Pool::add_file`] would fail.
pub fn register(bytes: &[u8]) -> Result<FileDescriptor> {
    lock().add_file(bytes)
}

/// One generated file: its serialized FileDescriptorProto, and the files it imports. Lives in a `static`.
///
/// It is parsed and linked on first use.
pub struct GeneratedFile {
    encoded: &'static [u8],
    dependencies: &'static [&'static GeneratedFile],
    slot: Option<&'static FileSlot>,
    group: Option<&'static FileGroup>,
    linked: OnceCell<Linked>,
}

/// The files of one build. When one of them is registered, the [global pool](global) gets all of them, so that the
/// types of an `Any` or an extension do not depend on which types were used before. Lives in a `static`.
pub struct FileGroup {
    files: &'static [&'static GeneratedFile],
    is_noted: AtomicBool,
}

impl FileGroup {
    /// Creates a group of files.
    #[must_use]
    pub const fn new(files: &'static [&'static GeneratedFile]) -> Self {
        FileGroup { files, is_noted: AtomicBool::new(false) }
    }
}

impl fmt::Debug for FileGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FileGroup").field(&self.files.len()).finish()
    }
}

/// The groups of which only some files are registered, because a program that never reads the global pool should not
/// link the others.
static NOTED: Mutex<Vec<&'static FileGroup>> = Mutex::new(Vec::new());

/// Registers the missing files of all groups with a registered file.
fn register_groups() {
    static REGISTERING: Mutex<()> = Mutex::new(());
    // Another thread that gets here waits until all files are registered.
    let _turn = REGISTERING.lock().unwrap_or_else(PoisonError::into_inner);
    let next = || NOTED.lock().unwrap_or_else(PoisonError::into_inner).pop();
    while let Some(group) = next() {
        for file in group.files {
            file.register();
        }
    }
}

/// A slot in which the types of a generated file find it after it was registered. Lives in a `static` beside that of
/// the file.
///
/// A reference to a slot is not a reference to the file, so that a program that never needs a descriptor of the file
/// does not contain it.
pub struct FileSlot {
    file: OnceCell<&'static dyn Registered>,
    encoded: OnceCell<&'static [u8]>,
}

/// A registered file. It is behind a `dyn`, so that only code that registers files contains the code for that.
pub trait Registered: Sync {
    /// Returns the message with a full name, as [`GeneratedFile::message`] does.
    fn find_message(&'static self, full_name: &str) -> Option<MessageDescriptor>;

    /// Returns the enum with a full name, as [`GeneratedFile::enumeration`] does.
    fn find_enum(&'static self, full_name: &str) -> Option<EnumDescriptor>;
}

impl Registered for GeneratedFile {
    fn find_message(&'static self, full_name: &str) -> Option<MessageDescriptor> {
        self.message(full_name)
    }

    fn find_enum(&'static self, full_name: &str) -> Option<EnumDescriptor> {
        self.enumeration(full_name)
    }
}

impl FileSlot {
    /// Creates a slot of a file that is not registered yet.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is a static")]
    pub const fn new() -> Self {
        FileSlot { file: OnceCell::new(), encoded: OnceCell::new() }
    }

    /// Returns the file, if it is registered.
    #[doc(hidden)]
    pub fn file(&self) -> Option<&'static dyn Registered> {
        self.file.get().copied()
    }
}

impl FileSlot {
    /// Returns numbers and names of the values of an enum in a [noted](GeneratedFile::note) file, in the order of
    /// declaration. The file need not be registered.
    #[doc(hidden)]
    pub fn value_names(&self, full_name: &str) -> Option<Vec<(i32, &'static str)>> {
        value_names(self.encoded.get()?, full_name)
    }
}

impl fmt::Debug for FileSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FileSlot").field(&self.file.get().is_some()).finish()
    }
}

struct Linked {
    file: FileDescriptor,
    /// The pool of a file that is not in the global pool.
    private: Option<Pool>,
}

impl GeneratedFile {
    /// Creates a file that imports `dependencies`, which must be complete.
    ///
    /// The bytes come from a file that a compiler has accepted. Names are resolved, but errors that compilers and
    /// [`Pool::add_file`] refuse, such as a number that two fields have, are not searched for again.
    pub const fn new(encoded: &'static [u8], dependencies: &'static [&'static GeneratedFile]) -> Self {
        GeneratedFile { encoded, dependencies, slot: None, group: None, linked: OnceCell::new() }
    }

    /// A file with a slot, in which types that state their schemas find it after it was registered.
    #[must_use]
    pub const fn slot(mut self, slot: &'static FileSlot) -> Self {
        self.slot = Some(slot);
        self
    }

    /// A file with a slot, in a group with the other files of a build.
    #[must_use]
    pub const fn group(mut self, group: &'static FileGroup) -> Self {
        self.group = Some(group);
        self
    }

    /// Returns the linked file.
    ///
    /// It is in the global pool, unless that has another version of it or of an import, or another declaration of one
    /// of its names. Then it is in a separate pool.
    ///
    /// # Panics
    /// If the bytes are not a valid file with these imports, which no generator writes.
    pub fn descriptor(&'static self) -> &'static FileDescriptor {
        &self.linked().file
    }

    /// Adds the file and its imports to the [global pool](global). Every use of one of its types that needs a
    /// descriptor does so, too: JSON, text, reflection, `Any`. The wire format needs none, and `Debug` needs one only
    /// for messages that lead to extensions or to an `Any`.
    ///
    /// JSON and text of a `google.protobuf.Any` look up the type in that pool, so types that are used only there must
    /// be registered first.
    ///
    /// ```
    /// # use tobu::descriptor::{GeneratedFile, global};
    /// # static FILE: GeneratedFile = GeneratedFile::new(b"\x0a\x0eexample2.proto\x22\x08\x0a\x06Hello2", &[]);
    /// assert!(global().message("Hello2").is_none());
    /// FILE.register();
    /// assert!(global().message("Hello2").is_some());
    /// ```
    ///
    /// # Panics
    /// This panics if [`descriptor`](Self::descriptor) would panic.
    #[inline]
    pub fn register(&'static self) {
        if self.linked.get().is_none() {
            self.linked();
        }
    }

    /// Lets the types of the file and of its imports find the names of enum values without linking the file.
    #[doc(hidden)]
    pub fn note(&'static self) {
        if let Some(slot) = self.slot
            && slot.encoded.set(self.encoded).is_ok()
        {
            self.dependencies.iter().for_each(|file| file.note());
        }
    }

    /// Returns the serialized `google.protobuf.FileDescriptorProto`.
    pub fn encoded(&self) -> &'static [u8] {
        self.encoded
    }

    /// Returns the message with a full name, in this file.
    ///
    /// # Panics
    /// This panics if [`descriptor`](Self::descriptor) would panic.
    pub fn message(&'static self, full_name: &str) -> Option<MessageDescriptor> {
        self.own_pool().message(full_name).filter(|message| message.file() == *self.descriptor())
    }

    /// Returns the enum with a full name, in this file.
    ///
    /// # Panics
    /// This panics if [`descriptor`](Self::descriptor) would panic.
    pub fn enumeration(&'static self, full_name: &str) -> Option<EnumDescriptor> {
        self.own_pool().enumeration(full_name).filter(|enumeration| enumeration.file() == *self.descriptor())
    }

    /// Returns the service with a full name, in this file.
    ///
    /// # Panics
    /// This panics if [`descriptor`](Self::descriptor) would panic.
    pub fn service(&'static self, full_name: &str) -> Option<ServiceDescriptor> {
        self.own_pool().service(full_name).filter(|service| service.file() == *self.descriptor())
    }

    /// Returns the extension with a full name, in this file.
    ///
    /// # Panics
    /// This panics if [`descriptor`](Self::descriptor) would panic.
    pub fn extension(&'static self, full_name: &str) -> Option<ExtensionDescriptor> {
        self.own_pool().extension(full_name).filter(|extension| extension.file() == *self.descriptor())
    }

    /// Returns a snapshot of the pool that contains the file.
    ///
    /// # Panics
    /// This panics if [`descriptor`](Self::descriptor) would panic.
    pub fn pool(&'static self) -> Pool {
        match &self.linked().private {
            Some(pool) => pool.clone(),
            None => global(),
        }
    }

    /// Returns a snapshot of that pool, which may lack other files of the group.
    fn own_pool(&'static self) -> Pool {
        match &self.linked().private {
            Some(pool) => pool.clone(),
            None => lock().clone(),
        }
    }

    #[inline(never)]
    fn linked(&'static self) -> &'static Linked {
        if let Some(group) = self.group.filter(|group| !group.is_noted.load(Ordering::Acquire)) {
            // Code that finds it noted also finds it in the list, unless it is registered.
            let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
            if !group.is_noted.swap(true, Ordering::AcqRel) {
                noted.push(group);
            }
        }
        self.linked.get_or_init(|| {
            if let Some(slot) = self.slot {
                // A thread that finds the file there waits until it is linked.
                slot.file.get_or_init(|| self);
            }
            let imports = each(self.dependencies, |file| file.descriptor());
            let bytes = Bytes::from_static(self.encoded);
            if let Some(file) = add_global(bytes.clone(), &imports) {
                return Linked { file, private: None };
            }
            let mut pool = Pool::new();
            match add_private(&mut pool, bytes, &imports) {
                Ok(file) => Linked { file, private: Some(pool) },
                Err(error) => panic!("a generated file is not valid: {error}"),
            }
        })
    }
}

/// Adds a file to the global pool, if it can be there with exactly these imports.
fn add_global(bytes: Bytes, imports: &[&FileDescriptor]) -> Option<FileDescriptor> {
    let mut pool = lock();
    for import in imports {
        if pool.file(import.name()).is_none_or(|known| known != **import) {
            return None;
        }
    }
    let file = pool.add_generated(&bytes).ok()?;
    for import in file.imports(|kind| kind != ImportKind::Option) {
        if !imports.contains(&&import) {
            return None;
        }
    }
    Some(file)
}

fn add_private(pool: &mut Pool, bytes: Bytes, imports: &[&FileDescriptor]) -> Result<FileDescriptor> {
    let mut seen = Numbers::new();
    let mut open: Vec<(Arc<FileTables>, usize)> = Vec::new();
    for import in imports {
        open.push((Arc::clone(import.tables()), 0));
        // Depth first, so that imports precede importers.
        while let Some((file, next)) = open.last_mut() {
            let import = file.reach.get(*next).cloned();
            *next += 1;
            match import {
                Some(import) if seen.contains_key(&(Arc::as_ptr(&import) as usize)) => {}
                Some(import) => open.push((import, 0)),
                None => {
                    if let Some((file, _)) = open.pop()
                        && seen.insert(Arc::as_ptr(&file) as usize, 0).is_none()
                    {
                        pool.adopt(file)?;
                    }
                }
            }
        }
    }
    pool.add_generated(&bytes)
}

fn lock() -> MutexGuard<'static, Pool> {
    // A pool is changed by whole files or not at all, so it is valid after a panic elsewhere.
    GLOBAL.lock().unwrap_or_else(PoisonError::into_inner)
}

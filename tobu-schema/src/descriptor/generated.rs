//! Registers generated files in the global pool.

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

/// Returns a snapshot of the global pool: the files of `google/protobuf/`, every generated file that was
/// [registered](GeneratedFile::register) so far, and every type with a declared schema that was used so far.
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
    // The well-known types are always in the pool, so reading an `Any` does not depend on whether other code used its
    // type before.
    for file in files::ALL {
        file.register();
    }
    register_groups();
    lock().clone()
}

impl Pool {
    /// Returns a snapshot of the global pool: the files of `google/protobuf/`, every generated file that was
    /// [registered](GeneratedFile::register) so far, and every type with a declared schema that was used so far.
    pub fn global() -> Pool {
        global()
    }
}

/// Adds a file that was created at run time to the global pool.
///
/// # Errors
/// The function fails if [`Pool::add_file`] would fail.
pub fn register(bytes: &[u8]) -> Result<FileDescriptor> {
    lock().add_file(bytes)
}

/// A generated file: its serialized `FileDescriptorProto`, and the files that it imports. Each file is a `static` of
/// this type.
///
/// The file is parsed and linked when it is used for the first time.
pub struct GeneratedFile {
    encoded: &'static [u8],
    dependencies: &'static [&'static GeneratedFile],
    slot: Option<&'static FileSlot>,
    group: Option<&'static FileGroup>,
    linked: OnceCell<Linked>,
}

/// The files of one build. If one file of the group is registered, the [global pool](global) contains all files of the group,
/// so that the types that an `Any` or an extension can have do not depend on which types were used before. Each group is a
/// `static` of this type.
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

/// The groups with a registered file whose other files may still be missing. They are registered only when a program
/// reads the global pool, so that other programs do not link them.
static NOTED: Mutex<Vec<&'static FileGroup>> = Mutex::new(Vec::new());

/// Registers the missing files of all groups with a registered file.
fn register_groups() {
    static REGISTERING: Mutex<()> = Mutex::new(());
    // If several threads call this function, each returns only after all files are registered.
    let _turn = REGISTERING.lock().unwrap_or_else(PoisonError::into_inner);
    let next = || NOTED.lock().unwrap_or_else(PoisonError::into_inner).pop();
    while let Some(group) = next() {
        for file in group.files {
            file.register();
        }
    }
}

/// Holds the generated file after it was registered, so that its types can find it. Each slot is a `static` of this
/// type, next to the `static` of the file.
///
/// A reference to a slot does not refer to the file. Therefore a program that never needs a descriptor of the file
/// does not contain the file.
pub struct FileSlot {
    file: OnceCell<&'static dyn Registered>,
    encoded: OnceCell<&'static [u8]>,
}

/// A registered file. It is used as `dyn`, so that a program contains the code that finds descriptors only if it
/// registers files.
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
    /// Creates a slot for a file that is not registered yet.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is a static")]
    pub const fn new() -> Self {
        FileSlot { file: OnceCell::new(), encoded: OnceCell::new() }
    }

    /// Returns the file; `None` if it is not registered.
    #[doc(hidden)]
    pub fn file(&self) -> Option<&'static dyn Registered> {
        self.file.get().copied()
    }
}

impl FileSlot {
    /// Returns the numbers and names of the values of an enum, in the order of declaration; `None` if no file was
    /// [noted](GeneratedFile::note), or the file does not declare the enum. The file need not be registered.
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
    /// The pool with the file, if the file is not in the global pool.
    private: Option<Pool>,
}

impl GeneratedFile {
    /// Creates a file that imports `dependencies`. The list must contain all imports.
    ///
    /// The bytes must come from a file that a compiler has accepted. Names are resolved, but the file is not checked
    /// again for errors that compilers and [`Pool::add_file`] report, such as two fields with the same number.
    pub const fn new(encoded: &'static [u8], dependencies: &'static [&'static GeneratedFile]) -> Self {
        GeneratedFile { encoded, dependencies, slot: None, group: None, linked: OnceCell::new() }
    }

    /// Sets the slot of the file. Types that declare their schemas find the file there after it was registered.
    #[must_use]
    pub const fn slot(mut self, slot: &'static FileSlot) -> Self {
        self.slot = Some(slot);
        self
    }

    /// Sets the group with the files of the same build.
    #[must_use]
    pub const fn group(mut self, group: &'static FileGroup) -> Self {
        self.group = Some(group);
        self
    }

    /// Returns the linked file.
    ///
    /// The file is in the global pool, unless the pool has another version of the file or of an import, or another
    /// declaration of a name in the file. In this case the file is in a separate pool.
    ///
    /// # Panics
    /// If the bytes are not a valid file with these imports. No generator creates such bytes.
    pub fn descriptor(&'static self) -> &'static FileDescriptor {
        &self.linked().file
    }

    /// Adds the file and its imports to the [global pool](global). This also happens whenever a type of the file needs its
    /// descriptor: for JSON, text, reflection and `Any`. The wire format needs no descriptor. `Debug` needs a descriptor only
    /// for messages that can contain extensions or an `Any`.
    ///
    /// JSON and text of a `google.protobuf.Any` look up the type in the global pool. If a type is only used inside of an `Any`,
    /// register its file before you use the `Any`.
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

    /// Makes the names of enum values available to the types of the file and of its imports. This does not link the
    /// files.
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

    /// Returns the message with a full name, if this file declares it.
    ///
    /// # Panics
    /// This panics if [`descriptor`](Self::descriptor) would panic.
    pub fn message(&'static self, full_name: &str) -> Option<MessageDescriptor> {
        self.own_pool().message(full_name).filter(|message| message.file() == *self.descriptor())
    }

    /// Returns the enum with a full name, if this file declares it.
    ///
    /// # Panics
    /// This panics if [`descriptor`](Self::descriptor) would panic.
    pub fn enumeration(&'static self, full_name: &str) -> Option<EnumDescriptor> {
        self.own_pool().enumeration(full_name).filter(|enumeration| enumeration.file() == *self.descriptor())
    }

    /// Returns the service with a full name, if this file declares it.
    ///
    /// # Panics
    /// This panics if [`descriptor`](Self::descriptor) would panic.
    pub fn service(&'static self, full_name: &str) -> Option<ServiceDescriptor> {
        self.own_pool().service(full_name).filter(|service| service.file() == *self.descriptor())
    }

    /// Returns the extension with a full name, if this file declares it.
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

    /// Returns a snapshot of the pool that contains the file. The snapshot may lack other files of the group.
    fn own_pool(&'static self) -> Pool {
        match &self.linked().private {
            Some(pool) => pool.clone(),
            None => lock().clone(),
        }
    }

    #[inline(never)]
    fn linked(&'static self) -> &'static Linked {
        if let Some(group) = self.group.filter(|group| !group.is_noted.load(Ordering::Acquire)) {
            // If another thread sees `is_noted`, the group is already in the list, or its files are being registered.
            let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
            if !group.is_noted.swap(true, Ordering::AcqRel) {
                noted.push(group);
            }
        }
        self.linked.get_or_init(|| {
            if let Some(slot) = self.slot {
                // Another thread that finds the file in the slot waits until it is linked.
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

/// Adds a file to the global pool. Returns `None` if the pool cannot contain it with exactly these imports.
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
        // The search is depth first, so that a file is added after its imports.
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
    // A pool never contains a part of a file, so the pool is valid even if another thread panicked.
    GLOBAL.lock().unwrap_or_else(PoisonError::into_inner)
}

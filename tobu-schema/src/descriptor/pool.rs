//! The pool: all linked files, with lookup by name.

mod layer;
#[cfg(feature = "source")]
mod scope;

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::handle::{each, numbered};
use super::link::{Origin, link};
use super::link::{SET, error_at, file_name, malformed};
use super::raw;
use super::raw::shallow::Header;
use super::tables::{FileTables, Item};
use super::{
    EnumDescriptor, EnumValueDescriptor, ExtensionDescriptor, FieldDescriptor, FileDescriptor,
    MessageDescriptor, MethodDescriptor, OneofDescriptor, ServiceDescriptor,
};
use crate::error::{Error, Result};
pub(super) use layer::Batch;
use layer::{Layer, Layers};
pub(super) use layer::{Symbol, Table};
#[cfg(feature = "source")]
pub(crate) use scope::{Found, Scope};

/// A set of linked files. All names in it are resolved, and all files are valid.
///
/// A pool is a snapshot that is cheap to clone. Adding files only changes this pool; earlier clones do not change. If
/// adding files fails, nothing changes.
///
/// ```
/// use tobu::Pool;
///
/// // A file `a.proto` with `message M {}`.
/// let file = b"\x0a\x07a.proto\x22\x03\x0a\x01M";
/// let mut pool = Pool::new();
/// pool.add_file(file)?;
/// assert_eq!(pool.message("M").unwrap().file().name(), "a.proto");
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Pool(Arc<PoolTables>);

#[derive(Clone, Default)]
struct PoolTables {
    layers: Layers,
    /// Values that an upper layer caches for messages in this snapshot.
    cache: Cache,
}

/// Values of an upper layer. A clone starts without values, because the clone will change.
#[derive(Default)]
struct Cache(Mutex<HashMap<Box<str>, Arc<dyn Any + Send + Sync>>>);

impl Clone for Cache {
    fn clone(&self) -> Self {
        Cache::default()
    }
}

impl Pool {
    /// Creates an empty pool. It does not even contain the well-known types.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a pool with the files of a serialized `google.protobuf.FileDescriptorSet`, in any order.
    ///
    /// # Errors
    /// The bytes are malformed, an import is missing or cyclic, or a file is not valid.
    pub fn from_descriptor_set(bytes: &[u8]) -> Result<Self> {
        let mut pool = Pool::new();
        pool.add_descriptor_set(bytes)?;
        Ok(pool)
    }

    /// Creates a pool like [`from_descriptor_set`](Self::from_descriptor_set), but without a copy, because the pool
    /// keeps the given bytes.
    ///
    /// # Errors
    /// The function fails if [`from_descriptor_set`](Self::from_descriptor_set) would fail.
    pub fn from_descriptor_set_bytes(bytes: impl Into<Bytes>) -> Result<Self> {
        let mut pool = Pool::new();
        pool.add_set(&bytes.into())?;
        Ok(pool)
    }

    /// Adds the files of a serialized `google.protobuf.FileDescriptorSet`, in any order. Adds either all files or none.
    ///
    /// If the pool already contains a file with exactly the same bytes, the file is not added again.
    ///
    /// # Errors
    /// The bytes are malformed, an import is missing or cyclic, a file is not valid, or the pool has another file
    /// with the same name. After an error, the pool is unchanged.
    pub fn add_descriptor_set(&mut self, bytes: &[u8]) -> Result<()> {
        self.add_set(&Bytes::copy_from_slice(bytes))
    }

    fn add_set(&mut self, bytes: &Bytes) -> Result<()> {
        let files = raw::split_set(bytes).map_err(|error| error.in_message(SET))?;
        self.add(each(&files, |file| bytes.slice_ref(file)))
    }

    /// Adds one serialized `google.protobuf.FileDescriptorProto`. Its imports must be in the pool.
    ///
    /// # Errors
    /// The function fails if [`add_descriptor_set`](Self::add_descriptor_set) would fail.
    pub fn add_file(&mut self, bytes: &[u8]) -> Result<FileDescriptor> {
        self.add_bytes(Bytes::copy_from_slice(bytes))
    }

    fn add_bytes(&mut self, bytes: Bytes) -> Result<FileDescriptor> {
        let name = file_name(&bytes).unwrap_or_default().to_owned();
        self.add(vec![bytes])?;
        self.file(&name).ok_or_else(|| Error::schema("the file has no name"))
    }

    /// Adds a single file that a generator wrote. This needs no search for an order of files.
    pub(super) fn add_generated(&mut self, bytes: &Bytes) -> Result<FileDescriptor> {
        let header = Header::read(bytes)?;
        let name = header.name.unwrap_or_default();
        if let Some(known) = self.file(name) {
            return if known.encoded() == bytes { Ok(known) } else { Err(is_other(name)) };
        }
        let mut batch = Batch::new(&self.0.layers, 1, header.counts.total());
        let file = link(&mut batch, bytes, header.counts, Origin::GENERATED)?;
        batch.push(file)?;
        let layer = batch.into_layer();
        self.push(layer);
        self.file(name).ok_or_else(|| Error::schema("the file has no name"))
    }

    /// Returns all files. Imports come before the files that import them.
    pub fn files(&self) -> impl ExactSizeIterator<Item = FileDescriptor> + '_ {
        self.0.layers.files().cloned()
    }

    /// Returns the last `count` files that were added, in the order of [`files`](Self::files).
    #[doc(hidden)]
    pub fn last_files(&self, count: usize) -> Vec<FileDescriptor> {
        self.0.layers.files().skip(self.0.layers.file_count() - count).cloned().collect()
    }

    /// Returns the file with this name, which is the name that imports use.
    pub fn file(&self, name: &str) -> Option<FileDescriptor> {
        self.0.layers.file(self.0.layers.file_index(name)?).cloned()
    }

    /// Returns all messages, including nested messages and map entries.
    pub fn messages(&self) -> impl Iterator<Item = MessageDescriptor> + '_ {
        self.0.layers.files().flat_map(FileDescriptor::all_messages)
    }

    /// Returns all enums, including nested ones.
    pub fn enums(&self) -> impl Iterator<Item = EnumDescriptor> + '_ {
        self.0.layers.files().flat_map(FileDescriptor::all_enums)
    }

    /// Returns all services.
    pub fn services(&self) -> impl Iterator<Item = ServiceDescriptor> + '_ {
        self.0.layers.files().flat_map(FileDescriptor::services)
    }

    /// Returns all extensions, including those declared in messages.
    pub fn extensions(&self) -> impl Iterator<Item = ExtensionDescriptor> + '_ {
        self.0.layers.files().flat_map(FileDescriptor::all_extensions)
    }

    /// Returns the message with a full name, without a leading dot.
    pub fn message(&self, full_name: &str) -> Option<MessageDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Message(index)) => Some(MessageDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// Returns the enum with a full name, without a leading dot.
    pub fn enumeration(&self, full_name: &str) -> Option<EnumDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Enum(index)) => Some(EnumDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// Returns the service with a full name, without a leading dot.
    pub fn service(&self, full_name: &str) -> Option<ServiceDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Service(index)) => Some(ServiceDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// Returns the extension with a full name, without a leading dot.
    pub fn extension(&self, full_name: &str) -> Option<ExtensionDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Extension(index)) => Some(ExtensionDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// Returns the field with a full name. For extensions, use [`extension`](Self::extension).
    pub fn field(&self, full_name: &str) -> Option<FieldDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Field(index)) => Some(FieldDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// Returns the oneof with a full name.
    pub fn oneof(&self, full_name: &str) -> Option<OneofDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Oneof(index)) => Some(OneofDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// Returns the enum value with a full name, which does not contain the name of the enum.
    pub fn enum_value(&self, full_name: &str) -> Option<EnumValueDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Value(index)) => Some(EnumValueDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// Returns the method with a full name.
    pub fn method(&self, full_name: &str) -> Option<MethodDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Method(index)) => Some(MethodDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// Returns the extension of a message with a field number.
    ///
    /// The message is identified by its full name, so it can be a message of another pool.
    pub fn extension_of(&self, message: &MessageDescriptor, number: u32) -> Option<ExtensionDescriptor> {
        self.extension_at(self.0.layers.extension(message.full_name(), number)?)
    }

    /// Returns all extensions of a message, in the order of their numbers.
    pub fn extensions_of(
        &self,
        message: &MessageDescriptor,
    ) -> impl Iterator<Item = ExtensionDescriptor> + use<'_> {
        let mut extensions = Vec::new();
        for symbol in self.0.layers.extensions(message.full_name()) {
            extensions.extend(self.extension_at(symbol));
        }
        extensions.into_iter()
    }

    fn extension_at(&self, symbol: Symbol) -> Option<ExtensionDescriptor> {
        let Item::Extension(index) = symbol.item else { return None };
        Some(ExtensionDescriptor::new(self.0.layers.file(symbol.file)?.tables(), index))
    }

    /// Returns a value that an upper layer caches for the message with this name in this pool. At the first call, `init`
    /// computes the value. The value lives as long as this snapshot, and must not contain handles.
    #[doc(hidden)]
    pub fn cache<T: Any + Send + Sync>(&self, full_name: &str, init: impl FnOnce() -> T) -> Arc<T> {
        let known = self.cached().get(full_name).cloned();
        let value = known.unwrap_or_else(|| {
            // The value is computed without holding the lock. If two threads do this at the same time, the first
            // result stays.
            let value: Arc<dyn Any + Send + Sync> = Arc::new(init());
            Arc::clone(self.cached().entry(full_name.into()).or_insert(value))
        });
        value.downcast().expect("only one type is ever cached")
    }

    fn cached(&self) -> MutexGuard<'_, HashMap<Box<str>, Arc<dyn Any + Send + Sync>>> {
        self.0.cache.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns all files as a serialized `google.protobuf.FileDescriptorSet`. Each file has the same bytes as when it
    /// was added.
    pub fn to_descriptor_set(&self) -> Vec<u8> {
        let mut set = raw::Options::default();
        for file in self.0.layers.files() {
            set.push_bytes(1, file.encoded());
        }
        set.into_encoded()
    }

    /// Adds a file that another pool has linked. This pool must contain exactly the files with which the file was
    /// linked.
    ///
    /// # Errors
    /// The pool already has another file with the same name, or another element with a name that the file declares.
    pub(super) fn adopt(&mut self, file: Arc<FileTables>) -> Result<()> {
        if let Some(known) = self.file(file.name()) {
            return if Arc::ptr_eq(known.tables(), &file) { Ok(()) } else { Err(is_other(file.name())) };
        }
        let mut batch = Batch::new(&self.0.layers, 1, 0);
        batch.adopt(&file)?;
        batch.push(file)?;
        let layer = batch.into_layer();
        self.push(layer);
        Ok(())
    }

    fn symbol(&self, full_name: &str) -> Option<(&Arc<FileTables>, Item)> {
        let symbol = self.0.layers.symbol(full_name)?;
        Some((self.0.layers.file(symbol.file)?.tables(), symbol.item))
    }

    /// Adds a file that was compiled from source. If linking fails, returns all errors that it finds.
    #[cfg(feature = "source")]
    pub(crate) fn add_source(&mut self, bytes: Vec<u8>) -> std::result::Result<FileDescriptor, Vec<Error>> {
        let mut errors = Vec::new();
        let added = self.add_to(vec![Bytes::from(bytes)], Some(&mut errors));
        match added
            .and_then(|()| self.last_files(1).pop().ok_or_else(|| Error::schema("the file is there already")))
        {
            Ok(file) => Ok(file),
            Err(error) => {
                errors.push(error);
                Err(errors)
            }
        }
    }

    /// Adds files in the order of their imports. Adds either all files or none.
    fn add(&mut self, files: Vec<Bytes>) -> Result<()> {
        self.add_to(files, None)
    }

    fn add_to(&mut self, files: Vec<Bytes>, errors: Option<&mut Vec<Error>>) -> Result<()> {
        let files = self.new_files(&files)?;
        if files.is_empty() {
            return Ok(());
        }
        let mut symbols = 0;
        for (header, _) in &files {
            symbols += header.counts.total();
        }
        let mut batch = Batch::new(&self.0.layers, files.len(), symbols);
        batch.errors = errors;
        for i in layer::order(&files)? {
            let (header, bytes) = &files[i];
            let file = link(&mut batch, bytes, header.counts, Origin::ANY)?;
            batch.push(file)?;
        }
        let layer = batch.into_layer();
        self.push(layer);
        Ok(())
    }

    fn push(&mut self, layer: Layer) {
        let tables = Arc::make_mut(&mut self.0);
        tables.cache = Cache::default();
        tables.layers.push(layer);
    }

    /// Returns the files that the pool does not contain yet.
    fn new_files<'a>(&self, files: &'a [Bytes]) -> Result<Vec<(Header<'a>, &'a Bytes)>> {
        let mut new = Vec::with_capacity(files.len());
        let mut seen: HashMap<&str, usize> = HashMap::with_capacity(files.len());
        for (i, bytes) in files.iter().enumerate() {
            let header = Header::read(bytes).map_err(|error| malformed(bytes, error, Some(i)))?;
            let name = header.name.unwrap_or_default();
            let known = match self.0.layers.file_index(name).and_then(|index| self.0.layers.file(index)) {
                Some(file) => Some(file.encoded()),
                None => seen.get(name).map(|i| &*files[*i]),
            };
            match known {
                None => {
                    seen.insert(name, i);
                    new.push((header, bytes));
                }
                Some(known) if known == bytes => {}
                Some(_) => return Err(is_other(name)),
            }
        }
        Ok(new)
    }
}

#[cold]
fn is_other(file: &str) -> Error {
    error_at(file, None, "another file of this name is already in the pool")
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pool ")?;
        f.debug_list().entries(self.0.layers.files().map(FileDescriptor::name)).finish()
    }
}

impl Batch<'_> {
    /// Declares the names of a file that is already linked.
    fn adopt(&mut self, file: &FileTables) -> Result<()> {
        self.declare_package(file)?;
        for (count, item) in [
            (file.messages.len(), Item::Message as fn(u32) -> Item),
            (file.oneofs.len(), Item::Oneof),
            (file.enums.len(), Item::Enum),
            (file.values.len(), Item::Value),
            (file.services.len(), Item::Service),
            (file.methods.len(), Item::Method),
        ] {
            for i in 0..count as u32 {
                self.adopt_item(item(i), file)?;
            }
        }
        for (field, i) in numbered(&file.fields) {
            let item = if field.is_extension { Item::Extension(i) } else { Item::Field(i) };
            self.adopt_item(item, file)?;
        }
        for (field, i) in numbered(&file.fields) {
            if !field.is_extension {
                continue;
            }
            let extendee = file.target_name(field.parent, Item::Message);
            if self.extension(extendee, field.number, file).is_none() {
                self.declare_extension(extendee, field.number, i, file);
            }
        }
        Ok(())
    }

    fn adopt_item(&mut self, item: Item, file: &FileTables) -> Result<()> {
        let name = file.full_name(item);
        match self.declare(name, item, file) {
            Ok(()) => Ok(()),
            Err(symbol) => Err(self.duplicate(name, symbol, file)),
        }
    }
}

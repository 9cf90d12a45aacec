//! The pool: every linked file, and what is found by name.

mod order;

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::link::{error_at, link};
use super::raw::{self, FileDescriptorProto};
use super::tables::{FileTables, Name};
use super::{
    EnumDescriptor, EnumValueDescriptor, ExtensionDescriptor, FieldDescriptor, FileDescriptor,
    MessageDescriptor, MethodDescriptor, OneofDescriptor, ServiceDescriptor,
};
use crate::error::{Error, Result};

/// A set of linked files: everything in it is resolved and valid.
///
/// A pool is a snapshot that is cheap to clone. Adding files changes this pool only: clones made before stay as they
/// are. An addition that fails changes nothing.
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
pub(super) struct PoolTables {
    /// Imports before the files that import them.
    pub(super) files: Vec<FileDescriptor>,
    pub(super) by_name: HashMap<Arc<str>, u32>,
    pub(super) symbols: HashMap<Arc<str>, Symbol>,
    /// From the full name of a message to its extensions by number: a file, and an index into its fields.
    pub(super) extensions: HashMap<Arc<str>, BTreeMap<u32, (u32, u32)>>,
    /// What an upper layer has computed per message of this snapshot.
    cache: Cache,
}

/// Values of an upper layer; a changed copy of the pool starts without any.
#[derive(Default)]
struct Cache(Mutex<HashMap<Box<str>, Arc<dyn Any + Send + Sync>>>);

impl Clone for Cache {
    fn clone(&self) -> Self {
        Cache::default()
    }
}

/// What a full name stands for.
#[derive(Clone, Copy)]
pub(super) struct Symbol {
    pub(super) file: u32,
    pub(super) item: Item,
}

/// A declared element: an index into the table of its file.
#[derive(Clone, Copy)]
pub(super) enum Item {
    Package,
    Message(u32),
    Field(u32),
    Oneof(u32),
    Enum(u32),
    Value(u32),
    Extension(u32),
    Service(u32),
    Method(u32),
}

impl Item {
    pub(super) fn is_type(self) -> bool {
        matches!(self, Item::Message(_) | Item::Enum(_))
    }

    /// What to call it in an error.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Item::Package => "a package",
            Item::Message(_) => "a message",
            Item::Field(_) => "a field",
            Item::Oneof(_) => "a oneof",
            Item::Enum(_) => "an enum",
            Item::Value(_) => "an enum value",
            Item::Extension(_) => "an extension",
            Item::Service(_) => "a service",
            Item::Method(_) => "a method",
        }
    }
}

/// What a batch of files has added so far, so that it can be undone.
pub(super) struct Batch {
    pub(super) extensions: Vec<(Arc<str>, u32)>,
    files: usize,
    pub(super) visible_budget: u64,
}

impl Pool {
    /// An empty pool: not even the well-known types are in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// A pool with the files of a serialized `google.protobuf.FileDescriptorSet`, in any order.
    ///
    /// # Errors
    /// The bytes are malformed, an import is missing or cyclic, or a file is not valid.
    pub fn from_descriptor_set(bytes: &[u8]) -> Result<Self> {
        let mut pool = Pool::new();
        pool.add_descriptor_set(bytes)?;
        Ok(pool)
    }

    /// Adds the files of a serialized `google.protobuf.FileDescriptorSet`, in any order: all of them or none.
    ///
    /// A file that is there already, byte for byte, is left as it is.
    ///
    /// # Errors
    /// The bytes are malformed, an import is missing or cyclic, a file is not valid, or another file of its name is
    /// there already. The pool is unchanged then.
    pub fn add_descriptor_set(&mut self, bytes: &[u8]) -> Result<()> {
        let bytes = Bytes::copy_from_slice(bytes);
        let files = raw::split_set(&bytes).map_err(|error| error.in_message(SET))?;
        let files = files.into_iter().map(|file| bytes.slice_ref(file)).collect();
        self.add(files)
    }

    /// Adds one serialized `google.protobuf.FileDescriptorProto`, whose imports must be there.
    ///
    /// # Errors
    /// As [`add_descriptor_set`](Self::add_descriptor_set).
    pub fn add_file(&mut self, bytes: &[u8]) -> Result<FileDescriptor> {
        self.add_bytes(Bytes::copy_from_slice(bytes))
    }

    pub(super) fn add_bytes(&mut self, bytes: Bytes) -> Result<FileDescriptor> {
        let name = file_name(&bytes).unwrap_or_default().to_owned();
        self.add(vec![bytes])?;
        self.file(&name).ok_or_else(|| Error::schema("the file has no name"))
    }

    /// Every file, imports before the files that import them.
    pub fn files(&self) -> impl ExactSizeIterator<Item = FileDescriptor> + '_ {
        self.0.files.iter().cloned()
    }

    /// The file of a name, as imports write it.
    pub fn file(&self, name: &str) -> Option<FileDescriptor> {
        let index = *self.0.by_name.get(name)?;
        Some(self.0.files[index as usize].clone())
    }

    /// Every message, nested ones and map entries included.
    pub fn messages(&self) -> impl Iterator<Item = MessageDescriptor> + '_ {
        self.0.files.iter().flat_map(FileDescriptor::all_messages)
    }

    /// Every enum, nested ones included.
    pub fn enums(&self) -> impl Iterator<Item = EnumDescriptor> + '_ {
        self.0.files.iter().flat_map(FileDescriptor::all_enums)
    }

    /// Every service.
    pub fn services(&self) -> impl Iterator<Item = ServiceDescriptor> + '_ {
        self.0.files.iter().flat_map(FileDescriptor::services)
    }

    /// Every extension, those declared in messages included.
    pub fn extensions(&self) -> impl Iterator<Item = ExtensionDescriptor> + '_ {
        self.0.files.iter().flat_map(FileDescriptor::all_extensions)
    }

    /// The message of a full name, without a leading dot.
    pub fn message(&self, full_name: &str) -> Option<MessageDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Message(index)) => Some(MessageDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// The enum of a full name, without a leading dot.
    pub fn enumeration(&self, full_name: &str) -> Option<EnumDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Enum(index)) => Some(EnumDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// The service of a full name, without a leading dot.
    pub fn service(&self, full_name: &str) -> Option<ServiceDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Service(index)) => Some(ServiceDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// The extension of a full name, without a leading dot.
    pub fn extension(&self, full_name: &str) -> Option<ExtensionDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Extension(index)) => Some(ExtensionDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// The field of a full name; extensions have [a lookup of their own](Self::extension).
    pub fn field(&self, full_name: &str) -> Option<FieldDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Field(index)) => Some(FieldDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// The oneof of a full name.
    pub fn oneof(&self, full_name: &str) -> Option<OneofDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Oneof(index)) => Some(OneofDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// The enum value of a full name, in which the name of the enum is no part.
    pub fn enum_value(&self, full_name: &str) -> Option<EnumValueDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Value(index)) => Some(EnumValueDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// The method of a full name.
    pub fn method(&self, full_name: &str) -> Option<MethodDescriptor> {
        match self.symbol(full_name)? {
            (file, Item::Method(index)) => Some(MethodDescriptor::new(file, index)),
            _ => None,
        }
    }

    /// The extension of a message that has a field number.
    ///
    /// Messages are told apart by their full names: a message of another pool will do.
    pub fn extension_of(&self, message: &MessageDescriptor, number: u32) -> Option<ExtensionDescriptor> {
        let &(file, index) = self.0.extensions.get(message.full_name())?.get(&number)?;
        Some(ExtensionDescriptor::new(self.0.files[file as usize].tables(), index))
    }

    /// Every extension of a message, in the order of their numbers.
    pub fn extensions_of(
        &self,
        message: &MessageDescriptor,
    ) -> impl Iterator<Item = ExtensionDescriptor> + use<'_> {
        let numbers = self.0.extensions.get(message.full_name());
        numbers
            .into_iter()
            .flat_map(BTreeMap::values)
            .map(|&(file, index)| ExtensionDescriptor::new(self.0.files[file as usize].tables(), index))
    }

    /// What an upper layer has computed for the message of this name and this pool, computed now if it is not there
    /// yet. It lives as long as this snapshot, so it should hold no handles.
    pub(crate) fn cache<T: Any + Send + Sync>(&self, full_name: &str, init: impl FnOnce() -> T) -> Arc<T> {
        let known = self.cached().get(full_name).cloned();
        let value = known.unwrap_or_else(|| {
            // Not under the lock: a race computes it twice, and the first one stays.
            let value: Arc<dyn Any + Send + Sync> = Arc::new(init());
            Arc::clone(self.cached().entry(full_name.into()).or_insert(value))
        });
        value.downcast().expect("only one type is ever cached")
    }

    fn cached(&self) -> MutexGuard<'_, HashMap<Box<str>, Arc<dyn Any + Send + Sync>>> {
        self.0.cache.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The files as a serialized `google.protobuf.FileDescriptorSet`, each as it was added.
    pub fn to_descriptor_set(&self) -> Vec<u8> {
        let mut set = raw::Options::default();
        for file in &self.0.files {
            set.push_bytes(1, file.encoded());
        }
        set.into_encoded()
    }

    /// Adds a file that another pool has linked; its imports must be here, the same that it was linked with.
    ///
    /// # Errors
    /// Another file of its name, or something else of one of its names, is here already.
    pub(super) fn adopt(&mut self, file: Arc<FileTables>) -> Result<()> {
        if let Some(known) = self.file(&file.name) {
            return if Arc::ptr_eq(known.tables(), &file) {
                Ok(())
            } else {
                Err(error_at(&file.name, None, "another file of this name is already in the pool"))
            };
        }
        let tables = Arc::make_mut(&mut self.0);
        let mut batch = Batch::new(tables);
        match tables.adopt(&file, &mut batch) {
            Ok(()) => tables.push(file),
            Err(error) => {
                tables.undo(batch);
                return Err(error);
            }
        }
        Ok(())
    }

    fn symbol(&self, full_name: &str) -> Option<(&Arc<FileTables>, Item)> {
        let symbol = self.0.symbols.get(full_name)?;
        Some((self.0.files[symbol.file as usize].tables(), symbol.item))
    }

    /// Adds files in the order of their imports: all of them or none.
    fn add(&mut self, files: Vec<Bytes>) -> Result<()> {
        let parsed = self.parse(&files)?;
        if parsed.is_empty() {
            return Ok(());
        }
        let order = order::order(&parsed)?;
        let mut parsed: Vec<_> = parsed.into_iter().map(Some).collect();
        let tables = Arc::make_mut(&mut self.0);
        let mut batch = Batch::new(tables);
        // A guess: a field takes about that much.
        tables.symbols.reserve(parsed.iter().flatten().map(|(_, bytes)| bytes.len() / 32).sum());
        for i in order {
            let Some((raw, bytes)) = parsed[i].take() else { continue };
            match link(tables, &mut batch, raw, bytes.clone()) {
                Ok(file) => tables.push(file),
                Err(error) => {
                    tables.undo(batch);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Parses the files that are not there yet.
    fn parse<'a>(&self, files: &'a [Bytes]) -> Result<Vec<(FileDescriptorProto<'a>, &'a Bytes)>> {
        let mut parsed = Vec::with_capacity(files.len());
        let mut seen: HashMap<String, &Bytes> = HashMap::with_capacity(files.len());
        for (i, bytes) in files.iter().enumerate() {
            let raw = FileDescriptorProto::decode(bytes).map_err(|error| {
                let error = match file_name(bytes) {
                    Some(name) => error.in_key(name),
                    None => error.in_index(i),
                };
                error.in_field("file").in_message(SET)
            })?;
            let name = raw.name.as_deref().unwrap_or_default();
            let known = match self.0.by_name.get(name) {
                Some(&index) => Some(self.0.files[index as usize].encoded()),
                None => seen.get(name).map(|bytes| &***bytes),
            };
            match known {
                None => {
                    seen.insert(name.to_owned(), bytes);
                    parsed.push((raw, bytes));
                }
                Some(known) if known == bytes => {}
                Some(_) => {
                    return Err(error_at(name, None, "another file of this name is already in the pool"));
                }
            }
        }
        Ok(parsed)
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pool ")?;
        f.debug_list().entries(self.0.files.iter().map(FileDescriptor::name)).finish()
    }
}

impl Batch {
    fn new(tables: &PoolTables) -> Self {
        Batch {
            extensions: Vec::new(),
            files: tables.files.len(),
            visible_budget: super::link::VISIBLE_BUDGET,
        }
    }
}

impl FileTables {
    /// Every full name that the file declares.
    fn symbols(&self) -> impl Iterator<Item = (Arc<str>, Item)> + '_ {
        let package = &*self.package;
        let dots = package.match_indices('.').map(|(at, _)| at);
        let ends = dots.chain((!package.is_empty()).then_some(package.len()));
        let packages = ends.map(move |end| (Arc::from(&package[..end]), Item::Package));
        fn all<'a, T>(
            table: &'a [T],
            name: impl Fn(&T) -> &Name + 'a,
            item: impl Fn(&T, u32) -> Item + 'a,
        ) -> impl Iterator<Item = (Arc<str>, Item)> + 'a {
            let entries = table.iter().enumerate();
            entries.map(move |(i, entry)| (Arc::clone(&name(entry).full), item(entry, i as u32)))
        }
        packages
            .chain(all(&self.messages, |entry| &entry.name, |_, i| Item::Message(i)))
            .chain(all(
                &self.fields,
                |entry| &entry.name,
                |entry, i| if entry.is_extension { Item::Extension(i) } else { Item::Field(i) },
            ))
            .chain(all(&self.oneofs, |entry| &entry.name, |_, i| Item::Oneof(i)))
            .chain(all(&self.enums, |entry| &entry.name, |_, i| Item::Enum(i)))
            .chain(all(&self.values, |entry| &entry.name, |_, i| Item::Value(i)))
            .chain(all(&self.services, |entry| &entry.name, |_, i| Item::Service(i)))
            .chain(all(&self.methods, |entry| &entry.name, |_, i| Item::Method(i)))
    }
}

impl PoolTables {
    fn push(&mut self, file: Arc<FileTables>) {
        self.cache = Cache::default();
        self.by_name.insert(Arc::clone(&file.name), self.files.len() as u32);
        self.files.push(FileDescriptor::new(file));
    }

    /// Declares the symbols of a linked file.
    fn adopt(&mut self, file: &FileTables, batch: &mut Batch) -> Result<()> {
        let here = self.files.len() as u32;
        for (name, item) in file.symbols() {
            match self.symbols.get(&name) {
                Some(Symbol { item: Item::Package, .. }) if matches!(item, Item::Package) => continue,
                Some(symbol) => {
                    let text = format!("already declared as {}", symbol.item.noun());
                    return Err(error_at(&file.name, Some(&name), text));
                }
                None => {
                    self.symbols.insert(name, Symbol { file: here, item });
                }
            }
        }
        for (i, field) in file.fields.iter().enumerate().filter(|(_, field)| field.is_extension) {
            let extendee = &file.target_message(field.parent).name.full;
            let numbers = self.extensions.entry(Arc::clone(extendee)).or_default();
            if numbers.contains_key(&field.number) {
                let text = format!("extension number {} of {extendee} is already taken", field.number);
                return Err(error_at(&file.name, Some(&field.name.full), text));
            }
            numbers.insert(field.number, (here, i as u32));
            batch.extensions.push((Arc::clone(extendee), field.number));
        }
        Ok(())
    }

    fn undo(&mut self, batch: Batch) {
        self.symbols.retain(|_, symbol| (symbol.file as usize) < batch.files);
        for (extendee, number) in &batch.extensions {
            if let Some(numbers) = self.extensions.get_mut(extendee) {
                numbers.remove(number);
                if numbers.is_empty() {
                    self.extensions.remove(extendee);
                }
            }
        }
        for file in self.files.drain(batch.files..) {
            self.by_name.remove(file.name());
        }
    }
}

const SET: &str = "google.protobuf.FileDescriptorSet";

/// The name in a serialized FileDescriptorProto that may be malformed elsewhere.
fn file_name(bytes: &[u8]) -> Option<&str> {
    raw::options::messages(bytes, 1).last().and_then(|name| std::str::from_utf8(name).ok())
}

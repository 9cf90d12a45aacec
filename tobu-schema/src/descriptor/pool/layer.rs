//! The layers of a pool, and the batch with the files that are being added.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use crate::descriptor::FileDescriptor;
use crate::descriptor::handle::each;
use crate::descriptor::link::error_at;
use crate::descriptor::names::printable;
use crate::descriptor::raw::shallow::Header;
use crate::descriptor::tables::{FileTables, ImportKind, Item};
use crate::error::{Error, Result};
use crate::sort::{sort_by, sort_by_key};

/// Files that were added together, or the files of several merged layers. If several pools share a layer, it does not
/// change.
#[derive(Clone, Default)]
pub(in super::super) struct Layer {
    /// How many files the layers before this one have.
    base: u32,
    /// The files, in an order in which imports come before the files that import them.
    files: Vec<FileDescriptor>,
    by_name: Table,
    /// For each file with public imports, the files that it makes visible to its importers: itself, its public imports, their
    /// public imports, and so on. The list is in the order of the files.
    exports: Vec<(u32, FileSet)>,
    symbols: Table,
    /// The extensions, by the full name of the extended message and the field number.
    extensions: Table,
    /// The extensions of each extended message.
    extended: Vec<Vec<Symbol>>,
    extended_by_name: Table,
}

impl Layer {
    fn weight(&self) -> usize {
        self.files.len() + self.symbols.len()
    }

    fn file(&self, index: u32) -> Option<&FileDescriptor> {
        self.files.get(index.checked_sub(self.base)? as usize)
    }

    fn file_index(&self, hash: u32, name: &str) -> Option<u32> {
        let is_it = |symbol: Symbol| self.file(symbol.file).is_some_and(|file| file.name() == name);
        Some(self.by_name.find(hash, &is_it)?.file)
    }

    fn exports(&self, file: u32) -> Option<&FileSet> {
        let index = self.exports.binary_search_by_key(&file, |(file, _)| *file).ok()?;
        Some(&self.exports[index].1)
    }

    fn append(&mut self, upper: Layer, hasher: &RandomState) {
        self.files.extend(upper.files);
        self.by_name.append(upper.by_name);
        self.exports.extend(upper.exports);
        self.symbols.append(upper.symbols);
        self.extensions.append(upper.extensions);
        // Both layers may contain extensions of the same message.
        for list in upper.extended {
            for symbol in list {
                let Some(file) = self.file(symbol.file).map(|file| Arc::clone(file.tables())) else {
                    continue;
                };
                self.extend(extendee(&file, symbol.item), symbol, &file, hasher);
            }
        }
    }

    /// Returns the index in `extended` of the message with a name. `here` is the next file, if it is not in the layer
    /// yet.
    fn extended(&self, extendee: &str, hash: u32, here: Option<&FileTables>) -> Option<usize> {
        let is_it = |symbol: Symbol| {
            let first = self.extended[symbol.file as usize][0];
            let tables = self.file(first.file).map(|file| &**file.tables()).or(here);
            tables.is_some_and(|tables| self::extendee(tables, first.item) == extendee)
        };
        Some(self.extended_by_name.find(hash, &is_it)?.file as usize)
    }

    /// Adds an extension to the list of the message `extendee`. The file of the extension is in this layer, or it is
    /// `here`, the next file.
    fn extend(&mut self, extendee: &str, symbol: Symbol, here: &FileTables, hasher: &RandomState) {
        let hash = hasher.hash_one(extendee) as u32;
        match self.extended(extendee, hash, Some(here)) {
            Some(at) => self.extended[at].push(symbol),
            None => {
                let list = Symbol { file: self.extended.len() as u32, item: symbol.item };
                self.extended_by_name.insert(hash, list);
                self.extended.push(vec![symbol]);
            }
        }
    }
}

/// Returns the full name of the message that an extension extends.
fn extendee(file: &FileTables, extension: Item) -> &str {
    match extension {
        Item::Extension(i) => file.target_name(file.fields[i as usize].parent, Item::Message),
        _ => "",
    }
}

fn number(file: &FileTables, extension: Item) -> u32 {
    match extension {
        Item::Extension(i) => file.fields[i as usize].number,
        _ => 0,
    }
}

/// True if the extension `item` extends the message `extendee` and has the number `number`.
fn is_extension(file: &FileTables, item: Item, extendee: &str, number: u32) -> bool {
    self::number(file, item) == number && self::extendee(file, item) == extendee
}

/// Returns the hash of an extension. `extendee` is the hash of the message that it extends.
fn extension_hash(extendee: u32, number: u32) -> u32 {
    extendee ^ number.wrapping_mul(0x9e37_79b9)
}

/// The layers of a pool. There is usually one layer; there are several if files were added while clones of the pool existed.
#[derive(Clone, Default)]
pub(super) struct Layers {
    list: Vec<Arc<Layer>>,
    /// The hasher of all layers. All layers need the same hasher, so that they can be merged.
    hasher: RandomState,
}

impl Layers {
    pub(super) fn files(&self) -> Files<'_> {
        Files { layers: self, next: 0 }
    }

    pub(super) fn file_count(&self) -> usize {
        self.list.last().map_or(0, |layer| layer.base as usize + layer.files.len())
    }

    pub(super) fn file(&self, index: u32) -> Option<&FileDescriptor> {
        let above = self.list.partition_point(|layer| layer.base <= index);
        self.list.get(above.checked_sub(1)?)?.file(index)
    }

    pub(super) fn file_index(&self, name: &str) -> Option<u32> {
        let hash = self.hash(name);
        self.list.iter().rev().find_map(|layer| layer.file_index(hash, name))
    }

    pub(super) fn exports(&self, file: u32) -> Option<&FileSet> {
        self.list.iter().rev().find_map(|layer| layer.exports(file))
    }

    pub(super) fn symbol(&self, full_name: &str) -> Option<Symbol> {
        self.symbol_of(self.hash(full_name), full_name)
    }

    fn symbol_of(&self, hash: u32, full_name: &str) -> Option<Symbol> {
        self.list.iter().rev().find_map(|layer| {
            let is_it = |symbol: Symbol| {
                layer.file(symbol.file).is_some_and(|file| file.tables().is_named(symbol.item, full_name))
            };
            layer.symbols.find(hash, &is_it)
        })
    }

    pub(super) fn extension(&self, extendee: &str, number: u32) -> Option<Symbol> {
        let hash = extension_hash(self.hash(extendee), number);
        for layer in self.list.iter().rev() {
            let is_it = |symbol: Symbol| {
                let file = layer.file(symbol.file).map(FileDescriptor::tables);
                file.is_some_and(|file| is_extension(file, symbol.item, extendee, number))
            };
            if let Some(found) = layer.extensions.find(hash, &is_it) {
                return Some(found);
            }
        }
        None
    }

    /// Returns the extensions of a message, in the order of their numbers.
    pub(super) fn extensions(&self, extendee: &str) -> Vec<Symbol> {
        let hash = self.hash(extendee);
        let mut all = Vec::new();
        for layer in &self.list {
            if let Some(at) = layer.extended(extendee, hash, None) {
                all.extend_from_slice(&layer.extended[at]);
            }
        }
        let number = |symbol: &Symbol| self.file(symbol.file).map(|file| number(file.tables(), symbol.item));
        sort_by(&mut all, |a, b| number(a).cmp(&number(b)));
        all
    }

    /// Adds a layer, and merges layers. If a clone of the pool shares a layer, the layer is merged only with a layer of at
    /// least half its size. Therefore each file is copied only a logarithmic number of times, even if files are added one by
    /// one between clones.
    pub(super) fn push(&mut self, layer: Layer) {
        self.list.push(Arc::new(layer));
        while let [.., lower, upper] = &mut *self.list {
            if Arc::get_mut(lower).is_none() && lower.weight() / 2 > upper.weight() {
                break;
            }
            let upper = self.list.pop().map(Arc::unwrap_or_clone);
            let lower = self.list.pop().map(Arc::unwrap_or_clone);
            if let (Some(mut lower), Some(upper)) = (lower, upper) {
                lower.append(upper, &self.hasher);
                self.list.push(Arc::new(lower));
            }
        }
    }

    fn hash(&self, name: &str) -> u32 {
        self.hasher.hash_one(name) as u32
    }
}

#[derive(Clone)]
pub(super) struct Files<'l> {
    layers: &'l Layers,
    next: usize,
}

impl<'l> Iterator for Files<'l> {
    type Item = &'l FileDescriptor;

    fn next(&mut self) -> Option<Self::Item> {
        self.nth(0)
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.next = self.next.saturating_add(n);
        let file = self.layers.file(u32::try_from(self.next).ok()?)?;
        self.next += 1;
        Some(file)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let rest = self.layers.file_count().saturating_sub(self.next);
        (rest, Some(rest))
    }
}

impl ExactSizeIterator for Files<'_> {}

/// The files that are being added to a pool. They form a new layer, which is dropped if one of them fails.
pub(in super::super) struct Batch<'a> {
    pool: &'a Layers,
    layer: Layer,
    export_budget: u64,
    /// Collects the errors, except for the last one, if the caller wants more than one error.
    pub(super) errors: Option<&'a mut Vec<Error>>,
}

/// How many ranges in [`Layer::exports`] may be created and searched for all files that are added together. Without
/// this limit, files whose public imports overlap in unusual ways would take quadratic time and memory.
const EXPORT_BUDGET: u64 = 4_000_000;

impl<'a> Batch<'a> {
    pub(super) fn new(pool: &'a Layers, files: usize, symbols: usize) -> Self {
        let mut layer = Layer { base: pool.file_count() as u32, ..Layer::default() };
        layer.files.reserve_exact(files);
        layer.by_name.reserve(files);
        layer.symbols.reserve(symbols);
        Batch { pool, layer, export_budget: EXPORT_BUDGET, errors: None }
    }

    /// Records an error, if the caller wants all errors and there are not too many. Then linking continues, and
    /// [`check`](Self::check) stops it later. Otherwise fails with the error.
    pub(in super::super) fn report(&mut self, error: Error) -> Result<()> {
        match &mut self.errors {
            Some(errors) if errors.len() < 100 => {
                errors.push(error);
                Ok(())
            }
            _ => Err(error),
        }
    }

    /// Fails if an error was recorded.
    pub(in super::super) fn check(&mut self) -> Result<()> {
        match self.errors.as_mut().and_then(|errors| errors.pop()) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    pub(super) fn into_layer(self) -> Layer {
        self.layer
    }

    pub(in super::super) fn next(&self) -> u32 {
        self.layer.base + self.layer.files.len() as u32
    }

    pub(in super::super) fn file(&self, index: u32) -> Option<&FileDescriptor> {
        self.layer.file(index).or_else(|| self.pool.file(index))
    }

    pub(in super::super) fn file_index(&self, name: &str) -> Option<u32> {
        self.layer.file_index(self.pool.hash(name), name).or_else(|| self.pool.file_index(name))
    }

    /// Returns the element with a full name. `here` is the next file, of which only a part may be linked.
    pub(in super::super) fn symbol(&self, full_name: &str, here: &FileTables) -> Option<Symbol> {
        self.symbol_of(self.pool.hash(full_name), full_name, here)
    }

    fn symbol_of(&self, hash: u32, full_name: &str, here: &FileTables) -> Option<Symbol> {
        let is_it = |symbol: Symbol| match self.layer.file(symbol.file) {
            Some(file) => file.tables().is_named(symbol.item, full_name),
            None => here.is_named(symbol.item, full_name),
        };
        self.layer.symbols.find(hash, &is_it).or_else(|| self.pool.symbol_of(hash, full_name))
    }

    /// Declares an element of the next file.
    ///
    /// If another element already has the name, the error is the other element. Before the next call, the caller must add the
    /// entry of the new element to its table.
    pub(in super::super) fn declare(
        &mut self,
        full_name: &str,
        item: Item,
        here: &FileTables,
    ) -> std::result::Result<(), Symbol> {
        let hash = self.pool.hash(full_name);
        match self.symbol_of(hash, full_name, here) {
            Some(symbol) => Err(symbol),
            None => {
                self.layer.symbols.insert(hash, Symbol { file: self.next(), item });
                Ok(())
            }
        }
    }

    /// Declares the package of the next file, and the packages around it.
    pub(in super::super) fn declare_package(&mut self, here: &FileTables) -> Result<()> {
        // The loop starts with the innermost package. If it is already declared, the packages around it are, too.
        let mut prefix = here.package();
        while !prefix.is_empty() {
            match self.declare(prefix, Item::Package(prefix.len() as u32), here) {
                Err(Symbol { item: Item::Package(_), .. }) => return Ok(()),
                Err(symbol) => return Err(self.duplicate(prefix, symbol, here)),
                Ok(()) => {}
            }
            prefix = prefix.rfind('.').map_or("", |dot| &prefix[..dot]);
        }
        Ok(())
    }

    #[cold]
    pub(in super::super) fn duplicate(&self, full_name: &str, earlier: Symbol, here: &FileTables) -> Error {
        let what = earlier.item.noun();
        let text = match self.file(earlier.file) {
            Some(file) => format!("already declared as {what} in {}", printable(file.name())),
            None => format!("already declared as {what} in this file"),
        };
        error_at(here.name(), Some(full_name), text)
    }

    /// Returns the extension of a message with a number. `here` is the next file, of which only a part may be linked.
    pub(in super::super) fn extension(
        &self,
        extendee: &str,
        number: u32,
        here: &FileTables,
    ) -> Option<Symbol> {
        let hash = extension_hash(self.pool.hash(extendee), number);
        let is_it = |symbol: Symbol| {
            let file = self.layer.file(symbol.file).map_or(here, |file| file.tables());
            is_extension(file, symbol.item, extendee, number)
        };
        self.layer.extensions.find(hash, &is_it).or_else(|| self.pool.extension(extendee, number))
    }

    /// Records that an extension in the next file extends a message.
    pub(in super::super) fn declare_extension(
        &mut self,
        extendee: &str,
        number: u32,
        field: u32,
        here: &FileTables,
    ) {
        let symbol = Symbol { file: self.next(), item: Item::Extension(field) };
        self.layer.extensions.insert(extension_hash(self.pool.hash(extendee), number), symbol);
        self.layer.extend(extendee, symbol, here, &self.pool.hasher);
    }

    /// True if a file makes further files visible to its importers.
    pub(in super::super) fn has_exports(&self, file: u32) -> bool {
        self.exports(file).is_some()
    }

    /// True if one of the `imports` makes the file `file` visible to the next file.
    pub(in super::super) fn export(&mut self, imports: &[u32], file: u32, here: &FileTables) -> Result<bool> {
        self.take_exports(imports.len(), here)?;
        Ok(imports.iter().any(|import| self.exports(*import).is_some_and(|set| set.contains(file))))
    }

    /// Returns the packages of the files that the file `file` makes visible to the next file.
    pub(in super::super) fn exported_packages(
        &mut self,
        file: u32,
        here: &FileTables,
    ) -> Result<Vec<Box<str>>> {
        let ranges = self.exports(file).map_or(&[][..], FileSet::ranges);
        let mut count = 0;
        for range in ranges {
            count += range.len();
        }
        self.take_exports(count, here)?;
        let ranges = self.exports(file).map_or(&[][..], FileSet::ranges);
        let mut packages = Vec::new();
        for range in ranges {
            for file in range.clone() {
                packages.extend(self.file(file).map(|file| file.package().into()));
            }
        }
        Ok(packages)
    }

    fn exports(&self, file: u32) -> Option<&FileSet> {
        self.layer.exports(file).or_else(|| self.pool.exports(file))
    }

    fn take_exports(&mut self, count: usize, here: &FileTables) -> Result<()> {
        let left = self.export_budget.checked_sub(count as u64);
        let too_many = || error_at(here.name(), None, "there are too many public imports to search");
        self.export_budget = left.ok_or_else(too_many)?;
        Ok(())
    }

    fn exports_of_next(&mut self, file: &FileTables) -> Result<Option<FileSet>> {
        let alone = |file: u32| file..file + 1;
        let mut ranges = vec![alone(self.next())];
        for import in &file.imports {
            let (ImportKind::Public, Some(at)) = (import.kind, import.file) else { continue };
            let Some(import) = self.file_index(file.reach[at as usize].name()) else { continue };
            let count = self.exports(import).map_or(1, |set| set.ranges().len());
            self.take_exports(count, file)?;
            match self.exports(import) {
                Some(set) => ranges.extend_from_slice(set.ranges()),
                None => ranges.push(alone(import)),
            }
        }
        Ok(if ranges.len() > 1 { Some(FileSet::new(ranges)) } else { None })
    }

    /// Adds the next file, after all its elements were declared.
    pub(super) fn push(&mut self, file: Arc<FileTables>) -> Result<()> {
        if let Some(exports) = self.exports_of_next(&file)? {
            self.layer.exports.push((self.next(), exports));
        }
        let symbol = Symbol { file: self.next(), item: Item::Package(0) };
        self.layer.by_name.insert(self.pool.hash(file.name()), symbol);
        self.layer.files.push(FileDescriptor::new(file));
        Ok(())
    }
}

/// A set of files, as ranges of indices. The ranges are sorted and do not touch.
///
/// Imports have lower indices than the files that import them, so a long chain of imports is usually one range.
#[derive(Clone)]
pub(super) struct FileSet(Box<[Range<u32>]>);

impl FileSet {
    pub(super) fn new(mut ranges: Vec<Range<u32>>) -> Self {
        sort_by_key(&mut ranges, |range| range.start);
        ranges.dedup_by(|next, range| {
            let touches = next.start <= range.end;
            if touches {
                range.end = range.end.max(next.end);
            }
            touches
        });
        FileSet(ranges.into_boxed_slice())
    }

    pub(super) fn ranges(&self) -> &[Range<u32>] {
        &self.0
    }

    pub(super) fn contains(&self, file: u32) -> bool {
        let after = self.0.partition_point(|range| range.start <= file);
        after > 0 && file < self.0[after - 1].end
    }
}

/// Returns an order in which imports come before the files that import them. An import that comes too late moves to directly
/// before the first file that needs it; the other files keep their order. The function uses an explicit stack and no recursion,
/// because a chain of imports may be long.
pub(super) fn order(files: &[(Header<'_>, &Bytes)]) -> Result<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut by_name = HashMap::with_capacity(files.len());
    for (i, (header, _)) in files.iter().enumerate() {
        by_name.insert(header.name.unwrap_or_default(), i);
    }
    let imports = |i: usize| files[i].0.imports.iter();
    let mut state = vec![State::New; files.len()];
    let mut order = Vec::with_capacity(files.len());
    for root in 0..files.len() {
        if state[root] != State::New {
            continue;
        }
        state[root] = State::Open;
        let mut open = vec![(root, imports(root))];
        while let Some((file, rest)) = open.last_mut() {
            let Some(import) = rest.next() else {
                state[*file] = State::Done;
                order.push(*file);
                open.pop();
                continue;
            };
            let Some(&next) = by_name.get(import) else { continue };
            match state[next] {
                State::Done => {}
                State::New => {
                    state[next] = State::Open;
                    open.push((next, imports(next)));
                }
                State::Open => {
                    let mut cycle = each(&open, |(file, _)| *file);
                    cycle.reverse();
                    while cycle.last() != Some(&next) {
                        cycle.pop();
                    }
                    cycle.reverse();
                    return Err(cyclic(files, cycle));
                }
            }
        }
    }
    Ok(order)
}

#[cold]
fn cyclic(files: &[(Header<'_>, &Bytes)], cycle: Vec<usize>) -> Error {
    const MOST: usize = 8;
    let name = |i: usize| printable(files[i].0.name.unwrap_or_default());
    let mut text = String::from("imports form a cycle: ");
    for &file in cycle.iter().take(MOST) {
        text.push_str(&name(file));
        text.push_str(" -> ");
    }
    if cycle.len() > MOST {
        text.push_str("... -> ");
    }
    text.push_str(&name(cycle[0]));
    error_at(&name(cycle[0]), None, text)
}

/// An element, with the index of its file in the pool.
#[derive(Clone, Copy)]
pub(in crate::descriptor) struct Symbol {
    pub(in crate::descriptor) file: u32,
    pub(in crate::descriptor) item: Item,
}

/// A hash table of items. It uses open addressing, and keeps a fifth of the slots free.
///
/// The number of slots is exactly the requested number, and not a power of two. The upper bits of the hash choose the
/// slot.
#[derive(Clone, Default)]
pub(in crate::descriptor) struct Table {
    slots: Box<[Option<Slot>]>,
    len: usize,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    item: Symbol,
}

impl Table {
    pub(in crate::descriptor) fn len(&self) -> usize {
        self.len
    }

    /// Returns the item with this hash for which `is_it` is true.
    pub(in crate::descriptor) fn find(&self, hash: u32, is_it: &dyn Fn(Symbol) -> bool) -> Option<Symbol> {
        if self.len == 0 {
            return None;
        }
        let mut at = self.start(hash);
        // The loop ends, because at least one slot is always free.
        while let Some(slot) = self.slots[at] {
            if slot.hash == hash && is_it(slot.item) {
                return Some(slot.item);
            }
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
        None
    }

    /// Adds an item that the table does not contain yet.
    pub(in crate::descriptor) fn insert(&mut self, hash: u32, item: Symbol) {
        self.reserve(1);
        self.len += 1;
        self.put(Slot { hash, item });
    }

    /// Adds the items of another table. This table contains none of them yet.
    pub(in crate::descriptor) fn append(&mut self, other: Table) {
        self.reserve(other.len);
        self.len += other.len;
        self.put_all(&other.slots);
    }

    /// Reserves slots for `more` items. Reserves no more than necessary, but at least doubles the table.
    pub(in crate::descriptor) fn reserve(&mut self, more: usize) {
        let needed = (self.len + more) * 5 / 4 + 1;
        if more == 0 || needed <= self.slots.len() {
            return;
        }
        let count = needed.max(self.slots.len() * 2);
        let old = std::mem::replace(&mut self.slots, vec![None; count].into_boxed_slice());
        self.put_all(&old);
    }

    fn put_all(&mut self, slots: &[Option<Slot>]) {
        for slot in slots {
            if let Some(slot) = *slot {
                self.put(slot);
            }
        }
    }

    fn start(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }

    fn put(&mut self, slot: Slot) {
        let mut at = self.start(slot.hash);
        while self.slots[at].is_some() {
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
        self.slots[at] = Some(slot);
    }
}

#[cfg(test)]
mod tests {
    use super::FileSet;

    #[test]
    fn ranges_that_touch_or_overlap_become_one() {
        let set = FileSet::new(vec![7..9, 0..2, 12..13, 8..10, 2..3, 8..9]);
        assert_eq!(set.ranges(), [0..3, 7..10, 12..13]);
        let inside: Vec<u32> = (0..15).filter(|file| set.contains(*file)).collect();
        assert_eq!(inside, [0, 1, 2, 7, 8, 9, 12]);
        assert!(!FileSet::new(Vec::new()).contains(0));
    }
}

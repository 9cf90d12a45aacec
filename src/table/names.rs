//! Finds fields and oneofs by their names.

use super::name_map::NameMap;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// The field or oneof that a name names, by its index in the table's list of rows or oneofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Field(u16),
    Oneof(u16),
}

/// The names of fields and oneofs. If a name is ambiguous, a proto name takes precedence over a JSON name, and a field over a
/// oneof.
#[derive(Debug)]
pub(crate) struct Names {
    /// Maps a name to its index in `all`.
    indices: NameMap,
    /// All names. The entry at index 0 stands for "no name".
    all: Box<[Name]>,
    /// True if the JSON name of a field is also a name of another field, and the other field takes precedence.
    pub(super) crossed: bool,
}

/// The index that stands for no field.
const NONE: u16 = u16::MAX;

#[derive(Debug)]
struct Name {
    text: Box<str>,
    target: Target,
    /// The index of the field, if the name names a field outside of oneofs. Otherwise [`NONE`].
    plain: u16,
    /// The address of a `'static` string that equals the name, or 0.
    seen: AtomicUsize,
    /// The index of the name that was looked up after this name last time. It is a good guess at the next name, because values
    /// of a Rust type name their members in the same order each time. A guess needs no memory ordering.
    after: AtomicU32,
}

/// The index of the name that was looked up last, and the index of the name that followed this name last time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LastName {
    index: u32,
    expected: u32,
}

impl Name {
    fn new(text: &str, target: Target, plain: u16) -> Self {
        Name { text: text.into(), target, plain, seen: AtomicUsize::new(0), after: AtomicU32::new(0) }
    }

    /// Returns a [`LastName`] that says that this name, with the index `index`, was looked up last.
    #[inline]
    fn seen_at(&self, index: u32) -> LastName {
        LastName { index, expected: self.after.load(Ordering::Relaxed) }
    }
}

impl Names {
    /// Creates the lookup from fields and oneofs. An element of `fields` is a proto name, a JSON name, and true if the field is
    /// in a oneof.
    pub(super) fn new(fields: &[(&str, &str, bool)], oneofs: &[&str]) -> Self {
        // In `targets`, fields have lower indices than oneofs.
        let mut targets: Vec<(Box<str>, u32)> = Vec::with_capacity(oneofs.len() + 2 * fields.len());
        for (index, oneof) in oneofs.iter().enumerate() {
            targets.push(((*oneof).into(), (fields.len() + index) as u32));
        }
        for (index, (_, json_name, _)) in fields.iter().enumerate() {
            targets.push(((*json_name).into(), index as u32));
        }
        for (index, (name, ..)) in fields.iter().enumerate() {
            targets.push(((*name).into(), index as u32));
        }
        let targets = NameMap::new(targets);
        let mut crossed = false;
        for (index, (_, json_name, _)) in fields.iter().enumerate() {
            crossed |= targets.get(json_name) != Some(index as u32);
        }
        let mut all = vec![Name::new("", Target::Field(NONE), NONE)];
        let mut indices = Vec::with_capacity(targets.all().len());
        for (name, target) in targets.all() {
            indices.push((name.clone(), all.len() as u32));
            let index = *target as usize;
            all.push(match fields.get(index) {
                Some((.., true)) => Name::new(name, Target::Field(index as u16), NONE),
                Some((.., false)) => Name::new(name, Target::Field(index as u16), index as u16),
                None => Name::new(name, Target::Oneof((index - fields.len()) as u16), NONE),
            });
        }
        Names { indices: NameMap::new(indices), all: all.into(), crossed }
    }

    #[inline]
    pub(super) fn get(&self, name: &str) -> Option<Target> {
        let index = self.indices.get(name)?;
        Some(self.all[index as usize].target)
    }

    /// Returns the field or oneof with this proto name or JSON name. The name that `last` expects is tried first.
    #[inline]
    pub(crate) fn next(&self, name: &str, last: &mut LastName) -> Option<Target> {
        let guess = last.expected;
        if let Some(known) = self.all.get(guess as usize)
            && *known.text == *name
            && guess != 0
        {
            *last = known.seen_at(guess);
            return Some(known.target);
        }
        self.learn_next(name, last)
    }

    /// If `name` has the address of the name that `last` expects, returns the index of its field, and the new [`LastName`]. The
    /// index is [`NONE`] for a oneof and for a field in a oneof. Returns `None` if the address is not the expected one.
    #[inline]
    pub(crate) fn next_static(&self, name: &'static str, last: LastName) -> Option<(u16, LastName)> {
        let known = self.all.get(last.expected as usize)?;
        let is_same =
            known.seen.load(Ordering::Relaxed) == name.as_ptr() as usize && known.text.len() == name.len();
        is_same.then(|| (known.plain, known.seen_at(last.expected)))
    }

    /// Returns the [`LastName`] before the first lookup.
    #[inline]
    pub(crate) fn start(&self) -> LastName {
        self.all.first().map_or(LastName::default(), |none| none.seen_at(0))
    }

    /// Looks up a `'static` name with [`next`](Self::next), and remembers its address.
    #[inline(never)]
    pub(crate) fn learn_static(&self, name: &'static str, last: &mut LastName) -> Option<Target> {
        let target = self.next(name, last)?;
        let (seen, address) = (&self.all[last.index as usize].seen, name.as_ptr() as usize);
        // The address is written only if it differs, so that threads can share the cache line.
        if seen.load(Ordering::Relaxed) != address {
            seen.store(address, Ordering::Relaxed);
        }
        Some(target)
    }

    #[inline(never)]
    fn learn_next(&self, name: &str, last: &mut LastName) -> Option<Target> {
        let index = self.indices.get(name)?;
        self.all[last.index as usize].after.store(index, Ordering::Relaxed);
        let known = &self.all[index as usize];
        *last = known.seen_at(index);
        Some(known.target)
    }
}

//! From names to fields and oneofs.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// The meaning of a name in a message; indices into the lists of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Field(u16),
    Oneof(u16),
}

/// True when two names are equal but for letter case and underscores.
pub(crate) fn same_name(a: &str, b: &str) -> bool {
    let letters =
        |s: &'_ str| s.bytes().filter(|b| *b != b'_').map(|b| b.to_ascii_lowercase()).collect::<Vec<u8>>();
    letters(a) == letters(b)
}

/// The names of fields and oneofs; a proto name wins over a JSON name, a field over a oneof.
#[derive(Debug)]
pub(super) struct Names {
    /// From a name to an index into `all`.
    indices: HashMap<Box<str>, u32>,
    all: Box<[Name]>,
    /// To each name, and first of all to none, the one that was asked for after it the last time: values of one type give
    /// their members in one order. It is a guess, so it needs no order among threads.
    after: Box<[AtomicU32]>,
    /// The JSON name of a field is the proto name of another.
    pub(super) crossed: bool,
}

#[derive(Debug)]
struct Name {
    text: Box<str>,
    target: Target,
    /// The address of a static text that was found to be the same, or 0.
    seen: AtomicUsize,
}

/// The name that was asked for last; at first none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LastName(u32);

impl Names {
    /// The names of fields, as pairs of proto name and JSON name, and of oneofs.
    pub(super) fn new<'a>(
        fields: impl Iterator<Item = (&'a str, &'a str)> + Clone,
        oneofs: impl Iterator<Item = &'a str>,
    ) -> Self {
        let mut targets = HashMap::<&str, Target>::with_capacity(fields.size_hint().0 * 2);
        for (i, name) in (0u16..).zip(oneofs) {
            targets.insert(name, Target::Oneof(i));
        }
        for (i, (_, json_name)) in (0u16..).zip(fields.clone()) {
            targets.insert(json_name, Target::Field(i));
        }
        for (i, (name, _)) in (0u16..).zip(fields.clone()) {
            targets.insert(name, Target::Field(i));
        }
        let crossed =
            (0u16..).zip(fields).any(|(i, (_, json_name))| targets.get(json_name) != Some(&Target::Field(i)));
        let name = |(text, target): (&str, _)| Name { text: text.into(), target, seen: AtomicUsize::new(0) };
        let all: Box<[Name]> = targets.into_iter().map(name).collect();
        let indices = (0u32..).zip(&all).map(|(index, name)| (name.text.clone(), index)).collect();
        let after = (0..=all.len()).map(|_| AtomicU32::new(0)).collect();
        Names { indices, all, after, crossed }
    }

    /// The field or oneof with this proto name or JSON name.
    #[inline]
    pub(super) fn get(&self, name: &str) -> Option<Target> {
        let index = *self.indices.get(name)?;
        Some(self.all[index as usize].target)
    }

    /// The same, with a guess by the name before.
    #[inline]
    pub(super) fn next(&self, name: &str, last: &mut LastName) -> Option<Target> {
        let guess = self.after[last.0 as usize].load(Ordering::Relaxed);
        if let Some(known) = self.all.get(guess as usize)
            && *known.text == *name
        {
            last.0 = guess + 1;
            return Some(known.target);
        }
        self.learn_next(name, last)
    }

    /// The same for a name that never changes: mostly it is at the same address as the last time.
    #[inline]
    pub(super) fn next_static(&self, name: &'static str, last: &mut LastName) -> Option<Target> {
        let guess = self.after[last.0 as usize].load(Ordering::Relaxed);
        if let Some(known) = self.all.get(guess as usize)
            && known.seen.load(Ordering::Relaxed) == name.as_ptr() as usize
            && known.text.len() == name.len()
        {
            last.0 = guess + 1;
            return Some(known.target);
        }
        self.learn_static(name, last)
    }

    #[inline(never)]
    fn learn_static(&self, name: &'static str, last: &mut LastName) -> Option<Target> {
        let target = self.next(name, last)?;
        self.all[last.0 as usize - 1].seen.store(name.as_ptr() as usize, Ordering::Relaxed);
        Some(target)
    }

    #[inline(never)]
    fn learn_next(&self, name: &str, last: &mut LastName) -> Option<Target> {
        let index = *self.indices.get(name)?;
        self.after[last.0 as usize].store(index, Ordering::Relaxed);
        last.0 = index + 1;
        Some(self.all[index as usize].target)
    }
}

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
    match (a.bytes().next(), b.bytes().next()) {
        // Most names differ at their start.
        (Some(a), Some(b)) if a != b'_' && b != b'_' && !a.eq_ignore_ascii_case(&b) => false,
        _ => letters(a).eq(letters(b)),
    }
}

fn letters(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|b| *b != b'_').map(|b| b.to_ascii_lowercase())
}

/// The names of fields and oneofs; a proto name wins over a JSON name, a field over a oneof.
#[derive(Debug)]
pub(crate) struct Names {
    /// From a name to an index into `all`.
    indices: HashMap<Box<str>, u32>,
    /// The first one stands for none.
    all: Box<[Name]>,
    /// The JSON name of a field is the proto name of another.
    pub(super) crossed: bool,
}

/// The index that no field has.
const NONE: u16 = u16::MAX;

#[derive(Debug)]
struct Name {
    text: Box<str>,
    target: Target,
    /// The index of a field that is in no oneof, or [`NONE`].
    plain: u16,
    /// The address of a static text that was found to be the same, or 0.
    seen: AtomicUsize,
    /// The name that was asked for after it the last time: values of one type give their members in one order. It is a
    /// guess, so it needs no order among threads.
    after: AtomicU32,
}

/// The name that was asked for last, by its index, at first none; and the one that came after it the last time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LastName {
    index: u32,
    expected: u32,
}

impl Name {
    /// That this name was the last one.
    #[inline(always)]
    fn seen_at(&self, index: u32) -> LastName {
        LastName { index, expected: self.after.load(Ordering::Relaxed) }
    }
}

impl Names {
    /// The names of fields, each with its JSON name and whether it is in a oneof, and of oneofs.
    pub(super) fn new<'a>(
        fields: impl Iterator<Item = (&'a str, &'a str, bool)> + Clone,
        oneofs: impl Iterator<Item = &'a str>,
    ) -> Self {
        let mut targets = HashMap::<&str, Target>::with_capacity(fields.size_hint().0 * 2);
        for (i, name) in (0u16..).zip(oneofs) {
            targets.insert(name, Target::Oneof(i));
        }
        for (i, (_, json_name, _)) in (0u16..).zip(fields.clone()) {
            targets.insert(json_name, Target::Field(i));
        }
        for (i, (name, _, _)) in (0u16..).zip(fields.clone()) {
            targets.insert(name, Target::Field(i));
        }
        let mut numbered = (0u16..).zip(fields.clone());
        let crossed =
            numbered.any(|(i, (_, json_name, _))| targets.get(json_name) != Some(&Target::Field(i)));
        let in_oneof: Vec<bool> = fields.map(|(_, _, in_oneof)| in_oneof).collect();
        let name = |(text, target): (&str, _)| Name {
            text: text.into(),
            target,
            plain: match target {
                Target::Field(index) if in_oneof.get(usize::from(index)) == Some(&false) => index,
                _ => NONE,
            },
            seen: AtomicUsize::new(0),
            after: AtomicU32::new(0),
        };
        let none = name(("", Target::Field(NONE)));
        let all: Box<[Name]> = std::iter::once(none).chain(targets.into_iter().map(name)).collect();
        let indices = (0u32..).zip(&all).skip(1).map(|(index, name)| (name.text.clone(), index)).collect();
        Names { indices, all, crossed }
    }

    /// The field or oneof with this proto name or JSON name.
    #[inline]
    pub(super) fn get(&self, name: &str) -> Option<Target> {
        let index = *self.indices.get(name)?;
        Some(self.all[index as usize].target)
    }

    /// The same, with a guess by the name before.
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

    /// The index of the field with a name that never changes, if that is at the same address as the last time; and that this
    /// name was the last one. For one in a oneof, or a oneof, it is an index that no field has.
    #[inline(always)]
    pub(crate) fn next_static(&self, name: &'static str, last: LastName) -> Option<(u16, LastName)> {
        let known = self.all.get(last.expected as usize)?;
        let is_same =
            known.seen.load(Ordering::Relaxed) == name.as_ptr() as usize && known.text.len() == name.len();
        is_same.then(|| (known.plain, known.seen_at(last.expected)))
    }

    /// Before the first name.
    #[inline]
    pub(crate) fn start(&self) -> LastName {
        self.all.first().map_or(LastName::default(), |none| none.seen_at(0))
    }

    /// As [`next`](Self::next), for a name that never changes: notes where it is.
    #[inline(never)]
    pub(crate) fn learn_static(&self, name: &'static str, last: &mut LastName) -> Option<Target> {
        let target = self.next(name, last)?;
        let (seen, address) = (&self.all[last.index as usize].seen, name.as_ptr() as usize);
        // Threads share what is only read.
        if seen.load(Ordering::Relaxed) != address {
            seen.store(address, Ordering::Relaxed);
        }
        Some(target)
    }

    #[inline(never)]
    fn learn_next(&self, name: &str, last: &mut LastName) -> Option<Target> {
        let index = *self.indices.get(name)?;
        self.all[last.index as usize].after.store(index, Ordering::Relaxed);
        let known = &self.all[index as usize];
        *last = known.seen_at(index);
        Some(known.target)
    }
}

//! The meaning of an input: its first byte determines how the rest is read.
//!
//! | [`BUILT`] | [`RANDOM`] | second byte | the rest |
//! | --- | --- | --- | --- |
//! | no | no | a message with Rust types | the bytes to read |
//! | no | yes | one of 256 random schemas | the bytes to read |
//! | yes | no | a message with Rust types | [`Choices`]: for the message |
//! | yes | yes | | [`Choices`]: for schema and message |
//!
//! The other six bits of the first byte are for the target to choose by.
//!
//! Raw bytes let a fuzzer write input that no generator makes; choices keep mutations close to valid input, and
//! generate unforeseen schemas.

use crate::generate::Choices;
use crate::mutate::{BUILT, Syntax};
use crate::rng::Rng;
use crate::typed::{self, Typed};
use std::borrow::Cow;
use std::ops::Deref;
use std::sync::LazyLock;
use tobu::MessageDescriptor;
use tobu::descriptor::Edition;

/// A message type, and the Rust types of it.
pub struct Subject {
    /// The schema.
    pub descriptor: MessageDescriptor,
    /// The Rust types; none of a random schema.
    pub typed: Option<Typed>,
}

/// The bit of the first byte that says that the schema is a random one.
pub const RANDOM: u8 = 0x40;

/// How many random schemas are kept.
const KEPT: u64 = 256;

static ALL: LazyLock<Vec<Subject>> = LazyLock::new(|| {
    let typed = typed::all().into_iter();
    let named = typed.map(|typed| Subject { descriptor: (typed.descriptor)(), typed: Some(typed) });
    let random = (0..KEPT).map(|seed| {
        let mut rng = Rng::new(seed);
        let schema: Vec<u8> = (0..150).map(|_| rng.next() as u8).collect();
        Choices { schema: &schema, ..Choices::default() }.subject()
    });
    named.chain(random).collect()
});

/// How many subjects have Rust types: these are first.
static NAMED: LazyLock<usize> =
    LazyLock::new(|| ALL.iter().filter(|subject| subject.typed.is_some()).count());

impl std::fmt::Debug for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.descriptor.full_name())
    }
}

impl Subject {
    /// A message type without Rust types.
    pub fn of(descriptor: MessageDescriptor) -> Self {
        Subject { descriptor, typed: None }
    }

    /// True where strings need not be UTF-8.
    pub fn is_loose(&self) -> bool {
        self.descriptor.file().edition() == Edition::Proto2
    }

    /// The Rust types of the message.
    pub fn paths(&self) -> &[typed::Path] {
        self.typed.as_ref().map_or(&[], |typed| &typed.paths)
    }

    /// The subject of the message of this name.
    ///
    /// # Panics
    /// When the project has no Rust types of it.
    pub fn named(name: &str) -> &'static Subject {
        let named = |subject: &&Subject| subject.typed.as_ref().is_some_and(|typed| typed.name == name);
        ALL.iter().find(named).expect("a message with Rust types")
    }

    fn with_types(index: u8) -> &'static Subject {
        &ALL[usize::from(index) % *NAMED]
    }
}

/// A subject that is kept, or made for one input.
enum Chosen {
    Kept(&'static Subject),
    Made(Box<Subject>),
}

/// The input of a target: a subject, and the bytes to read as it.
pub struct Case<'a> {
    subject: Chosen,
    /// The flags of the target: six bits.
    pub flags: u8,
    payload: Cow<'a, [u8]>,
}

impl Deref for Case<'_> {
    type Target = Subject;

    fn deref(&self) -> &Subject {
        match &self.subject {
            Chosen::Kept(subject) => subject,
            Chosen::Made(subject) => subject,
        }
    }
}

impl<'a> Case<'a> {
    /// The case of an input, in a syntax; `None` of an input of less than two bytes.
    pub fn of(data: &'a [u8], syntax: Syntax) -> Option<Self> {
        let (&[kind, index], rest) = data.split_first_chunk()?;
        let subject = match (kind & RANDOM != 0, kind & BUILT != 0) {
            (false, _) => Chosen::Kept(Subject::with_types(index)),
            (true, false) => Chosen::Kept(&ALL[*NAMED + usize::from(index)]),
            (true, true) => Chosen::Made(Box::new(Choices::of(rest).subject())),
        };
        Some(Case::new(subject, kind, rest, |subject, choices| choices.message(subject, syntax)))
    }

    /// The same of messages with Rust types alone.
    pub fn typed(data: &'a [u8], syntax: Syntax) -> Option<Self> {
        let (&[kind, index], rest) = data.split_first_chunk()?;
        let subject = Chosen::Kept(Subject::with_types(index));
        Some(Case::new(subject, kind, rest, |subject, choices| choices.message(subject, syntax)))
    }

    /// Two messages with Rust types, the first one as wire bytes; [`Case::halves`] takes them apart.
    pub fn pair(data: &'a [u8], syntax: Syntax) -> Option<Self> {
        let (&[kind, index], rest) = data.split_first_chunk()?;
        let subject = Chosen::Kept(Subject::with_types(index));
        Some(Case::new(subject, kind, rest, |subject, choices| {
            let (first, second) = choices.halves();
            pair(&first.message(subject, Syntax::Wire), &second.message(subject, syntax))
        }))
    }

    fn new(
        subject: Chosen,
        kind: u8,
        rest: &'a [u8],
        build: impl FnOnce(&Subject, &Choices<'_>) -> Vec<u8>,
    ) -> Self {
        let mut case = Case { subject, flags: kind & 0x3f, payload: Cow::Borrowed(rest) };
        if kind & BUILT != 0 {
            case.payload = build(&case, &Choices::of(rest)).into();
        }
        case
    }

    /// The bytes to read.
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }

    /// The messages of a [`Case::pair`].
    pub fn halves(&self) -> Option<(&[u8], &[u8])> {
        let (length, rest) = self.payload.split_first_chunk()?;
        Some(rest.split_at(usize::from(u16::from_le_bytes(*length)).min(rest.len())))
    }
}

/// Two messages, after the length of the first.
pub fn pair(first: &[u8], second: &[u8]) -> Vec<u8> {
    let first = &first[..first.len().min(usize::from(u16::MAX))];
    [&(first.len() as u16).to_le_bytes(), first, second].concat()
}

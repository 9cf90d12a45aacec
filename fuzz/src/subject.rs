//! What an input is read as: the first two bytes of an input choose it.

use crate::entropy::Entropy;
use crate::rng::Rng;
use crate::schema;
use crate::typed::{self, Typed};
use std::sync::LazyLock;
use tobu::descriptor::Edition;
use tobu::{MessageDescriptor, Pool};

/// A message type, and the Rust types of it.
pub struct Subject {
    /// The schema.
    pub descriptor: MessageDescriptor,
    /// The Rust types; none of a random schema.
    pub typed: Option<Typed>,
}

/// How many random schemas there are.
const RANDOM: u64 = 256;

static ALL: LazyLock<Vec<Subject>> = LazyLock::new(|| {
    let typed = typed::all().into_iter();
    let named = typed.map(|typed| Subject { descriptor: (typed.descriptor)(), typed: Some(typed) });
    let random = (0..RANDOM).map(|seed| {
        let mut rng = Rng::new(seed);
        let entropy: Vec<u8> = (0..150).map(|_| rng.next() as u8).collect();
        let mut pool = Pool::new();
        pool.add_file(&schema::file(schema::PLAIN, &mut Entropy::new(&entropy)))
            .expect("a random schema is valid");
        Subject { descriptor: pool.message("random.M0").expect("its first message"), typed: None }
    });
    named.chain(random).collect()
});

/// How many subjects have Rust types: these come first.
static NAMED: LazyLock<usize> =
    LazyLock::new(|| ALL.iter().filter(|subject| subject.typed.is_some()).count());

impl std::fmt::Debug for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.descriptor.full_name())
    }
}

impl Subject {
    /// True where strings need not be UTF-8.
    pub fn is_loose(&self) -> bool {
        self.descriptor.file().edition() == Edition::Proto2
    }

    /// The subject that the start of an input chooses, and the rest; `None` of an input of less than two bytes.
    pub fn pick(data: &[u8]) -> Option<(&'static Subject, &[u8])> {
        let (&[kind, index], rest) = data.split_first_chunk()?;
        // Half of the time one with Rust types.
        let index = usize::from(index);
        let index = if kind < 128 { index % *NAMED } else { *NAMED + index };
        Some((&ALL[index], rest))
    }

    /// The subject with Rust types that the start of an input chooses, and the rest.
    pub fn pick_typed(data: &[u8]) -> Option<(&'static Subject, &'static Typed, &[u8])> {
        let (&[_, index], rest) = data.split_first_chunk()?;
        let subject = &ALL[usize::from(index) % *NAMED];
        Some((subject, subject.typed.as_ref()?, rest))
    }

    /// The subject of the message of this name.
    ///
    /// # Panics
    /// When the project has no Rust types of it.
    pub fn named(name: &str) -> &'static Subject {
        let named = |subject: &&Subject| subject.typed.as_ref().is_some_and(|typed| typed.name == name);
        ALL.iter().find(named).expect("a message with Rust types")
    }
}

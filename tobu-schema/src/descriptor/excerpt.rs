//! Excerpts of files: separate files with only the declarations that some messages need.
//!
//! An excerpt takes whole messages and enums of the top level, with all nested types and all types that their fields
//! refer to. Services, comments, extensions and unused imports are left out. If more of a file is needed later, a
//! second excerpt, `name#2`, imports the first if necessary: so excerpts that were returned do not change.

#![allow(
    clippy::mutable_key_type,
    reason = "handles are equal where they point to the same, whatever is cached there"
)]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::errors::error_at;
use super::raw::{self, Options, shallow};
use super::{EnumDescriptor, FileDescriptor, Kind, MessageDescriptor};
use crate::error::Result;

/// The declarations taken up to now.
#[derive(Default)]
pub struct Excerpts {
    /// The declarations taken, by full name.
    taken: HashMap<String, Taken>,
    /// The number of excerpts of files of a name.
    counts: HashMap<String, u32>,
    /// The positions of elements in the files that declarations were taken from.
    outlines: HashMap<FileDescriptor, Outline>,
}

/// More excerpts, which count as returned once [`Excerpts::commit`] has them.
pub struct Delta {
    /// Serialized files, in any order.
    pub files: Vec<Vec<u8>>,
    taken: HashMap<String, Taken>,
    counts: HashMap<String, u32>,
}

#[derive(Clone)]
struct Taken {
    origin: FileDescriptor,
    element: Range<usize>,
    /// The name of the excerpt.
    file: String,
}

/// Of a serialized file, its syntax and where its elements of the top level are.
struct Outline {
    syntax: Option<String>,
    edition: Option<i32>,
    messages: Vec<Range<usize>>,
    enums: Vec<Range<usize>>,
}

/// A message or an enum of the top level of a file.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Top {
    Message(MessageDescriptor),
    Enum(EnumDescriptor),
}

impl Excerpts {
    /// Returns the files to add so that these messages can be linked; none if they can be linked
    /// already.
    ///
    /// # Errors
    /// Something else of one of the names was taken before.
    #[doc(hidden)]
    pub fn add(&mut self, messages: &[MessageDescriptor]) -> Result<Delta> {
        let new = self.reach(messages)?;
        let mut counts = HashMap::new();
        // The names first, for the elements import each other.
        let mut names: HashMap<FileDescriptor, String> = HashMap::new();
        let mut taken = HashMap::new();
        for top in &new {
            let origin = top.file();
            let file = names.entry(origin.clone()).or_insert_with(|| {
                let name = origin.name();
                let before = || self.counts.get(name).copied().unwrap_or_default();
                let count = counts.entry(name.to_owned()).or_insert_with(before);
                *count += 1;
                if *count == 1 { name.to_owned() } else { format!("{name}#{count}") }
            });
            let element = self.outlines[&origin].element(top);
            taken.insert(top.full_name().to_owned(), Taken { file: file.clone(), origin, element });
        }
        let mut drafts: BTreeMap<&str, Draft<'_>> = BTreeMap::new();
        for top in &new {
            let file = &names[&top.file()];
            let draft = drafts.entry(file).or_insert_with(|| Draft::new(top.file()));
            draft.elements.push(top);
            for used in top.uses() {
                let used = taken.get(used.full_name()).or_else(|| self.taken.get(used.full_name()));
                if let Some(used) = used.filter(|used| used.file != *file) {
                    draft.imports.insert(used.file.as_str());
                }
            }
        }
        let files = drafts.iter_mut().map(|(name, draft)| draft.encode(name, &self.outlines)).collect();
        Ok(Delta { files, taken, counts })
    }

    /// Counts excerpts as returned.
    #[doc(hidden)]
    pub fn commit(&mut self, delta: Delta) {
        self.taken.extend(delta.taken);
        self.counts.extend(delta.counts);
    }

    /// The declarations that the messages need and that were not taken yet.
    fn reach(&mut self, messages: &[MessageDescriptor]) -> Result<Vec<Top>> {
        let mut seen: HashSet<Top> = HashSet::new();
        let mut names: HashMap<String, Top> = HashMap::new();
        let mut open: Vec<Top> = messages.iter().cloned().map(Top::of_message).collect();
        let mut new = Vec::new();
        while let Some(top) = open.pop() {
            if !seen.insert(top.clone()) {
                continue;
            }
            let origin = top.file();
            if !self.outlines.contains_key(&origin) {
                self.outlines.insert(origin.clone(), Outline::read(&origin)?);
            }
            let same = names.get(top.full_name()).map(|other| {
                let other = (other.file(), self.outlines[&other.file()].element(other));
                self.is_same(&top, &other.0, &other.1)
            });
            match self.taken.get(top.full_name()) {
                // All that it needs was taken with it.
                Some(taken) if taken.origin == origin => continue,
                Some(taken) if self.is_same(&top, &taken.origin, &taken.element) => {}
                None if same == Some(true) => {}
                None if same.is_none() => {
                    names.insert(top.full_name().to_owned(), top.clone());
                    new.push(top.clone());
                }
                _ => {
                    let text = "something else of this name is in the stream already";
                    return Err(error_at(origin.name(), Some(top.full_name()), text));
                }
            }
            open.extend(top.uses());
        }
        Ok(new)
    }

    /// True if an element of another file of the same meaning has the same bytes.
    fn is_same(&self, top: &Top, origin: &FileDescriptor, element: &Range<usize>) -> bool {
        let (file, other) = (top.file(), &self.outlines[origin]);
        let own = &self.outlines[&file];
        file.encoded()[own.element(top)] == origin.encoded()[element.clone()]
            && (&own.syntax, own.edition) == (&other.syntax, other.edition)
            && file.package() == origin.package()
            && file.options().encoded() == origin.options().encoded()
    }
}

impl Top {
    fn of_message(mut message: MessageDescriptor) -> Self {
        while let Some(parent) = message.parent() {
            message = parent;
        }
        Top::Message(message)
    }

    fn of_enum(enumeration: EnumDescriptor) -> Self {
        match enumeration.parent() {
            Some(parent) => Top::of_message(parent),
            None => Top::Enum(enumeration),
        }
    }

    fn full_name(&self) -> &str {
        match self {
            Top::Message(message) => message.full_name(),
            Top::Enum(enumeration) => enumeration.full_name(),
        }
    }

    fn file(&self) -> FileDescriptor {
        match self {
            Top::Message(message) => message.file(),
            Top::Enum(enumeration) => enumeration.file(),
        }
    }

    fn is_enum(&self) -> bool {
        matches!(self, Top::Enum(_))
    }

    /// The message and all that are nested in it.
    fn tree(&self) -> Vec<MessageDescriptor> {
        let Top::Message(message) = self else { return Vec::new() };
        let (mut tree, mut next) = (vec![message.clone()], 0);
        while let Some(message) = tree.get(next).cloned() {
            tree.extend(message.messages());
            next += 1;
        }
        tree
    }

    /// The declarations that its fields refer to; may include itself.
    fn uses(&self) -> HashSet<Top> {
        let mut uses = HashSet::new();
        for message in self.tree() {
            uses.extend(message.fields().filter_map(|field| match field.kind() {
                Kind::Message(message) => Some(Top::of_message(message)),
                Kind::Enum(enumeration) => Some(Top::of_enum(enumeration)),
                _ => None,
            }));
        }
        uses
    }
}

impl Outline {
    fn read(file: &FileDescriptor) -> Result<Self> {
        let whole = file.encoded();
        let read = shallow::File::read(whole)?;
        let ranges = |bodies: &[&[u8]]| -> Vec<Range<usize>> {
            let start = |body: &[u8]| body.as_ptr() as usize - whole.as_ptr() as usize;
            bodies.iter().map(|body| start(body)..start(body) + body.len()).collect()
        };
        Ok(Outline {
            syntax: read.syntax.map(ToOwned::to_owned),
            edition: read.edition,
            messages: ranges(&read.messages),
            enums: ranges(&read.enums),
        })
    }

    fn element(&self, top: &Top) -> Range<usize> {
        match top {
            Top::Message(message) => self.messages[message.index()].clone(),
            Top::Enum(enumeration) => self.enums[enumeration.index()].clone(),
        }
    }
}

/// An excerpt that is being made.
struct Draft<'a> {
    origin: FileDescriptor,
    elements: Vec<&'a Top>,
    imports: BTreeSet<&'a str>,
}

impl<'a> Draft<'a> {
    fn new(origin: FileDescriptor) -> Self {
        Draft { origin, elements: Vec::new(), imports: BTreeSet::new() }
    }

    fn encode(&mut self, name: &str, outlines: &HashMap<FileDescriptor, Outline>) -> Vec<u8> {
        let (origin, outline) = (&self.origin, &outlines[&self.origin]);
        self.elements.sort_by_key(|top| (top.is_enum(), outline.element(top).start));
        // Fields are written alike, be they those of options or of a file.
        let mut file = Options::default();
        file.push_bytes(1, name.as_bytes());
        if !origin.package().is_empty() {
            file.push_bytes(2, origin.package().as_bytes());
        }
        self.imports.iter().for_each(|import| file.push_bytes(3, import.as_bytes()));
        for top in &self.elements {
            let element = &origin.encoded()[outline.element(top)];
            match top.tree().iter().any(|message| message.extensions().len() > 0) {
                true => file.push_bytes(4, &without_extensions(element)),
                false => file.push_bytes(if top.is_enum() { 5 } else { 4 }, element),
            }
        }
        let options = origin.options();
        if !options.encoded().is_empty() {
            file.push_bytes(8, options.encoded());
        }
        if let Some(syntax) = &outline.syntax {
            file.push_bytes(12, syntax.as_bytes());
        }
        if let Some(edition) = outline.edition {
            file.push_varint(14, edition as u64);
        }
        file.into_encoded()
    }
}

/// A message without the extensions that are declared in it; linking has limited how deep messages are nested.
fn without_extensions(message: &[u8]) -> Vec<u8> {
    const NESTED: u32 = 3;
    const EXTENSION: u32 = 6;
    let mut rest = Options::default();
    for field in raw::options::fields(message) {
        match (field.tag.number(), field.len_prefixed()) {
            (EXTENSION, Some(_)) => {}
            (NESTED, Some(nested)) => rest.push_bytes(NESTED, &without_extensions(nested)),
            _ => rest.extend(field.bytes),
        }
    }
    rest.into_encoded()
}

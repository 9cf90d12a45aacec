//! Creates excerpts of files, which are separate files with only the declarations that some messages need.
//!
//! An excerpt contains whole top-level messages and enums of one file, with their nested types. If their fields refer to types
//! of other files, these types are in excerpts of their own, and the excerpt imports them. Services, comments, extensions and
//! unused imports are omitted. Excerpts never change after they were returned. If more declarations of a file are needed later,
//! they are put into a second excerpt, `name#2`, which imports the first excerpt if necessary.

use std::ops::Range;
use std::sync::Arc;

use super::handle::{Names, Numbers, each};
use super::link::error_at;
use super::names::written;
use super::raw::{self, Options, shallow};
use super::{EnumDescriptor, FileDescriptor, Kind, MessageDescriptor};
use crate::error::Result;
use crate::sort::sort_by;

/// The declarations in all excerpts that were returned so far.
#[derive(Default)]
pub struct Excerpts {
    taken: Vec<Taken>,
    /// The index in `taken` of each declaration, by the full name of the declaration.
    by_name: Names,
    /// The number of excerpts of each file, by the name of the file.
    counts: Names,
    /// The files from which declarations were taken.
    origins: Vec<Origin>,
    /// The index in `origins` of each linked file, by the address of the file.
    by_address: Numbers,
}

/// New excerpts. [`Excerpts::commit`] records that the reader has received them.
pub struct Delta {
    /// Serialized files, in any order.
    pub files: Vec<Vec<u8>>,
    taken: Vec<Taken>,
    /// The new number of excerpts of each file that has a new excerpt, by the name of the file.
    counts: Names,
}

/// A declaration that an excerpt contains.
struct Taken {
    full_name: String,
    /// The index in `origins` of the file with the declaration.
    origin: usize,
    element: Range<usize>,
    /// The name of the excerpt with the declaration.
    file: String,
}

/// A file, with its syntax and the positions of its top-level messages and enums.
struct Origin {
    file: FileDescriptor,
    syntax: Option<String>,
    edition: Option<i32>,
    messages: Vec<Range<usize>>,
    enums: Vec<Range<usize>>,
}

/// A message or an enum at the top level of a file.
#[derive(Clone)]
enum Top {
    Message(MessageDescriptor),
    Enum(EnumDescriptor),
}

/// An excerpt that is not complete: the index of its original file, its name, and its declarations.
struct OpenExcerpt {
    origin: usize,
    name: String,
    elements: Vec<Top>,
}

impl Excerpts {
    /// Returns the excerpts that a reader still needs before it can build the descriptors of `messages`. There are none
    /// if the reader already has everything.
    ///
    /// # Errors
    /// Two different declarations have the same name.
    #[doc(hidden)]
    pub fn add(&mut self, messages: &[MessageDescriptor]) -> Result<Delta> {
        let new = self.reach(messages)?;
        let mut delta = Delta { files: Vec::new(), taken: Vec::new(), counts: Default::default() };
        let mut drafts: Vec<OpenExcerpt> = Vec::new();
        let mut draft_of: Numbers = Default::default();
        // The names are chosen first, because excerpts import each other by name.
        for top in &new {
            let origin = self.origin(&top.file())?;
            let draft = match draft_of.get(&origin) {
                Some(draft) => *draft,
                None => {
                    draft_of.insert(origin, drafts.len());
                    let name = self.next_name(origin, &mut delta.counts);
                    drafts.push(OpenExcerpt { origin, name, elements: Vec::new() });
                    drafts.len() - 1
                }
            };
            drafts[draft].elements.push(top.clone());
            delta.taken.push(Taken {
                full_name: top.full_name().to_owned(),
                origin,
                element: self.origins[origin].element(top),
                file: drafts[draft].name.clone(),
            });
        }
        let mut taken: Names = Default::default();
        for (i, new) in delta.taken.iter().enumerate() {
            taken.insert(new.full_name.clone(), i);
        }
        for draft in &mut drafts {
            let mut imports = Vec::new();
            for top in &draft.elements {
                for used in top.uses() {
                    let name = used.full_name();
                    let file = match (taken.get(name), self.by_name.get(name)) {
                        (Some(new), _) => &*delta.taken[*new].file,
                        (None, Some(old)) => &*self.taken[*old].file,
                        (None, None) => continue,
                    };
                    if *file != *draft.name {
                        imports.push(file);
                    }
                }
            }
            sort_by(&mut imports, |a, b| a.cmp(b));
            imports.dedup();
            delta.files.push(draft_bytes(draft, &imports, &self.origins[draft.origin]));
        }
        Ok(delta)
    }

    /// Records that the reader has received the excerpts of `delta`.
    #[doc(hidden)]
    pub fn commit(&mut self, delta: Delta) {
        for taken in delta.taken {
            self.by_name.insert(taken.full_name.clone(), self.taken.len());
            self.taken.push(taken);
        }
        for (name, count) in delta.counts {
            self.counts.insert(name, count);
        }
    }

    /// Returns the name of the next excerpt of a file. `new` has the numbers of excerpts that this call of `add` has
    /// changed, because two new excerpts may come from different files with the same name.
    fn next_name(&self, origin: usize, new: &mut Names) -> String {
        let name = self.origins[origin].file.name();
        let before = new.get(name).or_else(|| self.counts.get(name)).copied();
        let count = 1 + before.unwrap_or_default();
        new.insert(name.to_owned(), count);
        if count == 1 { name.to_owned() } else { written(format_args!("{name}#{count}")) }
    }

    /// Returns the declarations that `messages` need and that no excerpt contains yet.
    fn reach(&mut self, messages: &[MessageDescriptor]) -> Result<Vec<Top>> {
        let mut open = each(messages, |message| Top::of_message(message.clone()));
        let mut new: Vec<Top> = Vec::new();
        let mut names: Names = Default::default();
        // The declarations that the loop has visited. A key is the index of the file and the name.
        let mut met: Names = Default::default();
        while let Some(top) = open.pop() {
            let origin = self.origin(&top.file())?;
            if met.insert(written(format_args!("{origin}:{}", top.full_name())), 0).is_some() {
                continue;
            }
            let known = match (self.by_name.get(top.full_name()), names.get(top.full_name())) {
                (Some(taken), _) if self.taken[*taken].origin == origin => {
                    // The returned excerpts contain this declaration, and everything that the declaration needs.
                    continue;
                }
                (Some(taken), _) => {
                    let taken = &self.taken[*taken];
                    Some(self.is_same(&top, origin, taken.origin, &taken.element))
                }
                (None, Some(other)) => {
                    let other = new[*other].clone();
                    let of_other = self.origin(&other.file())?;
                    Some(self.is_same(&top, origin, of_other, &self.origins[of_other].element(&other)))
                }
                (None, None) => None,
            };
            match known {
                Some(true) => {}
                None => {
                    names.insert(top.full_name().to_owned(), new.len());
                    new.push(top.clone());
                }
                Some(false) => {
                    let text = "a different declaration with this name was written before";
                    return Err(error_at(top.file().name(), Some(top.full_name()), text));
                }
            }
            open.append(&mut top.uses());
        }
        Ok(new)
    }

    /// Returns the index of `file` in `origins`. At the first call for a file, parses the file and adds it.
    fn origin(&mut self, file: &FileDescriptor) -> Result<usize> {
        let address = Arc::as_ptr(file.tables()) as usize;
        if let Some(known) = self.by_address.get(&address) {
            return Ok(*known);
        }
        self.origins.push(Origin::read(file)?);
        self.by_address.insert(address, self.origins.len() - 1);
        Ok(self.origins.len() - 1)
    }

    /// True if the file `other` has the same bytes at `element` as the file `own` has for `top`, and both files have
    /// the same syntax, edition, package and options.
    fn is_same(&self, top: &Top, own: usize, other: usize, element: &Range<usize>) -> bool {
        let (own, other) = (&self.origins[own], &self.origins[other]);
        let (file, origin) = (&own.file, &other.file);
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

    /// Returns the message and all messages nested in it.
    fn tree(&self) -> Vec<MessageDescriptor> {
        let Top::Message(message) = self else { return Vec::new() };
        let (mut tree, mut next) = (vec![message.clone()], 0);
        while let Some(message) = tree.get(next).cloned() {
            for nested in message.messages() {
                tree.push(nested);
            }
            next += 1;
        }
        tree
    }

    /// Returns the declarations to which the fields of this declaration refer. The list may contain this declaration
    /// itself, and duplicates.
    fn uses(&self) -> Vec<Top> {
        let mut uses = Vec::new();
        for message in self.tree() {
            for field in message.fields() {
                match field.kind() {
                    Kind::Message(message) => uses.push(Top::of_message(message)),
                    Kind::Enum(enumeration) => uses.push(Top::of_enum(enumeration)),
                    _ => {}
                }
            }
        }
        uses
    }
}

impl Origin {
    fn read(file: &FileDescriptor) -> Result<Self> {
        let whole = file.encoded();
        let read = shallow::File::read(whole)?;
        let range = |body: &&[u8]| {
            let start = body.as_ptr() as usize - whole.as_ptr() as usize;
            start..start + body.len()
        };
        Ok(Origin {
            file: file.clone(),
            syntax: read.syntax.map(ToOwned::to_owned),
            edition: read.edition,
            messages: each(&read.messages, range),
            enums: each(&read.enums, range),
        })
    }

    fn element(&self, top: &Top) -> Range<usize> {
        match top {
            Top::Message(message) => self.messages[message.index()].clone(),
            Top::Enum(enumeration) => self.enums[enumeration.index()].clone(),
        }
    }
}

/// Serializes an excerpt as a file. First come the messages, then the enums, both in the order of the original file.
fn draft_bytes(draft: &mut OpenExcerpt, imports: &[&str], origin: &Origin) -> Vec<u8> {
    let whole = &origin.file;
    sort_by(&mut draft.elements, |a, b| {
        (a.is_enum(), origin.element(a).start).cmp(&(b.is_enum(), origin.element(b).start))
    });
    // `Options` can append any field, so it also works as a writer for a file.
    let mut file = Options::default();
    file.push_bytes(1, draft.name.as_bytes());
    if !whole.package().is_empty() {
        file.push_bytes(2, whole.package().as_bytes());
    }
    for import in imports {
        file.push_bytes(3, import.as_bytes());
    }
    for top in &draft.elements {
        let element = &whole.encoded()[origin.element(top)];
        let mut has_extensions = false;
        for message in top.tree() {
            has_extensions |= message.extensions().len() > 0;
        }
        match has_extensions {
            true => file.push_bytes(4, &without_extensions(element)),
            false => file.push_bytes(if top.is_enum() { 5 } else { 4 }, element),
        }
    }
    let options = whole.options();
    if !options.encoded().is_empty() {
        file.push_bytes(8, options.encoded());
    }
    if let Some(syntax) = &origin.syntax {
        file.push_bytes(12, syntax.as_bytes());
    }
    if let Some(edition) = origin.edition {
        file.push_varint(14, edition as u64);
    }
    file.into_encoded()
}

/// Returns a message without the extensions that it declares. The depth of the recursion is limited, because linking
/// rejects messages that are nested too deep.
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

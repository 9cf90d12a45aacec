//! Plans which fields are wanted, and reads them.

use super::node::{self, NONE, Nodes, Tree};
use super::path::{self, Found};
use super::walk::{Ended, walk};
use super::{Sink, Stop};
use crate::descriptor::{ExtensionDescriptor, FieldDescriptor, Mask, MessageDescriptor, Pool};
use crate::error::{Error, Result};
use crate::object::arena::building::Building;
use crate::options::{DecodeOptions, EncodeOptions};
use crate::table::{Table, Tabled};
use bytes::Bytes;
use once_cell::sync::OnceCell;
use std::fmt;

/// The fields of a message type that a [`Sink`] wants, each by a path.
///
/// A path is a list of field names joined by dots. It starts at the message that is read, and each name is a proto name
/// or a JSON name. The name of a list or a map is followed by `[]`, and the path goes on in each element:
/// `resource_spans[].scope_spans[].spans[].name`. The entries of a map have the fields `key` and `value`:
/// `labels[].key`. An extension is its full name in brackets: `options.[pkg.owner].team`, or `[pkg.tags][]` for a
/// repeated extension.
///
/// ```
/// # use tobu_schemas::library;
/// # use library::v1::Book;
/// use tobu::Message;
/// use tobu::sink::Plan;
///
/// let plan = Plan::new(&Book::descriptor(), &["title", "authors[]"])?;
/// assert_eq!(plan.field(1).unwrap().full_name(), "library.v1.Book.authors");
///
/// let error = Plan::new(&Book::descriptor(), &["authors"]).unwrap_err();
/// let message = r#"library.v1.Book: the path "authors": library.v1.Book.authors is repeated, and must be written with "[]""#;
/// assert_eq!(error.to_string(), message);
/// # Ok::<(), tobu::Error>(())
/// ```
pub struct Plan {
    descriptor: MessageDescriptor,
    wanted: Vec<Wanted>,
    /// The extensions, which keep their files alive, because rows of the table lead to them.
    extensions: Vec<ExtensionDescriptor>,
    tree: Tree,
    nodes: Nodes,
    /// The table of the wanted fields. Messages that the sink gets as bytes are included as a whole.
    whole: OnceCell<Table>,
}

/// A path that has an index.
#[derive(Clone, Debug)]
struct Wanted {
    path: Box<str>,
    /// The field; `None` for unknown fields, and for the message itself.
    field: Option<FieldDescriptor>,
}

/// Makes a [`Plan`]. The first field that is added has the index 0, and each later field has the next index.
///
/// ```
/// # use tobu_schemas::library;
/// # use library::v1::Book;
/// use tobu::Message;
/// use tobu::sink::{Flow, Plan, Sink, Unknown};
///
/// let plan = Plan::builder(&Book::descriptor())
///     .field_or_default("pages")?
///     .unknown("")?
///     .build()?;
///
/// #[derive(Default)]
/// struct Seen(Vec<String>);
///
/// impl<'a> Sink<'a> for Seen {
///     fn u64(&mut self, field: u32, value: u64) -> Flow {
///         self.0.push(format!("{field}: {value}"));
///         Ok(())
///     }
///
///     fn unknown(&mut self, field: u32, number: u32, value: Unknown<'a>) -> Flow {
///         self.0.push(format!("{field}: {number} {value:?}"));
///         Ok(())
///     }
/// }
///
/// let mut seen = Seen::default();
/// plan.read(b"\x98\x06\x05", &mut seen)?;
/// assert_eq!(seen.0, ["1: 99 Varint(5)", "0: 0"]);
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    descriptor: MessageDescriptor,
    pool: Option<Pool>,
    wanted: Vec<Wanted>,
    extensions: Vec<ExtensionDescriptor>,
    tree: Tree,
}

impl Builder {
    /// Sets the pool in which extensions are looked up, for fields that are added after this call. The default is the
    /// [global pool](Pool::global).
    #[must_use]
    pub fn pool(self, pool: &Pool) -> Self {
        Builder { pool: Some(pool.clone()), ..self }
    }

    /// Adds the field of a path.
    ///
    /// # Errors
    /// The path names no field, leads through a field that is not a message, was added before, lacks a `[]`, or has a
    /// `[]` too many.
    pub fn field(self, path: &str) -> Result<Self> {
        self.add(path, |tree| &mut tree.index)
    }

    /// Adds the field of a path. At the end of each message that lacks the field, the sink receives the default of the
    /// field.
    ///
    /// The field must be a singular number, string, bytes, bool or enum that is not in a oneof. This is the default
    /// that the schema declares, or zero. If the message that would contain the field is absent, the default does not
    /// come either.
    ///
    /// # Errors
    /// [`field`](Self::field) would fail, or the field is of another kind.
    pub fn field_or_default(self, path: &str) -> Result<Self> {
        let mut builder = self.field(path)?;
        let named = |error: Error| error.in_message(builder.descriptor.full_name());
        let found = builder.find(path).map_err(named)?;
        let Some(last) = found.last().filter(|last| has_default(&last.field)) else {
            let error =
                Error::schema(format!("the path {path:?} does not lead to a single value outside of oneofs"));
            return Err(named(error));
        };
        // The key and the value of an entry always come.
        if !last.field.message().is_map_entry() {
            builder.tree_at(&found).default = true;
        }
        Ok(builder)
    }

    /// Adds the unknown fields of the messages to which a path leads. The path of the outermost message is empty.
    ///
    /// # Errors
    /// [`field`](Self::field) would fail, or the path does not lead to a message.
    pub fn unknown(self, path: &str) -> Result<Self> {
        let found = self.find(path).map_err(|error| error.in_message(self.descriptor.full_name()))?;
        if let Some(last) = found.last()
            && (last.field.is_map() || last.field.message_type().is_none())
        {
            let name = last.field.full_name();
            let error = Error::schema(format!("the path {path:?} leads to {name}, which holds no messages"));
            return Err(error.in_message(self.descriptor.full_name()));
        }
        let mut builder = self.add(path, |tree| &mut tree.unknown)?;
        builder.wanted.last_mut().expect("it was added").field = None;
        Ok(builder)
    }

    /// Returns the plan.
    ///
    /// # Errors
    /// A message has more than 65,534 fields, or an extension is in a message set, whose items are not fields.
    pub fn build(self) -> Result<Plan> {
        let Builder { descriptor, wanted, extensions, tree, .. } = self;
        let nodes = Nodes::new(&descriptor, &tree, &extensions)?;
        Ok(Plan { descriptor, wanted, extensions, tree, nodes, whole: OnceCell::new() })
    }

    fn find(&self, path: &str) -> Result<Vec<Found>> {
        match &self.pool {
            Some(pool) => path::fields(&self.descriptor, path, pool),
            None => path::fields(&self.descriptor, path, &Pool::global()),
        }
    }

    fn tree_at(&mut self, found: &[Found]) -> &mut Tree {
        found.iter().fold(&mut self.tree, |tree, found| tree.field(found.field.number()))
    }

    fn add(mut self, path: &str, slot: impl FnOnce(&mut Tree) -> &mut u32) -> Result<Self> {
        let added = self.find(path).and_then(|found| {
            let index = self.wanted.len() as u32;
            for found in &found {
                if let Some(extension) = &found.extension {
                    self.extensions.push(extension.clone());
                }
            }
            let slot = slot(self.tree_at(&found));
            if *slot != NONE {
                return Err(Error::schema(format!("the path {path:?} is given twice")));
            }
            *slot = index;
            let field = found.last().map(|last| last.field.clone());
            self.wanted.push(Wanted { path: path.into(), field });
            Ok(())
        });
        match added {
            Ok(()) => Ok(self),
            Err(error) => Err(error.in_message(self.descriptor.full_name())),
        }
    }
}

/// Returns the error of a sink that stopped with an error.
#[cold]
pub(super) fn first_error(stop: Stop) -> Error {
    stop.0.unwrap_or_else(|| Error::ty("the sink takes no more values"))
}

fn has_default(field: &FieldDescriptor) -> bool {
    !field.is_list() && field.message_type().is_none() && field.oneof().is_none()
}

impl Plan {
    /// Creates a plan for the fields with these paths. The index of each field is its position in `paths`.
    ///
    /// # Errors
    /// [`Builder::field`] or [`Builder::build`] would fail.
    pub fn new<P: AsRef<str>>(descriptor: &MessageDescriptor, paths: &[P]) -> Result<Plan> {
        let mut builder = Plan::builder(descriptor);
        for path in paths {
            builder = builder.field(path.as_ref())?;
        }
        builder.build()
    }

    /// Returns the builder of a plan, without fields.
    pub fn builder(descriptor: &MessageDescriptor) -> Builder {
        let (wanted, extensions) = (Vec::new(), Vec::new());
        Builder { descriptor: descriptor.clone(), pool: None, wanted, extensions, tree: Tree::EMPTY }
    }

    /// Returns the message that is read.
    pub fn descriptor(&self) -> &MessageDescriptor {
        &self.descriptor
    }

    /// Returns the number of indices.
    pub fn len(&self) -> usize {
        self.wanted.len()
    }

    /// True if no field is wanted.
    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Returns the path with this index, or `None` if there is no such index.
    pub fn path(&self, index: u32) -> Option<&str> {
        self.wanted.get(index as usize).map(|wanted| &*wanted.path)
    }

    /// Returns the field with this index. Returns `None` if the index stands for unknown fields, or if there is no such
    /// index.
    pub fn field(&self, index: u32) -> Option<&FieldDescriptor> {
        self.wanted.get(index as usize)?.field.as_ref()
    }

    /// Reads an encoded message, and gives its values to a sink. Returns false if the sink has had
    /// [enough](Stop::ENOUGH).
    ///
    /// # Errors
    /// The bytes are malformed or exceed a limit, a wanted field is required and missing, or the sink returned an error.
    pub fn read<'a>(&'a self, bytes: &'a [u8], sink: &mut impl Sink<'a>) -> Result<bool> {
        self.read_with(bytes, sink, DecodeOptions::new())
    }

    /// Reads an encoded message with options. A sink takes no memory, so only the limits of input and depth matter.
    ///
    /// # Errors
    /// Fails if [`read`](Self::read) would fail.
    pub fn read_with<'a>(
        &'a self,
        bytes: &'a [u8],
        sink: &mut impl Sink<'a>,
        options: DecodeOptions,
    ) -> Result<bool> {
        self.check_input(bytes, options)?;
        let ended = walk(&self.nodes, bytes, bytes, options.max_depth(), sink);
        match ended {
            Ok(Ended::Whole) => Ok(true),
            ended => self.outcome(ended, bytes, options),
        }
    }

    /// Encodes the wanted fields of a message again, in the order of their numbers and each once. If a field, a oneof
    /// or a map key occurs several times, only the value that counts is left, so that a sink that only appends can read
    /// the result. Messages that a sink gets as bytes are kept as a whole. If the plan has extensions, all fields are
    /// kept, and extensions stay as they are.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// # use library::v1::Book;
    /// use tobu::{DecodeOptions, Message};
    /// use tobu::sink::Plan;
    ///
    /// let plan = Plan::new(&Book::descriptor(), &["title", "authors[]"])?;
    /// let bytes = b"\x12\x01A\x0a\x04Dune\x18\x05\x0a\x04Emma\x12\x01B";
    /// assert_eq!(plan.normalize(bytes, DecodeOptions::new())?, b"\x0a\x04Emma\x12\x01A\x12\x01B");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if decoding the wanted fields would fail.
    pub fn normalize(&self, bytes: &[u8], options: DecodeOptions) -> Result<Vec<u8>> {
        self.check_input(bytes, options)?;
        let all = self.descriptor.table()?;
        let made = || node::table(&self.descriptor, &self.tree, &[], &Mask::Whole);
        let table = if self.extensions.is_empty() { self.whole.get_or_try_init(made)? } else { all };
        let depth = options.max_depth();
        let named = |error: Error| error.of_max_depth(depth).in_message(self.descriptor.full_name());
        let decoded = Building::decode_bytes(table, Bytes::copy_from_slice(bytes), options).map_err(named)?;
        let mut plain = Vec::new();
        // A projection has the same cells as the whole message.
        decoded.encode(all, EncodeOptions::new().partial(true), &mut plain).map_err(named)?;
        Ok(plain)
    }

    pub(super) fn check_input(&self, bytes: &[u8], options: DecodeOptions) -> Result<()> {
        options.check_input(bytes.len()).map_err(|error| error.in_message(self.descriptor.full_name()))
    }

    /// Returns the result of reading a message that ended early or may lack a required field.
    #[cold]
    #[inline(never)]
    pub(super) fn outcome(
        &self,
        ended: Result<Ended, Stop>,
        bytes: &[u8],
        options: DecodeOptions,
    ) -> Result<bool> {
        let error = match ended {
            Ok(Ended::Whole) => return Ok(true),
            Ok(Ended::Incomplete) => match self.decode(bytes, options) {
                // The field is in another occurrence of its message, or is not required.
                Ok(()) => return Ok(true),
                Err(error) => error,
            },
            Ok(Ended::Malformed) => match self.decode(bytes, options) {
                Ok(()) => Error::ty("the bytes are not read in this way"),
                Err(error) => error,
            },
            Err(Stop(None)) => return Ok(false),
            Err(Stop(Some(error))) => error,
        };
        Err(error.of_max_depth(options.max_depth()).in_message(self.descriptor.full_name()))
    }

    /// Decodes the wanted fields into an arena, to find the exact error.
    fn decode(&self, bytes: &[u8], options: DecodeOptions) -> Result<()> {
        Building::decode(&self.nodes.table, bytes, options).map(drop)
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut plan = f.debug_struct("Plan");
        plan.field("of", &self.descriptor.full_name());
        plan.field("paths", &self.wanted.iter().map(|wanted| &wanted.path).collect::<Vec<_>>());
        plan.field("extensions", &self.extensions.len()).finish()
    }
}

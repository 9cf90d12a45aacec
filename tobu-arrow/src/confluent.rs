//! Reads Kafka values in the wire format of Confluent's schema registry. A value consists of a zero byte, the id of a schema,
//! the indexes of a message in this schema, and the encoded message.
//!
//! The schemas come from a [`Registry`], a trait that you implement for your client. A schema consists of `.proto` sources,
//! which are compiled when the first value with the schema arrives. A [`Decoder`] makes batches of the values. Each message
//! type has its own batches.
//!
//! ```
//! use tobu_arrow::Options;
//! use tobu_arrow::confluent::{self, BoxError, Decoder, Registered, Registry};
//!
//! struct One;
//!
//! impl Registry for One {
//!     fn schema(&self, id: u32) -> Result<Option<Registered>, BoxError> {
//!         let source = r#"syntax = "proto3"; message Reading { string meter = 1; double value = 2; }"#;
//!         Ok((id == 7).then(|| Registered::new(source)))
//!     }
//!
//!     fn version(&self, _: &str, _: u32) -> Result<Option<Registered>, BoxError> {
//!         Ok(None)
//!     }
//! }
//!
//! let value = confluent::frame(7, &[0], b"\x0a\x03m-1");
//! assert_eq!(value, b"\0\0\0\0\x07\0\x0a\x03m-1");
//!
//! let mut decoder = Decoder::new(One, Options::new());
//! decoder.push(&value)?;
//! let batches = decoder.finish()?;
//! assert_eq!(batches[0].num_rows(), 1);
//! assert_eq!(batches[0].schema().metadata()["protobuf.message"], "Reading");
//!
//! let error = decoder.push(&confluent::frame(8, &[0], b"")).unwrap_err();
//! assert_eq!(error.to_string(), "the registry has no schema 8");
//! # Ok::<(), tobu::Error>(())
//! ```

use crate::bad::{Bad, BadList};
use crate::batcher::Batcher;
use crate::options::Options;
use arrow_array::RecordBatch;
use std::collections::HashMap;
use std::fmt;
use tobu::source::Compiler;
use tobu::wire::{Reader, unzigzag64};
use tobu::{Error, FileDescriptor, MessageDescriptor, Pool, Result};

/// An error that a client of a registry returns.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A source of schemas. The methods are the two requests to a schema registry that decoding needs. A client should cache the
/// answers, because schemas do not change.
///
/// # Errors
/// Both methods fail if the registry does not answer. The value that needs the schema may still be valid, so you can push it
/// again later.
pub trait Registry {
    /// Returns the schema with an id (`GET /schemas/ids/{id}`), or `None` if the registry does not have it.
    fn schema(&self, id: u32) -> std::result::Result<Option<Registered>, BoxError>;

    /// Returns a version of a subject, which another schema imports (`GET /subjects/{subject}/versions/{version}`). Returns
    /// `None` if the registry does not have it.
    fn version(&self, subject: &str, version: u32) -> std::result::Result<Option<Registered>, BoxError>;
}

/// A schema as a registry stores it: a source, and references to other schemas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    source: String,
    references: Vec<Reference>,
}

/// A reference to a schema that another schema imports.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Reference {
    name: String,
    subject: String,
    version: u32,
}

impl Registered {
    /// Creates a schema from the source of a `.proto` file.
    pub fn new(source: impl Into<String>) -> Self {
        Registered { source: source.into(), references: Vec::new() }
    }

    /// Adds a reference: the source imports `version` of `subject` as the file `name`.
    #[must_use]
    pub fn reference(mut self, name: impl Into<String>, subject: impl Into<String>, version: u32) -> Self {
        self.references.push(Reference { name: name.into(), subject: subject.into(), version });
        self
    }
}

/// The largest number of files of a schema.
const MOST_FILES: usize = 1000;
/// The largest number of bytes of all sources of a schema.
const MOST_SOURCE: usize = 16 << 20;
/// The largest number of message types whose batches are filled at the same time. Also the largest number of compiled schemas,
/// and of failed lookups, that the decoder remembers.
const MOST_TYPES: usize = 1000;
/// The largest number of indexes of a value. Each index leads one level deeper into nested messages.
const MOST_INDEXES: u32 = 32;
/// The number of bytes before the indexes.
const HEAD: usize = 5;

/// The parts of a Kafka value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Framed<'a> {
    id: u32,
    indexes: Vec<u32>,
    message: &'a [u8],
    position: usize,
}

impl<'a> Framed<'a> {
    /// Splits a value into its parts.
    ///
    /// ```
    /// use tobu_arrow::confluent::Framed;
    ///
    /// let value = Framed::parse(b"\0\0\0\0\x07\x04\x02\x00\x08\x05")?;
    /// assert_eq!((value.id(), value.indexes(), value.message()), (7, &[1, 0][..], &b"\x08\x05"[..]));
    ///
    /// let error = Framed::parse(b"\x0a\x04Dune").unwrap_err();
    /// assert_eq!(error.to_string(), "the first byte is 10, and not 0: the value has no schema id (at byte 0)");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The value does not begin with a zero byte, ends before the message, or has more than 32 indexes, or an invalid
    /// index.
    pub fn parse(value: &'a [u8]) -> Result<Self> {
        match value.first() {
            Some(0) => {}
            Some(first) => {
                let text = format!("the first byte is {first}, and not 0: the value has no schema id");
                return Err(Error::syntax(text).at_byte(0));
            }
            None => return Err(Error::syntax("the value is empty: it has no schema id").at_byte(0)),
        }
        let Some(id) = value[1..].first_chunk::<4>() else {
            return Err(Error::syntax("the value ends inside of its schema id").at_byte(1));
        };
        let mut reader = Reader::new(&value[HEAD..]);
        let number = |reader: &mut Reader<'a>| {
            let start = HEAD + reader.position();
            let number = reader.varint().map(unzigzag64).map_err(|error| error.shift_bytes(HEAD as u64))?;
            let index = u32::try_from(number);
            index.map_err(|_| Error::syntax(format!("{number} is not a message index")).at_byte(start))
        };
        let count = number(&mut reader)?;
        if count > MOST_INDEXES {
            let text = format!("the value has {count} message indexes, more than {MOST_INDEXES}");
            return Err(Error::syntax(text).at_byte(HEAD));
        }
        let mut indexes = (0..count).map(|_| number(&mut reader)).collect::<Result<Vec<u32>>>()?;
        if indexes.is_empty() {
            // A list without indexes is short for the index of the first message.
            indexes.push(0);
        }
        let message = reader.rest();
        Ok(Framed { id: u32::from_be_bytes(*id), indexes, message, position: value.len() - message.len() })
    }

    /// Returns the id of the schema.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Returns the indexes: first of the message in the file, then of the nested message in this message, and so on.
    pub fn indexes(&self) -> &[u32] {
        &self.indexes
    }

    /// Returns the encoded message.
    pub fn message(&self) -> &'a [u8] {
        self.message
    }
}

/// Returns a Kafka value with an encoded message. Uses the short form of the indexes if they name the first message.
pub fn frame(id: u32, indexes: &[u32], message: &[u8]) -> Vec<u8> {
    let mut value = vec![0];
    value.extend(id.to_be_bytes());
    let mut put = |number: u64| {
        // This is the zigzag encoding of a number that is not negative.
        let mut rest = number << 1;
        while rest >= 0x80 {
            value.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        value.push(rest as u8);
    };
    match indexes {
        [] | [0] => put(0),
        _ => {
            put(indexes.len() as u64);
            indexes.iter().for_each(|index| put((*index).into()));
        }
    }
    value.extend_from_slice(message);
    value
}

/// Returns the descriptor of the message that a schema id and indexes name. The schema is compiled from the sources of the
/// registry.
///
/// # Errors
/// The registry does not answer or does not have the schema, the sources do not compile, or the schema has no such message.
pub fn descriptor(registry: &impl Registry, id: u32, indexes: &[u32]) -> Result<MessageDescriptor> {
    let file = compile(registry, id).map_err(Failed::into_error)?;
    message(&file, id, indexes)
}

/// The reason why a schema was not found.
enum Failed {
    /// The registry did not answer.
    Registry(Error),
    /// The registry does not have the schema, or the schema is not valid.
    Schema(Error),
}

impl Failed {
    fn into_error(self) -> Error {
        match self {
            Failed::Registry(error) | Failed::Schema(error) => error,
        }
    }
}

/// Compiles a schema and returns its file, in a separate pool.
fn compile(registry: &impl Registry, id: u32) -> std::result::Result<FileDescriptor, Failed> {
    let schema = |text: String| Failed::Schema(Error::schema(text));
    let unreached = |what: &str, error: BoxError| {
        Failed::Registry(Error::io(std::io::Error::other(format!(
            "the registry did not answer for {what}: {error}"
        ))))
    };
    let root = registry.schema(id).map_err(|error| unreached(&format!("schema {id}"), error))?;
    let Some(root) = root else { return Err(schema(format!("the registry has no schema {id}"))) };
    let name = format!("schema-{id}.proto");
    let (mut compiler, mut bytes) = (Compiler::new(), root.source.len());
    let mut known: HashMap<String, Reference> = HashMap::new();
    let mut open = root.references;
    compiler.source(name.clone(), root.source);
    while let Some(reference) = open.pop() {
        if let Some(other) = known.get(&reference.name) {
            if *other != reference {
                let text = format!(
                    "schema {id} imports {:?} as version {} of {:?} and as version {} of {:?}",
                    reference.name, other.version, other.subject, reference.version, reference.subject
                );
                return Err(schema(text));
            }
            continue;
        }
        let what = format!("version {} of {:?}", reference.version, reference.subject);
        let found = registry
            .version(&reference.subject, reference.version)
            .map_err(|error| unreached(&what, error))?;
        let Some(found) = found else {
            return Err(schema(format!("the registry has no {what}, which schema {id} imports")));
        };
        bytes += found.source.len();
        compiler.source(reference.name.clone(), found.source);
        known.insert(reference.name.clone(), reference);
        open.extend(found.references);
        if known.len() >= MOST_FILES || bytes > MOST_SOURCE || open.len() > MOST_FILES * MOST_FILES {
            return Err(schema(format!(
                "schema {id} has more than {MOST_FILES} files or {MOST_SOURCE} bytes"
            )));
        }
    }
    if bytes > MOST_SOURCE {
        return Err(schema(format!("schema {id} has more than {MOST_FILES} files or {MOST_SOURCE} bytes")));
    }
    let compiled = compiler
        .compile(&[&name])
        .map_err(|error| schema(format!("schema {id} does not compile: {}", error.to_string().trim_end())))?;
    let pool: Pool = compiled.into_pool();
    pool.file(&name).ok_or_else(|| schema(format!("schema {id} has no file")))
}

/// Returns the message of a file that the indexes name.
fn message(file: &FileDescriptor, id: u32, indexes: &[u32]) -> Result<MessageDescriptor> {
    let mut found: Option<MessageDescriptor> = None;
    for index in indexes {
        let at = *index as usize;
        found = match &found {
            None => file.messages().nth(at),
            Some(message) => message.messages().filter(|message| !message.is_map_entry()).nth(at),
        };
        if found.is_none() {
            return Err(Error::schema(format!("schema {id} has no message {indexes:?}")));
        }
    }
    found.ok_or_else(|| Error::schema(format!("schema {id} has no message {indexes:?}")))
}

/// Makes batches of Kafka values with any number of schemas.
///
/// Each message type of each schema id has its own batches. The metadata of a batch's schema has the name of the message, as
/// `protobuf.message`. See the [module](self) for an example.
pub struct Decoder<R> {
    registry: R,
    options: Options,
    configure: Box<dyn Fn(Batcher) -> Batcher + Send>,
    types: HashMap<(u32, Vec<u32>), Batcher>,
    files: HashMap<u32, FileDescriptor>,
    /// The errors of earlier lookups, by id and indexes, so that the decoder asks the registry only once.
    failed: HashMap<(u32, Vec<u32>), String>,
    count: u64,
    bad: Option<BadList>,
}

impl<R: Registry> Decoder<R> {
    /// Creates a decoder for batches with these columns, of up to 8,192 rows and 64 MiB.
    pub fn new(registry: R, options: Options) -> Self {
        Decoder {
            registry,
            options,
            configure: Box::new(|batcher| batcher),
            types: HashMap::new(),
            files: HashMap::new(),
            failed: HashMap::new(),
            count: 0,
            bad: None,
        }
    }

    /// Sets a function that changes each batcher when it is made, for example to limit its [rows](Batcher::rows) or
    /// [bytes](Batcher::bytes).
    #[must_use]
    pub fn batchers(self, configure: impl Fn(Batcher) -> Batcher + Send + 'static) -> Self {
        Decoder { configure: Box::new(configure), ..self }
    }

    /// Skips values that cannot be read, or whose schema the registry does not have. All of them are counted. The first `keep`
    /// values, up to 64 MiB, are kept for [`take_bad`](Self::take_bad).
    #[must_use]
    pub fn skip_bad(self, keep: usize) -> Self {
        Decoder { bad: Some(BadList::new(keep, 64 << 20)), ..self }
    }

    /// Returns the number of values that were skipped.
    pub fn bad_count(&self) -> u64 {
        self.bad.as_ref().map_or(0, |bad| bad.count)
    }

    /// Returns the values that were skipped and kept since the last call.
    pub fn take_bad(&mut self) -> Vec<Bad> {
        self.bad.as_mut().map(BadList::take).unwrap_or_default()
    }

    /// Adds a value. Returns a batch if the value fills the batch, or if the value did not fit into the batch and was put into
    /// the next one.
    ///
    /// # Errors
    /// The registry does not answer; you can push the value again. Unless bad values are skipped, this method also fails if the
    /// value cannot be read, the registry does not have the schema, the schema does not compile, the columns of the message
    /// type cannot be made, or [`Batcher::push`] would fail.
    pub fn push(&mut self, value: &[u8]) -> Result<Option<RecordBatch>> {
        let pushed = self.add(value);
        let error = match pushed {
            Ok(batch) => {
                self.count += 1;
                return Ok(batch);
            }
            // The value does not count as pushed, because the caller can push it again.
            Err(Failed::Registry(error)) => return Err(error),
            Err(Failed::Schema(error)) => error,
        };
        let number = self.count;
        self.count += 1;
        match &mut self.bad {
            Some(bad) => {
                bad.add(Bad::new(number, None, error), value);
                Ok(None)
            }
            None => Err(error),
        }
    }

    /// Returns the last batch of each message type, with the values that are not yet in a batch.
    ///
    /// # Errors
    /// Fails if [`Batcher::finish`] would fail.
    pub fn finish(&mut self) -> Result<Vec<RecordBatch>> {
        let mut keys: Vec<_> = self.types.keys().cloned().collect();
        keys.sort();
        let mut batches = Vec::new();
        for key in keys {
            if let Some(batcher) = self.types.get_mut(&key) {
                batches.extend(batcher.finish()?);
            }
        }
        Ok(batches)
    }

    fn add(&mut self, value: &[u8]) -> std::result::Result<Option<RecordBatch>, Failed> {
        let Framed { id, indexes, message, position } = Framed::parse(value).map_err(Failed::Schema)?;
        let key = (id, indexes);
        if !self.types.contains_key(&key) {
            if let Some(text) = self.failed.get(&key) {
                return Err(Failed::Schema(Error::schema(text.clone())));
            }
            match self.batcher(&key) {
                Ok(batcher) => drop(self.types.insert(key.clone(), batcher)),
                Err(Failed::Schema(error)) => {
                    if self.failed.len() >= MOST_TYPES {
                        self.failed.clear();
                    }
                    self.failed.insert(key, error.to_string());
                    return Err(Failed::Schema(error));
                }
                Err(failed) => return Err(failed),
            }
        }
        match self.types.get_mut(&key) {
            Some(batcher) => batcher.push_at(message, position as u64).map_err(Failed::Schema),
            None => Ok(None),
        }
    }

    fn batcher(&mut self, key: &(u32, Vec<u32>)) -> std::result::Result<Batcher, Failed> {
        if self.types.len() >= MOST_TYPES {
            let text = format!("the values have more than {MOST_TYPES} message types");
            return Err(Failed::Schema(Error::schema(text)));
        }
        let (id, indexes) = key;
        if !self.files.contains_key(id) {
            let file = compile(&self.registry, *id)?;
            if self.files.len() >= MOST_TYPES {
                self.files.clear();
            }
            self.files.insert(*id, file);
        }
        let columns =
            message(&self.files[id], *id, indexes).and_then(|message| self.options.columns(&message));
        Ok((self.configure)(Batcher::new(&columns.map_err(Failed::Schema)?)))
    }
}

impl<R> fmt::Debug for Decoder<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").field("types", &self.types.len()).field("values", &self.count).finish()
    }
}

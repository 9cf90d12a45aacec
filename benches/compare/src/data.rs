//! The messages that all libraries work on.

use bytes::Bytes;
use std::error::Error;
use std::path::Path;
use tobu::reflect::Equality;
use tobu::{DynamicMessage, Kind, MessageDescriptor, Pool, Reflect};

/// Serialized messages of one type.
pub struct DataSet {
    pub name: &'static str,
    pub descriptor: MessageDescriptor,
    pub payloads: Vec<Vec<u8>>,
    /// The same, to be shared.
    pub shared: Vec<Bytes>,
    /// The same as JSON.
    pub json: Vec<String>,
    /// The same in the text format, a field per line.
    pub text: Vec<String>,
    /// A message with a string that is not UTF-8, if the type has a string.
    pub not_utf8: Option<(Vec<u8>, Bytes)>,
    expected: Vec<DynamicMessage>,
}

/// How content compares to what it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    Same,
    /// The same but for unknown fields.
    WithoutUnknown,
    /// The same but for the last digit of floating-point numbers.
    Rounded,
    Different,
}

impl DataSet {
    pub fn new(
        pool: &Pool,
        name: &'static str,
        message: &str,
        payloads: Vec<Vec<u8>>,
    ) -> Result<Self, Box<dyn Error>> {
        let descriptor = pool.message(message).ok_or_else(|| format!("the schemas have no {message}"))?;
        let shared = payloads.iter().cloned().map(Bytes::from).collect();
        let expected = payloads
            .iter()
            .map(|bytes| DynamicMessage::decode(&descriptor, bytes))
            .collect::<tobu::Result<Vec<_>>>()?;
        let json = expected.iter().map(deterministic).collect();
        let text = expected.iter().map(tobu::text::to_string).collect::<tobu::Result<_>>()?;
        let not_utf8 = not_utf8(&descriptor).map(|bytes| (bytes.clone(), bytes.into()));
        Ok(DataSet { name, descriptor, payloads, shared, json, text, not_utf8, expected })
    }

    /// Bytes that are only to be loaded: a descriptor set.
    pub fn schemas(pool: &Pool, name: &'static str, bytes: Vec<u8>) -> Result<Self, Box<dyn Error>> {
        let descriptor = pool.messages().next().ok_or("the schemas have no message")?;
        let (shared, json, text, expected) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Ok(DataSet { name, descriptor, payloads: vec![bytes], shared, json, text, not_utf8: None, expected })
    }

    /// Reads the file of a data set.
    pub fn read(
        pool: &Pool,
        name: &'static str,
        message: &str,
        directory: &Path,
    ) -> Result<Self, Box<dyn Error>> {
        let payloads = tobu_compare::payloads(pool, name, directory)?;
        Self::new(pool, name, message, payloads)
    }

    /// Bytes of all payloads.
    pub fn size(&self) -> usize {
        self.payloads.iter().map(Vec::len).sum()
    }

    /// Bytes of all payloads as JSON.
    pub fn json_size(&self) -> usize {
        self.json.iter().map(String::len).sum()
    }

    /// Bytes of all payloads as text.
    pub fn text_size(&self) -> usize {
        self.text.iter().map(String::len).sum()
    }

    /// Compares a message, encoded by any library, with the message from the data set.
    pub fn check_wire(&self, index: usize, bytes: &[u8]) -> tobu::Result<Found> {
        Ok(self.compare(index, &DynamicMessage::decode(&self.descriptor, bytes)?))
    }

    /// The same for JSON, which has no unknown fields.
    pub fn check_json(&self, index: usize, text: &str) -> tobu::Result<Found> {
        let mut wire = Vec::new();
        tobu::convert::json_to_wire(&self.descriptor, text.as_bytes(), &mut wire)?;
        self.check_wire(index, &wire)
    }

    /// The same for the text format.
    pub fn check_text(&self, index: usize, text: &[u8]) -> tobu::Result<Found> {
        let options = tobu::text::Options::new();
        Ok(self.compare(index, &DynamicMessage::from_text_with(&self.descriptor, text, &options)?))
    }

    fn compare(&self, index: usize, message: &DynamicMessage) -> Found {
        let expected: &dyn Reflect = &self.expected[index];
        let same = Equality::new().nan(true);
        if expected.equals_with(message, same) {
            Found::Same
        } else if expected.equals_with(message, same.unknown_fields(false)) {
            Found::WithoutUnknown
        } else if rounded(&self.json[index], &deterministic(message)) {
            Found::Rounded
        } else {
            Found::Different
        }
    }
}

/// Map entries are sorted, so that texts can be compared.
fn deterministic(message: &DynamicMessage) -> String {
    tobu::json::Options::new().deterministic(true).to_string(message).unwrap_or_default()
}

/// Whether two texts are the same but for the last digits of numbers that have a fraction or an exponent.
fn rounded(a: &str, b: &str) -> bool {
    let split = |c: char| !(c.is_ascii_digit() || "+-.eE".contains(c));
    let (mut a, mut b) = (a.split_inclusive(split), b.split_inclusive(split));
    loop {
        match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a == b => {}
            (Some(a), Some(b)) => {
                let number = |text: &str| text.trim_end_matches(split).parse::<f64>().ok();
                let inexact = a.contains(['.', 'e']) || b.contains(['.', 'e']);
                match (number(a), number(b)) {
                    (Some(a), Some(b)) if inexact && (a - b).abs() <= a.abs() * 1e-15 => {}
                    _ => return false,
                }
            }
            _ => return false,
        }
    }
}

/// A message whose first string field has bytes that are not UTF-8.
fn not_utf8(descriptor: &MessageDescriptor) -> Option<Vec<u8>> {
    let field = descriptor.fields().find(|field| field.kind() == Kind::String && !field.is_map())?;
    let mut bytes = Vec::new();
    let mut tag = field.number() << 3 | 2;
    while tag >= 0x80 {
        bytes.push(tag as u8 | 0x80);
        tag >>= 7;
    }
    bytes.extend([tag as u8, 2, 0xc0, 0x80]);
    DynamicMessage::decode(descriptor, &bytes).is_err().then_some(bytes)
}

//! The messages that all libraries work on.

use bytes::Bytes;
use std::error::Error;
use std::path::Path;
use tobu::reflect::Equality;
use tobu::{DynamicMessage, MessageDescriptor, Pool, Reflect};

/// Serialized messages of one type.
pub struct DataSet {
    pub name: &'static str,
    pub descriptor: MessageDescriptor,
    pub payloads: Vec<Vec<u8>>,
    /// The same, to be shared.
    pub shared: Vec<Bytes>,
    /// The same as JSON.
    pub json: Vec<String>,
    expected: Vec<DynamicMessage>,
}

/// How content compares to what it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    Same,
    /// The same but for unknown fields.
    WithoutUnknown,
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
        let json = expected.iter().map(tobu::json::to_string).collect::<tobu::Result<_>>()?;
        Ok(DataSet { name, descriptor, payloads, shared, json, expected })
    }

    /// Reads the file of a data set.
    pub fn read(
        pool: &Pool,
        name: &'static str,
        message: &str,
        directory: &Path,
    ) -> Result<Self, Box<dyn Error>> {
        let path = directory.join(format!("{name}.pb"));
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let file = DynamicMessage::decode(&pool.message("benchmarks.BenchmarkDataset").ok_or("no type")?, &bytes)?;
        let file: &dyn Reflect = &file;
        let payloads = file.get_by_name("payload")?.as_list().ok_or("no payloads")?;
        let payloads = payloads.iter().filter_map(|payload| Some(payload.as_bytes()?.to_vec())).collect();
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

    /// Compares a message, encoded by any library, with what was read from the data set.
    pub fn check_wire(&self, index: usize, bytes: &[u8]) -> tobu::Result<Found> {
        Ok(self.compare(index, &DynamicMessage::decode(&self.descriptor, bytes)?))
    }

    /// The same for JSON, which has no unknown fields.
    pub fn check_json(&self, index: usize, text: &str) -> tobu::Result<Found> {
        let mut wire = Vec::new();
        tobu::transcode::json_to_wire(&self.descriptor, text.as_bytes(), &mut wire)?;
        self.check_wire(index, &wire)
    }

    fn compare(&self, index: usize, message: &dyn Reflect) -> Found {
        let expected: &dyn Reflect = &self.expected[index];
        let same = Equality::new().nan(true);
        if expected.equals_with(message, same) {
            Found::Same
        } else if expected.equals_with(message, same.unknown_fields(false)) {
            Found::WithoutUnknown
        } else {
            Found::Different
        }
    }
}

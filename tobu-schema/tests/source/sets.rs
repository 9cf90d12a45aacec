//! Descriptor sets, split without being read.

use std::collections::HashMap;

use tobu_schema::wire::Reader;

/// The encoded files of a `google.protobuf.FileDescriptorSet`, by their names.
pub(crate) fn files(set: &[u8]) -> HashMap<String, &[u8]> {
    let mut files = HashMap::new();
    let mut reader = Reader::new(set);
    while !reader.is_empty() {
        assert_eq!(reader.tag().unwrap().number(), 1);
        let file = reader.len_prefixed().unwrap();
        let mut inner = Reader::new(file);
        assert_eq!(inner.tag().unwrap().number(), 1, "the name comes first");
        files.insert(inner.string().unwrap().to_owned(), file);
    }
    files
}

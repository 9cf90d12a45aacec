//! Comments of elements, from SourceCodeInfo; parsed on first use, since few callers need them.

use std::collections::HashMap;

use super::raw::options;
use crate::wire::{Reader, WireType};

/// The comments around a declaration, with their comment markers taken off.
///
/// Specification: `SourceCodeInfo.Location` of
/// <https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/descriptor.proto>.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    leading: String,
    trailing: String,
    detached: Vec<String>,
}

impl Comments {
    /// The comment right before the declaration; empty if there is none.
    pub fn leading(&self) -> &str {
        &self.leading
    }

    /// The comment right after the declaration; empty if there is none.
    pub fn trailing(&self) -> &str {
        &self.trailing
    }

    /// Comments before the declaration with a blank line between.
    pub fn detached(&self) -> &[String] {
        &self.detached
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.leading.is_empty() && self.trailing.is_empty() && self.detached.is_empty()
    }
}

/// The comments of a file by the path of their element.
pub(super) struct CommentTable(HashMap<Box<[i32]>, Comments>);

impl CommentTable {
    /// Every commented location of a serialized FileDescriptorProto. Malformed locations count as
    /// absent.
    pub(super) fn read(file: &[u8]) -> Self {
        let mut table = HashMap::new();
        for location in options::messages(file, 9).flat_map(|info| options::messages(info, 1)) {
            let mut comments = Comments::default();
            let mut path = Vec::new();
            for field in options::fields(location) {
                match (field.tag.number(), field.tag.wire_type()) {
                    (1, WireType::Len) => {
                        let mut reader = Reader::new(field.len_prefixed().unwrap_or_default());
                        while let Ok(step) = reader.varint() {
                            path.push(step as i32);
                        }
                    }
                    (1, WireType::Varint) => path.extend(field.varint().map(|step| step as i32)),
                    (number @ (3 | 4 | 6), WireType::Len) => {
                        let bytes = field.len_prefixed().unwrap_or_default();
                        let text = String::from_utf8_lossy(bytes).into_owned();
                        match number {
                            3 => comments.leading = text,
                            4 => comments.trailing = text,
                            _ => comments.detached.push(text),
                        }
                    }
                    _ => {}
                }
            }
            if !comments.is_empty() {
                // A path may occur twice, for two spans of one declaration: the first has the
                // comments.
                table.entry(path.into_boxed_slice()).or_insert(comments);
            }
        }
        CommentTable(table)
    }

    /// The comments at a path of field numbers and indexes.
    pub(super) fn get(&self, path: &[i32]) -> Comments {
        self.0.get(path).cloned().unwrap_or_default()
    }
}

//! Comments of elements, from SourceCodeInfo; parsed when first asked for, since few ever ask.

use std::collections::HashMap;

use super::raw::options;
use super::tables::FileTables;
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
    /// The comment right before the declaration; empty where there is none.
    pub fn leading(&self) -> &str {
        &self.leading
    }

    /// The comment right after the declaration; empty where there is none.
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

/// The comments of a file by the path of what they are around.
pub(super) struct CommentTable(HashMap<Box<[i32]>, Comments>);

impl FileTables {
    /// The comments at a path of field numbers and indexes.
    pub(super) fn comments(&self, path: &[i32]) -> Comments {
        let table = self.comments.get_or_init(|| Box::new(table(&self.encoded)));
        table.0.get(path).cloned().unwrap_or_default()
    }

    pub(super) fn message_path(&self, index: u32) -> Vec<i32> {
        let mut path = Vec::new();
        let mut next = Some(index);
        // From the inside out, reversed in the end.
        while let Some(index) = next {
            let message = &self.messages[index as usize];
            let (number, siblings) = match message.parent {
                Some(parent) => (3, self.messages[parent as usize].messages),
                None => (4, self.top_messages),
            };
            path.extend([(index - siblings.start) as i32, number]);
            next = message.parent;
        }
        path.reverse();
        path
    }

    pub(super) fn field_path(&self, index: u32) -> Vec<i32> {
        let field = &self.fields[index as usize];
        let (mut path, number, siblings) = match (field.is_extension, field.scope) {
            (false, _) => {
                let siblings = self.messages[field.parent.index as usize].fields;
                (self.message_path(field.parent.index), 2, siblings)
            }
            (true, Some(scope)) => (self.message_path(scope), 6, self.messages[scope as usize].extensions),
            (true, None) => (Vec::new(), 7, self.top_extensions),
        };
        path.extend([number, (index - siblings.start) as i32]);
        path
    }

    pub(super) fn enum_path(&self, index: u32) -> Vec<i32> {
        let (mut path, number, siblings) = match self.enums[index as usize].parent {
            Some(parent) => (self.message_path(parent), 4, self.messages[parent as usize].enums),
            None => (Vec::new(), 5, self.top_enums),
        };
        path.extend([number, (index - siblings.start) as i32]);
        path
    }
}

/// Every commented location of a serialized FileDescriptorProto, by path. What is malformed counts as absent.
fn table(file: &[u8]) -> CommentTable {
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
            // A path may come twice, for two spans of one declaration: the first has the comments.
            table.entry(path.into_boxed_slice()).or_insert(comments);
        }
    }
    CommentTable(table)
}

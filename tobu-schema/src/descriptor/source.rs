//! Reads the comments of elements from `SourceCodeInfo`. The comments are parsed when they are needed for the first time,
//! because few callers need them.

use std::ops::Range;

use crate::descriptor::raw::options;
use crate::descriptor::tables::FileTables;
use crate::sort::sort_by;

/// The comments around a declaration, without comment markers.
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
    /// Returns the comment directly before the declaration; empty if there is none.
    pub fn leading(&self) -> &str {
        &self.leading
    }

    /// Returns the comment directly after the declaration; empty if there is none.
    pub fn trailing(&self) -> &str {
        &self.trailing
    }

    /// Returns the comments before the declaration that a blank line separates from it.
    pub fn detached(&self) -> &[String] {
        &self.detached
    }

    /// True if there are no comments.
    pub fn is_empty(&self) -> bool {
        self.leading.is_empty() && self.trailing.is_empty() && self.detached.is_empty()
    }
}

/// The positions of the comments in a file. Each range says where in the bytes of the file a location with comments is. The
/// ranges are in the order of the locations' paths. The table does not contain the comments, because they would take most of
/// the memory of a file.
pub(super) struct CommentTable(Box<[Range<u32>]>);

impl CommentTable {
    /// Finds all locations with comments in a serialized `FileDescriptorProto`. Malformed locations are ignored.
    pub(super) fn read(file: &[u8]) -> Self {
        let mut found: Vec<(Vec<u64>, Range<u32>)> = Vec::new();
        for info in options::messages(file, 9) {
            for location in options::messages(info, 1) {
                if !comments(location).is_empty() {
                    // Descriptors are shorter than 2 GiB, so a position fits 32 bits.
                    let start = (location.as_ptr() as usize - file.as_ptr() as usize) as u32;
                    found.push((options::numbers(location, PATH), start..start + location.len() as u32));
                }
            }
        }
        sort_by(&mut found, |(a, _), (b, _)| a.cmp(b));
        // A path can occur twice, for two parts of one declaration. The first occurrence has the comments.
        let mut table: Vec<Range<u32>> = Vec::with_capacity(found.len());
        let mut last = None;
        for (path, location) in &found {
            if last != Some(path) {
                table.push(location.clone());
            }
            last = Some(path);
        }
        CommentTable(table.into_boxed_slice())
    }

    /// Returns the comments at a path of field numbers and indices. `file` has the bytes that were read.
    pub(super) fn get(&self, file: &[u8], wanted: &[i32]) -> Comments {
        let location = |range: &Range<u32>| &file[range.start as usize..range.end as usize];
        let mut path = Vec::with_capacity(wanted.len());
        for step in wanted {
            path.push(*step as u64);
        }
        let found = self.0.binary_search_by(|range| options::numbers(location(range), PATH).cmp(&path));
        match found {
            Ok(at) => comments(location(&self.0[at])),
            Err(_) => Comments::default(),
        }
    }
}

/// The field number of the path in a location.
const PATH: u32 = 1;

fn comments(location: &[u8]) -> Comments {
    let mut comments = Comments::default();
    for field in options::fields(location) {
        let number = field.tag.number();
        if let (3 | 4 | 6, Some(text)) = (number, field.len_prefixed()) {
            let text = String::from_utf8_lossy(text).into_owned();
            match number {
                3 => comments.leading = text,
                4 => comments.trailing = text,
                _ => comments.detached.push(text),
            }
        }
    }
    comments
}

impl FileTables {
    /// Returns the comments at a path of field numbers and indices.
    pub(super) fn comments(&self, path: &[i32]) -> Comments {
        self.comments.get_or_init(|| Box::new(CommentTable::read(&self.encoded))).get(&self.encoded, path)
    }

    pub(super) fn message_path(&self, index: u32) -> Vec<i32> {
        let mut path = Vec::new();
        let mut next = Some(index);
        // The path is built from the innermost step to the outermost, and reversed at the end.
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

#[cfg(test)]
mod tests {
    use super::{CommentTable, Comments};

    /// Returns an encoded field with a short payload.
    fn field(number: u8, value: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2, value.len() as u8], value].concat()
    }

    fn location(fields: &[&[u8]]) -> Vec<u8> {
        field(1, &fields.concat())
    }

    #[test]
    fn locations_in_any_order() {
        let file = field(
            9,
            &[
                location(&[&field(1, &[4, 1]), &field(2, &[9, 9]), &field(3, b" second")]),
                location(&[&field(1, &[4, 0]), &field(2, &[1, 1])]),
                // The path is not packed, so each step has its own tag. The texts come before the path.
                location(&[&field(6, b" a"), &field(6, b" b"), &[8, 4], &[8, 0], &field(4, b" first")]),
                location(&[&field(1, &[4, 1]), &field(3, b" again")]),
                location(&[&field(3, b" file")]),
                // The location ends in the middle of its path.
                location(&[&field(3, b" cut"), &[10, 9, 4]]),
            ]
            .concat(),
        );
        let table = CommentTable::read(&file);
        let comments = |path: &[i32]| table.get(&file, path);
        assert_eq!((comments(&[4, 1]).leading(), comments(&[]).leading()), (" second", " file"));
        assert_eq!(
            (comments(&[4, 0]).trailing(), comments(&[4, 0]).detached().concat()),
            (" first", " a b".into())
        );
        assert!(
            [&[4][..], &[4, 2], &[4, 0, 0], &[4, 9]]
                .into_iter()
                .all(|path| comments(path) == Comments::default())
        );
    }
}

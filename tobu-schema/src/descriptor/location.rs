//! The locations of declarations in their file, as SourceCodeInfo has it: paths of field numbers and
//! indexes.

use super::source::{CommentTable, Comments};
use super::tables::FileTables;

impl FileTables {
    /// The comments at a path of field numbers and indexes.
    pub(super) fn comments(&self, path: &[i32]) -> Comments {
        self.comments.get_or_init(|| Box::new(CommentTable::read(&self.encoded))).get(&self.encoded, path)
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

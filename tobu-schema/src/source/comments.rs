//! Assigns comments to declarations by the rules of protoc, so that generated documentation is the same as with protoc.
//!
//! Specification: the comments of `SourceCodeInfo` in
//! <https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/descriptor.proto>.

/// The comments between two tokens.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Gap {
    /// The comment that belongs to the element before: its last token precedes the gap.
    pub(super) trailing: String,
    /// The comments that belong to no element. Descriptors list them with the element that follows the gap.
    pub(super) detached: Vec<String>,
    /// The comment that belongs to the element after: its first token follows the gap.
    pub(super) leading: String,
}

/// Returns the comments in `text`, which is everything between two tokens. `next` is the second token, and empty at the
/// end of the file. `is_first` is true if no token precedes `text`.
pub(super) fn gap(text: &str, is_first: bool, next: &str) -> Gap {
    let mut gap = Collector {
        rest: text,
        lines: 0,
        out: Gap::default(),
        pending: None,
        can_trail: !is_first,
        has_trailing: false,
        count: 0,
    };
    gap.collect(is_first, next);
    gap.out
}

/// Reads the comments of a gap. Consecutive line comments are one comment.
struct Collector<'s> {
    rest: &'s str,
    /// How many ends of lines were read.
    lines: usize,
    out: Gap,
    /// The last comment that was read, if it is not yet assigned. The bool is true if the comment consists of line comments.
    pending: Option<(String, bool)>,
    /// True if the pending comment may belong to the token before the gap.
    can_trail: bool,
    has_trailing: bool,
    count: usize,
}

impl Collector<'_> {
    fn collect(&mut self, is_first: bool, next: &str) {
        // If a comment begins on the line of the token before the gap, this is the line on which the comment ends.
        let mut trailing_end = None;
        if !is_first {
            self.skip_spaces();
            if self.line_comment() {
                trailing_end = Some(self.lines - 1);
                self.flush();
            } else if self.block_comment() {
                trailing_end = Some(self.lines);
                self.skip_spaces();
                self.flush();
            } else if !self.newline() {
                return;
            }
        }
        loop {
            self.skip_spaces();
            if self.line_comment() {
                continue;
            }
            if self.block_comment() {
                self.skip_spaces();
                self.newline();
            } else if self.newline() {
                // This end of line ends a blank line.
                self.flush();
                self.can_trail = false;
            } else {
                break;
            }
        }
        if matches!(next, "" | "}" | "]" | ")") {
            self.flush();
        }
        let is_same_line = (self.lines == 0 && !is_first) || trailing_end == Some(self.lines);
        if is_same_line && !next.is_empty() {
            self.detach();
        }
        if let Some((text, _)) = self.pending.take() {
            self.out.leading = text;
        }
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\x0b', '\x0c']);
    }

    fn newline(&mut self) -> bool {
        let Some(rest) = self.rest.strip_prefix('\n') else { return false };
        self.rest = rest;
        self.lines += 1;
        true
    }

    /// Reads a comment in `//`, with the end of its line. Returns false if there is no such comment here.
    fn line_comment(&mut self) -> bool {
        let Some(rest) = self.rest.strip_prefix("//") else { return false };
        if !matches!(self.pending, Some((_, true))) {
            self.flush();
        }
        let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let (pending, _) = self.pending.get_or_insert_with(|| (String::new(), true));
        pending.push_str(&rest[..end]);
        self.rest = &rest[end..];
        self.lines += 1;
        true
    }

    /// Reads a comment in `/* */`. Removes the indentation and one asterisk from each line but the first. Returns false if
    /// there is no such comment here.
    fn block_comment(&mut self) -> bool {
        let Some(rest) = self.rest.strip_prefix("/*") else { return false };
        self.flush();
        let end = rest.find("*/").unwrap_or(rest.len());
        let mut text = String::with_capacity(end);
        for (i, line) in rest[..end].split('\n').enumerate() {
            if i == 0 {
                text.push_str(line);
                continue;
            }
            self.lines += 1;
            text.push('\n');
            let line = line.trim_start_matches([' ', '\t', '\r', '\x0b', '\x0c']);
            text.push_str(line.strip_prefix('*').unwrap_or(line));
        }
        self.pending = Some((text, false));
        self.rest = rest.get(end + 2..).unwrap_or_default();
        true
    }

    /// Assigns the pending comment to the element before the gap, or to no element.
    fn flush(&mut self) {
        let Some((text, _)) = self.pending.take() else { return };
        self.count += 1;
        match std::mem::take(&mut self.can_trail) {
            true => (self.out.trailing, self.has_trailing) = (text, true),
            false => self.out.detached.push(text),
        }
    }

    /// Detaches the comment if the gap has only one comment. Both tokens are on the line of the comment, so the comment could
    /// belong to either element.
    fn detach(&mut self) {
        if self.count + usize::from(self.pending.is_some()) != 1 {
            return;
        }
        if self.has_trailing {
            self.out.detached.insert(0, std::mem::take(&mut self.out.trailing));
        }
        self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::{Gap, gap};

    fn expect(text: &str, next: &str, trailing: &str, detached: &[&str], leading: &str) {
        let detached = detached.iter().map(|text| (*text).to_owned()).collect();
        let expected = Gap { trailing: trailing.into(), detached, leading: leading.into() };
        assert_eq!(gap(text, false, next), expected, "{text:?} before {next:?}");
    }

    #[test]
    fn comments_belong_to_a_neighbour() {
        expect(" ", "a", "", &[], "");
        expect(" // t\n// l\n", "a", " t\n", &[], " l\n");
        expect("\n// t\n\n// d\n\n// l\n", "a", " t\n", &[" d\n"], " l\n");
        expect("\n\n// l\n// l2\n", "a", "", &[], " l\n l2\n");
        expect("\n// t\n", "}", " t\n", &[], "");
        expect(" // t\r\n// l\r\n", "a", " t\r\n", &[], " l\r\n");
        expect(" /* t */\n/* d\n\t * d */ /* l */", "a", " t ", &[" d\n d "], " l ");
        // A single comment between two tokens of a line belongs to no element. If there are two comments, each element
        // gets one.
        expect(" /* d */ ", "a", "", &[" d "], "");
        expect(" /* t */ /* l */ ", "a", " t ", &[], " l ");
        expect(" /* d\n */ ", "a", "", &[" d\n"], "");
        expect("\n/* l */ ", "a", "", &[], " l ");
        // An empty comment is a comment, too.
        expect(" /**/ ", "a", "", &[""], "");
    }

    #[test]
    fn comments_before_the_first_token_trail_nothing() {
        let first = gap("// d\n\n// l\n", true, "a");
        assert_eq!(
            first,
            Gap { trailing: String::new(), detached: vec![" d\n".into()], leading: " l\n".into() }
        );
    }
}

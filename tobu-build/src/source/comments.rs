//! Which comments belong to which declaration: what protoc does, so that generated documentation is the same.
//!
//! Specification: the comments of `SourceCodeInfo` in
//! <https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/descriptor.proto>.

/// The comments between two tokens.
#[derive(Debug, Default)]
pub(super) struct Gap {
    /// Belongs to what ends with the token before.
    pub(super) trailing: Option<String>,
    /// Belong to nothing, but stand before what begins with the token after.
    pub(super) detached: Vec<String>,
    /// Belongs to what begins with the token after.
    pub(super) leading: Option<String>,
}

/// Comments as they come; those in lines right after each other are one.
pub(super) struct Collector {
    gap: Gap,
    pending: Option<String>,
    is_of_lines: bool,
    /// The pending comment may still belong to the token before.
    can_trail: bool,
}

impl Collector {
    pub(super) fn new(is_first: bool) -> Self {
        Collector { gap: Gap::default(), pending: None, is_of_lines: false, can_trail: !is_first }
    }

    /// The text of a comment behind `//`, with the end of its line.
    pub(super) fn line(&mut self, text: &str) {
        if !self.is_of_lines {
            self.flush();
        }
        self.is_of_lines = true;
        self.pending.get_or_insert_default().push_str(text);
    }

    /// The text of a comment between `/*` and `*/`: lines lose their indentation and one asterisk.
    pub(super) fn block(&mut self, text: &str) {
        self.flush();
        self.is_of_lines = false;
        let mut lines = text.split('\n');
        let mut out = lines.next().unwrap_or_default().to_owned();
        for line in lines {
            let line = line.trim_start_matches([' ', '\t', '\r', '\x0b', '\x0c']);
            out.push('\n');
            out.push_str(line.strip_prefix('*').unwrap_or(line));
        }
        self.pending = Some(out);
    }

    pub(super) fn blank_line(&mut self) {
        self.flush();
        self.can_trail = false;
    }

    /// The pending comment does not belong to what follows.
    pub(super) fn flush(&mut self) {
        if let Some(text) = self.pending.take() {
            if self.can_trail {
                self.gap.trailing = Some(text);
                self.can_trail = false;
            } else {
                self.gap.detached.push(text);
            }
        }
    }

    pub(super) fn finish(mut self, is_scope_over: bool) -> Gap {
        if is_scope_over {
            self.flush();
        }
        self.gap.leading = self.pending;
        self.gap
    }
}

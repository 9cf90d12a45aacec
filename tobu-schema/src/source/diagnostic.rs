//! The errors and warnings of the compiler. Each names its file and, unless it is about the file as a whole, has a position and
//! an excerpt of the source.

use std::error;
use std::fmt::{self, Write as _};

use super::lex::Position;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file still compiles.
    Warning,
    /// The file does not compile.
    Error,
}

/// An error or a warning about a `.proto` file.
///
/// A diagnostic prints as `file:line:column: message` on one line, or as `file: message` if it is about the file as a whole. A
/// warning has `warning: ` before the message. With `{:#}` and as `Debug`, the source line follows, with a caret below the
/// position.
///
/// ```
/// use tobu_schema::source::Compiler;
///
/// let source = "syntax = \"proto3\";\nmessage A {\n  Gone b = 1;\n}";
/// let errors = Compiler::new().source("a.proto", source).compile(&["a.proto"]).unwrap_err();
/// let error = &errors.list()[0];
/// assert_eq!((error.file(), error.line(), error.column()), ("a.proto", 3, 8));
/// assert_eq!(error.to_string(), "a.proto:3:8: A.b: type Gone is not declared");
/// assert_eq!(format!("{error:#}"), "a.proto:3:8: A.b: type Gone is not declared\n  Gone b = 1;\n       ^");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Diagnostic {
    severity: Severity,
    file: String,
    /// The line. `line` and `column` are 0 if the diagnostic is about the file as a whole.
    line: u32,
    column: u32,
    message: String,
    /// The source line, or the part of it around the position. `indent` is the number of characters before the position.
    excerpt: String,
    indent: usize,
}

impl Diagnostic {
    /// Returns the severity.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the name of the file, as imports write it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the line, counted from 1, or 0 if the diagnostic is about the file as a whole.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Returns the column in characters, counted from 1, or 0 if the diagnostic is about the file as a whole.
    pub fn column(&self) -> u32 {
        self.column
    }

    /// Returns the message, which names the element and what is wrong with it.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the source line, or the part of it around the position.
    pub fn excerpt(&self) -> &str {
        &self.excerpt
    }

    /// Creates an error about a file as a whole.
    pub(super) fn of_file(file: &str, message: String) -> Self {
        let (file, excerpt) = (file.to_owned(), String::new());
        Diagnostic { severity: Severity::Error, file, line: 0, column: 0, message, excerpt, indent: 0 }
    }

    pub(super) fn new(file: &str, source: &str, fault: Fault) -> Self {
        // The excerpt of a long line has about this many characters before the position, and as many after it.
        const AROUND: usize = 60;
        let at = (fault.position.offset as usize).min(source.len());
        let start = source[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let start = if start == 0 && source.starts_with('\u{feff}') { 3.min(at) } else { start };
        let before = &source[start..at];
        let column = before.chars().count();
        let cut = before.char_indices().rev().nth(AROUND).map_or(0, |(at, _)| at);
        let before = &before[cut..];
        let after = source[at..].split(['\n', '\r']).next().unwrap_or_default();
        let after = &after[..after.char_indices().nth(AROUND).map_or(after.len(), |(at, _)| at)];
        Diagnostic {
            severity: fault.severity,
            file: file.to_owned(),
            line: fault.position.line + 1,
            column: column as u32 + 1,
            message: fault.text,
            excerpt: format!("{before}{after}"),
            indent: before.chars().count(),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.severity == Severity::Warning { "warning: " } else { "" };
        match self.line {
            0 => write!(f, "{}: {kind}{}", shown(&self.file), self.message)?,
            line => write!(f, "{}:{line}:{}: {kind}{}", shown(&self.file), self.column, self.message)?,
        }
        if f.alternate() && self.line > 0 {
            write!(f, "\n{}\n", self.excerpt)?;
            // Tabs remain tabs, so that the caret is below its character for any width of tabs.
            for c in self.excerpt.chars().take(self.indent) {
                f.write_char(if c == '\t' { '\t' } else { ' ' })?;
            }
            f.write_char('^')?;
        }
        Ok(())
    }
}

impl fmt::Debug for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:#}")
    }
}

/// The errors and warnings of a compilation that failed.
///
/// Only the [errors](Diagnostic) are printed, one per line. With `{:#}` and as `Debug`, each error is followed by an excerpt of
/// its source.
#[derive(Clone, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    pub(super) fn new(list: Vec<Diagnostic>) -> Self {
        Diagnostics(list)
    }

    /// Returns errors and warnings, file by file, each file in the order of its source.
    pub fn list(&self) -> &[Diagnostic] {
        &self.0
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        for error in self.0.iter().filter(|one| one.severity == Severity::Error) {
            if !std::mem::take(&mut is_first) {
                f.write_char('\n')?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:#}")
    }
}

impl error::Error for Diagnostics {}

impl From<Diagnostics> for crate::Error {
    fn from(errors: Diagnostics) -> Self {
        crate::Error::schema(errors.to_string())
    }
}

/// An error or a warning in the file that is being compiled.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) severity: Severity,
    pub(super) position: Position,
    pub(super) text: String,
}

/// The errors and warnings in a file. Only the first hundred are kept, because more would not help anyone.
#[derive(Default)]
pub(super) struct Faults {
    pub(super) list: Vec<Fault>,
    errors: usize,
}

const MOST: usize = 100;

impl Faults {
    /// Adds an error, unless there is already an error at this position. Two errors at one position usually have the same
    /// cause.
    pub(super) fn error(&mut self, position: Position, text: impl Into<String>) {
        let is_same = |fault: &Fault| fault.severity == Severity::Error && fault.position == position;
        if !self.list.iter().any(is_same) {
            self.another_error(position, text.into());
        }
    }

    /// Adds an error, even if there is already an error at this position.
    pub(super) fn another_error(&mut self, position: Position, text: String) {
        self.add(Severity::Error, position, text);
        self.errors += 1;
    }

    pub(super) fn warning(&mut self, position: Position, text: impl Into<String>) {
        self.add(Severity::Warning, position, text.into());
    }

    fn add(&mut self, severity: Severity, position: Position, text: String) {
        if self.list.len() < MOST {
            self.list.push(Fault { severity, position, text });
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// True if further errors will not be kept.
    pub(super) fn is_full(&self) -> bool {
        self.list.len() >= MOST
    }
}

/// Prepares a part of a source for an error text: escapes control characters, and truncates a long part.
pub(super) fn shown(text: &str) -> std::borrow::Cow<'_, str> {
    crate::descriptor::printable(text)
}

//! Reads the structure of a JSON text byte by byte, and finds the start and end of each element of one array.
//!
//! Specification: <https://www.rfc-editor.org/rfc/rfc8259>.

use crate::error::{Error, LimitError, Result};
use crate::syntax::json::lex::Cursor;

/// The part of a JSON text to which a byte belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The byte is around the elements.
    Around,
    /// The byte belongs to an element.
    Element,
    /// The byte is the last byte of an element.
    LastOfElement,
    /// The byte comes directly after an element that is a number or a literal. The byte must be scanned again.
    EndOfElement,
}

/// The tokens that may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Value,
    ValueOrEnd,
    Name,
    NameOrEnd,
    Colon,
    CommaOrEnd,
    Nothing,
}

/// The incomplete token at the end of the scanned text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    None,
    /// A string. True if the string is a name.
    String(bool),
    /// A string that ends with a backslash.
    Escape(bool),
    /// A string that ends inside of a Unicode escape. The number says how many hexadecimal digits are missing.
    Hex(bool, u8),
    /// A number or a literal.
    Word,
}

/// The largest length of a name or number. A longer name is not compared with the path, and a longer number is an error.
const LONGEST: usize = 4096;

#[derive(Debug)]
pub(super) struct Scanner {
    /// The names of the members that lead to the array.
    path: Vec<Box<str>>,
    max_depth: usize,
    /// The open objects and lists, from the outermost to the innermost. True stands for an object.
    open: Vec<bool>,
    /// The number of names of the path whose objects are open.
    found: usize,
    /// True if the next value belongs to the next name of the path.
    is_next: bool,
    /// The number of names of the path that were seen.
    seen: usize,
    /// The depth of the elements, if the array is open.
    elements: Option<usize>,
    expected: Expected,
    token: Token,
    /// The bytes of a name, a number or a literal that have been scanned.
    text: Vec<u8>,
    line: u32,
    column: u32,
    /// The line and the column of the start of the element.
    start: (u32, u32),
}

impl Scanner {
    pub(super) fn new(path: Vec<Box<str>>, max_depth: u32) -> Self {
        Scanner {
            is_next: true,
            path,
            max_depth: max_depth as usize,
            open: Vec::new(),
            found: 0,
            seen: 0,
            elements: None,
            expected: Expected::Value,
            token: Token::None,
            text: Vec::new(),
            line: 1,
            column: 1,
            start: (1, 1),
        }
    }

    /// Returns the line and the column of the first byte of the element.
    pub(super) fn start(&self) -> (u32, u32) {
        self.start
    }

    /// True if the text may end after the last byte.
    pub(super) fn is_done(&self) -> bool {
        self.expected == Expected::Nothing && self.token == Token::None
    }

    /// Ends the text.
    ///
    /// # Errors
    /// The text is incomplete.
    pub(super) fn end(&mut self) -> Result<()> {
        if self.token == Token::Word {
            self.word()?;
        }
        match self.is_done() {
            true => Ok(()),
            false => Err(self.wrong("the text ends here")),
        }
    }

    /// Scans a byte, and returns the part of the text to which the byte belongs.
    ///
    /// # Errors
    /// The byte is not allowed here.
    pub(super) fn next(&mut self, byte: u8) -> Result<Found> {
        let is_inside = self.is_inside();
        if self.token == Token::Word {
            if matches!(byte, b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'+' | b'-' | b'.') {
                self.keep(byte)?;
                return Ok(self.took(byte, if is_inside { Found::Element } else { Found::Around }));
            }
            self.word()?;
            if self.ends_element() {
                return Ok(Found::EndOfElement);
            }
        }
        if self.token != Token::None {
            self.string(byte)?;
            return Ok(self.took(byte, self.kind(is_inside)));
        }
        if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
            return Ok(self.took(byte, if self.is_in_value() { Found::Element } else { Found::Around }));
        }
        self.structure(byte)?;
        let found = self.kind(is_inside || self.is_inside());
        Ok(self.took(byte, found))
    }

    /// True if the last byte is inside of an element.
    fn is_inside(&self) -> bool {
        self.elements.is_some_and(|depth| {
            self.open.len() > depth || self.open.len() == depth && self.token != Token::None
        })
    }

    fn is_in_value(&self) -> bool {
        self.elements.is_some_and(|depth| self.open.len() > depth)
    }

    /// True if the last token is the end of an element.
    fn ends_element(&self) -> bool {
        self.elements == Some(self.open.len())
            && self.token == Token::None
            && self.expected == Expected::CommaOrEnd
    }

    fn kind(&self, is_element: bool) -> Found {
        match is_element {
            false => Found::Around,
            true if self.ends_element() => Found::LastOfElement,
            true => Found::Element,
        }
    }

    fn took(&mut self, byte: u8, found: Found) -> Found {
        match byte {
            b'\n' => (self.line, self.column) = (self.line.saturating_add(1), 1),
            _ => self.column = self.column.saturating_add(1),
        }
        found
    }

    /// Scans a byte that is between tokens, or that is the first byte of a token.
    fn structure(&mut self, byte: u8) -> Result<()> {
        use Expected::{Colon, CommaOrEnd, Name, NameOrEnd, Value, ValueOrEnd};
        match (byte, self.expected) {
            (b'}', NameOrEnd) | (b']', ValueOrEnd) => self.close(),
            (b'}', CommaOrEnd) if self.open.last() == Some(&true) => self.close(),
            (b']', CommaOrEnd) if self.open.last() == Some(&false) => self.close(),
            (b',', CommaOrEnd) => self.expected = if self.open.last() == Some(&true) { Name } else { Value },
            (b':', Colon) => self.expected = Value,
            (b'"', Name | NameOrEnd) => {
                self.text.clear();
                self.text.push(byte);
                self.token = Token::String(true);
            }
            (_, Value | ValueOrEnd) => self.value(byte)?,
            (_, Name | NameOrEnd) => return Err(self.wrong("expected a name")),
            (_, Colon) => return Err(self.wrong("expected `:`")),
            (_, CommaOrEnd) if self.open.last() == Some(&true) => {
                return Err(self.wrong("expected `,` or `}`"));
            }
            (_, CommaOrEnd) => return Err(self.wrong("expected `,` or `]`")),
            (_, Expected::Nothing) => return Err(self.wrong("expected the end of the text")),
        }
        Ok(())
    }

    /// Scans the first byte of a value.
    fn value(&mut self, byte: u8) -> Result<()> {
        if self.elements == Some(self.open.len()) {
            self.start = (self.line, self.column);
        }
        let is_next = std::mem::take(&mut self.is_next);
        let is_last = is_next && self.found == self.path.len();
        let fits = match byte {
            b'{' => !is_last,
            b'[' => !is_next || is_last,
            b'n' => true,
            _ => !is_next,
        };
        if !fits {
            return Err(self.wrong(if is_last { "expected `[`" } else { "expected `{`" }));
        }
        match byte {
            b'{' | b'[' => {
                if self.open.len() >= self.max_depth.saturating_mul(2) {
                    let depth = u32::try_from(self.max_depth).unwrap_or(u32::MAX);
                    return Err(Error::limit(LimitError::Depth(depth)).at_line(self.line, self.column));
                }
                self.open.push(byte == b'{');
                self.expected = if byte == b'{' { Expected::NameOrEnd } else { Expected::ValueOrEnd };
                if is_last {
                    self.elements = Some(self.open.len());
                }
            }
            b'"' => self.token = Token::String(false),
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                self.text.clear();
                self.text.push(byte);
                self.token = Token::Word;
            }
            _ => return Err(self.wrong("expected a value")),
        }
        Ok(())
    }

    fn close(&mut self) {
        if self.elements == Some(self.open.len()) {
            self.elements = None;
        }
        self.open.pop();
        if self.elements.is_none() {
            self.found = self.found.min(self.open.len().saturating_sub(1));
        }
        self.after_value();
    }

    fn after_value(&mut self) {
        self.expected = if self.open.is_empty() { Expected::Nothing } else { Expected::CommaOrEnd };
    }

    fn keep(&mut self, byte: u8) -> Result<()> {
        match self.text.len() < LONGEST {
            true => self.text.push(byte),
            false if self.token == Token::Word => return Err(self.wrong("a number is too long")),
            false => {}
        }
        Ok(())
    }

    /// Scans a byte of a string.
    fn string(&mut self, byte: u8) -> Result<()> {
        let (Token::String(is_name) | Token::Escape(is_name) | Token::Hex(is_name, _)) = self.token else {
            return Ok(());
        };
        if is_name {
            self.keep(byte)?;
        }
        self.token = match (self.token, byte) {
            (Token::Escape(_), b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                Token::String(is_name)
            }
            (Token::Escape(_), b'u') => Token::Hex(is_name, 4),
            (Token::Escape(_), _) => return Err(self.wrong("the escape is not valid")),
            (Token::Hex(_, left), _) if byte.is_ascii_hexdigit() => match left {
                1 => Token::String(is_name),
                left => Token::Hex(is_name, left - 1),
            },
            (Token::Hex(..), _) => return Err(self.wrong("expected a hexadecimal digit")),
            (_, b'\\') => Token::Escape(is_name),
            (_, b'"') => Token::None,
            (_, ..0x20) => return Err(self.wrong("a control character is in a string")),
            _ => Token::String(is_name),
        };
        if self.token == Token::None {
            match is_name {
                true => self.name()?,
                false => self.after_value(),
            }
        }
        Ok(())
    }

    /// Ends a name. Compares the name with the path.
    fn name(&mut self) -> Result<()> {
        self.expected = Expected::Colon;
        // Only members of objects on the path are compared.
        if self.elements.is_some() || self.open.len() != self.found + 1 || self.found == self.path.len() {
            return Ok(());
        }
        let mut cursor = Cursor::of_bytes(&self.text);
        let is_this = cursor.string().is_ok_and(|name| *name == *self.path[self.found]);
        if is_this {
            if self.seen > self.found {
                return Err(self.wrong("the member of the path comes twice"));
            }
            self.found += 1;
            self.seen = self.found;
            self.is_next = true;
        }
        Ok(())
    }

    /// Ends a number or a literal, and checks it.
    fn word(&mut self) -> Result<()> {
        let mut cursor = Cursor::of_bytes(&self.text);
        let is_whole = cursor.skip(1).is_ok() && cursor.position() == self.text.len();
        if !is_whole {
            let column = self.column.saturating_sub(self.text.len() as u32);
            return Err(Error::syntax("this is not a JSON value").at_line(self.line, column));
        }
        self.token = Token::None;
        if self.elements.is_none() {
            // If this is the value of a name of the path, it is null.
            self.found = self.found.min(self.open.len().saturating_sub(1));
        }
        self.after_value();
        Ok(())
    }

    fn wrong(&self, what: &'static str) -> Error {
        Error::syntax(what).at_line(self.line, self.column)
    }
}

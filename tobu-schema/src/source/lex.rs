//! `.proto` source as tokens.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/edition-2024-spec/#lexical_elements>.

use super::diagnostic::Faults;

/// Where something is in a source. Lines and columns are counted from 0, and a tab ends at the next multiple of 8 columns,
/// as protoc counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    /// In bytes from the start of the source.
    pub(super) offset: u32,
    pub(super) line: u32,
    pub(super) column: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Identifier,
    Integer,
    Float,
    Text,
    Symbol,
    End,
}

/// A token, which lies in one line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) position: Position,
    /// The offset and the column behind it.
    pub(super) end: u32,
    pub(super) end_column: u32,
}

/// All tokens of a source; the last one is the end. What is no token is reported, and skipped.
pub(super) fn tokens(source: &str, faults: &mut Faults) -> Vec<Token> {
    let mut lexer = Lexer { source: source.as_bytes(), at: 0, line: 0, column: 0, faults };
    if source.starts_with('\u{feff}') {
        (0..3).for_each(|_| lexer.advance());
    }
    let mut tokens = Vec::with_capacity(source.len() / 6 + 1);
    loop {
        lexer.gap();
        let position = lexer.position();
        let kind = lexer.token();
        let Some(kind) = kind else { continue };
        tokens.push(Token { kind, position, end: lexer.at as u32, end_column: lexer.column });
        if kind == Kind::End {
            return tokens;
        }
    }
}

struct Lexer<'s, 'f> {
    source: &'s [u8],
    at: usize,
    line: u32,
    column: u32,
    faults: &'f mut Faults,
}

impl Lexer<'_, '_> {
    fn position(&self) -> Position {
        Position { offset: self.at as u32, line: self.line, column: self.column }
    }

    /// The byte at an offset from the current one; 0 behind the end.
    fn peek(&self, offset: usize) -> u8 {
        self.source.get(self.at + offset).copied().unwrap_or(0)
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.source.len()
    }

    fn advance(&mut self) {
        match self.peek(0) {
            b'\n' => (self.line, self.column) = (self.line + 1, 0),
            b'\t' => self.column += 8 - self.column % 8,
            _ => self.column += 1,
        }
        self.at += 1;
    }

    /// Skips white space and comments.
    fn gap(&mut self) {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c, _) => self.advance(),
                (b'/', b'/') => {
                    while !self.is_at_end() && self.peek(0) != b'\n' {
                        self.advance();
                    }
                }
                (b'/', b'*') => self.block_comment(),
                _ => return,
            }
        }
    }

    fn block_comment(&mut self) {
        let position = self.position();
        (self.at, self.column) = (self.at + 2, self.column + 2);
        let mut is_nested = false;
        loop {
            match (self.peek(0), self.peek(1)) {
                (b'*', b'/') => break (self.at, self.column) = (self.at + 2, self.column + 2),
                (b'/', b'*') if !is_nested => {
                    is_nested = true;
                    self.faults.error(self.position(), "a comment in `/* */` is not nested");
                }
                _ if self.is_at_end() => {
                    return self.faults.error(position, "the comment has no end: `*/` is missing");
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// The current token; `None` if what is there is none, and was reported.
    fn token(&mut self) -> Option<Kind> {
        if self.is_at_end() {
            return Some(Kind::End);
        }
        match self.peek(0) {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == b'_' {
                    self.advance();
                }
                Some(Kind::Identifier)
            }
            b'0'..=b'9' => Some(self.number()),
            b'.' if self.peek(1).is_ascii_digit() => Some(self.number()),
            quote @ (b'"' | b'\'') => {
                self.text(quote);
                Some(Kind::Text)
            }
            0x21..=0x7e => {
                self.advance();
                Some(Kind::Symbol)
            }
            _ => {
                let position = self.position();
                let text = std::str::from_utf8(&self.source[self.at..]).unwrap_or_default();
                let shown = text.chars().next().unwrap_or_default();
                self.faults.error(position, format!("{shown:?} is not allowed here"));
                // Other characters like it would only repeat the error.
                while !self.is_at_end() && !matches!(self.peek(0), b'\t'..=b'\r' | 0x20..=0x7e) {
                    self.advance();
                }
                None
            }
        }
    }

    /// A number: whatever touches it belongs to it, so that `7x` is reported and not read as two tokens.
    fn number(&mut self) -> Kind {
        let (start, position) = (self.at, self.position());
        let is_hex = self.peek(0) == b'0' && matches!(self.peek(1), b'x' | b'X');
        loop {
            let byte = self.peek(0);
            self.advance();
            let is_exponent = !is_hex && matches!(byte, b'e' | b'E');
            match self.peek(0) {
                b'+' | b'-' if is_exponent => {}
                b'.' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {}
                _ => break,
            }
        }
        let text = std::str::from_utf8(&self.source[start..self.at]).unwrap_or_default();
        let digits = if is_hex { &text[2..] } else { text };
        let is_integer = match (is_hex, text.starts_with('0')) {
            (true, _) => !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
            (_, true) => digits.bytes().all(|byte| byte.is_ascii_digit() && byte < b'8'),
            (_, false) => digits.bytes().all(|byte| byte.is_ascii_digit()),
        };
        if is_integer {
            return Kind::Integer;
        }
        let is_octal = text.starts_with('0') && text[1..].starts_with(|c: char| c.is_ascii_digit());
        let is_float = !is_hex && !is_octal && text.parse::<f64>().is_ok();
        if !is_float {
            self.faults.error(position, format!("{} is not a number", super::diagnostic::shown(text)));
        }
        Kind::Float
    }

    /// A string literal, to its end or that of the line. What its escapes are is found out where it is read.
    fn text(&mut self, quote: u8) {
        let position = self.position();
        self.advance();
        loop {
            match self.peek(0) {
                byte if byte == quote => return self.advance(),
                b'\\' if !matches!(self.peek(1), 0 | b'\n') => self.advance(),
                0 | b'\n' => return self.faults.error(position, "the string has no end on its line"),
                _ => {}
            }
            self.advance();
        }
    }
}

//! `.proto` source as tokens, with the comments between them.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/edition-2024-spec/#lexical_elements>.

use std::ops::Range;

use super::comments::{Collector, Gap};

/// Where something stands: line and column, both counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) line: u32,
    pub(super) column: u32,
}

/// Why a source is no `.proto` file.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) position: Position,
    pub(super) text: String,
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

#[derive(Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Its bytes in the source.
    pub(super) range: Range<usize>,
    pub(super) position: Position,
    pub(super) end: Position,
    /// What stands between the token before it and this one.
    pub(super) gap: Gap,
}

/// All tokens of a source; the last one is the end.
pub(super) fn tokens(source: &str) -> Result<Vec<Token>, Fault> {
    let start = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut lexer = Lexer { source, at: start, line: 0, line_start: start };
    let mut tokens: Vec<Token> = Vec::new();
    loop {
        let gap = lexer.gap(tokens.is_empty())?;
        let (begin, position) = (lexer.at, lexer.position());
        let kind = lexer.token()?;
        let is_end = kind == Kind::End;
        tokens.push(Token { kind, range: begin..lexer.at, position, end: lexer.position(), gap });
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'s> {
    source: &'s str,
    at: usize,
    line: u32,
    line_start: usize,
}

impl<'s> Lexer<'s> {
    fn position(&self) -> Position {
        Position { line: self.line, column: (self.at - self.line_start) as u32 }
    }

    fn fault<T>(&self, position: Position, text: impl Into<String>) -> Result<T, Fault> {
        Err(Fault { position, text: text.into() })
    }

    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn eat_newline(&mut self) -> bool {
        let is_newline = self.peek() == Some(b'\n');
        if is_newline {
            self.at += 1;
            self.line += 1;
            self.line_start = self.at;
        }
        is_newline
    }

    fn spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c)) {
            self.at += 1;
        }
    }

    /// White space and comments. Which declaration a comment belongs to is decided as protoc does.
    fn gap(&mut self, is_first: bool) -> Result<Gap, Fault> {
        let mut comments = Collector::new(is_first);
        if !is_first {
            // A comment on the line of the token before belongs to that, unless another token follows on the line.
            self.spaces();
            if let Some(text) = self.line_comment() {
                comments.line(text);
                comments.flush();
            } else if let Some(text) = self.block_comment()? {
                comments.block(text);
                self.spaces();
                if !self.eat_newline() {
                    return Ok(Gap::default());
                }
                comments.flush();
            } else if !self.eat_newline() {
                return Ok(Gap::default());
            }
        }
        loop {
            self.spaces();
            if let Some(text) = self.line_comment() {
                comments.line(text);
            } else if let Some(text) = self.block_comment()? {
                comments.block(text);
                self.spaces();
                self.eat_newline();
            } else if self.eat_newline() {
                comments.blank_line();
            } else {
                let is_scope_over = matches!(self.peek(), None | Some(b'}' | b']' | b')'));
                return Ok(comments.finish(is_scope_over));
            }
        }
    }

    /// A comment to the end of the line, which it takes with it.
    fn line_comment(&mut self) -> Option<&'s str> {
        let rest = self.rest().strip_prefix("//")?;
        let end = rest.find('\n').unwrap_or(rest.len());
        self.at += 2 + end;
        let text = if self.eat_newline() { &rest[..=end] } else { &rest[..end] };
        Some(text)
    }

    fn block_comment(&mut self) -> Result<Option<&'s str>, Fault> {
        let Some(rest) = self.rest().strip_prefix("/*") else { return Ok(None) };
        let Some(end) = rest.find("*/") else {
            return self.fault(self.position(), "the comment has no end: `*/` is missing");
        };
        let stop = self.at + 2 + end + 2;
        while self.at < stop {
            if !self.eat_newline() {
                self.at += 1;
            }
        }
        Ok(Some(&rest[..end]))
    }

    fn token(&mut self) -> Result<Kind, Fault> {
        let Some(first) = self.peek() else { return Ok(Kind::End) };
        match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.word(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                Ok(Kind::Identifier)
            }
            b'0'..=b'9' => self.number(),
            b'.' if self.source.as_bytes().get(self.at + 1).is_some_and(u8::is_ascii_digit) => self.number(),
            b'"' | b'\'' => self.text(first),
            0x21..=0x7e => {
                self.at += 1;
                Ok(Kind::Symbol)
            }
            _ => {
                let shown = self.rest().chars().next().unwrap_or_default();
                self.fault(self.position(), format!("{shown:?} is not allowed here"))
            }
        }
    }

    fn word(&mut self, is_part: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&is_part) {
            self.at += 1;
        }
    }

    fn number(&mut self) -> Result<Kind, Fault> {
        let (begin, position) = (self.at, self.position());
        let is_hex = self.rest().starts_with("0x") || self.rest().starts_with("0X");
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
        self.word(is_part);
        let ends_in_exponent = self.source[begin..self.at].ends_with(['e', 'E']);
        if !is_hex && ends_in_exponent && matches!(self.peek(), Some(b'+' | b'-')) {
            self.at += 1;
            self.word(is_part);
        }
        let text = &self.source[begin..self.at];
        if integer(text).is_some() {
            return Ok(Kind::Integer);
        }
        let is_decimal = !is_hex && text.parse::<f64>().is_ok();
        let is_octal =
            text.len() > 1 && text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_decimal && !is_octal {
            return Ok(Kind::Float);
        }
        self.fault(position, format!("{text} is not a number"))
    }

    fn text(&mut self, quote: u8) -> Result<Kind, Fault> {
        let position = self.position();
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'\\') => self.at += 1,
                Some(byte) if byte == quote => {
                    self.at += 1;
                    return Ok(Kind::Text);
                }
                _ => {}
            }
            match self.rest().chars().next() {
                Some(c) if c != '\n' => self.at += c.len_utf8(),
                _ => return self.fault(position, "the string has no end on its line"),
            }
        }
    }
}

/// The value of an integer: decimal, octal or hexadecimal.
pub(super) fn integer(text: &str) -> Option<u64> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'x' | b'X'));
    if !is_digits {
        return None;
    }
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => u64::from_str_radix(text, 8).ok(),
        None => text.parse().ok(),
    }
}

/// The bytes that a string literal, with its quotes, stands for.
///
/// Specification: <https://protobuf.dev/reference/protobuf/edition-2024-spec/#string_literals>.
pub(super) fn unescape(literal: &str) -> Result<Vec<u8>, String> {
    let inner = literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default();
    let mut out = Vec::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        let escape = rest.next().unwrap_or_default();
        let byte = match escape {
            'a' => 0x07,
            'b' => 0x08,
            'f' => 0x0c,
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'v' => 0x0b,
            '\\' | '\'' | '"' | '?' => escape as u8,
            '0'..='7' => {
                let digits = format!("{escape}{}", take_digits(&mut rest, 8, 2));
                u32::from_str_radix(&digits, 8)
                    .ok()
                    .and_then(|value| u8::try_from(value).ok())
                    .ok_or_else(|| format!("\\{digits} is not a byte"))?
            }
            'x' | 'X' => u8::from_str_radix(&take_digits(&mut rest, 16, 2), 16)
                .map_err(|_| format!("\\{escape} wants one or two hexadecimal digits"))?,
            'u' | 'U' => {
                let count = if escape == 'u' { 4 } else { 8 };
                let digits = take_digits(&mut rest, 16, count);
                let value = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == count);
                let value = value.and_then(char::from_u32);
                let value = value.ok_or_else(|| format!("\\{escape}{digits} is not a character"))?;
                out.extend_from_slice(value.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            _ => return Err(format!("\\{escape} is not an escape")),
        };
        out.push(byte);
    }
    Ok(out)
}

fn take_digits(rest: &mut std::str::Chars<'_>, radix: u32, most: usize) -> String {
    let mut digits = String::new();
    while let Some(c) = rest.as_str().chars().next().filter(|c| c.is_digit(radix) && digits.len() < most) {
        digits.push(c);
        rest.next();
    }
    digits
}

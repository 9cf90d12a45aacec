//! Splits a `.proto` source into tokens.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/edition-2024-spec/#lexical_elements>.

use crate::source::diagnostic::Faults;

/// A position in a source. Lines and columns are counted from 0, and a tab ends at the next multiple of 8 columns, as
/// in protoc.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    /// The number of bytes before the position.
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

/// A token. It never continues on a second line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) position: Position,
    /// The offset after the token. `end_column` is the column after the token.
    pub(super) end: u32,
    pub(super) end_column: u32,
}

/// Returns all tokens of a source. The last token is `Kind::End`. Text that is not a token is reported and skipped.
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

    /// Returns the byte at an offset from the current byte, or 0 after the end of the source.
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

    /// Reads the current token and returns its kind. Returns `None` after reporting text that is not a token.
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
                // Further characters like this would only repeat the error.
                while !self.is_at_end() && !matches!(self.peek(0), b'\t'..=b'\r' | 0x20..=0x7e) {
                    self.advance();
                }
                None
            }
        }
    }

    /// Reads a number with all letters, digits and points that follow it directly. So `7x` is an error, not two tokens.
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

    /// Reads a string literal, to the closing quote or to the end of the line. The parser interprets the escapes later.
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

/// Returns the value of a decimal, octal or hexadecimal integer, or `None` if the text is not an integer or exceeds 64 bits.
pub(super) fn integer(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => u64::from_str_radix(text, 8).ok(),
        None => text.parse().ok(),
    }
}

/// Returns the value of a number as a float. Returns `None` if the text is not a number, or if it is an octal or hexadecimal
/// integer that exceeds 64 bits.
pub(super) fn float(text: &str) -> Option<f64> {
    match integer_text(text) {
        true => integer(text).map(|value| value as f64).or_else(|| {
            let is_decimal = !text.starts_with('0');
            if is_decimal { text.parse().ok() } else { None }
        }),
        false => text.parse().ok(),
    }
}

fn integer_text(text: &str) -> bool {
    text.starts_with("0x") || text.starts_with("0X") || text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Appends the bytes of a string literal to `out`. `literal` includes the quotes.
///
/// Specification: <https://protobuf.dev/reference/protobuf/edition-2024-spec/#string_literals>.
pub(super) fn unescape(literal: &str, out: &mut Vec<u8>) -> Result<(), String> {
    let mut rest = literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default();
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = rest[at + 1..].chars().next().unwrap_or_default();
        rest = &rest[at + 1 + escape.len_utf8().min(rest.len() - at - 1)..];
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
                // protoc accepts \400 and above, and keeps the lower eight bits.
                let more = digits(&mut rest, 8, 2);
                let high = escape as u32 - '0' as u32;
                (high * 8_u32.pow(more.len() as u32) + u32::from_str_radix(more, 8).unwrap_or(0)) as u8
            }
            'x' | 'X' => u8::from_str_radix(digits(&mut rest, 16, 2), 16)
                .map_err(|_| format!("\\{escape} wants one or two hexadecimal digits"))?,
            'u' | 'U' => {
                code_point(escape, &mut rest, out)?;
                continue;
            }
            _ => return Err(format!("\\{} is not an escape", escape.escape_debug())),
        };
        out.push(byte);
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(())
}

/// Reads the digits after `\u` or `\U`, and appends the character to `out`. Two escapes that form a surrogate pair are
/// one character.
fn code_point(escape: char, rest: &mut &str, out: &mut Vec<u8>) -> Result<(), String> {
    let count = if escape == 'u' { 4 } else { 8 };
    let text = digits(rest, 16, count);
    let value = u32::from_str_radix(text, 16).ok().filter(|_| text.len() == count);
    let Some(mut value) = value.filter(|value| *value <= 0x10_ffff) else {
        return Err(format!("\\{escape}{text} is not a character"));
    };
    if (0xd800..0xdc00).contains(&value)
        && let Some(mut behind) = rest.strip_prefix("\\u")
        && let Ok(low @ 0xdc00..0xe000) = u32::from_str_radix(digits(&mut behind, 16, 4), 16)
    {
        value = 0x1_0000 + ((value - 0xd800) << 10 | (low - 0xdc00));
        *rest = behind;
    }
    match char::from_u32(value) {
        Some(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        // A single surrogate is not a character, but a value of type `bytes` may contain its encoding.
        None => out.extend([
            0xe0 | (value >> 12) as u8,
            0x80 | (value >> 6 & 0x3f) as u8,
            0x80 | (value & 0x3f) as u8,
        ]),
    }
    Ok(())
}

fn digits<'s>(rest: &mut &'s str, radix: u32, most: usize) -> &'s str {
    let count = rest.chars().take(most).take_while(|c| c.is_digit(radix)).count();
    let (digits, behind) = rest.split_at(count);
    *rest = behind;
    digits
}

/// Formats a float like protoc: with 6 significant digits (15 for a `double`) if they are read as the same number, and
/// otherwise with 9 (17) digits, which distinguish all numbers of the type.
pub(super) fn decimal(value: f64, is_float: bool) -> String {
    let value = if is_float { f64::from(narrowed(value)) } else { value };
    if !value.is_finite() {
        return if value.is_nan() {
            "nan"
        } else if value > 0.0 {
            "inf"
        } else {
            "-inf"
        }
        .to_owned();
    }
    let (digits, all_digits) = if is_float { (6, 9) } else { (15, 17) };
    let short = significant(value, digits);
    let is_exact = match is_float {
        // protoc reads the short form by `strtof`, which reports subnormal numbers as out of range.
        true => short.parse() == Ok(value as f32) && !(value as f32).is_subnormal(),
        false => short.parse() == Ok(value),
    };
    if is_exact { short } else { significant(value, all_digits) }
}

/// Converts a number to a `float`. A number halfway between the largest float and the next power of two is rounded down
/// to the largest float, not up to infinity.
pub(super) fn narrowed(value: f64) -> f32 {
    const HALFWAY: f64 = 3.4028235677973366e38;
    if value.abs() == HALFWAY { f32::MAX.copysign(value as f32) } else { value as f32 }
}

/// Formats a float with at most `digits` significant digits, like `%g` in C.
fn significant(value: f64, digits: i32) -> String {
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    let scientific = format!("{value:.*e}", digits as usize - 1);
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..digits).contains(&exponent) {
        return trimmed(&format!("{value:.*}", (digits - 1 - exponent) as usize));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
}

/// Formats bytes with C escapes. Descriptors have the default values of `bytes` fields in this form.
pub(super) fn escape(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            b'"' | b'\'' | b'\\' => out.extend(['\\', byte as char]),
            0x20..=0x7e => out.push(byte as char),
            _ => {
                out.push('\\');
                out.extend([byte >> 6, byte >> 3 & 7, byte & 7].map(|digit| (b'0' + digit) as char));
            }
        }
    }
    out
}

/// Converts a name such as `book_count` to `BookCount`.
pub(super) fn title_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut is_upper = true;
    for c in name.chars() {
        match c {
            '_' => is_upper = true,
            c if is_upper => {
                out.push(c.to_ascii_uppercase());
                is_upper = false;
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(literal: &str) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        unescape(literal, &mut out).map(|()| out)
    }

    #[test]
    fn escapes() {
        assert_eq!(bytes(r#""a\n\'\"\?\\\a""#), Ok(b"a\n'\"?\\\x07".to_vec()));
        assert_eq!(bytes(r"'\0\18\1234\777'"), Ok(b"\0\x018S4\xff".to_vec()));
        assert_eq!(bytes(r"'\x1g\XFFf'"), Ok(b"\x01g\xfff".to_vec()));
        assert_eq!(bytes(r"'\u00fc\U0001F600\uD83D\uDE00'"), Ok("ü😀😀".into()));
        // Single surrogates, before a letter and before another escape.
        assert_eq!(bytes(r"'\ud83dx'"), Ok(b"\xed\xa0\xbdx".to_vec()));
        assert_eq!(bytes(r"'\ud83d\u0041'"), Ok(b"\xed\xa0\xbdA".to_vec()));
        for (literal, error) in [
            (r"'\q'", "\\q is not an escape"),
            (r"'\xg'", "\\x wants one or two hexadecimal digits"),
            (r"'\u12'", "\\u12 is not a character"),
            (r"'\U00110000'", "\\U00110000 is not a character"),
        ] {
            assert_eq!(bytes(literal), Err(error.to_owned()));
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(
            [integer("0x1F"), integer("017"), integer("0"), integer("18446744073709551616")],
            [Some(31), Some(15), Some(0), None]
        );
        assert_eq!(float("18446744073709551616"), Some(18446744073709551616.0));
        assert_eq!(float("0x10"), Some(16.0));
        assert_eq!(float("0x10000000000000000"), None);
        assert_eq!(float("1.5e3"), Some(1500.0));
        for (value, is_float, text) in [
            (0.1, false, "0.1"),
            (0.1, true, "0.1"),
            (1.0 / 3.0, false, "0.33333333333333331"),
            (1.0 / 3.0, true, "0.333333343"),
            (1e15, false, "1e+15"),
            (123456.0, true, "123456"),
            (1e39, true, "inf"),
            (f64::NAN, false, "nan"),
            (-0.0, false, "-0"),
            (1.5e-7, true, "1.5e-07"),
            (1e-40, true, "9.9999461e-41"),
            (1.4e-45, true, "1.40129846e-45"),
            (1.17549435e-38, true, "1.17549435e-38"),
            (-3.4028235677973366e38, true, "-3.40282347e+38"),
            (3.402823567797337e38, true, "inf"),
        ] {
            assert_eq!(decimal(value, is_float), text);
        }
    }
}

//! The parser of templates.

use super::{Segment, Template, Variable};
use crate::percent::{self, Decode};

/// The maximum number of segments. A template with more segments is probably a mistake.
const MAX_SEGMENTS: usize = 128;

/// The position and the text of an error.
type Wrong = (usize, String);

struct Parser<'a> {
    text: &'a str,
    at: usize,
    segments: Vec<Segment>,
    variables: Vec<Variable>,
    rest: Option<usize>,
}

/// Parses `Template = "/" Segments [ Verb ]`.
pub(super) fn template(text: &str) -> Result<Template, Wrong> {
    let mut parser = Parser { text, at: 0, segments: Vec::new(), variables: Vec::new(), rest: None };
    if !parser.eat(b'/') {
        return Err(parser.wrong("a template starts with a slash"));
    }
    parser.segments(false)?;
    let verb = parser.verb()?;
    let Parser { segments, variables, rest, .. } = parser;
    Ok(Template { text: text.into(), segments, verb, variables, rest })
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn wrong(&self, message: impl Into<String>) -> Wrong {
        (self.at, message.into())
    }

    /// Returns the error for the character at the cursor.
    fn unexpected(&self) -> Wrong {
        match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(found) => self.wrong(format!("{found:?} is not allowed here")),
            None => self.wrong("the template ends too early"),
        }
    }

    /// Parses `Segments = Segment { "/" Segment }`.
    fn segments(&mut self, in_variable: bool) -> Result<(), Wrong> {
        loop {
            self.segment(in_variable)?;
            if self.segments.len() > MAX_SEGMENTS {
                return Err(self.wrong(format!("there are more than {MAX_SEGMENTS} segments")));
            }
            if !self.eat(b'/') {
                return Ok(());
            }
        }
    }

    /// Parses `Segment = "*" | "**" | LITERAL | Variable`.
    fn segment(&mut self, in_variable: bool) -> Result<(), Wrong> {
        match self.peek() {
            Some(b'*') => {
                let at = self.at;
                self.at += 1;
                if !self.eat(b'*') {
                    self.segments.push(Segment::Any);
                } else if self.rest.replace(self.segments.len()).is_none() {
                    self.segments.push(Segment::Rest);
                } else {
                    return Err((at, "there is more than one **".into()));
                }
                Ok(())
            }
            Some(b'{') if in_variable => Err(self.wrong("a variable inside a variable")),
            Some(b'{') => self.variable(),
            Some(b'/') | None => Err(self.wrong("a segment is empty")),
            Some(_) => {
                let literal = self.literal(|byte| byte != b':' && is_literal(byte))?;
                self.segments.push(Segment::Literal(literal));
                Ok(())
            }
        }
    }

    /// Parses `Variable = "{" FieldPath [ "=" Segments ] "}"`.
    fn variable(&mut self) -> Result<(), Wrong> {
        self.at += 1;
        let start = self.at;
        loop {
            self.ident()?;
            if !self.eat(b'.') {
                break;
            }
        }
        let field_path = &self.text[start..self.at];
        let first = self.segments.len();
        match self.eat(b'=') {
            true => self.segments(true)?,
            false => self.segments.push(Segment::Any),
        }
        match self.peek() {
            Some(b'}') => self.at += 1,
            Some(_) => return Err(self.unexpected()),
            None => return Err(self.wrong("the variable is never closed")),
        }
        if self.variables.iter().any(|variable| *variable.field_path == *field_path) {
            return Err((start, format!("the field {field_path} is bound twice")));
        }
        let segments = first..self.segments.len();
        let multi = segments.len() > 1 || self.segments[first] == Segment::Rest;
        self.variables.push(Variable { field_path: field_path.into(), segments, multi });
        Ok(())
    }

    /// Parses `IDENT`: letters, digits and underscores, and the first is not a digit.
    fn ident(&mut self) -> Result<(), Wrong> {
        let start = self.at;
        while let Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_') = self.peek() {
            self.at += 1;
        }
        match self.text.as_bytes()[start..self.at] {
            [] => Err(self.wrong("a field name is missing")),
            [b'0'..=b'9', ..] => Err((start, "a field name starts with a digit".into())),
            _ => Ok(()),
        }
    }

    /// Parses `Verb = ":" LITERAL`, up to the end of the template.
    fn verb(&mut self) -> Result<Option<Box<str>>, Wrong> {
        if self.peek().is_none() {
            return Ok(None);
        }
        if !self.eat(b':') {
            return Err(self.unexpected());
        }
        if matches!(self.peek(), None | Some(b':')) {
            return Err(self.wrong("the verb is empty"));
        }
        let verb = self.literal(is_literal)?;
        match self.peek() {
            Some(_) => Err(self.unexpected()),
            None => Ok(Some(verb)),
        }
    }

    /// Parses `LITERAL`: one or more characters for which `takes` is true. Returns the decoded text.
    fn literal(&mut self, takes: impl Fn(u8) -> bool) -> Result<Box<str>, Wrong> {
        let start = self.at;
        while self.peek().is_some_and(&takes) {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.unexpected());
        }
        let decoded = percent::decode(&self.text[start..self.at], Decode::All);
        decoded.map(Into::into).map_err(|error| (start, error.to_string()))
    }
}

/// True for the percent sign, and for the characters of `pchar` in RFC 3986 except the star.
fn is_literal(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()+,;=@%:".contains(&byte)
}

//! The grammar of `.proto` files, of `proto2`, `proto3` and all editions.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/edition-2024-spec/>.

mod enumeration;
mod field;
mod file;
mod message;
mod option;
mod service;

pub(super) use field::camel_case;

use std::collections::HashMap;

use super::ast::{EDITION_2024, File, Location, Syntax, scoped};
use super::lex::{self, Fault, Kind, Position, Token};

/// Messages nested deeper than this are refused; compilers give up at 32.
const MAX_NESTING: usize = 100;

/// As in pools.
const MAX_FULL_NAME: usize = 1024;

type Result<T> = std::result::Result<T, Fault>;

/// Parses a file.
pub(super) fn parse(name: &str, source: &str) -> Result<File> {
    let tokens = lex::tokens(source)?;
    let mut parser = Parser {
        source,
        tokens,
        next: 0,
        syntax: Syntax::Proto2,
        scope: String::new(),
        depth: 0,
        locations: Vec::new(),
        positions: HashMap::new(),
    };
    parser.file(name)
}

struct Parser<'s> {
    source: &'s str,
    tokens: Vec<Token>,
    /// The index of the current token; the last token, the end, is never passed.
    next: usize,
    syntax: Syntax,
    /// The full name of what is being parsed.
    scope: String,
    depth: usize,
    locations: Vec<Location>,
    positions: HashMap<String, Position>,
}

impl<'s> Parser<'s> {
    fn token(&self) -> &Token {
        &self.tokens[self.next]
    }

    fn text_of(&self, token: &Token) -> &'s str {
        &self.source[token.range.clone()]
    }

    fn text(&self) -> &'s str {
        self.text_of(self.token())
    }

    fn kind(&self) -> Kind {
        self.token().kind
    }

    fn position(&self) -> Position {
        self.token().position
    }

    fn advance(&mut self) {
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
    }

    /// True at a keyword or symbol.
    fn is(&self, word: &str) -> bool {
        matches!(self.kind(), Kind::Identifier | Kind::Symbol) && self.text() == word
    }

    /// True where a word follows the current token.
    fn is_next_identifier(&self) -> bool {
        self.tokens.get(self.next + 1).is_some_and(|token| token.kind == Kind::Identifier)
    }

    fn eat(&mut self, word: &str) -> bool {
        let is_there = self.is(word);
        if is_there {
            self.advance();
        }
        is_there
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        if self.eat(word) { Ok(()) } else { self.unexpected(&format!("`{word}`")) }
    }

    fn fault<T>(&self, position: Position, text: impl Into<String>) -> Result<T> {
        Err(Fault { position, text: text.into() })
    }

    fn unexpected<T>(&self, wanted: &str) -> Result<T> {
        let found = match self.kind() {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.text()),
        };
        self.fault(self.position(), format!("expected {wanted}, found {found}"))
    }

    fn identifier(&mut self, what: &str) -> Result<String> {
        if self.kind() != Kind::Identifier {
            return self.unexpected(what);
        }
        let text = self.text().to_owned();
        self.advance();
        Ok(text)
    }

    /// `name`, `package.name` or `.package.name`.
    fn path(&mut self, what: &str, may_be_absolute: bool) -> Result<String> {
        let mut path = String::new();
        if may_be_absolute && self.eat(".") {
            path.push('.');
        }
        path.push_str(&self.identifier(what)?);
        while self.eat(".") {
            path.push('.');
            path.push_str(&self.identifier(what)?);
        }
        Ok(path)
    }

    fn unsigned(&mut self, what: &str) -> Result<u64> {
        match lex::integer(self.text()).filter(|_| self.kind() == Kind::Integer) {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => self.unexpected(what),
        }
    }

    fn int32(&mut self, what: &str) -> Result<i32> {
        let position = self.position();
        let value = self.unsigned(what)?;
        i32::try_from(value).or_else(|_| self.fault(position, format!("{value} is too large")))
    }

    /// An `int32` that may be negative.
    fn signed(&mut self, what: &str) -> Result<i32> {
        let position = self.position();
        let is_negative = self.eat("-");
        let value = i128::from(self.unsigned(what)?);
        let value = if is_negative { -value } else { value };
        i32::try_from(value).or_else(|_| self.fault(position, format!("{value} does not fit 32 bits")))
    }

    /// String literals, of which adjacent ones are one.
    fn bytes(&mut self, what: &str) -> Result<Vec<u8>> {
        if self.kind() != Kind::Text {
            return self.unexpected(what);
        }
        let mut bytes = Vec::new();
        while self.kind() == Kind::Text {
            match lex::unescape(self.text()) {
                Ok(part) => bytes.extend(part),
                Err(text) => return self.fault(self.position(), text),
            }
            self.advance();
        }
        Ok(bytes)
    }

    fn string(&mut self, what: &str) -> Result<String> {
        let position = self.position();
        String::from_utf8(self.bytes(what)?).or_else(|_| self.fault(position, "the string is not UTF-8"))
    }

    /// The end of a statement: gives the index of the token behind it.
    fn semicolon(&mut self) -> Result<usize> {
        self.expect(";")?;
        Ok(self.next)
    }

    /// Remembers where the element of the current name is declared.
    fn declare(&mut self, what: &str) -> Result<String> {
        let position = self.position();
        let name = self.identifier(what)?;
        let length = if self.scope.is_empty() { name.len() } else { self.scope.len() + 1 + name.len() };
        if length > MAX_FULL_NAME {
            return self.fault(position, format!("a full name is longer than {MAX_FULL_NAME} bytes"));
        }
        self.positions.entry(scoped(&self.scope, &name)).or_insert(position);
        Ok(name)
    }

    /// Parses what is in the braces of an element; gives the index of the token behind the opening one.
    fn block(&mut self, name: &str, mut statement: impl FnMut(&mut Self) -> Result<()>) -> Result<usize> {
        let position = self.position();
        self.expect("{")?;
        let behind = self.next;
        if self.depth == MAX_NESTING {
            return self.fault(position, format!("nested deeper than {MAX_NESTING} levels"));
        }
        let outer = self.scope.clone();
        if !name.is_empty() {
            self.scope = scoped(&outer, name);
        }
        self.depth += 1;
        while !self.eat("}") {
            if self.kind() == Kind::End {
                return self.unexpected("`}`");
            }
            if !self.eat(";") {
                statement(self)?;
            }
        }
        self.depth -= 1;
        self.scope = outer;
        Ok(behind)
    }

    /// Begins an element at the current token.
    fn open(&mut self, path: Vec<i32>) -> usize {
        let token = self.token();
        let mut location = Location {
            path,
            start: token.position,
            end: token.position,
            trailing: None,
            detached: Vec::new(),
            leading: None,
        };
        location.lead(&token.gap);
        self.locations.push(location);
        self.locations.len() - 1
    }

    /// Ends an element: `behind` is the index of the token behind its first `;` or `{`.
    fn close(&mut self, location: usize, behind: usize) {
        let trailing = self.tokens[behind].gap.trailing.clone();
        let end = self.tokens[self.next - 1].end;
        let location = &mut self.locations[location];
        (location.trailing, location.end) = (trailing, end);
    }

    /// The number in `google.protobuf.SymbolVisibility` of the current keyword, where there is one.
    fn visibility(&mut self) -> Result<i32> {
        let number = match self.text() {
            "local" => 1,
            "export" => 2,
            _ => return Ok(0),
        };
        // Elsewhere, and before edition 2024, they are names.
        if self.syntax.edition() < EDITION_2024 || !self.is_next_identifier() {
            return Ok(0);
        }
        self.advance();
        if !self.is("message") && !self.is("enum") {
            return self.fault(self.position(), "only a message or an enum can be `export` or `local`");
        }
        Ok(number)
    }
}

/// The path of a location, one step on.
fn step(path: &[i32], number: i32, index: usize) -> Vec<i32> {
    let mut path = path.to_vec();
    path.extend([number, index as i32]);
    path
}

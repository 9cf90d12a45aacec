//! Parses `.proto` files of proto2, proto3 and all editions.
//!
//! A statement that does not parse is reported and skipped, so that one run finds the errors in all statements.
//! The order and the spans of recorded locations are the same as protoc's.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/edition-2024-spec/>.

mod field;
mod file;
mod message;

use std::collections::HashMap;

use super::ast::{EDITION_2024, File, Location, Syntax, enter, scoped};
use super::comments::{Gap, gap};
use super::diagnostic::{Faults, shown};
use super::lex::{self, Kind, Position, Token};

/// How deep messages may be nested. protoc allows 32 levels.
const MAX_NESTING: usize = 100;

/// The longest full name that a pool accepts.
const MAX_FULL_NAME: usize = 1024;

/// The error of a parser function that has already reported what is wrong.
pub(super) struct Reported;

type Result<T> = std::result::Result<T, Reported>;

/// Parses a file. If there are errors, the result is incomplete.
pub(super) fn parse(name: &str, source: String, faults: &mut Faults) -> File {
    let tokens = lex::tokens(&source, faults);
    let spoilt = faults.list.iter().map(|fault| fault.position.offset).collect();
    let mut parser = Parser {
        source: &source,
        spoilt,
        excused: 0,
        tokens,
        next: 0,
        syntax: Syntax::Proto2,
        scope: String::new(),
        depth: 0,
        locations: Vec::new(),
        paths: Vec::new(),
        comments: Gap::default(),
        positions: HashMap::new(),
        has_messages_in_options: false,
        imports: Imports::default(),
        faults,
    };
    let mut file = parser.file(name);
    file.source = source;
    file
}

struct Parser<'s, 'f> {
    source: &'s str,
    tokens: Vec<Token>,
    /// The index of the current token. The parser stops at the last token, which is `Kind::End`.
    next: usize,
    syntax: Syntax,
    /// The full name of the element that is being parsed.
    scope: String,
    depth: usize,
    locations: Vec<Location>,
    paths: Vec<i32>,
    /// The comments before the next declaration, without the comments that belong to the previous declaration.
    comments: Gap,
    positions: HashMap<String, Position>,
    /// True if a value of an option is a message. Then the tokens are needed after parsing.
    has_messages_in_options: bool,
    /// The number of imports of each kind, except plain ones.
    imports: Imports,
    faults: &'f mut Faults,
    /// The positions of text for which the lexer reported an error. The parser does not report the first parse error after such
    /// a position, because the text is probably the cause.
    spoilt: Vec<u32>,
    /// How many of the positions in `spoilt` already caused a parse error.
    excused: usize,
}

#[derive(Default)]
struct Imports {
    public: i32,
    weak: i32,
    option: i32,
}

/// The index of a location that is being recorded.
#[derive(Clone, Copy)]
struct LocationIndex(usize);

impl<'s> Parser<'s, '_> {
    fn token(&self) -> Token {
        self.tokens[self.next]
    }

    /// Returns the token after the current token, or `Kind::End`.
    fn following(&self) -> Token {
        self.tokens[(self.next + 1).min(self.tokens.len() - 1)]
    }

    fn text_of(&self, token: Token) -> &'s str {
        &self.source[token.position.offset as usize..token.end as usize]
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

    /// True if the current token is this keyword or symbol.
    fn is(&self, word: &str) -> bool {
        self.text() == word
    }

    fn is_followed_by(&self, word: &str) -> bool {
        self.text_of(self.following()) == word
    }

    fn is_next_identifier(&self) -> bool {
        self.following().kind == Kind::Identifier
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

    #[cold]
    fn fault<T>(&mut self, position: Position, text: &str) -> Result<T> {
        let before = self.spoilt.partition_point(|offset| *offset <= position.offset);
        if before > std::mem::replace(&mut self.excused, before) {
            return Err(Reported);
        }
        self.faults.error(position, text);
        Err(Reported)
    }

    #[cold]
    fn unexpected<T>(&mut self, wanted: &str) -> Result<T> {
        let found = match self.kind() {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", shown(self.text())),
        };
        self.fault(self.position(), &format!("expected {wanted}, found {found}"))
    }

    fn identifier(&mut self, what: &str) -> Result<&'s str> {
        if self.kind() != Kind::Identifier {
            return self.unexpected(what);
        }
        let text = self.text();
        self.advance();
        Ok(text)
    }

    /// Parses `name`, `package.name` or, if `may_be_absolute` is true, `.package.name`.
    fn path(&mut self, what: &str, may_be_absolute: bool) -> Result<String> {
        let mut path = String::new();
        if may_be_absolute && self.eat(".") {
            path.push('.');
        }
        path.push_str(self.identifier(what)?);
        while self.eat(".") {
            path.push('.');
            path.push_str(self.identifier(what)?);
        }
        Ok(path)
    }

    /// Parses an integer from 0 to `most`.
    fn unsigned(&mut self, what: &str, most: u64) -> Result<u64> {
        if self.kind() != Kind::Integer {
            return self.unexpected(what);
        }
        let (position, text) = (self.position(), self.text());
        self.advance();
        match lex::integer(text).filter(|value| *value <= most) {
            Some(value) => Ok(value),
            None => self.fault(position, &format!("{} is too large", shown(text))),
        }
    }

    fn int32(&mut self, what: &str) -> Result<i32> {
        Ok(self.unsigned(what, i32::MAX as u64)? as i32)
    }

    /// Parses an `int32` that may be negative.
    fn signed(&mut self, what: &str) -> Result<i32> {
        let is_negative = self.eat("-");
        let value = self.unsigned(what, i32::MAX as u64 + u64::from(is_negative))? as i64;
        Ok(if is_negative { -value } else { value } as i32)
    }

    /// Parses a string. Adjacent literals are concatenated.
    fn bytes(&mut self, what: &str) -> Result<Vec<u8>> {
        if self.kind() != Kind::Text {
            return self.unexpected(what);
        }
        let mut bytes = Vec::new();
        while self.kind() == Kind::Text {
            if let Err(text) = lex::unescape(self.text(), &mut bytes) {
                return self.fault(self.position(), &text);
            }
            self.advance();
        }
        Ok(bytes)
    }

    fn string(&mut self, what: &str) -> Result<String> {
        let position = self.position();
        let bytes = self.bytes(what)?;
        String::from_utf8(bytes).or_else(|_| self.fault(position, "the string is not UTF-8"))
    }

    /// Parses the name of an element, and records the position at which the element is declared.
    fn declare(&mut self, what: &str) -> Result<String> {
        let position = self.position();
        let name = self.identifier(what)?;
        self.declare_at(name, position)?;
        Ok(name.to_owned())
    }

    fn declare_at(&mut self, name: &str, position: Position) -> Result<()> {
        if self.scope.len() + 1 + name.len() > MAX_FULL_NAME {
            return self.fault(position, &format!("a full name is longer than {MAX_FULL_NAME} bytes"));
        }
        self.positions.entry(scoped(&self.scope, name)).or_insert(position);
        Ok(())
    }

    /// Consumes `word`: the `;`, `{` or `}` at which a declaration or its head ends. Gives the comments before the declaration
    /// and after `word` to `location`. Returns false if the current token is not `word`.
    fn end(&mut self, word: &str, location: Option<LocationIndex>) -> bool {
        if !self.is(word) {
            return false;
        }
        let start = self.token().end as usize;
        self.advance();
        let next = self.token();
        let mut gap = gap(&self.source[start..next.position.offset as usize], false, self.text_of(next));
        std::mem::swap(&mut gap.leading, &mut self.comments.leading);
        match location {
            Some(LocationIndex(location)) => {
                std::mem::swap(&mut gap.detached, &mut self.comments.detached);
                let is_empty = gap.leading.is_empty() && gap.trailing.is_empty() && gap.detached.is_empty();
                self.locations[location].comments = if is_empty { None } else { Some(Box::new(gap)) };
            }
            // Detached comments at the end of a scope belong to no element.
            None if word == "}" => self.comments.detached = gap.detached,
            None => self.comments.detached.append(&mut gap.detached),
        }
        true
    }

    fn expect_end(&mut self, word: &str, location: LocationIndex) -> Result<()> {
        if self.end(word, Some(location)) { Ok(()) } else { self.unexpected(&format!("`{word}`")) }
    }

    /// Skips the rest of a statement that did not parse, including a block in braces.
    fn skip_statement(&mut self) {
        loop {
            match self.text() {
                _ if self.kind() == Kind::End => return,
                "}" => return,
                ";" => {
                    self.end(";", None);
                    return;
                }
                "{" => {
                    self.advance();
                    return self.skip_block();
                }
                _ => self.advance(),
            }
        }
    }

    fn skip_block(&mut self) {
        let mut depth = 1_usize;
        while depth > 0 && self.kind() != Kind::End {
            match self.text() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            match depth {
                0 => _ = self.end("}", None),
                _ => self.advance(),
            }
        }
    }

    /// Consumes the opening brace of an element. The caller then parses statements until `leave_block` returns true.
    fn enter_block(&mut self, location: LocationIndex) -> Result<()> {
        let position = self.position();
        self.expect_end("{", location)?;
        if self.depth == MAX_NESTING {
            self.skip_block();
            return self.fault(position, &format!("nested deeper than {MAX_NESTING} levels"));
        }
        self.depth += 1;
        Ok(())
    }

    /// Skips empty statements, and consumes the closing brace of a block. Returns false if a statement comes before the brace.
    /// At the end of the file, returns true and reports the missing brace.
    fn leave_block(&mut self) -> bool {
        while self.end(";", None) {}
        self.leave_full_block()
    }

    /// Consumes the closing brace of a block in which empty statements are not allowed. Returns false if the current token is
    /// not this brace. At the end of the file, returns true and reports the missing brace.
    fn leave_full_block(&mut self) -> bool {
        if self.kind() == Kind::End {
            // A string without an end may contain the brace. The lexer reported that error.
            if self.spoilt.is_empty() {
                let _: Result<()> = self.unexpected("`}`");
            }
        } else if !self.end("}", None) {
            return false;
        }
        self.depth -= 1;
        true
    }

    /// Skips the rest of a statement in a block if the statement did not parse.
    fn recover(&mut self, statement: Result<()>) {
        if statement.is_err() {
            self.skip_statement();
        }
    }

    fn enter_scope(&mut self, name: &str) -> usize {
        enter(&mut self.scope, name)
    }

    /// Begins a location at the current token. The path of the location is the path of `parent` and `steps`.
    fn open(&mut self, parent: LocationIndex, steps: &[i32]) -> LocationIndex {
        let (start, length) = self.locations[parent.0].path;
        let path = self.paths.len() as u32;
        self.paths.extend_from_within(start as usize..(start + length) as usize);
        self.paths.extend_from_slice(steps);
        let position = self.position();
        let start = (position.line, position.column);
        let path = (path, length + steps.len() as u32);
        self.locations.push(Location { path, start, end: start, comments: None, option: Vec::new() });
        LocationIndex(self.locations.len() - 1)
    }

    /// Ends a location at the token before the current token.
    fn close(&mut self, location: LocationIndex) {
        let token = self.tokens[self.next.saturating_sub(1)];
        self.locations[location.0].end = (token.position.line, token.end_column);
    }

    /// Adds a location from one consumed token to another.
    fn locate(&mut self, parent: LocationIndex, steps: &[i32], first: Token, last: Token) -> LocationIndex {
        let location = self.open(parent, steps);
        self.start_at(location, first);
        self.locations[location.0].end = (last.position.line, last.end_column);
        location
    }

    fn start_at(&mut self, location: LocationIndex, token: Token) {
        self.locations[location.0].start = (token.position.line, token.position.column);
    }

    /// Parses the name of an element. The name has a location of its own.
    fn name(&mut self, parent: LocationIndex, what: &str) -> Result<String> {
        let location = self.open(parent, &[1]);
        let name = self.declare(what)?;
        self.close(location);
        Ok(name)
    }

    /// Consumes `local` or `export`, and returns its number in `google.protobuf.SymbolVisibility`. Returns 0 if the current
    /// token is neither keyword.
    fn visibility(&mut self) -> Result<i32> {
        let number = match self.text() {
            "local" => 1,
            "export" => 2,
            _ => return Ok(0),
        };
        // Before edition 2024, and if no identifier follows, `local` and `export` are ordinary names.
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

//! Services and their methods.

use super::super::ast::{Method, Options, Service};
use super::*;

impl Parser<'_> {
    pub(super) fn service(&mut self, path: Vec<i32>) -> Result<Service> {
        let location = self.open(path.clone());
        self.advance();
        let name = self.declare("the name of a service")?;
        let mut service = Service { name: name.clone(), methods: Vec::new(), options: Options::default() };
        let behind = self.block(&name, |parser| match parser.text() {
            "option" => parser.option_statement(&mut service.options),
            "rpc" => {
                let path = step(&path, 2, service.methods.len());
                service.methods.push(parser.method(path)?);
                Ok(())
            }
            _ => parser.unexpected("`rpc` or `option`"),
        })?;
        self.close(location, behind);
        Ok(service)
    }

    fn method(&mut self, path: Vec<i32>) -> Result<Method> {
        let location = self.open(path);
        self.advance();
        let name = self.declare("the name of a method")?;
        let (client_streaming, input) = self.side()?;
        self.expect("returns")?;
        let (server_streaming, output) = self.side()?;
        let mut options = Options { is_present: self.is("{"), ..Options::default() };
        let behind = if self.is("{") {
            self.block("", |parser| match parser.text() {
                "option" => parser.option_statement(&mut options),
                _ => parser.unexpected("`option`"),
            })?
        } else {
            self.semicolon()?
        };
        self.close(location, behind);
        Ok(Method { name, input, output, client_streaming, server_streaming, options })
    }

    /// `(stream Message)`.
    fn side(&mut self) -> Result<(bool, String)> {
        self.expect("(")?;
        let follows = |token: &Token| token.kind == Kind::Identifier || self.text_of(token) == ".";
        // A message may be called `stream`, or be in a package of that name.
        let is_stream = self.is("stream")
            && self.tokens.get(self.next + 1).is_some_and(follows)
            && !(self.text_of(&self.tokens[self.next + 1]) == "." && self.is_touching());
        if is_stream {
            self.advance();
        }
        let message = self.path("the name of a message", true)?;
        self.expect(")")?;
        Ok((is_stream, message))
    }

    /// True where nothing stands between the current token and the next.
    fn is_touching(&self) -> bool {
        self.token().range.end == self.tokens[self.next + 1].range.start
    }
}

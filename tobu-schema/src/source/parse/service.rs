//! Services and their methods.

use super::super::ast::{Method, Options, Service};
use super::*;

impl Parser<'_, '_> {
    pub(super) fn service(&mut self, location: At, services: &mut Vec<Service>) -> Result<()> {
        self.advance();
        let name = self.name(location, "the name of a service")?;
        let mut service = Service { name, methods: Vec::new(), options: Options::default() };
        self.enter_block(location)?;
        let outer = self.enter_scope(&service.name);
        while !self.leave_block() {
            let member = self.service_member(location, &mut service);
            self.recover(member);
        }
        self.scope.truncate(outer);
        self.close(location);
        services.push(service);
        Ok(())
    }

    fn service_member(&mut self, parent: At, service: &mut Service) -> Result<()> {
        match self.text() {
            "option" => self.option_statement(parent, 3, &mut service.options),
            "rpc" => {
                let location = self.open(parent, &[2, service.methods.len() as i32]);
                let method = self.method(location)?;
                service.methods.push(method);
                Ok(())
            }
            _ => self.unexpected("`rpc` or `option`"),
        }
    }

    fn method(&mut self, location: At) -> Result<Method> {
        self.advance();
        let name = self.name(location, "the name of a method")?;
        let (client_streaming, input) = self.side(location, [5, 2])?;
        self.expect("returns")?;
        let (server_streaming, output) = self.side(location, [6, 3])?;
        let mut options = Options { is_present: self.is("{"), ..Options::default() };
        if self.is("{") {
            self.enter_block(location)?;
            while !self.leave_block() {
                let statement = match self.is("option") {
                    true => self.option_statement(location, 4, &mut options),
                    false => self.unexpected("`option`"),
                };
                self.recover(statement);
            }
        } else {
            self.expect_end(";", location)?;
        }
        self.close(location);
        Ok(Method { name, input, output, client_streaming, server_streaming, options })
    }

    /// `(stream Message)`, with the numbers of the fields that say so.
    fn side(&mut self, parent: At, [stream, message]: [i32; 2]) -> Result<(bool, String)> {
        self.expect("(")?;
        // As protoc has it, the name of a message called `stream` begins with a dot.
        let is_stream = self.is("stream");
        if is_stream {
            let location = self.open(parent, &[stream]);
            self.advance();
            self.close(location);
        }
        let location = self.open(parent, &[message]);
        let name = self.message_name()?;
        self.close(location);
        self.expect(")")?;
        Ok((is_stream, name))
    }
}

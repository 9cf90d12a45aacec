//! From options as they are written to options messages.
//!
//! The value of an option is written as in the text format, so all options of an element are one text of that format:
//! it is read into a dynamic message, which knows what fits.

use std::collections::HashSet;

use tobu::descriptor::{FieldDescriptor, MessageDescriptor, Pool};
use tobu::wire::Reader;
use tobu::{DynamicMessage, EncodeOptions, text};

use super::ast::{Options, Part, Statement, Syntax, Target};
use super::lex::Fault;

/// The fields of `google.protobuf.FieldOptions` that say where an option may stand.
const TARGETS: u32 = 19;
const FEATURE_SUPPORT: u32 = 22;

pub(super) struct Interpreter<'p> {
    /// The file's imports, and the file itself once it is linked.
    pub(super) pool: &'p Pool,
    /// Has `descriptor.proto`, for files that do not import it.
    pub(super) base: &'p Pool,
    /// The names of the files whose extensions the file may use.
    pub(super) visible: &'p HashSet<String>,
    pub(super) syntax: Syntax,
}

impl Interpreter<'_> {
    /// Encodes options: all of them, or only those that `descriptor.proto` itself declares.
    pub(super) fn encode(
        &self,
        target: Target,
        scope: &str,
        options: &mut Options,
        with_extensions: bool,
    ) -> Result<(), Fault> {
        let is_wanted =
            |statement: &&Statement| with_extensions || statement.path.iter().all(|part| !part.is_extension);
        let statements: Vec<_> = options.statements.iter().filter(is_wanted).collect();
        if statements.is_empty() {
            return Ok(());
        }
        let name = target.message();
        let message = self.pool.message(name).or_else(|| self.base.message(name));
        let message = message.ok_or_else(|| fault(statements[0], format!("{name} is not declared")))?;
        let mut text = String::new();
        for statement in &statements {
            text.push_str(&self.text(target, scope, &message, statement)?);
        }
        let encoded = match self.read(&message, &text) {
            Ok(encoded) => encoded,
            Err(error) => return Err(self.culprit(target, scope, &message, &statements, &error)),
        };
        options.encoded = encoded;
        Ok(())
    }

    fn read(&self, message: &MessageDescriptor, text: &str) -> tobu::Result<Vec<u8>> {
        let options = text::Options::new().pool(self.pool);
        let message = DynamicMessage::from_text_with(message, text.as_bytes(), &options)?;
        EncodeOptions::new().deterministic(true).to_vec(&message)
    }

    /// The statement that `error` is about: one that fails by itself, or else the last.
    fn culprit(
        &self,
        target: Target,
        scope: &str,
        message: &MessageDescriptor,
        statements: &[&Statement],
        error: &tobu::Error,
    ) -> Fault {
        for statement in statements {
            let text = self.text(target, scope, message, statement).unwrap_or_default();
            if let Err(error) = self.read(message, &text) {
                return fault(statement, error.message());
            }
        }
        fault(statements[statements.len() - 1], error.message())
    }

    /// A statement in the text format.
    fn text(
        &self,
        target: Target,
        scope: &str,
        message: &MessageDescriptor,
        statement: &Statement,
    ) -> Result<String, Fault> {
        let (mut text, mut closing) = (String::new(), String::new());
        let mut message = Some(message.clone());
        for (i, part) in statement.path.iter().enumerate() {
            let Some(within) = &message else {
                let outer = &statement.path[i - 1].name;
                return Err(fault(
                    statement,
                    format!("option {outer} is no message, and has no field {}", part.name),
                ));
            };
            let field = self.field(scope, within, part).map_err(|text| fault(statement, text))?;
            self.check_target(target, &field).map_err(|text| fault(statement, text))?;
            match part.is_extension {
                true => text.push_str(&format!("[{}]", field.full_name())),
                false => text.push_str(&part.name),
            }
            if i + 1 < statement.path.len() {
                text.push_str(" { ");
                closing.push_str(" }");
            }
            message = field.message_type();
        }
        Ok(format!("{text}: {}{closing}\n", statement.value))
    }

    /// The option, or the field of one, that a part of a name means.
    fn field(
        &self,
        scope: &str,
        message: &MessageDescriptor,
        part: &Part,
    ) -> Result<FieldDescriptor, String> {
        let name = &part.name;
        if !part.is_extension {
            return message
                .field_by_name(name)
                .ok_or_else(|| format!("{} has no option {name}", message.full_name()));
        }
        let extension = match name.strip_prefix('.') {
            Some(full) => self.pool.extension(full),
            None => scopes(scope, name).find_map(|full| self.pool.extension(&full)),
        };
        let extension = extension.ok_or_else(|| format!("extension {name} is not declared"))?;
        let file = extension.field().file();
        if !self.visible.contains(file.name()) {
            return Err(format!("extension {name} is declared in {}, which is not imported", file.name()));
        }
        if extension.extendee().full_name() != message.full_name() {
            return Err(format!("extension {name} is not one of {}", message.full_name()));
        }
        Ok(extension.field().clone())
    }

    /// Checks that an option may be set here, in a file of this edition.
    fn check_target(&self, target: Target, option: &FieldDescriptor) -> Result<(), String> {
        let numbers = |number| {
            option.options().raw(number).filter_map(|field| {
                let mut reader = Reader::new(field);
                reader.tag().ok()?;
                reader.varint().ok()
            })
        };
        let targets: Vec<u64> = numbers(TARGETS).collect();
        if !targets.is_empty() && !targets.contains(&(target as u64)) {
            return Err(format!("option {} cannot be set on {}", option.full_name(), target.noun()));
        }
        let edition = self.syntax.edition();
        for support in option.options().len_prefixed(FEATURE_SUPPORT) {
            let limit = |number| edition_in(support, number).filter(|limit| *limit > 0);
            if let Some(introduced) = limit(1).filter(|introduced| edition < *introduced) {
                return Err(format!(
                    "option {} is not there before edition {}",
                    option.full_name(),
                    year(introduced)
                ));
            }
            if let Some(removed) = limit(4).filter(|removed| edition >= *removed) {
                return Err(format!(
                    "option {} is not there from edition {} on",
                    option.full_name(),
                    year(removed)
                ));
            }
        }
        Ok(())
    }
}

/// The names that a relative name may stand for, from the innermost scope outwards.
fn scopes<'n>(scope: &'n str, name: &'n str) -> impl Iterator<Item = String> + 'n {
    let mut next = Some(scope);
    std::iter::from_fn(move || {
        let scope = next?;
        next = match scope.rfind('.') {
            Some(dot) => Some(&scope[..dot]),
            None => (!scope.is_empty()).then_some(""),
        };
        Some(super::ast::scoped(scope, name))
    })
}

/// A field of an encoded `FeatureSupport` that is an edition.
fn edition_in(support: &[u8], number: u32) -> Option<i32> {
    let mut reader = Reader::new(support);
    let mut edition = None;
    while !reader.is_empty() {
        let tag = reader.tag().ok()?;
        match tag.number() == number {
            true => edition = Some(reader.varint().ok()? as i32),
            false => reader.skip(tag, 100).map(|_| ()).ok()?,
        }
    }
    edition
}

fn year(edition: i32) -> String {
    match edition {
        1000 => "2023".into(),
        1001 => "2024".into(),
        1002 => "2026".into(),
        number => number.to_string(),
    }
}

fn fault(statement: &Statement, text: impl Into<String>) -> Fault {
    Fault { position: statement.position, text: text.into() }
}

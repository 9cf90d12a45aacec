//! Writes code that reads every field of a message by the accessors of its reference.

use std::fmt::Write;
use tobu_build::catalog::{Catalog, MemberKind};
use tobu_build::{Config, Result};

/// The impls of `Reread` for the references of some files, whose types are in a module of the crate.
pub(crate) fn write(config: &Config, files: &[&str], includes: &[&str], module: &str) -> Result<String> {
    let pool = tobu_build::load(files, includes)?;
    let catalog = Catalog::new(config, &pool)?;
    let mut code = String::new();
    for message in &catalog.messages {
        let Some(reference) = &message.reference else { continue };
        let descriptor = pool.message(&message.full_name).expect("the catalog is of the pool");
        let path = |path: &[String], last: &str| {
            let modules = path[..path.len() - 1].iter().map(|part| format!("r#{part}::"));
            format!("crate::{module}{}{last}", modules.collect::<String>())
        };
        let mut body = String::new();
        macro_rules! convert {
            ($field:expr) => {
                match $field.enum_type() {
                    Some(_) => "crate::read::of_enum",
                    None => "crate::read::IntoValue::value",
                }
            };
        }
        let mut fields = descriptor.fields().filter(|field| field.oneof().is_none());
        for member in &message.members {
            match &member.kind {
                MemberKind::Field(_, methods) => {
                    let field = fields.next().expect("each field is a member");
                    let (number, get) = (field.number(), &methods.get);
                    let value = field.map_value().unwrap_or_else(|| field.clone());
                    let get = format!("self.{get}(), {}", convert!(value));
                    let read = if field.map_key().is_some() {
                        format!("map({number}, {get})")
                    } else if field.is_list() {
                        format!("list({number}, {get})")
                    } else if methods.has.is_empty() {
                        format!("plain({number}, {get})")
                    } else if field.message_type().is_some() {
                        format!("message({number}, self.{}(), {get})", methods.has)
                    } else {
                        format!("optional({number}, self.{}(), {get})", methods.has)
                    };
                    let _ = writeln!(body, "        to.{read};");
                }
                MemberKind::Oneof(index, methods) => {
                    let oneof = &catalog.oneofs[*index];
                    let name = oneof.reference.as_ref().expect("the message has a reference");
                    let declared = descriptor.oneofs().find(|declared| declared.name() == member.name);
                    let declared = declared.expect("no oneof of the tests has another name in Rust");
                    let _ = writeln!(body, "        let which = match self.{}() {{", methods.which);
                    let _ = writeln!(body, "            None => None,");
                    for (field, variant) in declared.fields().zip(&oneof.variants) {
                        let (number, variant) = (field.number(), &variant.name);
                        let name = path(&oneof.path, name);
                        let _ = writeln!(
                            body,
                            "            Some({name}::{variant}(value)) => Some(({number}, {}(value))),",
                            convert!(field)
                        );
                    }
                    let _ = writeln!(body, "        }};");
                    let _ = writeln!(body, "        to.oneof(self.{}(), which);", methods.has);
                    for (field, methods) in declared.fields().zip(&methods.fields) {
                        let (number, get, has) = (field.number(), &methods.get, &methods.has);
                        let read = if field.message_type().is_some() { "message" } else { "optional" };
                        let convert = convert!(field);
                        let _ = writeln!(
                            body,
                            "        to.{read}({number}, self.{has}(), self.{get}(), {convert});"
                        );
                    }
                }
            }
        }
        let reference = path(&message.path, reference);
        let _ = writeln!(
            code,
            "impl crate::read::Reread for {reference}<'_> {{
    fn reread(self, to: &mut crate::read::Reader) {{
        let _ = &to;
{body}    }}
}}

impl crate::read::IntoValue for {reference}<'_> {{
    fn value(self) -> tobu::reflect::Value {{
        tobu::reflect::Value::Message(crate::read::reread(self))
    }}
}}
"
        );
    }
    Ok(code)
}

//! Code that reads every field of a message, and three of them, in the types of each library.

use crate::Result;
use crate::schemas::Schemas;
use ::tobu::Pool;
use ::tobu::descriptor::{FieldDescriptor, Kind, MessageDescriptor};
use std::fmt::Write;
use std::path::Path;

/// How a library names its types and gives the values of fields.
#[derive(Clone, Copy, PartialEq)]
enum Dialect {
    Tobu,
    Prost,
    Buffa,
    BuffaView,
    Google,
}

use Dialect::{Buffa, BuffaView, Google, Prost, Tobu};

pub(crate) fn generate(schemas: &Schemas, out: &Path) -> Result {
    let pool = Pool::from_descriptor_set(&schemas.bytes)?;
    let dialects =
        [(Tobu, "tobu"), (Prost, "prost"), (Buffa, "buffa"), (BuffaView, "buffa_view"), (Google, "google")];
    for (dialect, name) in dialects {
        let mut code = String::new();
        for message in pool.messages() {
            let package = message.file().package().to_owned();
            // The descriptors that buffa comes with are of another version.
            let has_types = match dialect {
                Buffa | BuffaView => package != "google.protobuf",
                _ => true,
            };
            if !message.is_map_entry() && has_types && package != "benchmarks" {
                dialect.message(&message, &mut code)?;
            }
        }
        std::fs::write(out.join(format!("read_{name}.rs")), code)?;
    }
    Ok(())
}

impl Dialect {
    /// Fields are called, not named.
    fn is_called(self) -> bool {
        matches!(self, Tobu | Google)
    }

    fn message(self, message: &MessageDescriptor, code: &mut String) -> Result {
        let ty = self.path(message);
        let lifetime = match self {
            Tobu | BuffaView | Google => "<'_>",
            Prost | Buffa => "",
        };
        writeln!(code, "impl Read for {ty}{lifetime} {{")?;
        writeln!(code, "#[inline]\nfn all(&self, sum: &mut Sum) {{")?;
        let mut oneofs = Vec::new();
        for field in message.fields() {
            match field.oneof().filter(|oneof| !oneof.is_synthetic()) {
                Some(oneof) if oneofs.contains(&oneof.name().to_owned()) => {}
                Some(oneof) => {
                    oneofs.push(oneof.name().to_owned());
                    let held = self.get(oneof.name());
                    let (held, suffix) = match self {
                        Tobu => (format!("self.which_{}()", oneof.name()), "Ref"),
                        Google => (held, "Oneof"),
                        BuffaView => (format!("&{held}"), "View"),
                        _ => (format!("&{held}"), ""),
                    };
                    let path = self.inside(message, "", &format!("{}{suffix}", camel(oneof.name())));
                    writeln!(code, "match {held} {{")?;
                    for member in oneof.fields() {
                        let (open, close) = if self == Google { ("", "") } else { ("Some(", ")") };
                        let add = self.add(&member, "value");
                        writeln!(code, "{open}{path}::{}(value){close} => {add},", camel(member.name()))?;
                    }
                    writeln!(code, "_ => {{}}\n}}")?;
                }
                None => writeln!(code, "{}", self.field(&field))?,
            }
        }
        writeln!(code, "}}\nfn three(&self, sum: &mut Sum) {{")?;
        let is_plain =
            |field: &FieldDescriptor| field.oneof().is_none() && !field.is_list() && !field.is_map();
        let plain = message.fields().filter(|field| is_plain(field) && field.message_type().is_none());
        let mut three: Vec<_> = plain.filter(|field| !field.has_presence()).take(3).collect();
        let left = 3 - three.len();
        three.extend(message.fields().filter(|field| field.is_list()).take(left));
        for field in &three {
            let value = self.get(field.name());
            match field.is_list() {
                true => writeln!(code, "sum.add({value}.len() as u64);")?,
                false => writeln!(code, "{}", self.field(field))?,
            }
        }
        writeln!(code, "}}\n}}")?;
        Ok(())
    }

    /// The value of a field.
    fn get(self, name: &str) -> String {
        let name = match name {
            "type" => "r#type",
            name => name,
        };
        if self.is_called() { format!("self.{name}()") } else { format!("self.{name}") }
    }

    fn field(self, field: &FieldDescriptor) -> String {
        let value = self.get(field.name());
        if field.is_map() {
            let entries = match self {
                Prost | Buffa => format!("&{value}"),
                _ => format!("{value}.iter()"),
            };
            let (key, held) = (field.map_key(), field.map_value());
            let add = |part: Option<FieldDescriptor>, name| {
                part.map_or_else(String::new, |part| self.add(&part, name))
            };
            return format!(
                "for (key, value) in {entries} {{ {}; {}; }}",
                add(key, "key"),
                add(held, "value")
            );
        }
        if field.is_list() {
            return format!("for value in {value}.iter() {{ {}; }}", self.add(field, "value"));
        }
        if field.message_type().is_some() {
            let held = match self {
                Tobu => value,
                Prost => format!("&{value}"),
                Buffa | BuffaView => format!("{value}.as_option()"),
                Google => format!("self.has_{0}().then(|| {value})", field.name()),
            };
            return format!("if let Some(value) = {held} {{ {}; }}", self.add(field, "value"));
        }
        if field.has_presence() && !(self == Prost && field.is_required()) {
            let held = match self {
                Tobu | Google => format!("self.has_{}().then(|| {value})", field.name()),
                _ => format!("&{value}"),
            };
            return format!("if let Some(value) = {held} {{ {}; }}", self.add(field, "value"));
        }
        match self {
            Tobu | Google => format!("{{ let value = {value}; {}; }}", self.add(field, "value")),
            _ => format!("{{ let value = &{value}; {}; }}", self.add(field, "value")),
        }
    }

    /// Adds a single value.
    fn add(self, field: &FieldDescriptor, value: &str) -> String {
        match field.kind() {
            Kind::String | Kind::Bytes => format!("sum.add({value}.len() as u64)"),
            Kind::Message(_) => format!("{value}.all(sum)"),
            Kind::Enum(_) => match self {
                Tobu => format!("sum.add(::tobu::Enumeration::number(&{value}))"),
                Prost => format!("sum.add(*{value})"),
                Buffa | BuffaView => format!("sum.add({value}.to_i32())"),
                Google => format!("sum.add(i32::from({value}))"),
            },
            _ if self.is_called() => format!("sum.add({value})"),
            _ => format!("sum.add(*{value})"),
        }
    }

    /// The path of the type of a message.
    fn path(self, message: &MessageDescriptor) -> String {
        let suffix = match self {
            Tobu => "Ref",
            BuffaView | Google => "View",
            Prost | Buffa => "",
        };
        let name = format!("{}{suffix}", message.name());
        match message.parent() {
            // buffa has views of nested messages only where all views are.
            Some(parent) if self == BuffaView => self.inside(&parent, "::__buffa::view", &name),
            Some(parent) => self.inside(&parent, "", &name),
            None => format!("{}::{name}", self.package(message)),
        }
    }

    fn package(self, message: &MessageDescriptor) -> String {
        let types = match self {
            Tobu => "tobu_types",
            Prost => "prost_types",
            Buffa | BuffaView => "buffa_types",
            Google => "google_types",
        };
        format!("crate::{types}::{}", message.file().package().replace('.', "::"))
    }

    /// The path of a type that is declared in a message, with the module after the package.
    fn inside(self, message: &MessageDescriptor, module: &str, name: &str) -> String {
        let inner = format!("{}::{name}", snake(message.name()));
        match message.parent() {
            Some(parent) => self.inside(&parent, module, &inner),
            None => format!("{}{module}::{inner}", self.package(message)),
        }
    }
}

fn camel(name: &str) -> String {
    let parts = name.split('_').filter(|part| !part.is_empty());
    parts.map(|part| part[..1].to_uppercase() + &part[1..]).collect()
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (index, letter) in name.char_indices() {
        if letter.is_uppercase() && index > 0 {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

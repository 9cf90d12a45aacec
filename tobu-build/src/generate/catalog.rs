//! Describes generated code: its types, their members, and the methods that read and change the members. The description is for
//! programs that read or write code that uses generated code.

use std::collections::HashMap;

use tobu_schema::Pool;
use tobu_schema::descriptor::{FieldDescriptor, FieldShape, Kind, MessageDescriptor, OneofDescriptor};

use super::field::{self, Context};
use super::message::{self, Member};
use super::schema::Schema;
use super::view::Flavor;
use super::{getter, oneof, select};
use crate::config::{BytesType, Config, StringType};
use crate::error::Result;
use crate::names::methods::MemberMethods;
pub use crate::names::methods::{BUILD, FieldMethods, OneofMethods};
use crate::names::{ident, type_name};

/// The generated types of a schema that own their contents.
///
/// ```
/// use tobu_build::Config;
/// use tobu_build::catalog::{Catalog, MemberKind};
///
/// let pool = tobu_build::load_sources(&[("a.proto", "syntax = \"proto3\"; message Book { string type = 1; }")])?;
/// let catalog = Catalog::new(&Config::new(), &pool)?;
/// let book = &catalog.messages[0];
/// assert_eq!((book.full_name.as_str(), book.path.join("::")), ("Book", "Book".to_owned()));
/// let MemberKind::Field(_, methods) = &book.members[0].kind else { unreachable!() };
/// assert_eq!((methods.get.as_str(), methods.set.as_str()), ("r#type", "set_type"));
/// # Ok::<(), tobu_build::Error>(())
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Catalog {
    /// The structs of messages, in the order in which the schema declares them.
    pub messages: Vec<MessageType>,
    /// The enums of oneofs.
    pub oneofs: Vec<OneofType>,
    /// The clients of services, if the settings generate clients.
    pub clients: Vec<ClientType>,
}

/// The struct of a message.
#[derive(Debug)]
#[non_exhaustive]
pub struct MessageType {
    /// The full name of the message in the schema.
    pub full_name: String,
    /// The path of the struct: the modules from the root of the generated code, and the name of the struct.
    pub path: Vec<String>,
    /// The members, in the order in which the schema declares the fields.
    pub members: Vec<MemberType>,
    /// The name of the member for unknown fields, if the struct has one.
    pub unknown: Option<String>,
    /// The name of the method that returns a reference to the unknown fields.
    pub unknown_get: String,
    /// The name of the method that returns a mutable reference to the unknown fields.
    pub unknown_mut: String,
    /// The name of the function that returns a builder.
    pub builder: String,
    /// The name of the reference type for the message in a parsed message, if the settings generate this type. It is in the
    /// module of the struct.
    pub reference: Option<String>,
}

/// A member of a struct.
#[derive(Debug)]
#[non_exhaustive]
pub struct MemberType {
    /// The name of the member. A keyword is written without `r#`.
    pub name: String,
    /// The kind of the member, with its methods.
    pub kind: MemberKind,
}

/// The kind of a member, with the methods that read and change it.
#[derive(Debug)]
pub enum MemberKind {
    /// A field outside of oneofs.
    Field(Shape, FieldMethods),
    /// A oneof, by its index in [`Catalog::oneofs`].
    Oneof(usize, OneofMethods),
}

/// How the struct stores a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// As the value itself.
    Plain(Value),
    /// In an `Option`.
    Optional {
        /// The value in the option.
        value: Value,
        /// True if the value is in a `Box`.
        is_boxed: bool,
        /// True if the schema declares a default value.
        has_default: bool,
    },
    /// In a list of elements of this kind.
    List(Value),
    /// In a map with values of this kind.
    Map(Value),
}

/// The kind of Rust type that a value has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number, a bool or an enum, which is copied.
    Scalar,
    /// A `String`.
    Text,
    /// A `Vec<u8>`.
    Bytes,
    /// A string or byte string of another type.
    Custom,
    /// A message, by its index in [`Catalog::messages`]. `None` if the message type is not generated here.
    Message(Option<usize>),
}

/// The enum of a oneof.
#[derive(Debug)]
#[non_exhaustive]
pub struct OneofType {
    /// The path of the enum: the modules from the root of the generated code, and the name of the enum.
    pub path: Vec<String>,
    /// The variants, one for each field of the oneof, in the order in which the schema declares the fields.
    pub variants: Vec<Variant>,
    /// The name of the enum for this oneof in a parsed message, if the settings generate this enum. Its variants have the names
    /// of the variants of the owned enum.
    pub reference: Option<String>,
}

/// A variant of the enum of a oneof.
#[derive(Debug)]
#[non_exhaustive]
pub struct Variant {
    /// The name of the variant.
    pub name: String,
    /// The value in the variant.
    pub value: Value,
    /// True if the value is in a `Box`.
    pub is_boxed: bool,
}

/// The client of a service.
#[derive(Debug)]
#[non_exhaustive]
pub struct ClientType {
    /// The path of the client: the modules from the root of the generated code, and the name of the struct.
    pub path: Vec<String>,
    /// The functions of the client. Each has its name, the type of its response, and true if the response is a stream.
    pub functions: Vec<(String, Value, bool)>,
}

impl Catalog {
    /// Creates the catalog of the code that is generated for all files of a pool.
    ///
    /// # Errors
    /// A name in the pool is not an identifier, or a setting cannot be parsed.
    pub fn new(config: &Config, pool: &Pool) -> Result<Self> {
        let files: Vec<_> = pool.files().map(|file| file.name().to_owned()).collect();
        let files = files.iter().filter(|file| !config.is_own(file));
        let schema = Schema::new(config, select::select(config, pool, files)?)?;
        let messages: Vec<_> = schema
            .selected()
            .flat_map(|file| file.all_messages().collect::<Vec<_>>())
            .filter(|message| !message.is_map_entry() && schema.name_of(message.full_name()).is_some())
            .collect();
        let index =
            messages.iter().enumerate().map(|(i, message)| (message.full_name().to_owned(), i)).collect();
        let mut reader = Reader { schema: &schema, index, catalog: Catalog::default() };
        for message in &messages {
            let message = reader.message(message);
            reader.catalog.messages.push(message);
        }
        reader.clients();
        Ok(reader.catalog)
    }
}

struct Reader<'s> {
    schema: &'s Schema<'s>,
    index: HashMap<String, usize>,
    catalog: Catalog,
}

impl Reader<'_> {
    fn message(&mut self, message: &MessageDescriptor) -> MessageType {
        let members = message::members(self.schema, message, Flavor::Owned);
        let methods = getter::methods(&members);
        let types = members
            .members
            .iter()
            .zip(methods.members)
            .filter_map(|(member, methods)| {
                let (name, kind) = match (member, methods) {
                    (Member::Field { field, name, .. }, MemberMethods::Field(methods)) => {
                        (name, MemberKind::Field(self.shape(field), raw(methods)))
                    }
                    (Member::Oneof(oneof, name), MemberMethods::Oneof(mut methods)) => {
                        methods.fields = methods.fields.into_iter().map(raw).collect();
                        (name, MemberKind::Oneof(self.oneof(oneof), methods))
                    }
                    _ => return None,
                };
                Some(MemberType { name: name.clone(), kind })
            })
            .collect();
        MessageType {
            full_name: message.full_name().to_owned(),
            path: self.path(message.full_name()),
            members: types,
            unknown: members.unknown,
            unknown_get: methods.unknown_fields,
            unknown_mut: methods.unknown_fields_mut,
            builder: methods.builder,
            reference: self.reference(message.full_name()),
        }
    }

    fn reference(&self, full_name: &str) -> Option<String> {
        let name = self.schema.name_of(full_name)?.reference();
        (!name.is_empty()).then(|| name.to_owned())
    }

    /// Adds the enum of a oneof to the catalog, and returns the index of the enum.
    fn oneof(&mut self, oneof: &OneofDescriptor) -> usize {
        let variants = oneof
            .fields()
            .zip(oneof::variant_names(oneof))
            .map(|(field, name)| Variant {
                name,
                value: self.value(&field, &field.kind()),
                is_boxed: field::is_boxed(self.schema, &field, Flavor::Owned),
            })
            .collect();
        let (path, reference) = (self.path(oneof.full_name()), self.reference(oneof.full_name()));
        self.catalog.oneofs.push(OneofType { path, variants, reference });
        self.catalog.oneofs.len() - 1
    }

    fn shape(&self, field: &FieldDescriptor) -> Shape {
        match field.shape() {
            FieldShape::Singular(kind) if field.has_presence() => Shape::Optional {
                value: self.value(field, &kind),
                is_boxed: field::is_boxed(self.schema, field, Flavor::Owned),
                has_default: field.default().is_some(),
            },
            FieldShape::Singular(kind) => Shape::Plain(self.value(field, &kind)),
            FieldShape::List(kind) => Shape::List(self.value(field, &kind)),
            FieldShape::Map { value, .. } => Shape::Map(self.value(field, &value.kind())),
        }
    }

    fn value(&self, field: &FieldDescriptor, kind: &Kind) -> Value {
        let context = Context { modules: &[], flavor: Flavor::Owned, is_stated: false };
        let config = self.schema.config();
        match kind {
            _ if field::with(self.schema, field, context).is_some() => Value::Custom,
            Kind::String => match config.string_types.get(field.full_name()) {
                None | Some(StringType::String) => Value::Text,
                Some(_) => Value::Custom,
            },
            Kind::Bytes => match config.bytes_types.get(field.full_name()) {
                None | Some(BytesType::Vec) => Value::Bytes,
                Some(_) => Value::Custom,
            },
            Kind::Message(target) => Value::Message(self.index.get(target.full_name()).copied()),
            _ => Value::Scalar,
        }
    }

    fn path(&self, full_name: &str) -> Vec<String> {
        let Some(name) = self.schema.name_of(full_name) else { return Vec::new() };
        let mut path = name.modules.clone();
        path.push(name.of(Flavor::Owned).to_owned());
        path
    }

    fn clients(&mut self) {
        let files: Vec<_> = self.schema.selected().collect();
        for service in files.iter().flat_map(|file| file.services()) {
            let Some(name) = self.schema.service(service.full_name()) else { continue };
            let mut path = name.package.clone();
            path.push(name.client.clone());
            path.push(type_name(&format!("{}_client", service.name())));
            let functions = service
                .methods()
                .map(|method| {
                    let answer = Value::Message(self.index.get(method.output().full_name()).copied());
                    (crate::names::field_name(method.name()), answer, method.is_server_streaming())
                })
                .collect();
            self.catalog.clients.push(ClientType { path, functions });
        }
    }
}

/// Writes the names of getters and builder methods with `r#` if they are keywords. The other names have a prefix, so they
/// cannot be keywords.
fn raw(methods: FieldMethods) -> FieldMethods {
    let raw = |name: String| ident(&name).to_string();
    FieldMethods { get: raw(methods.get), build: raw(methods.build), ..methods }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// If names collide, the generator writes the methods that the catalog lists.
    #[test]
    fn has_the_methods_of_generated_code() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
        for proto in ["library.proto", "names.proto", "proto2.proto", "recursive.proto"] {
            let pool = crate::load(&[directory.join(proto)], &[&directory]).unwrap();
            let mut config = Config::new();
            config.accessors(true);
            let catalog = Catalog::new(&config, &pool).unwrap();
            let code = &config.generate(&pool, [proto]).unwrap()["tobu.rs"];
            let mut generated = BTreeSet::new();
            collect(&syn::parse_file(code).unwrap().items, &mut Vec::new(), &mut generated);
            let known: BTreeSet<_> = catalog.messages.iter().flat_map(methods).collect();
            let missing: Vec<_> = generated.difference(&known).collect();
            assert!(missing.is_empty(), "{proto}: {missing:?}");
            let surplus: Vec<_> = known.difference(&generated).collect();
            assert!(surplus.is_empty(), "{proto}: {surplus:?}");
        }
    }

    /// If names collide, methods that only messages with builders have get the underscores.
    #[test]
    fn keeps_new_names_apart_from_those_there_were() {
        let source = "syntax = \"proto3\"; message Clashes {
            string builder = 1; string set_owner = 2; string unknown_fields_mut = 3; optional string build = 4;
            string maybe_build = 5; oneof owner { string person = 6; string which_owner = 7; } }";
        let pool = crate::load_sources(&[("clashes.proto", source)]).unwrap();
        let catalog = Catalog::new(&Config::new(), &pool).unwrap();
        let message = &catalog.messages[0];
        let names = (message.builder.as_str(), message.unknown_get.as_str(), message.unknown_mut.as_str());
        assert_eq!(names, ("builder_", "unknown_fields", "unknown_fields_mut_"));
        let MemberKind::Field(_, build) = &message.members[3].kind else { panic!() };
        assert_eq!(
            (build.get.as_str(), build.build.as_str(), build.maybe.as_str()),
            ("build", "build_", "maybe_build_")
        );
        let MemberKind::Oneof(_, owner) = &message.members[5].kind else { panic!() };
        let OneofMethods { has, clear, which, set, take, get_mut, maybe, .. } = owner.clone();
        let names = [has, clear, which, set, take, get_mut, maybe];
        let wanted = [
            "has_owner",
            "clear_owner",
            "which_owner_",
            "set_owner_",
            "take_owner",
            "owner_mut",
            "maybe_owner",
        ];
        assert_eq!(names, wanted);
    }

    /// Collects the methods in `impl` blocks of structs, each with the path of its struct.
    fn collect(items: &[syn::Item], path: &mut Vec<String>, found: &mut BTreeSet<(String, String)>) {
        for item in items {
            match item {
                syn::Item::Mod(module) => {
                    path.push(plain(&module.ident));
                    collect(module.content.as_ref().map_or(&[], |(_, items)| items), path, found);
                    path.pop();
                }
                syn::Item::Impl(item) if item.trait_.is_none() => {
                    let syn::Type::Path(ty) = &*item.self_ty else { continue };
                    let name = [path.as_slice(), &[plain(ty.path.get_ident().unwrap())]].concat().join("::");
                    for item in &item.items {
                        if let syn::ImplItem::Fn(method) = item {
                            found.insert((name.clone(), plain(&method.sig.ident)));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn plain(ident: &proc_macro2::Ident) -> String {
        ident.to_string().trim_start_matches("r#").to_owned()
    }

    /// Returns the methods of messages with public members.
    fn methods(message: &MessageType) -> Vec<(String, String)> {
        let mut names = Vec::new();
        let of_field = |methods: &FieldMethods| {
            let FieldMethods { get, has, set, clear, take, get_mut, .. } = methods.clone();
            [get, has, set, clear, take, get_mut]
        };
        for member in &message.members {
            match &member.kind {
                MemberKind::Field(_, methods) => names.extend(of_field(methods)),
                MemberKind::Oneof(_, methods) => {
                    names.extend(methods.fields.iter().flat_map(of_field));
                    let OneofMethods { has, clear, which, set, take, get_mut, .. } = methods.clone();
                    names.extend([has, clear, which, set, take, get_mut]);
                }
            }
        }
        names.retain(|name| !name.is_empty());
        let plain = |name: String| name.trim_start_matches("r#").to_owned();
        names.into_iter().map(|name| (message.path.join("::"), plain(name))).collect()
    }
}

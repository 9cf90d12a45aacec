//! Chooses the names of all generated types, and the paths to the types from any module.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proc_macro2::TokenStream;
use quote::quote;
use tobu_schema::descriptor::{EnumDescriptor, FileDescriptor, MessageDescriptor, OneofDescriptor};

use super::api::Apis;
use super::boxing::Components;
use super::lookups;
use super::own;
use super::select::Selection;
use super::stated;
use super::traits::Lacking;
use super::view::{self, Flavor};
use crate::config::{Config, Views};
use crate::error::{Error, Kind, Result};
use crate::names::{Scope, ident, module_name, type_name};

/// The Rust names for a message, an enum or a oneof.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// The modules around the type.
    pub(super) modules: Vec<String>,
    owned: String,
    /// The name of the view, which is the type that borrows.
    view: String,
    builder: String,
    /// The name of the reference, which is the type that reads a parsed message.
    reference: String,
    /// The name of the module for the declarations in the message. This module is next to the type.
    inner: String,
}

impl Name {
    /// Returns the name of the type of a flavor (owned or view).
    pub(super) fn of(&self, flavor: Flavor) -> &str {
        match flavor {
            Flavor::Owned => &self.owned,
            Flavor::View => &self.view,
        }
    }

    pub(super) fn builder(&self) -> &str {
        &self.builder
    }

    pub(super) fn reference(&self) -> &str {
        &self.reference
    }

    /// Returns the modules around the declarations in the message.
    pub(super) fn inner(&self) -> Vec<String> {
        [self.modules.as_slice(), std::slice::from_ref(&self.inner)].concat()
    }
}

/// The names of the two statics for an embedded file.
#[derive(Debug)]
pub(super) struct Static {
    pub(super) file: String,
    /// The static that holds the registered descriptor. The types of the file read it.
    pub(super) slot: String,
}

#[derive(Clone, Debug)]
pub(super) struct ServiceName {
    /// The modules of its package.
    pub(super) package: Vec<String>,
    /// The module of the client, inside the modules of the package.
    pub(super) client: String,
    /// The module of the server, inside the modules of the package.
    pub(super) server: String,
}

/// The selected files, with everything that the generation of their code needs.
pub(super) struct Schema<'c> {
    config: &'c Config,
    selection: Selection,
    /// The path of the `tobu` crate.
    pub(super) runtime: TokenStream,
    /// The path of the `tobu-tonic` crate.
    pub(super) tonic: TokenStream,
    /// The names of the generated types, by the full name of the message, enum or oneof.
    names: HashMap<String, Name>,
    /// The modules of services, by full name. Empty if nothing is generated for services.
    services: HashMap<String, ServiceName>,
    packages: HashMap<String, Vec<String>>,
    /// The statics of embedded files, by the name of the file.
    statics: HashMap<String, Static>,
    /// The name of the static of all embedded files; `None` if fewer than two files are embedded.
    pub(super) group: Option<String>,
    components: Components,
    borrowing: HashSet<String>,
    /// The messages whose types declare their schemas in attributes.
    stated: HashSet<String>,
    /// The messages that can contain extensions or a `google.protobuf.Any`, directly or in nested messages.
    lookups: HashSet<String>,
    pub(super) apis: Apis,
    /// The types that cannot implement the traits that the settings require.
    pub(super) lacking: Lacking,
}

impl<'c> Schema<'c> {
    pub(super) fn new(config: &'c Config, selection: Selection) -> Result<Self> {
        let path = |path: &str| match syn::parse_str::<syn::Path>(path) {
            Ok(path) => Ok(quote!(#path)),
            Err(error) => Err(Error::option("the path", path, error)),
        };
        let mut schema = Schema {
            config,
            selection,
            runtime: path(&config.runtime)?,
            tonic: path(&config.tonic)?,
            names: HashMap::new(),
            services: HashMap::new(),
            packages: HashMap::new(),
            statics: HashMap::new(),
            group: None,
            components: Components::default(),
            borrowing: HashSet::new(),
            stated: HashSet::new(),
            lookups: HashSet::new(),
            apis: Apis::default(),
            lacking: Lacking::default(),
        };
        schema.name_packages();
        schema.name_statics();
        let messages: Vec<_> = schema
            .selected()
            .flat_map(|file| file.all_messages().collect::<Vec<_>>())
            .filter(|message| schema.names.contains_key(message.full_name()))
            .collect();
        schema.components = Components::of(&messages);
        schema.apis = Apis::of(&messages, &schema);
        if let (Some(message), true) = (schema.apis.opaque(), config.serde_derives) {
            return Err(Kind::OpaqueSerde { message: message.to_owned() }.into());
        }
        schema.borrowing = view::borrowing(&messages, &schema);
        schema.lacking = Lacking::of(&messages, &schema);
        let stated = messages.iter().filter(|message| stated::message(&schema, message));
        schema.stated = stated.map(|message| message.full_name().to_owned()).collect();
        schema.lookups = lookups::of(&messages);
        Ok(schema)
    }

    pub(super) fn config(&self) -> &'c Config {
        self.config
    }

    /// Returns the files whose descriptors are embedded. Imports come before the files that import them.
    pub(super) fn embedded(&self) -> &[FileDescriptor] {
        &self.selection.embedded
    }

    /// Returns the files whose types are generated.
    pub(super) fn selected(&self) -> impl Iterator<Item = &FileDescriptor> {
        self.selection.embedded.iter().filter(|file| self.selection.generated.contains(file.name()))
    }

    /// Returns the Rust names of a message, an enum or a oneof by its full name; `None` if it is not generated.
    pub(super) fn name_of(&self, full_name: &str) -> Option<&Name> {
        self.names.get(full_name)
    }

    /// Returns the modules of a service by its full name; `None` if it is not generated.
    pub(super) fn service(&self, full_name: &str) -> Option<&ServiceName> {
        self.services.get(full_name)
    }

    /// Returns the modules of a package that has generated files.
    pub(super) fn package(&self, package: &str) -> &[String] {
        self.packages.get(package).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the types and statics in each module. Other items of the module cannot have these names.
    pub(super) fn taken(&self) -> HashMap<&[String], Vec<&str>> {
        let mut taken: HashMap<&[String], Vec<&str>> = HashMap::new();
        for name in self.names.values() {
            taken.entry(&name.modules).or_default().extend([
                &*name.owned,
                &*name.view,
                &*name.builder,
                &*name.reference,
            ]);
        }
        for names in self.statics.values() {
            taken.entry(&[]).or_default().extend([&*names.file, &*names.slot]);
        }
        taken.entry(&[]).or_default().extend(self.group.as_deref());
        taken
    }

    /// Returns the name of a message for documentation.
    pub(super) fn shown<'n>(&self, name: &'n Name) -> &'n str {
        name.of(if self.config.views == Views::Only { Flavor::View } else { Flavor::Owned })
    }

    /// Returns the statics of a file that this code embeds; `None` for other files.
    pub(super) fn static_of(&self, file: &str) -> Option<&Static> {
        self.statics.get(file)
    }

    /// True if `target`, the type of a field of `message`, can contain `message`, directly or in nested messages.
    pub(super) fn is_recursive(&self, message: &str, target: &str) -> bool {
        self.components.together(message, target)
    }

    /// True if the view of a message or a oneof has a lifetime.
    pub(super) fn borrows(&self, full_name: &str) -> bool {
        self.borrowing.contains(full_name)
    }

    /// True for a message whose type declares its schema in attributes.
    pub(super) fn states(&self, message: &str) -> bool {
        self.stated.contains(message)
    }

    /// True for a message that can contain extensions or a `google.protobuf.Any`. Its `Debug` looks up descriptors by
    /// name.
    pub(super) fn looks_up(&self, message: &str) -> bool {
        self.lookups.contains(message)
    }

    /// Returns the path of a file's static, as code in the module `from` writes it.
    pub(super) fn static_path(&self, from: &[String], file: &str) -> TokenStream {
        match self.static_of(file) {
            Some(names) => relative(from, &[], &names.file),
            None => self.own_static(&own_name(file)),
        }
    }

    /// Returns the path of the static that holds the registered descriptor of a file, as code in the module `from`
    /// writes it.
    pub(super) fn slot_path(&self, from: &[String], file: &str) -> TokenStream {
        match self.static_of(file) {
            Some(names) => relative(from, &[], &names.slot),
            None => self.own_static(&slot_of(&own_name(file))),
        }
    }

    fn own_static(&self, name: &str) -> TokenStream {
        let (runtime, name) = (&self.runtime, ident(name));
        quote!(#runtime::types::files::#name)
    }

    /// Returns the path of the type of a message, an enum or a oneof without its lifetime, as code in the module `from`
    /// writes it.
    pub(super) fn path(&self, from: &[String], full_name: &str, flavor: Flavor) -> Result<TokenStream> {
        match self.names.get(full_name) {
            Some(name) => Ok(relative(from, &name.modules, name.of(flavor))),
            None => self.extern_path(full_name),
        }
    }

    /// Returns the path of the reference of a message, or of a oneof's enum in it, as code in the module `from` writes
    /// it.
    pub(super) fn reference_path(&self, from: &[String], full_name: &str) -> TokenStream {
        self.names
            .get(full_name)
            .map_or_else(TokenStream::new, |name| relative(from, &name.modules, &name.reference))
    }

    /// Returns the Rust path of a type that is not generated.
    fn extern_path(&self, full_name: &str) -> Result<TokenStream> {
        if let Some((rest, rust)) = self.config.extern_paths.prefix(full_name) {
            let mut path: syn::Path =
                syn::parse_str(rust).map_err(|error| Error::option("the path", rust, error))?;
            let rest: Vec<_> = rest.split('.').filter(|part| !part.is_empty()).collect();
            let prefix = full_name.strip_suffix(&rest.join(".")).unwrap_or("").trim_end_matches('.');
            if !rest.is_empty()
                && self.selection.pool.message(prefix).is_some()
                && let Some(last) = path.segments.last_mut()
            {
                last.ident = ident(&module_name(&last.ident.to_string()));
            }
            let Some((name, modules)) = rest.split_last() else { return Ok(quote!(#path)) };
            let modules = modules.iter().map(|part| ident(&module_name(part)));
            let name = ident(&type_name(name));
            return Ok(quote!(#path #(::#modules)* ::#name));
        }
        let runtime = &self.runtime;
        let name = ident(&type_name(full_name.rsplit('.').next().unwrap_or(full_name)));
        Ok(quote!(#runtime::types::#name))
    }

    /// Names the modules of packages, and the types and services in them.
    fn name_packages(&mut self) {
        let mut packages: BTreeMap<Vec<&str>, Vec<&FileDescriptor>> = BTreeMap::new();
        for file in &self.selection.embedded {
            if self.selection.generated.contains(file.name()) {
                let parts: Vec<_> = file.package().split('.').filter(|part| !part.is_empty()).collect();
                packages.entry(parts).or_default().push(file);
            }
        }
        let mut children: BTreeMap<&[&str], BTreeSet<&str>> = BTreeMap::new();
        for package in packages.keys() {
            for end in 0..package.len() {
                children.entry(&package[..end]).or_default().insert(package[end]);
            }
            children.entry(package).or_default();
        }
        let mut modules: HashMap<Vec<&str>, Vec<String>> = HashMap::from([(Vec::new(), Vec::new())]);
        let mut names = HashMap::new();
        let mut services = HashMap::new();
        for (package, parts) in &children {
            let mut scope = Scope::default();
            let path = modules.get(*package).cloned().unwrap_or_default();
            let claimed = scope.claim_all(parts.iter().copied(), module_name);
            for (part, module) in parts.iter().zip(claimed) {
                let child = [package as &[&str], &[part]].concat();
                modules.insert(child, [path.as_slice(), &[module]].concat());
            }
            let files = packages.get(*package).map(Vec::as_slice).unwrap_or_default();
            let messages = files.iter().flat_map(|file| file.messages().collect::<Vec<_>>());
            let enums = files.iter().flat_map(|file| file.enums().collect::<Vec<_>>());
            self.name_scope(&path, &mut scope, messages.collect(), enums.collect(), Vec::new(), &mut names);
            let generated = files.iter().flat_map(|file| file.services().collect::<Vec<_>>());
            for service in generated.filter(|service| self.config.generates(service)) {
                let client = scope.claim(module_name(&format!("{}_client", service.name())));
                let server = scope.claim(module_name(&format!("{}_server", service.name())));
                let name = ServiceName { package: path.clone(), client, server };
                services.insert(service.full_name().to_owned(), name);
            }
        }
        self.names = names;
        self.services = services;
        self.packages = modules.into_iter().map(|(package, path)| (package.join("."), path)).collect();
    }

    /// Names the types of one scope, then the declarations in them.
    fn name_scope(
        &self,
        modules: &[String],
        scope: &mut Scope,
        messages: Vec<MessageDescriptor>,
        enums: Vec<EnumDescriptor>,
        oneofs: Vec<OneofDescriptor>,
        names: &mut HashMap<String, Name>,
    ) {
        let generated = |full_name: &str| !self.config.is_extern(full_name);
        let messages: Vec<_> =
            messages.into_iter().filter(|message| generated(message.full_name())).collect();
        let enums: Vec<_> = enums.into_iter().filter(|declared| generated(declared.full_name())).collect();
        let types = messages
            .iter()
            .map(|message| (message.name(), message.full_name()))
            .chain(enums.iter().map(|declared| (declared.name(), declared.full_name())));
        let (short, full): (Vec<_>, Vec<_>) = types.unzip();
        let mut owned = scope.claim_all(short, type_name);
        let inner = scope.claim_all(messages.iter().map(MessageDescriptor::name), module_name);
        owned.extend(scope.claim_all(oneofs.iter().map(OneofDescriptor::name), type_name));
        let full = full.into_iter().chain(oneofs.iter().map(OneofDescriptor::full_name));
        for (i, (full_name, owned)) in full.zip(owned).enumerate() {
            let is_enum = (messages.len()..messages.len() + enums.len()).contains(&i);
            let view = match self.config.views {
                Views::None => String::new(),
                _ if is_enum => owned.clone(),
                _ => scope.claim(with_suffix(&owned, "View")),
            };
            let builder = match i < messages.len() && self.config.views != Views::Only {
                true => scope.claim(with_suffix(&owned, "Builder")),
                false => String::new(),
            };
            let oneof = i.checked_sub(messages.len() + enums.len()).and_then(|oneof| oneofs.get(oneof));
            let message =
                oneof.map_or_else(|| full_name.to_owned(), |oneof| oneof.message().full_name().to_owned());
            let reference = match !is_enum && self.config.is_parsed(&message) {
                true => scope.claim(with_suffix(&owned, "Ref")),
                false => String::new(),
            };
            let inner = inner.get(i).cloned().unwrap_or_default();
            names.insert(
                full_name.to_owned(),
                Name { modules: modules.to_vec(), owned, view, builder, reference, inner },
            );
        }
        for (message, inner) in messages.iter().zip(&inner) {
            let modules = [modules, std::slice::from_ref(inner)].concat();
            let messages = nested(message).collect();
            let enums = message.enums().collect();
            let oneofs = message.oneofs().collect();
            self.name_scope(&modules, &mut Scope::default(), messages, enums, oneofs, names);
        }
    }

    fn name_statics(&mut self) {
        let mut scope = Scope::default();
        for file in &self.selection.embedded {
            // If the runtime contains a descriptor, it is not embedded again, unless types are generated from another
            // version of the file.
            let is_bound = self.selection.generated.contains(file.name());
            if !self.config.is_own(file.name()) || is_bound && !own::is_same(self.config, file) {
                let name = scope.claim(format!("FILE_{}", screaming(file.name())));
                self.statics.insert(file.name().to_owned(), Static { file: name, slot: String::new() });
            }
        }
        for file in &self.selection.embedded {
            if let Some(names) = self.statics.get_mut(file.name()) {
                names.slot = scope.claim(slot_of(&names.file));
            }
        }
        let mut embedded = self.selection.embedded.iter().filter_map(|file| self.statics.get(file.name()));
        if let (Some(first), Some(_)) = (embedded.next(), embedded.next()) {
            self.group = Some(scope.claim(format!("{}_GROUP", first.file)));
        }
    }
}

/// Returns the name of a file as part of a constant's name: `library/v1/shelf.proto` becomes `LIBRARY_V1_SHELF`.
fn screaming(file: &str) -> String {
    let stem = file.strip_suffix(".proto").unwrap_or(file);
    stem.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect()
}

/// Inserts a suffix: `Shelf` becomes `ShelfView`. Underscores that distinguish two names stay at the end.
fn with_suffix(owned: &str, suffix: &str) -> String {
    let stem = owned.trim_end_matches('_');
    format!("{stem}{suffix}{}", &owned[stem.len()..])
}

/// Returns the messages that are declared in a message, except map entries.
pub(super) fn nested(message: &MessageDescriptor) -> impl Iterator<Item = MessageDescriptor> + '_ {
    message.messages().filter(|message| !message.is_map_entry())
}

/// Returns the path of the item `name` in the module `to`, as code in the module `from` writes it.
fn relative(from: &[String], to: &[String], name: &str) -> TokenStream {
    let common = from.iter().zip(to).take_while(|(from, to)| from == to).count();
    let up = from[common..].iter().map(|_| quote!(super::));
    let down = to[common..].iter().map(|module| ident(module));
    let name = ident(name);
    quote!(#(#up)* #(#down::)* #name)
}

/// Returns the name of the static of a file that the runtime contains.
fn own_name(file: &str) -> String {
    screaming(file.rsplit('/').next().unwrap_or(file))
}

fn slot_of(name: &str) -> String {
    format!("{name}_SLOT")
}

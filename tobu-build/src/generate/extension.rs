//! Generates a static for every extension whose type has a Rust path, in the module of the extension's scope. Programs use the
//! static to read and set the extension.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;
use tobu_schema::descriptor::{ExtensionDescriptor, FileDescriptor, Kind, MessageDescriptor};

use super::doc;
use super::field::{self, Context};
use super::module::Module;
use super::schema::{Schema, nested};
use super::view::Flavor;
use crate::config::Views;
use crate::error::Result;
use crate::names::{Scope, constant_name, ident};

/// Extensions by the modules of their scopes. The files of one package share a module.
type Scopes = BTreeMap<Vec<String>, Vec<ExtensionDescriptor>>;

/// Adds a static for each extension in the files, if its type has a Rust path.
pub(super) fn add(schema: &Schema<'_>, files: &[FileDescriptor], root: &mut Module) -> Result<()> {
    let mut scopes = Scopes::new();
    for file in files {
        of_file(schema, file, root, &mut scopes);
    }
    if scopes.is_empty() {
        return Ok(());
    }
    let taken = schema.taken();
    for (modules, extensions) in &scopes {
        let mut scope = Scope::default();
        for name in taken.get(modules.as_slice()).into_iter().flatten() {
            scope.claim((*name).to_owned());
        }
        let names = scope.claim_all(extensions.iter().map(|extension| extension.name()), constant_name);
        for (extension, name) in extensions.iter().zip(&names) {
            root.at(modules).push(item(schema, extension, name, modules)?)?;
        }
    }
    Ok(())
}

fn of_file(schema: &Schema<'_>, file: &FileDescriptor, root: &mut Module, scopes: &mut Scopes) {
    let own = file.extensions().filter(|extension| has_type(schema, extension));
    let own: Vec<_> = own.collect();
    if !own.is_empty() {
        scopes.entry(schema.package(file.package()).to_vec()).or_default().extend(own);
    }
    for message in file.messages() {
        of_message(schema, &message, root, scopes);
    }
}

fn of_message(schema: &Schema<'_>, message: &MessageDescriptor, root: &mut Module, scopes: &mut Scopes) {
    let Some(name) = schema.name_of(message.full_name()) else { return };
    let own: Vec<_> = message.extensions().filter(|extension| has_type(schema, extension)).collect();
    if !own.is_empty() {
        root.at(&name.inner()).describe(format!(
            "The types and extensions that are declared inside [`{}`].",
            schema.shown(name)
        ));
        scopes.entry(name.inner()).or_default().extend(own);
    }
    for inner in nested(message) {
        of_message(schema, &inner, root, scopes);
    }
}

/// True if the code can name an owned Rust type for the value of the extension.
fn has_type(schema: &Schema<'_>, extension: &ExtensionDescriptor) -> bool {
    let there = |full_name: &str| schema.name_of(full_name).is_some() || schema.config().is_extern(full_name);
    match extension.kind() {
        Kind::Message(message) => {
            let only_borrowed = schema.config().views == Views::Only && schema.borrows(message.full_name());
            there(message.full_name()) && !only_borrowed
        }
        Kind::Enum(enumeration) => there(enumeration.full_name()),
        _ => true,
    }
}

fn item(
    schema: &Schema<'_>,
    extension: &ExtensionDescriptor,
    name: &str,
    modules: &[String],
) -> Result<TokenStream> {
    let runtime = &schema.runtime;
    let doc = doc::comments(schema.config(), extension.full_name(), &extension.comments());
    let own = doc.is_empty().then(|| {
        let (name, extendee) = (extension.full_name(), extension.extendee());
        doc::line(&format!("The extension `{name}` of `{}`.", extendee.full_name()))
    });
    let name = ident(name);
    let flavor = match (schema.config().views, extension.kind()) {
        (Views::Only, Kind::Message(_) | Kind::Enum(_)) => Flavor::View,
        _ => Flavor::Owned,
    };
    let ty = field::extension(schema, extension.field(), Context { modules, flavor, is_stated: false })?;
    let file = schema.static_path(modules, extension.file().name());
    let full_name = extension.full_name();
    Ok(quote! {
        #doc
        #own
        pub static #name: #runtime::Extension<#ty> = #runtime::Extension::new(&#file, #full_name);
    })
}

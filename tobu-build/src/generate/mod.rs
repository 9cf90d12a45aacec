//! Generates Rust source from linked descriptors.
//!
//! `select` finds the files and types to generate. `schema` chooses the names of the types, and the paths from one module to
//! another. Most other modules generate one kind of item each. `module` collects the items in a tree of modules, and prints
//! them.

mod accessor;
mod api;
mod attributes;
mod boxing;
mod builder;
pub mod catalog;
mod client;
mod doc;
mod enumeration;
mod extension;
mod field;
mod file;
mod getter;
mod lookups;
mod message;
mod module;
mod oneof;
mod own;
mod package;
mod parsed;
mod schema;
mod select;
mod server;
mod service;
mod stated;
mod traits;
mod value;
mod view;

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use tobu_schema::Pool;
use tobu_schema::descriptor::{EnumDescriptor, FileDescriptor, MessageDescriptor};

use self::module::Module;
use self::schema::Schema;
use self::view::Flavor;
use crate::config::Config;
use crate::error::Result;
use crate::output::{Files, Output};

impl Config {
    /// Generates code for files of a pool and for everything that the files refer to. A build script is not necessary,
    /// and the function writes no file.
    ///
    /// The result maps names of Rust files to their contents.
    ///
    /// ```
    /// // A file `a.proto` with `message M {}`.
    /// let pool = tobu::Pool::from_descriptor_set(b"\x0a\x0e\x0a\x07a.proto\x22\x03\x0a\x01M")?;
    /// let files = tobu_build::Config::new().generate(&pool, ["a.proto"])?;
    /// assert!(files["tobu.rs"].contains("pub struct M {"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A file is not in the pool, a name in a file is not an identifier, or a setting cannot be parsed.
    pub fn generate<I>(&self, pool: &Pool, files: I) -> Result<BTreeMap<String, String>>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let mut written = Files::default();
        self.generate_to(pool, files, &mut written)?;
        Ok(written.finish())
    }

    /// Generates code for files of a pool like [`generate`](Self::generate), and writes each part to `out` as soon as
    /// it is complete.
    pub(crate) fn generate_to<I>(&self, pool: &Pool, files: I, out: &mut dyn Output) -> Result<()>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let selection = select::select(self, pool, files)?;
        package::write(&Schema::new(self, selection)?, out)
    }
}

/// Finds the Rust types of messages.
pub(crate) trait TypePaths {
    /// Returns the path of the type of a message, as code in one module writes it.
    fn path_of(&self, message: &MessageDescriptor) -> Result<TokenStream>;
}

/// Adds the declarations of all files to the module `root`.
fn add_files(schema: &Schema<'_>, files: &[FileDescriptor], root: &mut Module) -> Result<()> {
    for file in files {
        for message in file.messages() {
            add_message(schema, &message, root)?;
        }
        for enumeration in file.enums() {
            add_enum(schema, &enumeration, root)?;
        }
    }
    extension::add(schema, files, root)?;
    service::add(schema, files, root)
}

/// Adds a message and the declarations in it.
fn add_message(schema: &Schema<'_>, message: &MessageDescriptor, root: &mut Module) -> Result<()> {
    let Some(name) = schema.name_of(message.full_name()) else { return Ok(()) };
    for &flavor in Flavor::of(schema.config().views) {
        root.at(&name.modules).push(message::item(schema, message, flavor)?)?;
        for oneof in message.oneofs() {
            root.at(&name.inner()).push(oneof::item(schema, &oneof, flavor)?)?;
        }
    }
    if parsed::is_parsed(schema, message.full_name()) {
        root.at(&name.modules).push(parsed::item(schema, message)?)?;
        for oneof in message.oneofs() {
            root.at(&name.inner()).push(parsed::oneof(schema, &oneof)?)?;
        }
    }
    if message.oneofs().len() > 0 || schema::nested(message).next().is_some() || message.enums().len() > 0 {
        root.at(&name.inner())
            .describe(format!("The types that are declared inside [`{}`].", schema.shown(name)));
    }
    for nested in schema::nested(message) {
        add_message(schema, &nested, root)?;
    }
    for enumeration in message.enums() {
        add_enum(schema, &enumeration, root)?;
    }
    Ok(())
}

fn add_enum(schema: &Schema<'_>, enumeration: &EnumDescriptor, root: &mut Module) -> Result<()> {
    let Some(name) = schema.name_of(enumeration.full_name()) else { return Ok(()) };
    root.at(&name.modules).push(enumeration::item(schema, enumeration)?)?;
    Ok(())
}

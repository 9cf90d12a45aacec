//! A Rust file per package, included by the file that has the tree of modules.

use std::collections::BTreeMap;

use quote::quote;
use tobu::descriptor::FileDescriptor;

use super::add_files;
use super::module::Module;
use super::schema::Schema;
use crate::error::{Error, Result};

/// Generates the files of each package and writes them, one package after the other, so that only one is in memory. `root`
/// gets the modules, each with an `include!`, and what has no package.
pub(super) fn add(
    schema: &Schema<'_>,
    files: Vec<FileDescriptor>,
    root: &mut Module,
    write: &mut dyn FnMut(String, Vec<String>) -> Result<()>,
) -> Result<()> {
    let mut packages: BTreeMap<&[String], Vec<FileDescriptor>> = BTreeMap::new();
    for file in files {
        packages.entry(schema.package(file.package())).or_default().push(file);
    }
    if let Some(files) = packages.remove(&[][..]) {
        add_files(schema, &files, root)?;
    }
    for (module, files) in packages {
        let mut tree = Module::above_file(module.len());
        add_files(schema, &files, &mut tree)?;
        let name = file_name(schema, &files)?;
        root.at(module).push(quote!(include!(#name);))?;
        write(name, tree.at(module).print()?)?;
    }
    Ok(())
}

/// The name of the Rust file of a package.
fn file_name(schema: &Schema<'_>, files: &[FileDescriptor]) -> Result<String> {
    let package = files.first().map_or("", FileDescriptor::package);
    let name = format!("{package}.rs");
    match name == schema.config().out_file {
        true => Err(Error::option("the output file", &name, "it is that of a package, since each has one")),
        false => Ok(name),
    }
}

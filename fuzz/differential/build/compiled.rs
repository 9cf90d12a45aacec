//! The types of prost and buffa, and where to find them by name.

use crate::random::Syntax;
use crate::schema::{self, Schema};
use prost::Message;
use prost_types::FileDescriptorSet;
use std::error::Error;
use std::path::{Path, PathBuf};

pub(crate) fn generate() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let schemas: Vec<Schema> = (0..schema::COMPILED).map(Schema::compiled).collect();
    prost(&schemas, &fresh(out.join("prost"))?)?;
    buffa(&schemas, &fresh(out.join("buffa"))?)
}

fn prost(schemas: &[Schema], out: &Path) -> Result<(), Box<dyn Error>> {
    // It knows no editions.
    let schemas: Vec<&Schema> =
        schemas.iter().filter(|schema| schema.syntax() != Syntax::Edition2023).collect();
    let mut set = FileDescriptorSet::default();
    for schema in &schemas {
        set.file.extend(FileDescriptorSet::decode(&*schema.pool.to_descriptor_set())?.file);
    }
    set.file.sort_by(|one, other| one.name.cmp(&other.name));
    set.file.dedup_by(|one, other| one.name == other.name);
    prost_build::Config::new().out_dir(out).include_file("types.rs").compile_fds(set)?;
    let find = find("fn(&[u8]) -> Answer", &schemas);
    std::fs::write(out.join("find.rs"), find)?;
    Ok(())
}

fn buffa(schemas: &[Schema], out: &Path) -> Result<(), Box<dyn Error>> {
    let mut pool = schemas[0].pool.clone();
    let mut files = Vec::new();
    for schema in schemas {
        let file = schema.messages[0].file();
        pool.add_file(file.encoded())?;
        files.push(file.name().to_owned());
    }
    let set = out.join("schemas.fds");
    std::fs::write(&set, pool.to_descriptor_set())?;
    buffa_build::Config::new()
        .descriptor_set(&set)
        .files(&files)
        .out_dir(out)
        .include_file("types.rs")
        .generate_views(false)
        .generate_json(true)
        .generate_text(true)
        .compile()?;
    let all: Vec<&Schema> = schemas.iter().collect();
    let mut code = find("fn(&Question) -> Answer", &all);
    code += "fn register_types(registry: &mut buffa::type_registry::TypeRegistry) {\n";
    for schema in schemas {
        code += &format!("    {}::register_types(registry);\n", schema.messages[0].file().package());
    }
    code += "}\n";
    std::fs::write(out.join("find.rs"), code)?;
    Ok(())
}

/// A function from the full name of a message to the reader of its type.
fn find(reader: &str, schemas: &[&Schema]) -> String {
    let mut code = format!("fn find(name: &str) -> Option<{reader}> {{\n    match name {{\n");
    for message in schemas.iter().flat_map(|schema| &schema.messages) {
        let name = message.full_name();
        let mut scopes: Vec<String> = name.split('.').map(str::to_lowercase).collect();
        scopes.pop();
        code += &format!("        {name:?} => Some(read::<{}::{}>),\n", scopes.join("::"), message.name());
    }
    code + "        _ => None,\n    }\n}\n"
}

/// An empty directory.
fn fresh(directory: PathBuf) -> std::io::Result<PathBuf> {
    if directory.exists() {
        std::fs::remove_dir_all(&directory)?;
    }
    std::fs::create_dir_all(&directory)?;
    Ok(directory)
}

//! The types of a flow record, and the code that puts its fields into a record of `tobu::dynamic::Encoder`.

use crate::{Result, fresh};
use pb_rs::ConfigBuilder;
use pb_rs::types::FileDescriptor;
use prost::Message as _;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const SCHEMA: &str = "proto/flows.proto";

pub(crate) fn generate(out: &Path) -> Result {
    println!("cargo:rerun-if-changed={SCHEMA}");
    let directory = fresh(out.join("flows"))?;
    let files = protox::compile([SCHEMA], ["proto"])?;
    let set = files.encode_to_vec();
    std::fs::write(directory.join("flows.fds"), &set)?;
    std::fs::write(directory.join("put.rs"), put(&::tobu::Pool::from_descriptor_set(&set)?)?)?;
    prost_build::Config::new().out_dir(&directory).compile_fds(files)?;
    let types = fresh(directory.join("quick_protobuf"))?;
    let inputs = [PathBuf::from(SCHEMA)];
    let configs = ConfigBuilder::new(&inputs, None, Some(&types), &["proto".into()])?.build();
    Ok(FileDescriptor::run(&configs)?)
}

/// A struct of the handles of all fields, and a function that puts all of them.
fn put(pool: &::tobu::Pool) -> Result<String> {
    use ::tobu::Kind;
    let message = pool.message("bench.flows.Flow").ok_or("there is no message bench.flows.Flow")?;
    let (mut handles, mut found, mut puts) = (String::new(), String::new(), String::new());
    for field in message.fields() {
        let (ty, by) = match field.kind() {
            Kind::String => ("str", "&"),
            Kind::Bytes => ("[u8]", "&"),
            Kind::Double => ("f64", ""),
            Kind::Float => ("f32", ""),
            Kind::Bool => ("bool", ""),
            Kind::UInt32 | Kind::Fixed32 => ("u32", ""),
            Kind::UInt64 | Kind::Fixed64 => ("u64", ""),
            Kind::Int32 | Kind::SInt32 => ("i32", ""),
            Kind::Int64 | Kind::SInt64 => ("i64", ""),
            kind => return Err(format!("{} is of kind {kind:?}", field.full_name()).into()),
        };
        let name = field.name();
        writeln!(handles, "    {name}: Field<{ty}>,")?;
        writeln!(found, "        {name}: encoder.field({name:?})?,")?;
        writeln!(puts, "    record.put(&handles.{name}, {by}flow.{name});")?;
    }
    Ok(format!(
        "struct Handles {{\n{handles}}}\n\n\
         fn handles(encoder: &Encoder) -> tobu::Result<Handles> {{\n    Ok(Handles {{\n{found}    }})\n}}\n\n\
         fn put(record: &mut Record<'_>, handles: &Handles, flow: &Flow) {{\n{puts}}}\n"
    ))
}

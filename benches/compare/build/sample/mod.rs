//! Data sets for when the recorded ones are not there: of the same shapes, made by a seed, and in the same format.

mod descriptors;
mod shapes;
mod values;

use crate::{Result, fresh};
use ::prost::Message as _;
use ::tobu::reflect::Value;
use ::tobu::{DynamicMessage, EncodeOptions, MessageDescriptor, Pool};
use std::path::Path;
use values::Values;

const PROTOS: &str = "proto";
const FILES: [&str; 5] = [
    "benchmarks.proto",
    "bench_messages.proto",
    "benchmark_message1_proto3.proto",
    "gobshape.proto",
    "google/protobuf/descriptor.proto",
];

/// Some messages of one type.
struct Set {
    name: &'static str,
    message: &'static str,
    payloads: usize,
}

/// Writes `schemas.fds` and a file for each set into an empty directory.
pub(crate) fn write(directory: &Path) -> Result {
    println!("cargo:rerun-if-changed={PROTOS}");
    let schemas = protox::Compiler::new([PROTOS])?
        .include_imports(true)
        .open_files(FILES)?
        .file_descriptor_set()
        .encode_to_vec();
    std::fs::write(directory.join("schemas.fds"), &schemas)?;
    let pool = Pool::from_descriptor_set(&schemas)?;
    let put = |name: &str, descriptor: &MessageDescriptor, payloads| -> Result {
        Ok(std::fs::write(
            directory.join(name).with_extension("pb"),
            file(&pool, name, descriptor, payloads)?,
        )?)
    };
    for (seed, set) in shapes::SETS.iter().enumerate() {
        let descriptor = message(&pool, set.message)?;
        let mut values = Values::new(seed as u64);
        let payloads =
            (0..set.payloads).map(|_| encode(&values.message(&descriptor)?)).collect::<Result<_>>()?;
        put(set.name, &descriptor, payloads)?;
    }
    let descriptor = message(&pool, "google.protobuf.FileDescriptorSet")?;
    let [without, with] = descriptors::sets(&descriptor, &fresh(directory.join("protos"))?)?;
    put("descriptor_set", &descriptor, vec![encode(&without)?])?;
    put("descriptor_set_src", &descriptor, vec![encode(&with)?])
}

/// A data set as a file: a `benchmarks.BenchmarkDataset`.
fn file(pool: &Pool, name: &str, descriptor: &MessageDescriptor, payloads: Vec<Vec<u8>>) -> Result<Vec<u8>> {
    let mut file = DynamicMessage::new(&message(pool, "benchmarks.BenchmarkDataset")?)?;
    let fields: &mut dyn ::tobu::Reflect = &mut file;
    fields.set_by_name("name", name)?;
    fields.set_by_name("message_name", descriptor.full_name())?;
    fields.set_by_name("payload", payloads.into_iter().map(Value::from).collect::<Vec<_>>())?;
    Ok(file.encode_to_vec()?)
}

/// Maps are sorted, so that the bytes are the same each time.
fn encode(message: &DynamicMessage) -> Result<Vec<u8>> {
    Ok(EncodeOptions::new().deterministic(true).to_vec(message)?)
}

fn message(pool: &Pool, name: &str) -> Result<MessageDescriptor> {
    Ok(pool.message(name).ok_or_else(|| format!("the schemas have no {name}"))?)
}

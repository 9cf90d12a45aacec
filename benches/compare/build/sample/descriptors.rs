//! The descriptors of a large schema, the one whose compile times `benches/compile` measures.

use crate::Result;
use ::prost::Message as _;
use ::tobu::reflect::MessageMut;
use ::tobu::{DynamicMessage, MessageDescriptor, Reflect};
use std::path::Path;
use tobu_compile::protos::Protos;
use tobu_compile::schema;

/// Options that are extensions which no reader knows, as the fields of files have them: a string with the number 1000,
/// and a group with the number 1001 around an int32.
const EXTENSIONS: &[u8] = b"\xc2\x3e\x04tobu\xcb\x3e\x08\x01\xcc\x3e";

/// The descriptor set without source info and with it; its files are written to `protos`.
pub(super) fn sets(descriptor: &MessageDescriptor, protos: &Path) -> Result<[DynamicMessage; 2]> {
    let compiled = Protos::compile(&schema::generate(schema::FULL), protos)?.set.encode_to_vec();
    let mut with = DynamicMessage::decode(descriptor, &compiled)?;
    for_each_file(&mut with, |file| {
        let mut options = file.get_mut_by_name("options")?.into_message().ok_or("options are a message")?;
        Ok(options.set_unknown_fields(EXTENSIONS)?)
    })?;
    let mut without = with.clone();
    for_each_file(&mut without, |file| Ok(file.clear_by_name("source_code_info")?))?;
    Ok([without, with])
}

fn for_each_file(set: &mut DynamicMessage, mut change: impl FnMut(&mut MessageMut<'_>) -> Result) -> Result {
    let set: &mut dyn Reflect = set;
    let mut files = set.get_mut_by_name("file")?.into_list().ok_or("files are a list")?;
    (0..files.len()).try_for_each(|index| change(&mut files.get_mut(index)?))
}

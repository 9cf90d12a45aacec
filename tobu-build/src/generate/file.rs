//! Embeds the descriptor of each file, once.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use tobu_schema::descriptor::FileDescriptor;
use tobu_schema::wire::Reader;

use super::doc;
use super::module;
use super::schema::{Schema, Static};
use crate::error::Result;
use crate::names::ident;
use crate::output::Output;

/// How deep groups in unknown options may be nested.
const MAX_NESTING: u32 = 100;

/// Writes a static for each file that the runtime does not contain, and a static for the group of all these files.
pub(super) fn statics(schema: &Schema<'_>, out: &mut dyn Output) -> Result<()> {
    let mut files = Vec::new();
    for file in schema.embedded() {
        if let Some(names) = schema.static_of(file.name()) {
            out.text(module::print(item(schema, file, names)?, 0)?)?;
            files.push(ident(&names.file));
        }
    }
    if let Some(group) = &schema.group {
        let (runtime, group) = (&schema.runtime, ident(group));
        let group = quote! {
            /// The descriptors of these files, which are registered in the global pool together.
            pub static #group: #runtime::descriptor::FileGroup =
                #runtime::descriptor::FileGroup::new(&[#(&#files),*]);
        };
        out.text(module::print(group, 0)?)?;
    }
    Ok(())
}

fn item(schema: &Schema<'_>, file: &FileDescriptor, names: &Static) -> Result<TokenStream> {
    let runtime = &schema.runtime;
    let (name, slot) = (ident(&names.file), ident(&names.slot));
    let stripped;
    let bytes = if schema.config().source_info {
        file.encoded()
    } else {
        stripped = without_source_info(file.encoded())?;
        &stripped
    };
    let bytes = Literal::byte_string(bytes);
    let dependencies = file.dependencies().map(|import| schema.static_path(&[], import.name()));
    let dependencies: Vec<_> = dependencies.collect();
    let shown = file.name().replace('`', "'");
    let doc = doc::line(&format!("The descriptor of `{shown}`."));
    let slot_doc = doc::line(&format!(
        "The slot for the registered descriptor of `{shown}`, which the types of the file read."
    ));
    let group = schema.group.as_deref().map(|group| {
        let group = ident(group);
        quote!(.group(&#group))
    });
    Ok(quote! {
        #doc
        pub static #name: #runtime::descriptor::GeneratedFile =
            #runtime::descriptor::GeneratedFile::new(#bytes, &[#(&#dependencies),*]).slot(&#slot)#group;
        #slot_doc
        pub static #slot: #runtime::descriptor::FileSlot = #runtime::descriptor::FileSlot::new();
    })
}

/// Returns a serialized `FileDescriptorProto` without its `SourceCodeInfo`, which is field 9.
pub(super) fn without_source_info(encoded: &[u8]) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(encoded.len());
    let mut reader = Reader::new(encoded);
    while !reader.is_empty() {
        let start = reader.position();
        let tag = reader.tag()?;
        reader.skip(tag, MAX_NESTING)?;
        if tag.number() != 9 {
            out.extend_from_slice(&encoded[start..reader.position()]);
        }
    }
    Ok(out)
}

//! What the plugin of protoc needs to generate Go's types of the data sets, with public members and opaque.

use crate::schemas::Schemas;
use crate::{Result, fresh};
use ::prost::Message as _;
use prost_types::FileDescriptorSet;
use prost_types::compiler::CodeGeneratorRequest;
use std::path::Path;

pub(crate) fn generate(schemas: &Schemas, out: &Path) -> Result {
    let directory = fresh(out.join("go"))?;
    let files = FileDescriptorSet::decode(&*schemas.bytes)?;
    for (api, level) in [("open", "API_OPEN"), ("opaque", "API_OPAQUE")] {
        let mut parameter = format!("default_api_level={level},module=layout");
        for file in schemas.own_files() {
            let package = file.trim_end_matches(".proto").replace('/', "_");
            parameter += &format!(",M{file}=layout/{api}/{package}");
        }
        let request = CodeGeneratorRequest {
            file_to_generate: schemas.own_files().cloned().collect(),
            parameter: Some(parameter),
            proto_file: files.file.clone(),
            compiler_version: None,
        };
        std::fs::write(directory.join(api), request.encode_to_vec())?;
    }
    Ok(())
}
